"""Values as cells of a CSV file (RFC 4180) that people open in a spreadsheet."""

from __future__ import annotations

from datetime import datetime
from typing import Final

#: A spreadsheet would take a text that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def cell_text(value: object) -> str:
    """A value as a cell: times to the millisecond, empty where it is not known."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return str(value)
