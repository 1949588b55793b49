"""Records that were set aside, as a file for the auditor; that it was taken is audited."""

from __future__ import annotations

import asyncio

from fastapi import Response
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.archive.branches.export import NothingSetAside, set_aside_head, set_aside_rows
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.sign_in_routes import client_of
from controller.record.reading.set_aside import SetAsideHead, set_aside_lines
from controller.web.problems import RequestRejected


class SetAsideRoutes:
    """The file of a branch's records."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route("/branches/{number:int}.jsonl", self._records, methods=["GET"])]

    async def _records(self, request: Request) -> Response:
        number, who = request.path_params["number"], identity_of(request).name
        address = client_of(request).address
        head = await asyncio.to_thread(self._begin, number, who, address)
        name = f"{head.table}-set-aside-{head.first_seq}-{head.last_seq}.jsonl"
        lines = set_aside_lines(head, set_aside_rows(self._accounts.engine, number))
        return StreamingResponse(
            lines, media_type="application/jsonl",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )  # fmt: skip

    def _begin(self, number: int, who: str, address: str) -> SetAsideHead:
        """Blocks. Raises `RequestRejected`."""
        try:
            head = set_aside_head(self._accounts.engine, number)
        except NothingSetAside as error:
            raise RequestRejected(404, str(error).capitalize()) from error
        about = (
            f"{head.table}, records {head.first_seq} to {head.last_seq} that were set aside, last"
            f" hash {head.last_hash}"
        )
        with self._accounts.engine.begin() as connection:
            now_ms = self._accounts.clock_ms()
            record_act(connection, now_ms, who, AuditAct.EXPORTED_RECORDS, about, address)
        return head
