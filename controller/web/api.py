"""The API under `/api/v1`: views and rounds as documents, and commands."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Cookie, Depends, Header, Path, Query, Request, Response
from fastapi.security import HTTPBearer

from controller.access.known_displays import LIST_CHARS_MAX, KnownDisplays
from controller.access.staff import NotProven
from controller.devices.displays import DealerView
from controller.manual.manual import Manual, manual
from controller.rules.games.registry import game
from controller.rules.printed.rulebook import RuleBook, rule_book
from controller.service.ports import Desk, Reply, TableStopped
from controller.table.decide.corrected import NotCorrectable, likely
from controller.table.inputs import Setup
from controller.table.irregularities.procedures import procedures
from controller.table.roles import Person, who_falls_short
from controller.table.state import State
from controller.table.views.english import say
from controller.table.views.ledger_view import LedgerList, ledger_list
from controller.table.views.procedures import sections
from controller.table.views.public import RoundSummary, rounds
from controller.table.views.replay import Replay, find_round, replay, shown_pictures
from controller.web.commands import AnyCommandBody
from controller.web.json_views import Page, Status, ViewCache, encode, shown_state
from controller.web.problems import RequestRejected, documented, not_proven
from controller.web.settings import WebSettings

JSON: Final = "application/json"
STOPPED: Final = "The record is not available: call the floor, and look at the service's log"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The table took the command; `seq` is the last record that it led to."""

    accepted: Literal[True]
    seq: int


@dataclass(frozen=True, slots=True)
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


RoundNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The round's number.")]
PictureName = Annotated[
    str, Path(pattern=r"^[0-9a-f]{64}$", description="The picture's name, its SHA-256.")
]
StepNumber = Annotated[int, Path(ge=0, le=10_000, description="The step's place, from 0.")]
WantedMarks = Annotated[
    str,
    Query(
        alias="with", pattern=r"^[a-z,]*$", description="Marks of a round, with commas between.",
    ),
]  # fmt: skip
SenderKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key", min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._-]+$",
        description="A command sent again with its key acts once and gets the first answer, also "
        "after a restart of the service. Use a fresh key for each command.",
    ),
]  # fmt: skip

#: Where a display keeps the list of people who have proven themselves at it, and for how long.
DISPLAY_COOKIE: Final = "tablectl-display"
KNOWN_FOR_S: Final = 30 * 86_400
DisplayList = Annotated[
    str,
    Cookie(
        alias=DISPLAY_COOKIE, max_length=LIST_CHARS_MAX,
        description="Who has proven themselves at this display: wrong PINs that others enter do not"
        " lock them out here. Set by the answer to a command that was authorized.",
    ),
]  # fmt: skip


def rules_of(setup: Setup) -> RuleBook:
    """The rule book of the table that `setup` describes, its procedures included."""
    book = rule_book(game(setup.game).with_options(dict(setup.options)), setup.currency)
    rules = procedures(setup.procedures, setup.own_procedures)
    return replace(book, sections=(*book.sections, *sections(rules)))


async def _declared_as_json(request: Request) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RequestRejected(415, f"Declare the body as JSON: Content-Type: {JSON}")


