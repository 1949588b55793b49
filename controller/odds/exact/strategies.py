"""Strategies: the game's own advice, and the best ones.

A total-dependent strategy has one action for a *cell*: the dealer's and the player's total, and
the actions that are open, as the rules themselves report them (`Play`). What cards made the totals
it does not know. A composition-dependent one looks at every card of the own hand, and of the
dealer's that lie face up; of a split hand at that hand and the split cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

import numpy as np

from controller.odds.charts.chart import Cell, Chart, Charter, Chosen, Row, best_side_bet
from controller.odds.exact.engine import Engine
from controller.odds.exact.passes import NEVER
from controller.odds.exact.shoe import Floats, Ints
from controller.odds.exact.side_bets import side_bet
from controller.odds.exact.solve import Chances, Passing, Slots, situations
from controller.odds.tables.game_tables import Tables
from controller.rules.actions import Action

#: What two cards may do beside what every hand may: a strategy card names it first.
FIRST_CARDS: Final = frozenset({Action.DOUBLE, Action.SPLIT, Action.SURRENDER})
#: The weight of a cell that a strategy never reaches.
SELDOM: Final = 1e-12
#: Values nearer than this are the same: the first of the actions is taken.
SAME: Final = 1e-13


def entry_slots(engine: Engine, chosen: Mapping[int, int]) -> Slots:
    """A slot for each entry, from one for each hand state (0 where nothing is asked)."""
    table = np.zeros(len(engine.tables.cards), dtype=np.int8)
    for state, slot in chosen.items():
        table[state] = slot
    made: Slots = table[engine.hands.state]
    return made


def again(engine: Engine, strategy: Chosen, shown: int) -> dict[int, bool]:
    """Whether each pair is split again where it may be, by its entry."""
    pairs = strategy.again[shown]
    return {entry: state in pairs for entry, state in engine.split_pairs.items()}


def alike(tables: Tables) -> list[list[int]]:
    """The shown states, those together that report the same total."""
    found: dict[str, list[int]] = defaultdict(list)
    for shown, nodes in tables.nodes.items():
        play = next((node.play for node in nodes.values() if node.play), None)
        found["" if play is None else str(play.dealer)].append(shown)
    return list(found.values())


def play(engine: Engine, strategy: Chosen) -> Chances:
    """The chances of all endings under a strategy."""
    tally = Chances()
    for shown in chain.from_iterable(alike(engine.tables)):
        slots = entry_slots(engine, strategy.slots[shown])
        pairs = again(engine, strategy, shown)
        for at in situations(engine, [shown]):
            passing = Passing(engine, at, pairs)
            reach = passing.tally(tally, slots, weigh=True)
            if shown in strategy.sides:
                side_bet(tally, passing, slots, reach, strategy.sides[shown])
    return tally


def best_composition(engine: Engine) -> Chances:
    """The chances of all endings under the best composition-dependent strategy."""
    tally = Chances()
    for shown in engine.tables.shown:
        for at in engine.by_cards(shown):
            passing = Passing(engine, at)
            reach, _, _ = passing.forward(None, signed=False)
            passing.weigh_ends(None, reach)
            _, slots = passing.back(None, freely=True)
            reach = passing.tally(tally, slots)
            side_bet(tally, passing, slots, reach, None)
    return tally


def best_total(engine: Engine) -> tuple[Chart, Chances]:
    """The best total-dependent strategy: each cell by what is best on average of its hands.

    Hands weigh as their cards come up in a full shoe, whatever play leads to them, and what
    follows is played best. (Weighed by how often this very strategy leads to them, one cell of
    Finnish 27 changes, and the edge by 0.00001 %.)
    """
    charter = Charter(engine.tables)
    places = charter.last_cells()
    best: dict[Cell, Action] = {}
    tally = Chances()
    for states in alike(engine.tables):
        passings = [Passing(engine, at) for at in situations(engine, states)]
        _best_against(engine, passings, places, best, tally)
    return charter.completed(best), tally


def _best_against(
    engine: Engine,
    passings: list[Passing],
    places: Mapping[int, Mapping[int, Cell]],
    best: dict[Cell, Action],
    tally: Chances,
) -> None:
    """The best strategy against dealers that report the same total."""
    found = list(
        dict.fromkeys(cell for each in passings for cell in places[each.at.shown].values())
    )
    number = {cell: at for at, cell in enumerate(found)}
    cell_of = []
    likely = []
    for each in passings:
        table = np.full(len(engine.tables.cards), -1)
        for state, cell in places[each.at.shown].items():
            table[state] = number[cell]
        cell_of.append(table[engine.hands.state])
        reach, _, _ = each.forward(None, signed=False)
        each.weigh_ends(None, reach)
        if engine.most_gone > 1:
            reach, _, _ = each.forward(None)
        likely.append(reach)
    size = max((len(cell.options) for cell in found), default=1)
    values = np.zeros((len(found), size))
    weights = np.zeros(len(found))
    for each, of, reach in zip(passings, cell_of, likely, strict=True):
        actions, _ = each.back(None)
        asked = each.in_play(np.flatnonzero((of >= 0) & (reach != 0)))
        weights += np.bincount(
            of[asked], reach[asked] * each.live[engine.hands.removal[asked]], minlength=len(found)
        )
        for slot in range(size):
            part = np.maximum(actions[slot, asked], NEVER) * reach[asked]
            values[:, slot] += np.bincount(of[asked], part, minlength=len(found))
    values /= np.where(weights > 0, weights, 1.0)[:, None]
    choice = _choose(found, values, weights)
    best.update((cell, cell.options[choice[at]]) for at, cell in enumerate(found))
    for each, of in zip(passings, cell_of, strict=True):
        slots = _slots(choice, of)
        reach = each.tally(tally, slots)
        if each.at.shown in engine.tables.sides:
            side_bet(tally, each, slots, reach, best_side_bet(engine.tables, each.at.shown))


def _choose(found: Sequence[Cell], values: Floats, weights: Floats) -> Slots:
    """The best action of each cell.

    What ends a hand or draws a card is chosen once for a row of the card; what only the first
    cards may do goes before it where it is open and better.
    """
    sums: dict[tuple[Row, Action], float] = defaultdict(float)
    often: dict[tuple[Row, Action], float] = defaultdict(float)
    for at, cell in enumerate(found):
        weight = max(weights[at], SELDOM)
        for slot, action in enumerate(cell.options):
            sums[cell.row, action] += values[at, slot] * weight
            often[cell.row, action] += weight
    made = np.zeros(len(found), dtype=np.int8)
    for at, cell in enumerate(found):
        means = {
            action: sums[cell.row, action] / often[cell.row, action]
            for action in cell.options
            if action not in FIRST_CARDS
        }
        most = max(means.values(), default=NEVER) - SAME
        made[at] = next((cell.options.index(each) for each in means if means[each] >= most), 0)
        for slot, action in enumerate(cell.options):
            if action in FIRST_CARDS and values[at, slot] > values[at, made[at]] + SAME:
                made[at] = slot
    return made


def _slots(choice: Slots, of: Ints) -> Slots:
    made: Slots = np.append(choice, np.int8(0))[of]
    return made
