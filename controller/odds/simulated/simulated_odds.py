"""The odds of a game as it is dealt at a table: seats, a cut card, one shoe for many rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from controller.odds.charts.chart import Chart, choice
from controller.odds.charts.chart_file import ChartFile
from controller.odds.exact.engine import Engine
from controller.odds.exact.exact_odds import NoOdds, Strategy, chart_of
from controller.odds.exact.strategies import best_total
from controller.odds.simulated.program import program
from controller.odds.simulated.simulate import NoKernel, Simulated, simulate
from controller.odds.tables.game_tables import Tables
from controller.odds.tables.probe import NoTable
from controller.odds.tables.states import by_card
from controller.odds.tables.tabulate import tabulate
from controller.rules.english import ENGLISH
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.options import Plain, plain


@frozen
class SimulatedOdds:
    """What a round costs on average as it is dealt, with how sure that is; in first wagers.

    `outcomes`: how many hands of one player's round end so; bonuses by their names.
    """

    game: str
    revision: int
    options: dict[str, Plain]
    wager: int
    strategy: Strategy | ChartFile
    found: Simulated
    outcomes: dict[str, float]

    def as_data(self) -> dict[str, Any]:
        """The odds as data; edges in per cent of the first wager, positive for the house."""
        low, high = self.found.interval
        return {
            "game": self.game,
            "revision": self.revision,
            "options": self.options,
            "wager": self.wager,
            "strategy": self.strategy.value,
            "edge_per_cent": 100 * self.found.edge,
            "error_per_cent": 100 * self.found.error,
            "interval_per_cent": [100 * low, 100 * high],
            "sd": self.found.sd,
            "hands_per_round": self.found.hands_per_round,
            "outcomes": self.outcomes,
            "rounds": self.found.rounds,
            "shoes": self.found.shoes,
            "seats": self.found.seats,
            "penetration": self.found.cut,
            "seed": self.found.seed,
            "basis": "simulated, shoes with a cut card, 95 % interval",
        }


def simulated_odds(
    game: Game,
    wager: int | None = None,
    strategy: Strategy | ChartFile | None = None,
    *,
    seats: int = 1,
    penetration: int | None = None,
    rounds: int,
    width: float | None = None,
    seed: int = 1,
    progress: Callable[[int], object] | None = None,
) -> SimulatedOdds:
    """Deal `rounds` rounds, or until the edge is known to `width` to either side (first wagers).

    The penetration (cards gone after which a round is the shoe's last) is the house's own without
    one given. Raises `NoOdds` for what makes no sense, and where the kernel is not installed.
    """
    strategy = strategy or (Strategy.PUBLISHED if game.published else Strategy.ADVISE)
    wager = game.options.min_bet if wager is None else wager
    if game.vying:
        raise NoOdds(f"{game.title}: players play for the pot, there is no house")
    if strategy is Strategy.PUBLISHED and not game.published:
        raise NoOdds(f"{game.title}: no strategy is published; use advise or best")
    if (problem := game.wager_problem(wager)) is not None:
        raise NoOdds(f"the wager: {ENGLISH.say(problem, game.words)}")
    if seats not in game.seats:
        first, last = game.seats.start, game.seats.stop - 1
        raise NoOdds(f"{game.title} is dealt to {first} to {last} seats, not to {seats}")
    cut = game.options.cut_after if penetration is None else penetration
    try:
        tables = tabulate(game, wager, letters=by_card)
        made = program(game, tables, choice(tables, _chart(game, tables, strategy)), seats)
        found = simulate(made, cut, rounds, seed=seed, width=width, progress=progress)
    except (NoTable, NoKernel) as error:
        raise NoOdds(str(error)) from error
    return SimulatedOdds(
        game=game.name,
        revision=game.revision,
        options=plain(game.options),
        wager=wager,
        strategy=strategy,
        found=found,
        outcomes=_outcomes(game, found),
    )


def _chart(game: Game, tables: Tables, strategy: Strategy | ChartFile) -> Chart:
    if strategy is Strategy.BEST_COMPOSITION:
        raise NoOdds("a strategy that looks at every card is computed exactly alone: --exact")
    if strategy is Strategy.BEST:
        chart, _ = best_total(Engine(tabulate(game, tables.wager)))
        return chart
    return chart_of(game, tables, strategy)


def _outcomes(game: Game, found: Simulated) -> dict[str, float]:
    outcomes: dict[str, float] = defaultdict(float)
    for ending, times in found.endings:
        share = times / found.rounds / found.seats
        outcomes[ending.result.outcome.value] += share
        if ending.result.bonus:
            outcomes[ENGLISH.say(ending.result.bonus.name, game.words)] += share
    return dict(sorted(outcomes.items(), key=lambda each: -each[1]))
