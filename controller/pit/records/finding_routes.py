"""What people say of a finding, and are audited for: what one was that nothing else ends, and which
of two histories of a table stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.archive.branches.rows import decide
from controller.pit.archive.findings.finding_rows import FindingRow, finding, settle_one
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.problems import RequestRejected

#: What a finding was, in this many characters.
MOST_CHARS: Final = 120
_NONE: Final = "There is no such finding, or it is over"


class FindingRoutes:
    """The page of a finding, and the end of it."""

    def __init__(self, accounts: Accounts, pages: Pages, clock_ms: Callable[[], int]) -> None:
        self._accounts = accounts
        self._pages = pages
        self._clock_ms = clock_ms

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/findings/{number:int}", self._form, methods=["GET"]),
            Route("/findings/{number:int}", self._settle, methods=["POST"]),
            Route("/findings/{number:int}/branch", self._branch, methods=["POST"]),
        ]

    async def _form(self, request: Request) -> Response:
        shown = await asyncio.to_thread(self._open, request.path_params["number"])
        return self._page(request, shown)

    async def _settle(self, request: Request) -> Response:
        shown = await asyncio.to_thread(self._open, request.path_params["number"])
        if not shown.by_people:
            raise RequestRejected(404, _NONE)
        what = await _said(request)
        if not what:
            return self._page(request, shown, f"Say what it was, in 1 to {MOST_CHARS} characters")
        who, address = identity_of(request).name, client_of(request).address
        await asyncio.to_thread(self._end, shown, who, what, address)
        return RedirectResponse("/records", 303)

    async def _branch(self, request: Request) -> Response:
        shown = await asyncio.to_thread(self._open, request.path_params["number"])
        if not shown.has_parted:
            raise RequestRejected(404, _NONE)
        what = await _said(request)
        if not what:
            return self._page(request, shown, f"Say why, in 1 to {MOST_CHARS} characters")
        who, address = identity_of(request).name, client_of(request).address
        if not await asyncio.to_thread(self._accept, shown, who, what, address):
            return self._page(request, shown, "That was said already: the table is being asked")
        return RedirectResponse("/records", 303)

    def _page(self, request: Request, shown: FindingRow, said: str = "") -> Response:
        return self._pages.page(
            "finding", identity_of(request), 422 if said else 200, finding=shown, said=said,
            most=MOST_CHARS,
        )  # fmt: skip

    def _open(self, number: int) -> FindingRow:
        """Blocks. Raises `RequestRejected`."""
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            found = finding(connection, number)
        if found is None or not (found.by_people or found.has_parted):
            raise RequestRejected(404, _NONE)
        return found

    def _accept(self, shown: FindingRow, who: str, why: str, address: str) -> bool:
        """Blocks. Whether nobody had said so before."""
        now_ms = self._clock_ms()
        with self._accounts.engine.begin() as connection:
            if not decide(connection, shown, who, why, now_ms):
                return False
            about = f"{shown.table}, {shown.kind} at record {shown.seq}: its own stands: {why}"
            record_act(connection, now_ms, who, AuditAct.ACCEPTED_BRANCH, about, address)
        return True

    def _end(self, shown: FindingRow, who: str, what: str, address: str) -> None:
        """Blocks. Raises `RequestRejected` where somebody was quicker."""
        now_ms = self._clock_ms()
        with self._accounts.engine.begin() as connection:
            if not settle_one(connection, shown.number, now_ms):
                raise RequestRejected(404, _NONE)
            about = f"{shown.table}, {shown.kind.replace('_', ' ')}: {what}"
            record_act(connection, now_ms, who, AuditAct.SETTLED_FINDING, about, address)


async def _said(request: Request) -> str:
    """What somebody wrote; empty where it is nothing, or too long."""
    what = (await read_form(request)).text("what").strip()
    return what if len(what) <= MOST_CHARS else ""
