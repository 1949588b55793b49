"""A game's tables and one strategy as flat arrays: what the compiled kernel deals rounds by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from controller.odds.tables.game_tables import (
    NONE,
    Choose,
    End,
    Ending,
    Settled,
    SplitHand,
    Tables,
    TakeCard,
    Then,
)
from controller.odds.tables.probe import NoTable
from controller.rules.actions import DEALER_SEAT, Action
from controller.rules.engine.round import Run
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.script.felt import Play
from controller.rules.script.steps import Deal
from controller.rules.sealed import Sealed

Ints = NDArray[np.int64]
#: What a hand does in a state: it is settled, waits for the dealer, draws, or is split.
SETTLE: Final = 0
WAIT: Final = 1
DRAW: Final = 2
SPLIT: Final = 3

#: Whom a card of the deal goes to, where it is no player: the dealer, face up or face down.
DEALER: Final = -1
HIDDEN: Final = -2


@frozen
class Program:
    """One round as arrays, for a number of seats.

    - `pack`: the letter of every card of the full shoe; `order`: whom each card of the deal goes
      to, a player from 0 on, `DEALER` or `HIDDEN`.
    - `after[state, letter]`, `dealer_after`, `draws`: as in `Tables`. `shown[dealer]`: the row of
      a dealer's shown state in what follows.
    - `kind[row, state]` and `to[row, state]`: what a hand does, and the ending, the final or the
      state that this leads to; `last_kind` and `last_to` for hands that cannot be split any more,
      since there are `most_hands`.
    - `natural[row, letter]`: a hidden letter that ends the round at a look; `natural_to[row,
      state]` is then the ending of a hand. `side[row, letter]`: the net of a side bet.
    - `ends[final, dealer]`: endings against the dealer's hand; `waits[final]`: the dealer draws
      for it.
    - `endings` and their `nets` in minor units.
    """

    seats: int
    wager: int
    pack: NDArray[np.uint8]
    order: Ints
    after: Ints
    dealer_after: Ints
    draws: NDArray[np.bool_]
    shown: Ints
    kind: Ints
    to: Ints
    last_kind: Ints
    last_to: Ints
    most_hands: int
    natural: NDArray[np.bool_]
    natural_to: Ints
    side: Ints
    ends: Ints
    waits: NDArray[np.bool_]
    endings: tuple[Settled, ...]
    nets: Ints


def program(game: Game, tables: Tables, choose: Choose, seats: int = 1) -> Program:
    """The program of `game` by its `tables` for a number of seats that all choose alike.

    Raises `NoTable` for tables whose letters hold cards that end hands otherwise.
    """
    return _ProgramWriter(game, tables, choose, seats).program()


class _ProgramWriter:
    """One program in the making."""

    def __init__(self, game: Game, tables: Tables, choose: Choose, seats: int) -> None:
        self.game = game
        self.tables = tables
        self.choose = choose
        self.seats = seats
        self.rows = {state: row for row, state in enumerate(tables.shown)}
        self.finals = {final: at for at, final in enumerate(tables.ends)}
        self.endings: dict[Settled, int] = {}

    def program(self) -> Program:
        """All the arrays."""
        tables = self.tables
        shape = (len(self.rows), len(tables.cards))
        kind, to = np.zeros(shape, dtype=np.int64), np.full(shape, NONE, dtype=np.int64)
        for shown, row in self.rows.items():
            for state in tables.nodes[shown]:
                kind[row, state], to[row, state] = self._done(shown, state)
        last_kind, last_to = kind.copy(), to.copy()
        for shown, plays in tables.capped.items():
            row = self.rows[shown]
            for state, play in plays.items():
                last_kind[row, state], last_to[row, state] = self._done(shown, state, play)
        natural, natural_to = self._naturals(shape)
        shown_rows = np.full(len(tables.dealers), NONE, dtype=np.int64)
        for shown, row in self.rows.items():
            shown_rows[shown] = row
        ends = self._ends()
        side = self._sides()
        return Program(
            seats=self.seats,
            wager=tables.wager,
            pack=np.repeat(np.arange(len(tables.counts), dtype=np.uint8), tables.counts),
            order=np.array(self._deal(), dtype=np.int64),
            after=np.array(tables.after, dtype=np.int64),
            dealer_after=np.array(tables.dealer_after, dtype=np.int64),
            draws=np.array(tables.draws),
            shown=shown_rows,
            kind=kind,
            to=to,
            last_kind=last_kind,
            last_to=last_to,
            most_hands=tables.most_hands,
            natural=natural,
            natural_to=natural_to,
            side=side,
            ends=ends,
            waits=np.array([final in tables.drawn_for for final in self.finals], dtype=np.bool_),
            endings=tuple(self.endings),
            nets=np.array([each.result.net(tables.wager * each.times) for each in self.endings]),
        )

    def _deal(self) -> list[int]:
        """Whom the live script deals the first cards to; it asks nothing before all lie."""
        tables = self.tables
        first = self.game.seats.start
        placed = tuple((first + at, tables.wager) for at in range(self.seats))
        run = Run(self.game, placed)
        order = []
        for at in range(self.seats * tables.first_cards + tables.up + tables.hidden):
            step = run.step
            assert isinstance(step, Deal)
            seat = step.hand.place.seat
            order.append(seat - first if seat != DEALER_SEAT else HIDDEN if step.down else DEALER)
            filler = tables.letters[at % len(tables.letters)][0]
            run.feed(Sealed(filler) if step.down else filler)
        return order

    def _done(self, shown: int, state: int, play: Play[Any, Any] | None = None) -> tuple[int, int]:
        """What the hand does there, and where that leads; `play` in place of its node's."""
        node = self.tables.nodes[shown][state]
        asked = play or node.play
        action = None
        if asked is not None:
            action = asked.forced or self.choose(asked, shown, state)
        return self._code(shown, node.then[action])

    def _code(self, shown: int, then: Then) -> tuple[int, int]:
        match then:
            case TakeCard(state):
                return DRAW, state
            case SplitHand(state):
                return SPLIT, state
            case End(final) if final in self.tables.fixed[shown]:
                return SETTLE, self._ending(self.tables.fixed[shown][final])
            case End(final):
                return WAIT, self.finals[final]

    def _ending(self, ending: Ending) -> int:
        if len(ending) != 1:
            raise NoTable("letters hold cards that end hands otherwise: tabulate by card")
        return self.endings.setdefault(ending[0], len(self.endings))

    def _naturals(self, shape: tuple[int, int]) -> tuple[NDArray[np.bool_], Ints]:
        tables = self.tables
        natural = np.zeros((len(self.rows), len(tables.counts)), dtype=np.bool_)
        to = np.full(shape, NONE, dtype=np.int64)
        for shown, letters in tables.naturals.items():
            natural[self.rows[shown], sorted(letters)] = True
        for shown, ends in tables.natural_ends.items():
            for state, ending in ends.items():
                to[self.rows[shown], state] = self._ending(ending)
        return natural, to

    def _sides(self) -> Ints:
        """The net of the side bet that the strategy takes, by shown state and hidden letter."""
        tables = self.tables
        nets = np.zeros((len(self.rows), len(tables.counts)), dtype=np.int64)
        for shown, side in tables.sides.items():
            for letter, net in enumerate(side.nets[self.choose(side.play, shown, 0)]):
                nets[self.rows[shown], letter] = int(net * tables.wager)
        return nets

    def _ends(self) -> Ints:
        ends = np.full((max(len(self.finals), 1), len(self.tables.dealers)), NONE, dtype=np.int64)
        for final, row in self.finals.items():
            for dealer, ending in self.tables.ends[final].items():
                ends[row, dealer] = self._ending(ending)
        return ends


def advised(game: Game, cards: Sequence[Any]) -> Choose:
    """The strategy of `game.advise`, which looks at one hand of each state: `Tables.cards`."""

    def choose(play: Play[Any, Any], shown: int, state: int) -> Action:
        move = game.advise(play, cards[state])
        assert isinstance(move, Action)
        return move

    return choose
