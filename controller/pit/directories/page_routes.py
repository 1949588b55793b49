"""`/people`: who may act at which table, and how far that has come; `/pin`: one's own PIN."""

from __future__ import annotations

import asyncio
import re
from typing import Final

from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.people.pin_hash import PinRefused, hashed_pin
from controller.pit.accounts import users
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.users import UserRefused
from controller.pit.directories import rows
from controller.pit.directories.changes import AtTables
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.directories.rows import EVERYWHERE, role_at_tables
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.pit.wall.wall import Wall
from controller.table.alarms import PEOPLE
from controller.web.problems import RequestRejected

#: Directories of a table on its page, the newest first.
MOST_SHOWN: Final = 200
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_BETWEEN: Final = re.compile(r"[,\s]+")


class DirectoryRoutes:
    """The pages of people at tables."""

    def __init__(
        self, accounts: Accounts, pages: Pages, wall: Wall, keeper: DirectoryKeeper,
        pins: AppSecrets | None,
    ) -> None:  # fmt: skip
        self._accounts = accounts
        self._pages = pages
        self._wall = wall
        self._keeper = keeper
        self._pins = pins

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/people", self._show, methods=["GET"]),
            Route("/people/tables", self._set_tables, methods=["POST"]),
            Route("/people/accept", self._accept, methods=["POST"]),
            Route("/people/{table}", self._of_table, methods=["GET"]),
            Route("/pin", self._pin_form, methods=["GET"]),
            Route("/pin", self._set_pin, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        return await self._page(request)

    async def _page(self, request: Request, said: str = "", status: int = 200) -> Response:
        me = identity_of(request)
        standings = await asyncio.to_thread(self._keeper.standings)
        listed, at_tables = await asyncio.to_thread(self._read)
        people = [each for each in listed if PitRole.MACHINE not in each.roles]
        return self._pages.page(
            "people", me, status, said=said, directories=standings, people=people,
            at_tables=at_tables, role_of=lambda each: role_at_tables(each.roles),
            refusals={each.name: self._refusal(each.name) for each in standings},
            may_change=PitRole.ENGINEER in me.roles,
        )  # fmt: skip

    def _read(self) -> tuple[list[users.User], dict[int, rows.TablePerson]]:
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            known = {each.user: each for each in rows.table_people(connection)}
            return [e for e in users.listed(connection) if e.closed_ms is None], known

    def _refusal(self, table: str) -> str:
        """What a table says is wrong with its directory; empty: nothing."""
        status = self._wall.status(table)
        alarms = () if status is None else status.alarms
        return next((e.text for e in alarms if e.trouble == "device" and e.about == PEOPLE), "")

    async def _set_tables(self, request: Request) -> Response:
        form = await read_form(request)
        number = form.number("user")
        tables = frozenset(filter(None, _BETWEEN.split(form.text("tables"))))
        unknown = tables - {EVERYWHERE, *self._keeper.tables}
        if unknown:
            text = f"No table {min(unknown)} takes its people from here: [people.tables] names them"
            return await self._page(request, text, 422)
        try:
            await asyncio.to_thread(self._changes(request).set_tables, number, tables)
        except UserRefused as error:
            return await self._page(request, str(error), 422)
        self._keeper.changed()
        return RedirectResponse("/people", 303)

    async def _accept(self, request: Request) -> Response:
        form = await read_form(request)
        table, serial, digest = form.text("table"), form.number("serial"), form.text("digest")
        if table not in self._keeper.tables or not _DIGEST.fullmatch(digest):
            raise RequestRejected(404, "There is no such directory")
        try:
            await asyncio.to_thread(self._accepted, request, table, serial, digest)
        except UserRefused as error:
            return await self._page(request, str(error), 409)
        return RedirectResponse("/people", 303)

    async def _of_table(self, request: Request) -> Response:
        """Which directories a table had, and who could act by each: ids and roles, as on record."""
        table: str = request.path_params["table"]

        def read() -> list[rows.Roster]:
            with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
                return rows.rosters(connection, table, MOST_SHOWN)

        found = await asyncio.to_thread(read)
        if table not in self._keeper.tables and not found:
            raise RequestRejected(404, "No such table takes its people from here")
        return self._pages.page("people_of", identity_of(request), table=table, rosters=found)

    async def _pin_form(self, request: Request) -> Response:
        return await self._pin_page(request)

    async def _pin_page(self, request: Request, said: str = "", status: int = 200) -> Response:
        me = identity_of(request)

        def read() -> bool:
            with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
                return rows.has_pin(connection, me.user)

        has = await asyncio.to_thread(read)
        role = role_at_tables(me.roles)
        return self._pages.page("pin", me, status, said=said, has=has, role=role)

    async def _set_pin(self, request: Request) -> Response:
        form, me = await read_form(request), identity_of(request)
        if self._pins is None:
            text = "This pit has no key for PINs: `tablectl pit CONFIG --key` makes one"
            return await self._pin_page(request, text, 422)
        if role_at_tables(me.roles) is None:
            return await self._pin_page(request, "Your roles have none at tables", 422)
        if form.text("pin") != form.text("again"):
            return await self._pin_page(request, "The two PINs differ", 422)
        try:
            hashed = await asyncio.to_thread(hashed_pin, form.text("pin"))
        except PinRefused as error:
            return await self._pin_page(request, str(error), 422)
        sealed = self._pins.sealed(hashed.encode(), me.user)
        await asyncio.to_thread(self._changes(request).set_pin, me.user, sealed)
        self._keeper.changed()
        return await self._pin_page(request, "Tables take this PIN once their directory has come")

    def _changes(self, request: Request) -> AtTables:
        return AtTables(self._accounts, identity_of(request), client_of(request).address)

    def _accepted(self, request: Request, table: str, serial: int, digest: str) -> None:
        """Raises `UserRefused`."""
        who, address = identity_of(request).name, client_of(request).address
        with self._accounts.engine.begin() as connection:
            if not self._keeper.accept(connection, table, serial, digest, who):
                raise UserRefused(f"Another directory is in force at {table} by now: look again")
            now_ms, about = self._accounts.clock_ms(), f"{table}: {serial}"
            record_act(connection, now_ms, who, AuditAct.ACCEPTED_DIRECTORY, about, address)
        self._keeper.changed()
