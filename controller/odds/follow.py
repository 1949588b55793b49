"""What each action of a strategy by totals is worth, and how often each decision comes up."""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from controller.odds.charts import Cell, Chart, Charter, Chosen, chosen, side_worth
from controller.odds.engine import Engine
from controller.odds.passes import NEVER
from controller.odds.shoe import Floats, Ints
from controller.odds.solve import Passing, situations
from controller.odds.strategies import again, alike, entry_slots
from controller.rules.actions import Action

#: Hands that come up less often are none that the strategy leads to.
LEAST: Final = 1e-15


class Followed(NamedTuple):
    """A strategy, with what every action of a cell is worth in first wagers if play goes on by it.

    On average over the hands with which a player of this strategy comes there, each as often as he
    does. A cell that he never comes to weighs its hands as their cards come up in a full shoe.
    `chances`: how often each cell comes up in a round.
    """

    chart: Chart
    values: dict[Cell, dict[Action, float]]
    chances: dict[Cell, float]

    def costs(self, cell: Cell) -> dict[Action, float]:
        """What each action costs against the strategy's own; below 0, it would be better."""
        values = self.values.get(cell, {})
        own = values.get(self.chart[cell], 0.0)
        return {action: own - value for action, value in values.items()}


class _Means:
    """Sums of the values of actions over entries, by cell."""

    def __init__(self, cells: int, slots: int) -> None:
        self.sums = np.zeros((cells, slots))
        self.weights = np.zeros(cells)

    def add(self, passing: Passing, actions: Floats, of: Ints, reach: Floats) -> None:
        """The entries of one situation, as likely as `reach` says."""
        asked = passing.in_play(np.flatnonzero((of >= 0) & (np.abs(reach) > LEAST)))
        size = len(self.weights)
        there = reach[asked] * passing.live[passing.hands.removal[asked]]
        self.weights += np.bincount(of[asked], there, minlength=size)
        for slot in range(self.sums.shape[1]):
            part = np.maximum(actions[slot, asked], NEVER) * reach[asked]
            self.sums[:, slot] += np.bincount(of[asked], part, minlength=size)


def follow(engine: Engine, chart: Chart) -> Followed:
    """Follow a strategy through all hands."""
    strategy = chosen(engine.tables, chart)
    number = {cell: at for at, cell in enumerate(chart)}
    slots = max((len(cell.options) for cell in chart), default=1)
    met, any_hand = _Means(len(number), slots), _Means(len(number), slots)
    for shown in chain.from_iterable(alike(engine.tables)):
        of = _numbers(engine, strategy, shown, number)
        for at in situations(engine, [shown]):
            passing = Passing(engine, at, again(engine, strategy, shown))
            natural, _, _ = passing.forward(None)
            passing.weigh_ends(None, natural)
            mine = entry_slots(engine, strategy.slots[shown])
            actions, _ = passing.back(mine)
            reach, _, _ = passing.forward(mine)
            met.add(passing, actions, of, reach)
            any_hand.add(passing, actions, of, natural)
    values: dict[Cell, dict[Action, float]] = {}
    for cell, place in number.items():
        means = met if met.weights[place] > LEAST else any_hand
        if means.weights[place] > 0:
            worth = (means.sums[place] / means.weights[place]).tolist()
            values[cell] = dict(zip(cell.options, worth, strict=False))
    chances = dict(zip(number, np.maximum(met.weights, 0.0).tolist(), strict=True))
    charter = Charter(engine.tables)
    for shown, side in engine.tables.sides.items():
        cell = charter.cell(side.play, None)
        values[cell] = side_worth(engine.tables, shown)
        chances[cell] = sum(each.chance for each in engine.by_cards(shown))
    return Followed(chart, values, chances)


def _numbers(engine: Engine, strategy: Chosen, shown: int, number: dict[Cell, int]) -> Ints:
    """The number of the cell of each entry."""
    table = np.full(len(engine.tables.cards), -1)
    for state, cell in strategy.cells[shown].items():
        table[state] = number[cell]
    found: Ints = table[engine.hands.state]
    return found
