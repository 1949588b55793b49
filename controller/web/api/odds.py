"""The odds of the game as it is configured: a PAR sheet and strategy card, for the page `/odds`."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from controller.odds.live.files import NoExpectations, read_expectations
from controller.odds.live.sheet import OddsSheet, odds_sheet
from controller.odds.pot.pot_sheet import NoPotSheet, PotSheet, read_pot_sheet
from controller.rules.games.registry import GAMES, game
from controller.service.expectation_files import ExpectationFiles
from controller.service.ports import Desk
from controller.table.views.english import say
from controller.web.api.record_queries import need_token
from controller.web.json_views import JSON, encode
from controller.web.problems import documented


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """`sheet` is None while it is computed, for `computing_s` seconds by now, or cannot be.

    `loses` is set where the house is known to lose, `edge` is its edge in words. `said` is why
    there is no sheet, empty where there is one. `pot` stands in its place where players play for a
    pot.
    """

    title: str
    rule: str
    currency: str
    loses: bool
    edge: str
    said: str
    computing_s: int
    sheet: OddsSheet | None
    pot: PotSheet | None = None


def odds_router(desk: Desk, files: ExpectationFiles) -> APIRouter:
    """The one address. What a player's mistake costs is the house's matter: it takes the token."""
    router = APIRouter(prefix="/api/v1", responses=documented(401, 421))

    @router.get("/odds", response_model=OddsAnswer)
    async def odds(request: Request) -> Response:
        """The sheet; where it has to be computed, a process of low priority begins to."""
        need_token(request)
        setup = desk.setup
        plays = game(setup.game).with_options(dict(setup.options))
        known = desk.edges.edge(plays)
        sheet, said, computing_s = None, "", 0
        pot = None
        if plays.vying:
            said = "Players play for the pot: there is no house, and no edge."
            players = min(max(setup.seats, plays.seats.start), plays.seats.stop - 1)
            if (path := files.path(plays, players)) is None:
                computing_s, why = files.begin(plays, players)
                said = f"{said} {why}"
            else:
                try:
                    pot = read_pot_sheet(path)
                except NoPotSheet as error:
                    said = str(error)
        elif (path := files.path(plays)) is not None:
            try:
                sheet = odds_sheet(plays, GAMES[plays.name], read_expectations(path))
            except NoExpectations as error:
                said = str(error)
        else:
            computing_s, said = files.begin(plays)
        loses = known is not None and known.loses
        edge = "House edge not computed" if known is None else str(known)
        if plays.vying:
            edge = "No house edge"
        if sheet is not None:
            loses = sheet.edge_per_cent < 0
            of = "of every first wager"
            edge = (
                f"THE HOUSE LOSES {-sheet.edge_per_cent:.5f} % {of}"
                if loses
                else f"House edge {sheet.edge_per_cent:.5f} % {of}"
            )
        rule = say(plays.rule, plays.words)
        answer = OddsAnswer(
            plays.title,
            rule,
            setup.currency,
            loses,
            edge,
            said,
            computing_s,
            sheet,
            pot,
        )
        return Response(encode(answer), media_type=JSON)

    return router
