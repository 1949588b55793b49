"""The page `/records`: what the archive has of every table, and what is wrong with it."""

from __future__ import annotations

from typing import Final

from fastapi import Response

from controller.pit.accounts.roles import Identity
from controller.pit.archive.branches.rows import BranchRow
from controller.pit.archive.overview import Overview
from controller.pit.sign_in.access import ENDS_FINDINGS, RETIRES_TABLES, TAKES_RECORDS
from controller.pit.sign_in.pages import Pages

#: The page is read anew this often.
REFRESH_S: Final = 5


def records_page(pages: Pages, who: Identity, shown: Overview) -> Response:
    """The page for whoever asks: ends of findings, and records set aside, for whom they are."""
    return pages.page(
        "records", who, shown=shown, line=_line(shown), set_aside=_set_aside, refresh_s=REFRESH_S,
        still=[each for each in shown.findings if each.settled_ms is None],
        over=[each for each in shown.findings if each.settled_ms is not None],
        may_retire=RETIRES_TABLES.allows(who.roles),
        may_settle=ENDS_FINDINGS.allows(who.roles), may_take=TAKES_RECORDS.allows(who.roles),
    )  # fmt: skip


def _line(shown: Overview) -> str:
    if shown.line:
        return f"Nothing comes from the bus: {shown.line}."
    if not shown.archives:
        return "Another pit on this database archives; this one would take over."
    return "The bus is there, and this pit archives."


def _set_aside(each: BranchRow) -> str:
    if each.done_ms is None:
        return "nothing yet: the table is asked where the two part"
    if each.said:
        return f"nothing: {each.said}"
    if not each.last_seq:
        return "nothing: the table goes on from what is archived"
    return f"records {each.first_seq} to {each.last_seq}"
