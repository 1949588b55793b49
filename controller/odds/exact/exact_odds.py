"""The exact odds of a game with its options: one player, a fresh shoe, no card put back."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from enum import Enum
from typing import Any

from controller.odds.charts.chart import Chart, Charter, chosen
from controller.odds.charts.chart_file import BadChart, ChartFile
from controller.odds.charts.followed import Followed
from controller.odds.exact.engine import MOST_COUPLES, Engine
from controller.odds.exact.follow import follow
from controller.odds.exact.solve import Chances
from controller.odds.exact.strategies import best_composition, best_total, play
from controller.odds.tables.game_tables import Ending, Tables
from controller.odds.tables.probe import NoTable
from controller.odds.tables.states import Shoe
from controller.odds.tables.tabulate import tabulate
from controller.rules.english import ENGLISH
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.options import Plain, plain


class Strategy(Enum):
    """Whose strategy is played."""

    PUBLISHED = "published"
    ADVISE = "advise"
    BEST = "best"
    BEST_COMPOSITION = "best-composition"


class Sd(Enum):
    """How the standard deviation of a game with splits is computed; the value is `most_couples`.

    `NEAR`: hands of one split share the dealer's hand alone. `QUICK`: exact where that takes
    seconds, else near. `EXACT`: exact, if it takes minutes (Finnish 27).
    """

    NEAR = 0
    QUICK = MOST_COUPLES
    EXACT = sys.maxsize


class NoOdds(ValueError):
    """Odds that cannot be computed; the message says what can."""


@frozen
class ExactOdds:
    """What a round costs on average, in first wagers.

    `outcomes`: how many hands a round end so, splits counted hand by hand; bonuses by their names.
    `sd`: of a round's net; not `sd_is_exact`, hands of one split share the dealer's hand alone.
    `chart`: the strategy, where it is one by totals; `followed`: what each of its actions is worth,
    where that was asked for.
    """

    game: str
    revision: int
    options: dict[str, Plain]
    wager: int
    strategy: Strategy | ChartFile
    edge: float
    sd: float
    hands: float
    splits: float
    sd_is_exact: bool
    outcomes: dict[str, float]
    chart: Chart | None = None
    followed: Followed | None = None

    def as_data(self) -> dict[str, Any]:
        """The odds as data; the edge in per cent of the first wager, positive for the house."""
        return {
            "game": self.game,
            "revision": self.revision,
            "options": self.options,
            "wager": self.wager,
            "strategy": self.strategy.value,
            "edge_per_cent": 100 * self.edge,
            "sd": self.sd,
            "sd_is_exact": self.sd_is_exact,
            "hands_per_round": self.hands,
            "splits_per_round": self.splits,
            "outcomes": self.outcomes,
            "basis": "exact, one player, fresh shoe",
        }


def usual_strategy(game: Game) -> Strategy:
    """The published strategy where the rule book has one, else the best total-dependent one."""
    return Strategy.PUBLISHED if game.published else Strategy.BEST


def exact_odds(
    game: Game,
    wager: int | None = None,
    strategy: Strategy | ChartFile | None = None,
    shoe: Shoe | None = None,
    *,
    costs: bool = False,
    sd: Sd = Sd.QUICK,
) -> ExactOdds:
    """The odds of `game` for a wager (minor units; the table's least one without it).

    With `costs`, what each action of a strategy by totals costs, too. Raises `NoOdds` for a game or
    a strategy that has none, and for a wager that is not taken.
    """
    strategy = strategy or usual_strategy(game)
    wager = game.options.min_bet if wager is None else wager
    if game.vying:
        raise NoOdds(f"{game.title}: players play for the pot, there is no house")
    if strategy is Strategy.PUBLISHED and not game.published:
        raise NoOdds(
            f"{game.title}: no strategy is published; use advise, best or best-composition"
        )
    if (problem := game.wager_problem(wager)) is not None:
        raise NoOdds(f"the wager: {ENGLISH.say(problem, game.words)}")
    try:
        tables = tabulate(game, wager, shoe)
    except NoTable as error:
        raise NoOdds(str(error)) from error
    engine = Engine(tables, sd.value)
    chart: Chart | None
    if strategy is Strategy.BEST:
        chart, tally = best_total(engine)
    elif strategy is Strategy.BEST_COMPOSITION:
        chart, tally = None, best_composition(engine)
    else:
        chart = chart_of(game, tables, strategy)
        tally = play(engine, chosen(tables, chart))
    followed = follow(engine, chart) if costs and chart is not None else None
    return odds_of(game, engine, tally, strategy, chart, followed)


def chart_of(game: Game, tables: Tables, strategy: Strategy | ChartFile) -> Chart:
    """The game's own strategy, or that of a file. Raises `NoOdds`."""
    if isinstance(strategy, Strategy):
        return Charter(tables).advised(game)
    try:
        return strategy.chart(game, tables)
    except BadChart as error:
        raise NoOdds(str(error)) from error


def odds_of(
    game: Game,
    engine: Engine,
    tally: Chances,
    strategy: Strategy | ChartFile,
    chart: Chart | None,
    followed: Followed | None = None,
) -> ExactOdds:
    """Add up what the endings are worth."""
    tables = engine.tables
    value, square, hands = [], [], 0.0
    outcomes: dict[str, float] = defaultdict(float)
    for ending, chance in endings(engine, tally):
        hands += chance
        for each in ending:
            part = chance * float(each.chance)
            net = float(each.net(tables.wager))
            value.append(part * net)
            square.append(part * net * net)
            outcomes[each.result.outcome.value] += part
            if each.result.bonus:
                outcomes[ENGLISH.say(each.result.bonus.name, game.words)] += part
    mean = math.fsum((*value, tally.side))
    squares = math.fsum((*square, tally.side_square, tally.products))
    return ExactOdds(
        game=game.name,
        revision=game.revision,
        options=plain(game.options),
        wager=tables.wager,
        strategy=strategy,
        edge=-mean,
        sd=math.sqrt(max(squares - mean * mean, 0.0)),
        hands=hands,
        splits=tally.splits,
        sd_is_exact=not tally.near,
        outcomes=dict(sorted(outcomes.items(), key=lambda each: -each[1])),
        chart=chart,
        followed=followed,
    )


def endings(engine: Engine, tally: Chances) -> list[tuple[Ending, float]]:
    """Every ending with its chance."""
    tables = engine.tables
    found = [(tables.fixed[shown][final], chance) for (shown, final), chance in tally.fixed.items()]
    final_at = {place: final for final, place in engine.finals.items()}
    # States of one column end every hand alike: any of them stands for all.
    state_in = {column: state for state, column in engine.columns.items()}
    for at, chances in tally.ends.items():
        for column, state in state_in.items():
            if chances[column]:
                found.append((tables.ends[final_at[at]][state], float(chances[column])))
    for (shown, state), chance in tally.naturals.items():
        found.append((tables.natural_ends[shown][state], chance))
    return found
