"""The audit: what is looked for in it, as a page and as a file, and whether its rows follow."""

from __future__ import annotations

import asyncio
import csv
import io
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Final
from urllib.parse import urlencode

from fastapi import Response
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct, act_words
from controller.pit.accounts.audit.log import AuditRow, CheckedChain, check_chain, record_act
from controller.pit.accounts.audit.search import AuditSearch, TooManyUsers, all_rows, find_rows
from controller.pit.csv_cells import cell_text
from controller.pit.house_time import BadTime, HouseTime
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.problems import RequestRejected

#: Rows on a page.
MOST_SHOWN: Final = 200
#: How often the chain is looked at from its first row on; in between only what has come to it.
WHOLE_S: Final = 3_600
_COLUMNS: Final = ("row", "at", "who", "act", "about", "address", "hash")
#: Rows that are written out at once.
_A_PART: Final = 500
#: Every act: what pages say, and its value.
_ACTS: Final = sorted((act_words(each.value), each.value) for each in AuditAct)
_FIELDS: Final = ("user", "act", "from", "to", "words")


class AuditRoutes:
    """The routes of the audit."""

    def __init__(self, accounts: Accounts, pages: Pages) -> None:
        self._accounts = accounts
        self._pages = pages
        self._checked = CheckedChain()
        self._whole_at: float | None = None

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/audit", self._page, methods=["GET"]),
            Route("/audit.csv", self._csv, methods=["GET"]),
        ]

    async def _page(self, request: Request) -> Response:
        asked = {name: request.query_params.get(name, "").strip()[:64] for name in _FIELDS}
        rows: list[AuditRow] = []
        said = ""
        try:
            search = _read(asked, request.query_params.get("before", ""), self._pages.house)
            rows = await asyncio.to_thread(find_rows, self._accounts.engine, search, MOST_SHOWN)
        except (BadAuditSearch, BadTime, TooManyUsers) as error:
            said = str(error)
        wrong = await asyncio.to_thread(self._first_wrong)
        given = {name: text for name, text in asked.items() if text}
        older = {**given, "before": str(rows[-1].seq)} if len(rows) == MOST_SHOWN else {}
        return self._pages.page(
            "audit", identity_of(request), 422 if said else 200,
            rows=rows, wrong=wrong, older=urlencode(older), asked=asked, said=said,
            given=urlencode(given), acts=_ACTS, act_words=act_words, newest=self._checked,
        )  # fmt: skip

    async def _csv(self, request: Request) -> Response:
        """All that fits, the newest first, times in UTC; that it was saved is a row itself."""
        asked = {name: request.query_params.get(name, "").strip()[:64] for name in _FIELDS}
        try:
            search = _read(asked, "", self._pages.house)
            await asyncio.to_thread(find_rows, self._accounts.engine, search, 1)
        except (BadAuditSearch, BadTime, TooManyUsers) as error:
            raise RequestRejected(422, str(error)) from error
        about = ", ".join(f"{name} {text}" for name, text in asked.items() if text) or "all of it"
        who, address = identity_of(request).name, client_of(request).address
        await asyncio.to_thread(self._note_saved, who, about, address)
        return StreamingResponse(
            _lines(all_rows(self._accounts.engine, search)), media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="audit.csv"'},
        )  # fmt: skip

    def _note_saved(self, who: str, about: str, address: str) -> None:
        with self._accounts.engine.begin() as connection:
            now_ms = self._accounts.clock_ms()
            record_act(connection, now_ms, who, AuditAct.SAVED_AUDIT, about, address)

    def _first_wrong(self) -> int | None:
        """The first row that does not follow. Blocks.

        A year has a hundred thousand rows of some 10 us each: to look at all of them for each page
        would let whoever may look keep a core busy.
        """
        now = time.monotonic()
        if self._whole_at is None or now - self._whole_at > WHOLE_S:
            self._checked, self._whole_at = CheckedChain(), now
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            self._checked = check_chain(connection, self._checked)
        return self._checked.wrong


class BadAuditSearch(Exception):
    """What was asked for cannot be looked for; the text says what to write."""


def _read(asked: Mapping[str, str], before: str, house: HouseTime) -> AuditSearch:
    """What a form or a link looks for. Raises `BadAuditSearch`, `BadTime`."""
    try:
        act = AuditAct(asked["act"]) if asked["act"] else None
    except ValueError:
        raise BadAuditSearch(f"{asked['act']!r} is no act of the audit: choose one") from None
    first_ms, last_ms = house.span(asked)
    is_number = before.isascii() and before.isdecimal() and len(before) < 16
    below = int(before) if is_number else None
    return AuditSearch(asked["user"], act, first_ms, last_ms, asked["words"], below)


def _lines(rows: Iterable[AuditRow]) -> Iterator[str]:
    """RFC 4180, with a line of names."""
    left = iter(rows)
    part: list[tuple[object, ...]] = [_COLUMNS]
    while part:
        made = io.StringIO(newline="")
        csv.writer(made).writerows([cell_text(cell) for cell in row] for row in part)
        yield made.getvalue()
        part = [_cells(each) for each in islice(left, _A_PART)]


def _cells(row: AuditRow) -> tuple[object, ...]:
    at = datetime.fromtimestamp(row.at_ms / 1_000, UTC)
    return row.seq, at, row.who, row.act, row.about, row.address, row.hash.hex()
