"""A table's rounds held against what they were worth, for whoever has the table's token."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from controller.odds.live.leak_watch import ALARM
from controller.record.reading.expected import Results
from controller.rules.frozen import frozen
from controller.rules.games.registry import GAMES
from controller.service.odds.against_odds import AgainstOdds
from controller.service.ports import Desk
from controller.table.roles import PersonId, called
from controller.web.api.described_routes import DescribedRoutes
from controller.web.api.record_queries import need_token
from controller.web.json_views import JSON, encode
from controller.web.problems import documented


@frozen
class ExpectedLine:
    """Rounds of a gaming day, of one game with its options, and of a dealer; in minor units.

    `house_won` is what the house won, `expected` what wagers and plays like these bring it on
    average, `mistakes` what of it the players' mistakes bring. `not_held` rounds have no
    expectation and are in no other figure.
    """

    day: str
    game: str
    options: str
    dealer: str
    rounds: int
    hands: int
    wagered: int
    house_won: int
    expected: int
    mistakes: int
    not_held: int


@frozen
class LeakWarning:
    """A warning of the test: as of that round; `dealer` is empty where the whole table says most.

    `for_players`: they win too much; else the house does.
    """

    day: str
    round: int
    dealer: str
    for_players: bool


@frozen
class ExpectedAnswer:
    """Newest days first; `level` of the test, a warning at `alarm_at`. `read`: all is counted."""

    read: bool
    currency: str
    lines: list[ExpectedLine]
    warnings: list[LeakWarning]
    level: float
    alarm_at: float


def expected_routes(desk: Desk, odds: AgainstOdds) -> DescribedRoutes:
    """The one address. The figures tell how dealers do, so that the read takes the token."""
    routes = DescribedRoutes("/api/v1/record", documented(401, 421))

    @routes.get("/expected", response_model=ExpectedAnswer)
    async def expected(request: Request) -> Response:
        """What the house won, by day, game and dealer, and what it should have won."""
        need_token(request)
        found = odds.results
        answer = answer_of(found or Results(), desk, read=found is not None)
        return Response(encode(answer), media_type=JSON)

    return routes


def answer_of(found: Results, desk: Desk, *, read: bool) -> ExpectedAnswer:
    """The results as the API has them; a game for a pot has no house that could win."""
    lines = [
        ExpectedLine(
            about.day, _title(about.rules), about.options, _name(about.dealer, desk), each.rounds,
            each.hands, each.wagered, -each.net, -round(each.expected), round(each.cost),
            each.not_held,
        )
        for about, each in sorted(found.lines.items(), key=lambda line: line[0].day, reverse=True)
        if not _for_a_pot(about.rules)
    ]  # fmt: skip
    warnings = [
        LeakWarning(each.day, each.round, _name(each.dealer, desk), each.for_players)
        for each in reversed(found.warnings)
    ]
    return ExpectedAnswer(read, desk.setup.currency, lines, warnings, found.test.level, ALARM)


def _for_a_pot(rules: str) -> bool:
    name = rules.partition("/")[0]
    return name in GAMES and GAMES[name].vying


def _title(rules: str) -> str:
    name = rules.partition("/")[0]
    return GAMES[name].title if name in GAMES else rules


def _name(dealer: str, desk: Desk) -> str:
    return called(PersonId(dealer), desk.names) if dealer else ""
