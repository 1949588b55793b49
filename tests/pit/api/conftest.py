"""A pit with tables that were played."""

from __future__ import annotations

from tests.pit.reports.conftest import pit, two_days_archived, two_days_played

__all__ = ["pit", "two_days_archived", "two_days_played"]
