"""Why a table that is configured cannot be started."""

from __future__ import annotations


class CannotStart(Exception):
    """The table cannot start as configured; the text says what to change."""
