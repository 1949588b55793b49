"""Strategies: the game's own advice, and the best ones.

A total-dependent strategy has one action for a *cell*: the dealer's and the player's total, and
the actions that are open, as the rules themselves report them (`Play`). What cards made the totals
it does not know. A composition-dependent one looks at every card of the own hand, and of the
dealer's that lie face up; of a split hand at that hand and the split cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from controller.odds.engine import Engine
from controller.odds.passes import NEVER
from controller.odds.shoe import Floats, Ints
from controller.odds.solve import Chances, Passing, Slots, situations
from controller.odds.tables import Tables
from controller.rules.actions import Action, Bid, Move
from controller.rules.game import Game
from controller.rules.script.felt import Play

#: What two cards may do beside what every hand may: a strategy card names it first.
FIRST_CARDS: Final = frozenset({Action.DOUBLE, Action.SPLIT, Action.SURRENDER})
#: The weight of a cell that a strategy never reaches.
SELDOM: Final = 1e-12
#: Values nearer than this are the same: the first of the actions is taken.
SAME: Final = 1e-13


Row = tuple[str, bool, bool]


class Cell(NamedTuple):
    """A place on a strategy card: totals as the rules report them, and what is open.

    `pair`: the hand is two cards that may be split, or could be, were they not of a split hand.
    """

    dealer: str
    player: str
    pair: bool
    options: tuple[Action, ...]

    @property
    def row(self) -> Row:
        """The row of the card: hands that may surrender, first hands alone, have their own."""
        return self.player, self.pair, Action.SURRENDER in self.options


class Best(NamedTuple):
    """A total-dependent strategy with what each action is worth, and how often each cell comes up.

    In first wagers, on average over all hands in the cell.
    """

    chart: dict[Cell, Action]
    worth: dict[Cell, dict[Action, float]]
    chance: dict[Cell, float]


def cells(tables: Tables) -> dict[int, dict[int, Cell]]:
    """The cell of each hand state that is asked, by shown state."""
    pairs = {
        tables.cards[state]
        for nodes in tables.nodes.values()
        for state, node in nodes.items()
        if node.play and Action.SPLIT in node.play.options
    }
    ranks = {tuple(sorted(each.rank for each in cards)) for cards in pairs}
    found: dict[int, dict[int, Cell]] = {}
    for shown in tables.nodes:
        dealer = _dealer_text(tables, shown)
        found[shown] = {
            state: Cell(
                dealer,
                str(play.total),
                tuple(sorted(each.rank for each in tables.cards[state])) in ranks,
                play.options,
            )
            for state, play in _last_plays(tables, shown).items()
        }
    return found


def _last_plays(tables: Tables, shown: int) -> dict[int, Play[Any, Any]]:
    """What is asked of each hand state, of a split pair once it cannot be split again."""
    capped = tables.capped.get(shown, {})
    return {
        state: capped.get(state) or node.play
        for state, node in tables.nodes[shown].items()
        if node.play
    }


def _dealer_text(tables: Tables, shown: int) -> str:
    """The dealer total."""
    for node in tables.nodes[shown].values():
        if node.play:
            return str(node.play.dealer)
    return ""


class Chosen(NamedTuple):
    """A strategy: a slot by shown state and hand state, and the pairs that are split again."""

    slots: dict[int, dict[int, int]]
    again: dict[int, frozenset[int]]


def advised(game: Game, tables: Tables) -> Chosen:
    """What the game's own advice takes."""

    def asked(play: Play[Any, Any], state: int) -> Action:
        return _action(game.advise(play, tables.cards[state]))

    return Chosen(
        {
            shown: {
                state: play.options.index(asked(play, state))
                for state, play in _last_plays(tables, shown).items()
            }
            for shown in tables.nodes
        },
        {
            shown: frozenset(
                state
                for state in capped
                if (play := tables.nodes[shown][state].play) and asked(play, state) is Action.SPLIT
            )
            for shown, capped in tables.capped.items()
        },
    )


def _action(move: Move) -> Action:
    return move.action if isinstance(move, Bid) else move


def entry_slots(engine: Engine, chosen: Mapping[int, int]) -> Slots:
    """A slot for each entry, from one for each hand state (0 where nothing is asked)."""
    table = np.zeros(len(engine.tables.cards), dtype=np.int8)
    for state, slot in chosen.items():
        table[state] = slot
    made: Slots = table[engine.hands.state]
    return made


def play(engine: Engine, chosen: Chosen) -> Chances:
    """The chances of all endings under a strategy."""
    tally = Chances()
    for shown in engine.tables.shown:
        slots = entry_slots(engine, chosen.slots[shown])
        pairs = chosen.again.get(shown, frozenset())
        again = {entry: state in pairs for entry, state in engine.split_pairs.items()}
        for at in situations(engine, [shown]):
            Passing(engine, at, again).tally(tally, slots, weigh=True)
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
            passing.tally(tally, slots)
    return tally


def best_total(engine: Engine, places: Mapping[int, Mapping[int, Cell]]) -> tuple[Best, Chances]:
    """The best total-dependent strategy: each cell by what is best on average of its hands.

    Hands weigh as their cards come up in a full shoe, whatever play leads to them, and what
    follows is played best. (Weighed by how often this very strategy leads to them, one cell of
    Finnish 27 changes, and the edge by 0.00001 %.)
    """
    best = Best({}, {}, {})
    tally = Chances()
    alike: dict[str, list[int]] = defaultdict(list)
    for shown in engine.tables.shown:
        alike[_dealer_text(engine.tables, shown)].append(shown)
    for states in alike.values():
        passings = [Passing(engine, at) for at in situations(engine, states)]
        _best_against(engine, passings, places, best, tally)
    return best, tally


def _best_against(
    engine: Engine,
    passings: list[Passing],
    places: Mapping[int, Mapping[int, Cell]],
    best: Best,
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
    for at, cell in enumerate(found):
        best.chart[cell] = cell.options[choice[at]]
        best.worth[cell] = dict(zip(cell.options, values[at].tolist(), strict=False))
    chance = np.zeros(len(found))
    for each, of in zip(passings, cell_of, strict=True):
        slots = _slots(choice, of)
        reach = each.tally(tally, slots)
        asked = each.in_play(np.flatnonzero((of >= 0) & (reach != 0)))
        there = reach[asked] * each.live[engine.hands.removal[asked]]
        chance += np.bincount(of[asked], there, minlength=len(found))
    best.chance.update(zip(found, chance.tolist(), strict=True))


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
