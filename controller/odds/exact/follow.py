"""What each action of a strategy by totals is worth, and how often each decision comes up."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import Final

import numpy as np

from controller.odds.charts.chart import Cell, Chart, Charter, Chosen, chosen, side_worth
from controller.odds.charts.followed import Followed
from controller.odds.exact.engine import Engine
from controller.odds.exact.passes import NEVER
from controller.odds.exact.shoe import Floats, Ints
from controller.odds.exact.solve import Passing, Slots, situations
from controller.odds.exact.strategies import again, alike, entry_slots
from controller.rules.actions import Action

#: Hands that come up less often are none that the strategy leads to.
LEAST: Final = 1e-15


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


class _FurtherSplits:
    """What it is worth to split a pair of a split hand again, where that is a line of its own.

    Two strategies that differ in this alone are compared: the difference, for each time that the
    question comes up where the pair is never split again.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.gains: dict[tuple[int, int], float] = defaultdict(float)
        self.weights: dict[tuple[int, int], float] = defaultdict(float)
        self.met: dict[tuple[int, int], float] = defaultdict(float)

    def add(self, passing: Passing, mine: Slots, reach: Floats) -> None:
        """The pairs of one situation, each as likely as its cards are."""
        engine, at = self.engine, passing.at
        never = Passing(engine, at, dict.fromkeys(engine.pairs, False))
        always = Passing(engine, at)
        for each in (never, always):
            each.place, each.ends = passing.place, passing.ends
        once, _ = never.back(mine)
        more, _ = always.back(mine)
        for number, (entry, (letter, _)) in enumerate(engine.pairs.items()):
            pair, hand = engine.split_pairs[entry], int(engine.hands.state[entry])
            asked = engine.tables.nodes[at.shown][hand].play
            if asked is None or Action.SPLIT not in asked.options or not reach[entry]:
                continue
            slot = asked.options.index(Action.SPLIT)
            live = float(reach[entry] * passing.live[passing.hands.removal[entry]])
            like, size = int(passing.left[letter]) - 2, int(passing.left.sum()) - 2
            key, questions = (at.shown, pair), 2 * like / size
            self.gains[key] += float(reach[entry] * (more[slot, entry] - once[slot, entry]))
            self.weights[key] += live * questions
            if mine[entry] == slot:
                if passing.again.get(entry, True):
                    starts = passing.splits.starts
                    shares = passing.splits.share[starts[number] : starts[number + 1]]
                    # Every further split makes one more hand.
                    questions = float(shares.sum()) - 2
                self.met[key] += live * questions

    def enter(
        self,
        strategy: Chosen,
        chart: Chart,
        values: dict[Cell, dict[Action, float]],
        chances: dict[Cell, float],
    ) -> None:
        """Add the lines where a further split is open."""
        charter = Charter(self.engine.tables)
        sums: dict[Cell, Floats] = defaultdict(lambda: np.zeros(3))
        plays_on: dict[Cell, Cell] = {}
        firsts = {each.cell for each in charter.plays() if each.last}
        for each in charter.plays():
            if not each.last and each.state is not None and each.cell not in firsts:
                key = each.shown, each.state
                sums[each.cell] += [found[key] for found in (self.gains, self.weights, self.met)]
                plays_on[each.cell] = strategy.cells[each.shown][each.state]
        for cell, (gain, weight, met) in sums.items():
            rest = values.get(plays_on[cell])
            if rest and weight > LEAST:
                own = rest[chart[plays_on[cell]]]
                values[cell] = {**rest, Action.SPLIT: own + float(gain / weight)}
                chances[cell] = float(met)


def follow(engine: Engine, chart: Chart) -> Followed:
    """Follow a strategy through all hands."""
    strategy = chosen(engine.tables, chart)
    number = {cell: at for at, cell in enumerate(chart)}
    slots = max((len(cell.options) for cell in chart), default=1)
    met, any_hand = _Means(len(number), slots), _Means(len(number), slots)
    further = _FurtherSplits(engine)
    for shown in chain.from_iterable(alike(engine.tables)):
        of = _numbers(engine, strategy, shown, number)
        for at in situations(engine, [shown]):
            passing = Passing(engine, at, again(engine, strategy, shown))
            every = Passing(engine, at)
            natural, _, _ = every.forward(None, signed=False)
            every.weigh_ends(None, natural)
            passing.place, passing.ends = every.place, every.ends
            if engine.most_gone > 1:
                natural, _, _ = passing.forward(None)
            mine = entry_slots(engine, strategy.slots[shown])
            actions, _ = passing.back(mine)
            reach, _, _ = passing.forward(mine)
            met.add(passing, actions, of, reach)
            any_hand.add(passing, actions, of, natural)
            if engine.tables.most_hands > 2:
                further.add(passing, mine, reach)
    values: dict[Cell, dict[Action, float]] = {}
    for cell, place in number.items():
        means = met if met.weights[place] > LEAST else any_hand
        if means.weights[place] > 0:
            worth = (means.sums[place] / means.weights[place]).tolist()
            values[cell] = {
                action: each
                for action, each in zip(cell.options, worth, strict=False)
                if each > NEVER / 2
            }
    chances = dict(zip(number, np.maximum(met.weights, 0.0).tolist(), strict=True))
    further.enter(strategy, chart, values, chances)
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
