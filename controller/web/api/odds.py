"""The odds of the game as it is configured: a PAR sheet and strategy card, for the page `/odds`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from controller.odds.live.files import NoExpectations, read_expectations
from controller.odds.live.sheet import OddsSheet, odds_sheet
from controller.odds.pot.pot_sheet import NoPotSheet, PotSheet, in_words, read_pot_sheet
from controller.rules.frozen import frozen
from controller.rules.game import said_edge
from controller.rules.games.registry import GAMES, game
from controller.rules.messages import Message, message
from controller.rules.spoken import spoken
from controller.service.odds.expectation_files import ExpectationFiles
from controller.service.ports import Desk
from controller.table.views.english import ENGLISH, say
from controller.web.api.described_routes import DescribedRoutes
from controller.web.api.record_queries import need_token
from controller.web.json_views import JSON, encode
from controller.web.problems import documented


@frozen
class OddsAnswer:
    """`sheet` is None while it is computed, for `computing_s` seconds by now, or cannot be.

    `computing_s` is None where nothing is being computed; until then ask again. `loses` is set
    where the house is known to lose, `edge` is its edge in words. `said` is why there is no sheet,
    empty where there is one. `pot` stands in its place where players play for a pot.
    """

    title: str
    rule: str
    currency: str
    loses: bool
    edge: str
    said: str
    computing_s: int | None
    sheet: OddsSheet | None
    pot: PotSheet | None = None


def odds_routes(desk: Desk, files: ExpectationFiles) -> DescribedRoutes:
    """The one address. What a player's mistake costs is the house's matter: it takes the token."""
    routes = DescribedRoutes("/api/v1", documented(401, 421))

    @routes.get("/odds", response_model=OddsAnswer)
    async def odds(request: Request) -> Response:
        """The sheet; where it has to be computed, a process of low priority begins to."""
        need_token(request)
        answer = odds_answer(desk, files)
        return Response(encode(answer), media_type=JSON)

    return routes


def odds_answer(desk: Desk, files: ExpectationFiles) -> OddsAnswer:
    """The odds of the table's game in the reader's language, or what is done to have them."""
    setup = desk.setup
    plays = game(setup.game).with_options(dict(setup.options))
    known = desk.beside.edges.edge(plays)
    sheet = pot = computing_s = None
    said: list[Message] = []
    if plays.vying:
        said.append(message("odds-no-house"))
        players = min(max(setup.seats, plays.seats.start), plays.seats.stop - 1)
        path = files.path(plays, players)
    else:
        players, path = None, files.path(plays)
    if path is None:
        computing_s = _begun(files.begin(plays, players), said)
    else:
        try:
            if plays.vying:
                pot = in_words(read_pot_sheet(path))
            else:
                sheet = odds_sheet(plays, GAMES[plays.name], read_expectations(path))
        except (NoPotSheet, NoExpectations) as error:
            said.append(message("odds-file-damaged", error=str(error)))
    if plays.vying:
        edge = message("odds-no-edge")
    elif sheet is not None:
        edge = _edge(sheet.edge_per_cent)
    else:
        edge = said_edge(known)
    return OddsAnswer(
        title=plays.title,
        rule=say(plays.rule, plays.words),
        currency=setup.currency,
        loses=sheet.edge_per_cent < 0 if sheet else known is not None and known.loses,
        edge=spoken(ENGLISH).write(edge, "capital", plays.words),
        said=" ".join(map(say, said)),
        computing_s=computing_s,
        sheet=sheet,
        pot=pot,
    )


def _begun(begun: int | Message, said: list[Message]) -> int | None:
    """For how many seconds it is being computed; what is to be said of it is added to `said`."""
    if isinstance(begun, Message):
        said.append(begun)
        return None
    said.append(message("odds-are-computed"))
    return begun


def _edge(per_cent: float) -> Message:
    if per_cent < 0:
        return message("odds-house-loses", edge=f"{-per_cent:.5f}")
    return message("odds-house-edge", edge=f"{per_cent:.5f}")
