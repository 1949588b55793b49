"""What a mistake costs is what the edge changes by, for each time that it is made."""

from __future__ import annotations

import pytest

from controller.odds.charts.chart import Cell, Chart, chosen
from controller.odds.exact.engine import Engine
from controller.odds.exact.exact_odds import Strategy, odds_of
from controller.odds.exact.follow import follow
from controller.odds.exact.strategies import best_total, play
from controller.odds.tables.tabulate import tabulate
from controller.rules.actions import Action
from controller.rules.games.registry import game

WAGER = 1_000


class _Judged:
    """A game, and its strategies."""

    def __init__(self, name: str, options: dict[str, object]) -> None:
        self.game = game(name).with_options(options)
        self.tables = tabulate(self.game, WAGER)
        self.engine = Engine(self.tables)
        self.best, _ = best_total(self.engine)

    def edge(self, chart: Chart) -> float:
        tally = play(self.engine, chosen(self.tables, chart))
        return odds_of(self.game, self.engine, tally, Strategy.BEST, chart).edge


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options", "places"),
    [
        ("blackjack", {}, [("hard 13", "stand", "hit"), ("soft 18", "stand", "hit")]),
        ("casino-7-27", {}, [("low 6 / high 16", "stay-low", "hit")]),
        ("21-24-27", {}, [("soft 24", "stand", "hit"), ("hard 20", "hit", "stand")]),
    ],
)
def test_a_mistake_costs_what_the_edge_changes_by(
    name: str, options: dict[str, object], places: list[tuple[str, str, str]]
) -> None:
    """The mistake is made on hands that lead to no other of the same place."""
    judged = _Judged(name, options)
    followed = follow(judged.engine, judged.best)
    base = judged.edge(judged.best)
    for player, own, other in places:
        cell, action = next(
            (cell, action)
            for cell, action in judged.best.items()
            if cell.player == player and action.value == own and not cell.pair
        )
        wrong = next(each for each in cell.options if each.value == other)
        changed = judged.edge({**judged.best, cell: wrong}) - base
        assert followed.chances[cell] > 0, (cell, action)
        cost = followed.costs(cell)[wrong] * followed.chances[cell]
        assert changed == pytest.approx(cost, abs=1e-13)


@pytest.mark.long
def test_a_pair_that_is_not_split_again_costs_what_the_edge_changes_by() -> None:
    judged = _Judged("blackjack", {"resplit": True, "peek": True})
    followed = follow(judged.engine, judged.best)
    base = judged.edge(judged.best)
    places = [
        cell
        for cell, action in judged.best.items()
        if action is Action.SPLIT and cell.options == (Action.STAND, Action.HIT, Action.SPLIT)
    ]
    assert len(places) > 30
    for cell in places[::6]:
        rest: Cell = cell._replace(options=(Action.STAND, Action.HIT))
        once = {**judged.best, cell: judged.best[rest]}
        changed = judged.edge(once) - base
        back = follow(judged.engine, once)
        cost = followed.costs(cell)[judged.best[rest]] * back.chances[cell]
        assert changed == pytest.approx(cost, abs=1e-13)
        assert back.costs(cell)[Action.SPLIT] * back.chances[cell] == pytest.approx(
            -cost, abs=1e-13
        )
