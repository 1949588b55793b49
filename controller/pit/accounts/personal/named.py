"""Where the database has names of users beside `users`, for whoever erases or exports one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SignedColumn:
    """A column that has names of users: what it is of, and when that was (wall ms)."""

    table: str
    column: str
    about: tuple[str, ...]
    at_ms: str


#: What came of alerts, branches, tables, shifts and directories. By names: the rooms that have
#: these tables stand above this one.
SIGNED: Final = (
    SignedColumn("alerts", "answered_by", ("table_name", "text"), "answered_ms"),
    SignedColumn("branches", "who", ("name", "reason"), "asked_ms"),
    SignedColumn("retired", "who", ("name", "reason"), "at_ms"),
    SignedColumn("handovers", "given_name", ("note",), "given_ms"),
    SignedColumn("handovers", "taken_name", (), "taken_ms"),
    SignedColumn("issued_directories", "accepted_by", ("name", "serial"), "issued_ms"),
)


def called(name: str) -> re.Pattern[str]:
    """A name within other words, and not within another word."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
