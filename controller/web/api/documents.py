"""The API's documents under `/api/v1`: views, rules, manual, ledger, rounds and pictures."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from controller.devices.displays import DealerView
from controller.manual.manual import Manual, manual
from controller.rules.games.registry import game
from controller.rules.messages import message
from controller.rules.printed.rulebook import RuleBook, rule_book
from controller.rules.spoken import spoken
from controller.service.house_edges import HouseEdges
from controller.service.ports import Desk
from controller.service.status_view import Status, shown_state
from controller.table.decide.consequences.corrected import NotCorrectable, likely
from controller.table.inputs import Setup
from controller.table.irregularities.procedures import procedures
from controller.table.recorded.round import RecordedRound
from controller.table.state.state import State
from controller.table.views.chips_view import ChipsView, chips_view
from controller.table.views.clock_rules import clock_sections
from controller.table.views.english import ENGLISH, say
from controller.table.views.ledger_view import LedgerList, ledger_list
from controller.table.views.outcomes import RoundOutcomes, outcomes
from controller.table.views.procedures import sections
from controller.table.views.public import RoundSummary, rounds
from controller.table.views.replay import Replay, find_round, replay, shown_pictures
from controller.web.api.described_routes import DescribedRoutes
from controller.web.api.parameters import in_path
from controller.web.api.record_queries import WantedMarks, need_token
from controller.web.json_views import JSON, Page, ViewCache, encode
from controller.web.problems import RequestRejected, documented

RoundNumber = Annotated[int, in_path(ge=1, le=2**31 - 1, description="The round's number.")]
PictureName = Annotated[
    str, in_path(pattern=r"^[0-9a-f]{64}$", description="The picture's name, its SHA-256.")
]
StepNumber = Annotated[int, in_path(ge=0, le=10_000, description="The step's place, from 0.")]


def rules_of(setup: Setup, edges: HouseEdges) -> RuleBook:
    """The rule book of the table that `setup` describes, its procedures included."""
    plays = game(setup.game).with_options(dict(setup.options))
    book = rule_book(plays, setup.currency, edges.edge(plays))
    rules = procedures(setup.procedures, setup.own_procedures)
    clocks = clock_sections(setup.windows)
    return replace(book, sections=(*book.sections, *clocks, *sections(rules)))


class Documents:
    """What the API shows of one table, from its desk."""

    def __init__(self, desk: Desk, views: ViewCache) -> None:
        self._desk = desk
        self._views = views
        # By language, each when it is first asked for: a start would print them for nobody.
        self._rules_are_of = (desk.setup, desk.beside.edges)
        self._rules: dict[str, bytes] = {}

    def routes(self) -> DescribedRoutes:
        """The address of every document."""
        routes = DescribedRoutes("/api/v1", documented(421))
        routes.add("/table", self.table, response_model=Status)
        routes.add("/scene", self.scene, response_model=DealerView)
        routes.add("/rules", self.rules, response_model=RuleBook)
        routes.add("/manual", self.manual, response_model=Manual)
        routes.add("/ledger", self.ledger, response_model=LedgerList, responses=documented(503))
        routes.add("/chips", self.chips, response_model=ChipsView, responses=documented(401, 503))
        routes.add(
            "/rounds",
            self.rounds,
            response_model=list[RoundSummary],
            responses=documented(422, 503),
        )
        routes.add(
            "/rounds/{number}", self.round, response_model=Replay,
            responses=documented(404, 422, 503),
        )  # fmt: skip
        routes.add(
            "/rounds/{number}/outcomes", self.outcomes, response_model=RoundOutcomes,
            responses=documented(404, 422, 503),
        )  # fmt: skip
        routes.add(
            "/pictures/{name}", self.picture, response_class=Response,
            responses={
                200: {"content": {"image/jpeg": {}}, "description": "What the camera saw."},
                **documented(404, 422, 503),
            },
        )  # fmt: skip
        routes.add(
            "/rounds/{number}/steps/{step}/likely", self.likely, response_model=list[str],
            responses=documented(404, 422, 503),
        )  # fmt: skip
        return routes

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
        newest = (self._desk.setup, self._desk.beside.edges)
        if self._rules_are_of != newest:  # the configuration was read anew, or an edge computed
            self._rules_are_of, self._rules = newest, {}
        made, code = self._rules, spoken(ENGLISH).code
        if code not in made:
            # In a thread: no card waits while the rules are printed.
            made[code] = encode(await asyncio.to_thread(rules_of, *newest))
        return Response(made[code], media_type=JSON)

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

    async def chips(self, request: Request) -> Response:
        """The chips of the table: slips, and what each shift of the rack won. Takes the token."""
        need_token(request)
        return Response(encode(chips_view(self._state(), self._desk.names)), media_type=JSON)

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
        past, state = self._found(number), self._state()
        return Response(
            encode(replay(past, state.rounds.pictures, self._desk.names, state.setup.index)),
            media_type=JSON,
        )

    async def outcomes(self, number: RoundNumber) -> Response:
        """What a round came to, hand by hand, for each unit bet: for bets behind and shared hands.

        Fractions are exact. While the round is played: as far as it has come.
        """
        return Response(encode(outcomes(self._found(number))), media_type=JSON)

    def _found(self, number: int) -> RecordedRound:
        past = find_round(self._state(), number)
        if past is None:
            said = message("round-cannot-be-recalled", number=number, address="/api/v1/rounds")
            raise RequestRejected(404, say(said))
        return past

    async def picture(self, name: PictureName) -> Response:
        """What the camera saw of a card that lies face up, or is asked for by an open hold.

        Names stand in the replay of a round and in holds. A card that lies face down has none.
        """
        jpeg = None
        if name in shown_pictures(self._state()):
            jpeg = await self._desk.picture(name)
        if jpeg is None:
            raise RequestRejected(404, say(message("no-such-picture")))
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def likely(self, number: RoundNumber, step: StepNumber) -> Response:
        """The card codes that a card of a round could have been instead, the likeliest first.

        Those that its shoe can have held and with which every later step still fits. `step` counts
        from 0, as in the round's `steps`.
        """
        try:
            found = likely(self._state(), number, step)
        except NotCorrectable as error:
            raise RequestRejected(404, say(error.why)) from None
        return Response(encode([each.code for each in found]), media_type=JSON)

    def _state(self) -> State:
        state = shown_state(self._desk)
        if state is None:
            raise RequestRejected(503, say(message("record-not-available")))
        return state
