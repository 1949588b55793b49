"""The live script of a game, run for one seat up to where a hand or the dealer is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action
from controller.rules.cards import Card
from controller.rules.engine.round import Run
from controller.rules.game import Game
from controller.rules.script.felt import Hand, Result
from controller.rules.script.steps import (
    DONE,
    AddWager,
    Ask,
    Deal,
    Peek,
    Peeked,
    Reveal,
    Settle,
    Vie,
)
from controller.rules.sealed import Sealed

Move = Card | Action
#: More steps than any round has.
_MOST_STEPS: Final = 1_000


class NoTable(ValueError):
    """A game, or a shoe, that cannot be tabulated; the message says why."""


class Stop(NamedTuple):
    """Where a run came to a halt.

    `waits`: "card" or "ask" of the hand in question, "side" (a side bet), "dealer" (his next card,
    or his hidden one), or "over". `step` is what the script waits for.
    """

    waits: str
    course: _Course
    step: Any

    @property
    def run(self) -> Run:
        """The run; whoever goes on with it moves it on for everybody."""
        return self.course.run

    @property
    def hand(self) -> Hand:
        """The seat's first hand."""
        for each in self.run.felt.hands:
            if each.place.hand != SIDE_BET:
                return each
        raise AssertionError("a seat that wagers has a hand")

    @property
    def result(self) -> Result | None:
        """The result of the seat's first hand, if it has one yet."""
        return self.hand.result

    @property
    def times(self) -> int:
        """The first hand's wager in first wagers."""
        return 2 if self.hand.doubled else 1

    def go_on(self, *moves: Move) -> Stop:
        """Play on from here; what this stop says of the run holds no more."""
        return self.course.play(moves)


class _Course:
    """A run of the script with the answers that it is given.

    `theirs`: further cards of the dealer, in reverse; a face-down one beyond them is unknown, and
    no natural. `filler` cards go, in turn, to further hands of a split, which stand as soon as they
    may; with `finish` also to the first hand, which then takes the first option that is open.
    """

    __slots__ = ("filled", "filler", "finish", "game", "run", "side", "theirs")

    def __init__(
        self, game: Game, run: Run, theirs: list[Card], filler: tuple[Card, ...],
        side: Action | None, finish: bool,
    ) -> None:  # fmt: skip
        self.game = game
        self.run = run
        self.theirs = theirs
        self.filler = filler
        self.filled = 0
        self.side = side
        self.finish = finish

    def play(self, moves: Sequence[Move]) -> Stop:
        """Play `moves`, cards and actions of the first hand, up to where nothing says what next."""
        run, own = self.run, list(reversed(moves))
        for _ in range(_MOST_STEPS):
            step = run.step
            if step is None:
                return Stop("over", self, step)
            answer: Any
            if type(step) is Deal:
                place = step.hand.place
                if place.seat == DEALER_SEAT:
                    if step.down:
                        answer = Sealed(self.theirs.pop() if self.theirs else None)
                    elif self.theirs:
                        answer = self.theirs.pop()
                    else:
                        return Stop("dealer", self, step)
                elif place.hand == 1 and own:
                    answer = own.pop()
                elif place.hand == 1 and not self.finish:
                    return Stop("card", self, step)
                else:
                    answer = self.filler[self.filled % len(self.filler)]
                    self.filled += 1
            elif type(step) is Ask:
                hand = step.hand.place.hand
                if hand == SIDE_BET:
                    if self.side is None:
                        return Stop("side", self, step)
                    answer = self.side
                elif hand == 1 and own:
                    answer = own.pop()
                elif hand == 1 and not self.finish:
                    return Stop("ask", self, step)
                else:
                    answer = step.play.options[0]
            elif type(step) is AddWager or type(step) is Settle:
                answer = DONE
            elif type(step) is Peek:
                hidden_card = next(iter((step.hand.down or {}).values())).open()
                answer = Peeked(hidden_card is not None and step.natural(hidden_card))
            elif type(step) is Reveal:
                if not step.card.known:
                    return Stop("dealer", self, step)
                answer = step.card.open()
            else:
                assert type(step) is Vie
                raise NoTable(f"{self.game.title} is played for a pot, not against a house")
            run.feed(answer)
        raise NoTable(f"a round of {self.game.title} does not end")


class Prober:
    """Runs the script of `game` with one seat that wagers `wager`; `filler`: see `run`."""

    def __init__(self, game: Game, wager: int, filler: Sequence[Card]) -> None:
        self.game = game
        self.wager = wager
        self.filler = tuple(filler)
        self.wagers = ((game.seats.start, wager),)

    def run(
        self,
        moves: Sequence[Move],
        dealer: Sequence[Card],
        *,
        side: Action | None = None,
        finish: bool = False,
    ) -> Stop:
        """Play `moves` (cards and actions of the first hand) against the dealer's cards.

        A face-down card that `dealer` does not hold is unknown, and no natural. `side` is the
        answer to a side bet. `filler` cards go to further hands of a split, which stand as soon as
        they may; with `finish` the first hand is completed so, too.
        """
        run = Run(self.game, self.wagers)
        theirs = list(reversed(dealer))
        return _Course(self.game, run, theirs, self.filler, side, finish).play(moves)
