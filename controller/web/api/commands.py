"""Commands to a table over HTTP: who authorizes them, and the table's answer."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from controller.access.known_displays import LIST_CHARS_MAX, KnownDisplays
from controller.access.staff import NotProven
from controller.rules.frozen import frozen
from controller.rules.games.registry import game
from controller.rules.messages import message
from controller.service.ports import Desk, Reply, TableStopped
from controller.table.roles import Person, who_falls_short
from controller.table.views.english import say
from controller.web.api.command_bodies import KEY_PATTERN, AnyCommandBody, Batch, BatchItem
from controller.web.api.described_routes import DescribedRoutes
from controller.web.api.parameters import in_cookie, in_header
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented, not_proven
from controller.web.server.server import connection_of
from controller.web.settings import WebSettings


@frozen
class Accepted:
    """The table took the command; `seq` is the last record that it led to."""

    accepted: Literal[True]
    seq: int


@frozen
class Refusal:
    """The table did not take the command; `refused` is the rule in words, `code` its name.

    The code stays the same in every language; it is empty where no table answered.

    `seq` is the record of the refusal, -1 where none could be written. `step` counts from 1: the
    step of a corrected round that is refused, null where it is about none.
    """

    accepted: Literal[False]
    seq: int
    refused: str
    code: str = ""
    step: int | None = None


@frozen
class BatchAnswer:
    """The answers to the commands of a batch, in their order."""

    answers: tuple[Accepted | Refusal, ...]


SenderKey = Annotated[
    str | None,
    in_header(
        "Idempotency-Key", min_length=1, max_length=64, pattern=KEY_PATTERN,
        description="A command sent again with its key acts once and gets the first answer, also "
        "after a restart of the service. Use a fresh key for each command.",
    ),
]  # fmt: skip

#: Where a display keeps the list of people who have proven themselves at it, and for how long.
DISPLAY_COOKIE: Final = "tablectl-display"
KNOWN_FOR_S: Final = 30 * 86_400
DisplayList = Annotated[
    str,
    in_cookie(
        DISPLAY_COOKIE, max_length=LIST_CHARS_MAX,
        description="Who has proven themselves at this display: wrong PINs that others enter do not"
        " lock them out here. Set by the answer to a command that was authorized.",
    ),
]  # fmt: skip


class TableCommands:
    """Takes commands to one table, from whoever may send them."""

    def __init__(self, desk: Desk, settings: WebSettings) -> None:
        self._desk = desk
        self._people = settings.people
        self._displays = KnownDisplays(settings.token)
        self._answer_timeout_s = settings.answer_timeout_s

    def routes(self) -> DescribedRoutes:
        """The addresses that take commands."""
        routes = DescribedRoutes("/api/v1", documented(421))
        routes.add(
            "/commands", self.command, "POST", response_model=Accepted, takes_token=True,
            responses={
                **documented(400, 401, 403, 413, 415, 422, 429),
                409: {"model": Refusal, "description": "Refused by the table: why, in words."},
                503: {"model": Refusal, "description": "The record is not available."},
            },
        )  # fmt: skip
        routes.add(
            "/batch", self.batch, "POST", response_model=BatchAnswer, takes_token=True,
            responses={
                **documented(400, 401, 403, 413, 415, 422),
                503: {"model": Refusal, "description": "No answer yet."},
            },
        )  # fmt: skip
        return routes

    async def command(
        self, request: Request, asked: AnyCommandBody, key: SenderKey = None,
        display: DisplayList = "",
    ) -> Response:  # fmt: skip
        """A command to the table. Amounts are integers in minor units.

        The answer comes when it is on record. A refusal has the words of the rule.
        """
        try:
            # Past it the command is not taken back: whoever sends it again with its key learns what
            # became of it.
            async with asyncio.timeout(self._answer_timeout_s):
                by, known = await self._authorized_by(asked.proofs, display)
                reply = await self._desk.submit(
                    asked.command, key, asked.view_seq, by, arrived(request), asked.player or ""
                )
        except TableStopped as stopped:
            return _answer(503, Refusal(False, -1, str(stopped)))
        except TimeoutError:
            return _answer(503, Refusal(False, -1, say(message("no-answer-yet"))))
        said = self.said(reply, by)
        answer = _answer(200 if isinstance(said, Accepted) else 409, said)
        if known:
            answer.set_cookie(
                DISPLAY_COOKIE, known, max_age=KNOWN_FOR_S, path="/api/v1/commands", httponly=True,
                samesite="strict",
            )  # fmt: skip
        return answer

    async def _authorized_by(
        self, proofs: list[tuple[str, str]], display: str
    ) -> tuple[tuple[Person, ...], str]:
        """The people who authorize a command, and the list of those known at that display.

        Raises `RequestRejected` where it is not proven who they are.
        """
        if not proofs:
            return (), ""
        if self._people is None:
            raise RequestRejected(403, say(message("table-knows-no-people")))
        known = self._displays.read(display)
        try:
            by = await self._people.prove(proofs, known)
        except NotProven as error:
            await self._people.report(self._desk.note)
            raise not_proven(error) from None
        await self._people.report(self._desk.note)
        newest = tuple(each.id for each in by)
        others = tuple(each for each in known if each not in newest)
        return by, self._displays.write((*others, *newest))

    async def batch(self, request: Request, asked: Batch) -> Response:
        """Commands of several players at once, each with a key of its own.

        They are decided in this order, and written as one where nothing comes between. Each has an
        answer in the same place; one that is refused stops none of the others.
        """
        if any(each.command.people for each in asked.commands):
            raise RequestRejected(403, "What people authorize is sent by itself, to /commands")
        try:
            async with asyncio.timeout(self._answer_timeout_s):
                answers = await asyncio.gather(
                    *(self._one(each, request) for each in asked.commands)
                )
        except TimeoutError:
            text = "No answer yet: send it again with the same keys"
            return _answer(503, Refusal(False, -1, text))
        return Response(encode(BatchAnswer(tuple(answers))), media_type=JSON)

    async def _one(self, each: BatchItem, request: Request) -> Accepted | Refusal:
        body = each.command
        try:
            reply = await self._desk.submit(
                body.command, each.key, body.view_seq, (), arrived(request), body.player or ""
            )
        except TableStopped as stopped:
            return Refusal(False, -1, str(stopped))
        return self.said(reply, ())

    def said(self, reply: Reply, by: tuple[Person, ...]) -> Accepted | Refusal:
        """The table's answer, in words."""
        if reply.refused is None:
            return Accepted(True, reply.seq)
        setup = self._desk.setup
        words = game(setup.game).words._replace(index_style=setup.index)
        step = dict(reply.refused.params).get("step")
        about = step if isinstance(step, int) else None
        said = say(who_falls_short(reply.refused, by, self._desk.names), words)
        return Refusal(False, reply.seq, said, reply.refused.code, about)


def arrived(request: Request) -> int:
    """When a request reached this machine, in ns by the monotonic clock; 0 where nobody knows."""
    connection = connection_of(request.scope)
    return connection.arrived_ns if connection else 0


def _answer(status: int, said: Accepted | Refusal) -> Response:
    return Response(encode(said), status, media_type=JSON)
