"""A table's page in the pit: what it shows, and what may be asked of it; every act is audited."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from fastapi import Response
from starlette.requests import Request
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.acts.commander import ActOutcome, Commander
from controller.pit.acts.requests import NoAct, act_of, done_words, typed_option, words_of
from controller.pit.archive.books.asked_rows import FillWaits, fills_waiting
from controller.pit.sign_in.access import SETS_TABLES
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.pit.wall.status import TableStatus
from controller.pit.wall.wall import Wall
from controller.table.inputs import PitAct
from controller.table.inputs.pit import OF_PIT_BOSSES
from controller.web.problems import RequestRejected

#: A table says how it is five times a second.
SHOWN_S: Final = 2.0
#: Of the same press of the same form the table decides once.
_FORM_BYTES: Final = 16
_NEVER_HEARD: Final = "The pit has never heard this table"
#: What a form is for, which one it is, and what is typed or chosen in it.
_TYPED: Final = ("do", "form", "text", "amount", "person", "least", "most", "option", "value")
_EMPTY: Final = dict.fromkeys(_TYPED, "")
_FORM: Final = re.compile(r"[0-9a-f]{32}")


class TableRoutes:
    """The page of each table, and what its forms ask for."""

    def __init__(
        self, accounts: Accounts, pages: Pages, wall: Wall, commander: Commander,
        known_at: Callable[[str], Mapping[str, str]],
    ) -> None:  # fmt: skip
        """`known_at` says who may act at a table by the pit's directory: names by id. It blocks."""
        self._accounts = accounts
        self._pages = pages
        self._wall = wall
        self._commander = commander
        self._known_at = known_at

    def routes(self) -> list[Route]:
        """Every route; `settings` are the acts of pit bosses, who prove first who is there."""
        return [
            Route("/tables/{table}", self._show, methods=["GET"]),
            Route("/tables/{table}", self._act, methods=["POST"]),
            Route("/tables/{table}/settings", self._act, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        return await self._page(request, None)

    async def _act(self, request: Request) -> Response:
        table = self._known(request)
        form = await read_form(request)
        typed = {name: form.text(name) for name in _TYPED}
        try:
            act = act_of(form)
        except NoAct as error:
            return await self._page(request, ActOutcome(False, str(error)), 422, typed)
        is_setting = request.url.path.endswith("/settings")
        if act.do in OF_PIT_BOSSES and not is_setting:
            # Only there it was asked whether they are a pit boss, and still there.
            return await self._page(request, ActOutcome(False, "That takes a pit boss"), 403)
        drawn = form.text("form")
        if not _FORM.fullmatch(drawn):
            again = ActOutcome(False, "Send it again from this page")
            return await self._page(request, again, 422, typed)
        outcome = await self._ask(request, table, act, drawn)
        await self._heard(table, outcome.seq)
        if outcome.done:
            return await self._page(request, replace(outcome, said=f"{table} {done_words(act)}"))
        return await self._page(request, outcome, typed=typed)

    async def _heard(self, table: str, seq: int) -> None:
        """Returns once the table has said how it is after record `seq`, or does not say so soon:
        a page that shows it as it was would be pressed again.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(SHOWN_S):
                async for _ in self._wall.changed():
                    status = self._wall.status(table)
                    if status is None or status.seq >= seq:
                        return

    async def _ask(self, request: Request, table: str, act: PitAct, drawn: str) -> ActOutcome:
        """Ask the table, with a row of the audit before it and one of what came of it."""
        who = identity_of(request)
        role = PitRole.PIT_BOSS if PitRole.PIT_BOSS in who.roles else PitRole.FLOOR
        address = client_of(request).address
        about = f"{table}, {words_of(act)}"
        await asyncio.to_thread(self._audit, who, AuditAct.ASKS_TABLE, about, address)
        outcome = await self._commander.send(table, act, who.user, role, drawn)
        said = f"{table}: done" if outcome.done else outcome.said
        if outcome.seq >= 0:
            said += f" (record {outcome.seq})"
        await asyncio.to_thread(self._audit, who, AuditAct.TABLE_ANSWERS, said, address)
        return outcome

    def _audit(self, who: Identity, act: AuditAct, about: str, address: str) -> None:
        with self._accounts.engine.begin() as connection:
            record_act(connection, self._accounts.clock_ms(), who.name, act, about, address)

    async def _page(
        self, request: Request, outcome: ActOutcome | None, status: int = 200,
        typed: Mapping[str, str] | None = None,
    ) -> Response:  # fmt: skip
        """`typed` is what somebody wrote into the form that nothing came of: it stays there.

        Where nobody knows what came of it the form is the same one, too: pressed again as it
        stands there, it acts once.
        """
        table, who = self._known(request), identity_of(request)
        people = await asyncio.to_thread(self._known_at, table)
        fills = await asyncio.to_thread(self._fills, table)
        tile, shown = self._wall.tile(table), self._wall.status(table)
        heard = self._wall.heard.get(table)
        if heard is None:  # it was renamed while the archive was asked
            raise RequestRejected(404, _NEVER_HEARD)
        drawn = secrets.token_hex(_FORM_BYTES)
        if typed is not None and outcome is not None and outcome.done is None:
            drawn = typed["form"]
        return self._pages.page(
            "table", who, status, tile=tile, shown=shown, outcome=outcome,
            has_key=self._commander.has_key, sets=SETS_TABLES.allows(who.roles),
            drawn=drawn, now=_limits(shown), typed_option=typed_option,
            people=people, fills=fills, at_ms=self._accounts.clock_ms(),
            heard_ms=heard.at_ms, typed=_EMPTY if typed is None else typed,
        )  # fmt: skip

    def _fills(self, table: str) -> tuple[FillWaits, ...]:
        """Blocks."""
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            return fills_waiting(connection, table)

    def _known(self, request: Request) -> str:
        """The table of a path. Raises `RequestRejected` for one that the pit has never heard."""
        table: str = request.path_params["table"]
        if self._wall.status(table) is None:
            raise RequestRejected(404, _NEVER_HEARD)
        return table


def _limits(shown: TableStatus | None) -> tuple[str, str]:
    """The least and the largest bet as a form takes them; empty where they are not said."""
    options = dict(shown.options) if shown is not None else {}
    least, most = (options.get(name, "") for name in ("min_bet", "max_bet"))
    return _as_typed(least), _as_typed(most)


def _as_typed(minor: str) -> str:
    """Minor units as people type an amount."""
    if not (minor.isascii() and minor.isdecimal()):
        return ""
    whole, cents = divmod(int(minor), 100)
    return f"{whole}.{cents:02d}" if cents else str(whole)
