"""A strategy by totals with what each of its actions is worth."""

from __future__ import annotations

from typing import NamedTuple

from controller.odds.charts.chart import Cell, Chart
from controller.rules.actions import Action


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
