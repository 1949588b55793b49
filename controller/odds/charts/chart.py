"""Strategies by totals, as charts: one action for each *cell*, which is what a player sees.

A chart holds every play of a round: of first hands, of the hands of a split pair while they may be
split again and once they may not, of side bets; hands that the rules force are among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.tables.game_tables import Choose, Tables
from controller.rules.actions import Action, Bid
from controller.rules.game import Game
from controller.rules.script.felt import Play

Slots = NDArray[np.int8]
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


Chart = Mapping[Cell, Action]


class AskedPlay(NamedTuple):
    """What is asked in a round: by shown state and hand state (None: a side bet), with its cell.

    `last`: the hand is none of a split pair, or its pair cannot be split any more.
    """

    shown: int
    state: int | None
    play: Play[Any, Any]
    cell: Cell
    last: bool


class Charter:
    """The cells of a game's tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        pairs = {
            tables.cards[state]
            for nodes in tables.nodes.values()
            for state, node in nodes.items()
            if node.play and Action.SPLIT in node.play.options
        }
        self._ranks = {tuple(sorted(each.rank for each in cards)) for cards in pairs}

    def cell(self, play: Play[Any, Any], state: int | None) -> Cell:
        """The cell of a play of that hand state; None is a side bet."""
        cards = () if state is None else self.tables.cards[state]
        ranks = tuple(sorted(each.rank for each in cards))
        return Cell(str(play.dealer), str(play.total), ranks in self._ranks, play.options)

    def last_plays(self, shown: int) -> dict[int, Play[Any, Any]]:
        """What is asked of each hand state, of a split pair once it cannot be split again."""
        capped = self.tables.capped.get(shown, {})
        return {
            state: capped.get(state) or node.play
            for state, node in self.tables.nodes[shown].items()
            if node.play
        }

    def last_cells(self) -> dict[int, dict[int, Cell]]:
        """The cell of each hand state that is asked, by shown state; as `last_plays`."""
        return {
            shown: {state: self.cell(play, state) for state, play in self.last_plays(shown).items()}
            for shown in self.tables.nodes
        }

    def plays(self) -> Iterator[AskedPlay]:
        """Everything that is asked."""
        for shown, nodes in self.tables.nodes.items():
            for state, last in self.last_plays(shown).items():
                play = nodes[state].play
                if play is not None and play != last:
                    yield AskedPlay(shown, state, play, self.cell(play, state), last=False)
                yield AskedPlay(shown, state, last, self.cell(last, state), last=True)
        for shown, side in self.tables.sides.items():
            yield AskedPlay(shown, None, side.play, self.cell(side.play, None), last=True)

    def advised(self, game: Game) -> Chart:
        """What the game's own advice takes."""
        return {each.cell: each.play.forced or self._advice(game, each) for each in self.plays()}

    def _advice(self, game: Game, asked: AskedPlay) -> Action:
        cards = () if asked.state is None else self.tables.cards[asked.state]
        move = game.advise(asked.play, cards)
        return move.action if isinstance(move, Bid) else move

    def completed(self, found: Chart) -> Chart:
        """A chart of last plays, with side bets where a fresh shoe pays for them.

        A pair that is split is split again while it may be.
        """
        split = {
            (cell.dealer, cell.player) for cell, action in found.items() if action is Action.SPLIT
        }
        made: dict[Cell, Action] = {}
        for each in self.plays():
            cell = each.cell
            if each.state is None:
                made[cell] = best_side_bet(self.tables, each.shown)
            elif cell in found:
                made[cell] = found[cell]
            elif (cell.dealer, cell.player) in split:
                made[cell] = Action.SPLIT
            else:
                rest = tuple(action for action in cell.options if action is not Action.SPLIT)
                made[cell] = found[cell._replace(options=rest)]
        return made


def side_worth(tables: Tables, shown: int) -> dict[Action, float]:
    """What each answer to a side bet is worth, of a full shoe less the cards that the dealer shows.

    In first wagers.
    """
    left = list(tables.counts)
    for each in tables.dealers[shown]:
        left[next(at for at, cards in enumerate(tables.letters) if each in cards)] -= 1
    return {
        action: float(sum(net * times for net, times in zip(nets, left, strict=False)) / sum(left))
        for action, nets in tables.sides[shown].nets.items()
    }


def best_side_bet(tables: Tables, shown: int) -> Action:
    """The answer that is worth most (`side_worth`)."""
    worth = side_worth(tables, shown)
    return max(worth, key=lambda action: worth[action])


class Chosen(NamedTuple):
    """A strategy for the engine: a slot by shown state and hand state, the cell that it is of, the
    pairs that are split again, and the action of each side bet.
    """

    slots: dict[int, dict[int, int]]
    cells: dict[int, dict[int, Cell]]
    again: dict[int, frozenset[int]]
    sides: dict[int, Action]


def chosen(tables: Tables, chart: Chart) -> Chosen:
    """The slots that a chart takes, hands that are forced among them."""
    charter = Charter(tables)
    made = Chosen({}, {}, {}, {})
    for shown, nodes in tables.nodes.items():
        capped = tables.capped.get(shown, {})
        again = set()
        slots, places = made.slots.setdefault(shown, {}), made.cells.setdefault(shown, {})
        for state, last in charter.last_plays(shown).items():
            first = nodes[state].play
            assert first is not None
            cell = charter.cell(first, state)
            action = first.forced or chart[cell]
            if tables.split[state] and action is Action.SPLIT:
                again.add(state)
            if state in capped and action is Action.SPLIT:
                cell = charter.cell(last, state)
                action = last.forced or chart[cell]
            places[state] = cell
            slots[state] = first.options.index(action)
        made.again[shown] = frozenset(again)
    for shown, side in tables.sides.items():
        made.sides[shown] = chart[charter.cell(side.play, None)]
    return made


def choice(tables: Tables, chart: Chart) -> Choose:
    """A chart as the kernel's strategy."""
    charter = Charter(tables)
    sides = {id(side.play) for side in tables.sides.values()}

    def choose(play: Play[Any, Any], _shown: int, state: int) -> Action:
        return chart[charter.cell(play, None if id(play) in sides else state)]

    return choose