class Api:
    """The API's answers, from the desk of one table."""

    def __init__(self, desk: Desk, views: ViewCache, settings: WebSettings) -> None:
        self._desk = desk
        self._views = views
        # Made at the start: no card waits while the rules are printed.
        self._rules_are_of = desk.setup
        self._rules = encode(rules_of(desk.setup))
        self._people = settings.people
        self._displays = KnownDisplays(settings.token)
        self._answer_timeout_s = settings.answer_timeout_s

    def router(self) -> APIRouter:
        """Every address of the API."""
        router = APIRouter(prefix="/api/v1", responses=documented(421))
        router.add_api_route("/table", self.table, response_model=Status)
        router.add_api_route("/scene", self.scene, response_model=DealerView)
        router.add_api_route("/rules", self.rules, response_model=RuleBook)
        router.add_api_route("/manual", self.manual, response_model=Manual)
        router.add_api_route(
            "/ledger", self.ledger, response_model=LedgerList, responses=documented(503)
        )
        router.add_api_route(
            "/rounds",
            self.rounds,
            response_model=list[RoundSummary],
            responses=documented(422, 503),
        )
        router.add_api_route(
            "/rounds/{number}", self.round, response_model=Replay,
            responses=documented(404, 422, 503),
        )  # fmt: skip
        router.add_api_route(
            "/pictures/{name}", self.picture, response_class=Response,
            responses={
                200: {"content": {"image/jpeg": {}}, "description": "What the camera saw."},
                **documented(404, 422, 503),
            },
        )  # fmt: skip
        router.add_api_route(
            "/rounds/{number}/steps/{step}/likely", self.likely, response_model=list[str],
            responses=documented(404, 422, 503),
        )  # fmt: skip
        router.add_api_route(
            "/commands", self.command, methods=["POST"], response_model=Accepted,
            dependencies=[
                # Admission has checked the token; this describes it.
                Depends(HTTPBearer(auto_error=False, description="The table's token.")),
                Depends(_declared_as_json),
            ],
            responses={
                **documented(400, 401, 403, 413, 415, 422, 429),
                409: {"model": Refusal, "description": "Refused by the table: why, in words."},
                503: {"model": Refusal, "description": "The record is not available."},
            },
        )  # fmt: skip
        return router

    async def table(self) -> Response:
        """What the table waits for, since when, and who must act."""
        return Response(self._views.newest(Page.STATUS), media_type=JSON)

    async def scene(self) -> Response:
        """The dealer display."""
        return Response(self._views.newest(Page.DEALER), media_type=JSON)

    async def rules(self) -> Response:
        """The rules as they are enforced at this table, with its house options.

        They need no record, and are served while the table is stopped, too.
        """
        if self._rules_are_of != self._desk.setup:  # the configuration was read anew
            self._rules_are_of = self._desk.setup
            self._rules = encode(rules_of(self._rules_are_of))
        return Response(self._rules, media_type=JSON)

    async def manual(self) -> Response:
        """The manual of this table, for dealers, floor and engineers.

        It needs no record, and is served while the table is stopped, too.
        """
        return Response(encode(manual(self._desk.setup, self._desk.alarms)), media_type=JSON)

    async def ledger(self) -> Response:
        """How the shoes add up, and every round and wager since they last did, newest first.

        Void rounds are in it, and the early warnings on packs, which are for the pit alone.
        """
        return Response(encode(ledger_list(self._state())), media_type=JSON)

    async def rounds(self, marks: WantedMarks = "") -> Response:
        """The rounds that can be recalled, the one in play included, newest first.

        With `with`, those alone that have all of its marks.
        """
        wanted = {each for each in marks.split(",") if each}
        found = [
            each
            for each in rounds(self._state())
            if wanted <= {badge.mark for badge in each.badges}
        ]
        return Response(encode(found), media_type=JSON)

    async def round(self, number: RoundNumber) -> Response:
        """A round step by step, from its first card to its last chip."""
        state = self._state()
        past = find_round(state, number)
        if past is None:
            text = f"Round {number} cannot be recalled: /api/v1/rounds lists those that can"
            raise RequestRejected(404, text)
        return Response(
            encode(replay(past, state.rounds.pictures, self._desk.names, state.setup.index)),
            media_type=JSON,
        )

    async def picture(self, name: PictureName) -> Response:
        """What the camera saw of a card that lies face up, or is asked for by an open hold.

        Names stand in the replay of a round and in holds. A card that lies face down has none.
        """
        jpeg = None
        if name in shown_pictures(self._state()):
            jpeg = await self._desk.picture(name)
        if jpeg is None:
            raise RequestRejected(404, "There is no such picture that may be shown")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def likely(self, number: RoundNumber, step: StepNumber) -> Response:
        """The card codes that a card of a round could have been instead, the likeliest first.

        Those that the shoe still holds and with which every later step still fits. `step` counts
        from 0, as in the round's `steps`.
        """
        try:
            found = likely(self._state(), number, step)
        except NotCorrectable as error:
            raise RequestRejected(404, say(error.why)) from None
        return Response(encode([each.code for each in found]), media_type=JSON)

    async def command(
        self, asked: AnyCommandBody, key: SenderKey = None, display: DisplayList = ""
    ) -> Response:
        """A command to the table. Amounts are integers in minor units.

        The answer comes when it is on record. A refusal has the words of the rule.
        """
        try:
            async with asyncio.timeout(self._answer_timeout_s):
                by, known = await self._authorized_by(asked.proofs, display)
                reply = await self._desk.submit(asked.command, key, asked.view_seq, by)
        except TableStopped as stopped:
            return _answer(503, Refusal(False, -1, str(stopped)))
        except TimeoutError:
            text = "No answer yet: look at the display, then send it again with the same key"
            return _answer(503, Refusal(False, -1, text))
        answer = self._reply(reply, by)
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
            raise RequestRejected(403, "This table knows no people: leave them out")
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

    def _reply(self, reply: Reply, by: tuple[Person, ...]) -> Response:
        if reply.refused is None:
            return _answer(200, Accepted(True, reply.seq))
        setup = self._desk.setup
        words = game(setup.game).words._replace(index_style=setup.index)
        step = dict(reply.refused.params).get("step")
        about = step if isinstance(step, int) else None
        said = say(who_falls_short(reply.refused, by, self._desk.names), words)
        return _answer(409, Refusal(False, reply.seq, said, reply.refused.code, about))

    def _state(self) -> State:
        state = shown_state(self._desk)
        if state is None:
            raise RequestRejected(503, STOPPED)
        return state


def _answer(status: int, said: Accepted | Refusal) -> Response:
    return Response(encode(said), status, media_type=JSON)
