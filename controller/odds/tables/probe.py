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
    run: Run
    step: Any

    @property
    def hand(self) -> Hand:
        """The seat's first hand."""
        return next(each for each in self.run.felt.hands if each.place.hand != SIDE_BET)

    @property
    def result(self) -> Result | None:
        """The result of the seat's first hand, if it has one yet."""
        return self.hand.result

    @property
    def times(self) -> int:
        """The first hand's wager in first wagers."""
        return 2 if self.hand.doubled else 1


class Prober:
    """Runs the script of `game` with one seat that wagers `wager`.

    `filler` cards go to further hands of a split, which stand as soon as they may.
    """

    def __init__(self, game: Game, wager: int, filler: Sequence[Card]) -> None:
        self.game = game
        self.wager = wager
        self.filler = tuple(filler)
        self.seat = game.seats.start
        self.runs = 0

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
        answer to a side bet. With `finish` the first hand is completed by the first option that
        is open, with filler cards.
        """
        self.runs += 1
        run = Run(self.game, ((self.seat, self.wager),))
        own, theirs, filler = list(reversed(moves)), list(reversed(dealer)), 0
        for _ in range(_MOST_STEPS):
            step = run.step
            if step is None:
                return Stop("over", run, step)
            answer: Any
            if isinstance(step, Deal):
                if step.hand.place.seat == DEALER_SEAT:
                    if step.down:
                        answer = Sealed(theirs.pop() if theirs else None)
                    elif theirs:
                        answer = theirs.pop()
                    else:
                        return Stop("dealer", run, step)
                elif self._is_first(run, step.hand):
                    if not own and not finish:
                        return Stop("card", run, step)
                    if own:
                        answer = own.pop()
                    else:
                        answer = self.filler[filler % len(self.filler)]
                        filler += 1
                else:
                    answer = self.filler[filler % len(self.filler)]
                    filler += 1
            elif isinstance(step, Ask):
                if step.hand.place.hand == SIDE_BET:
                    if side is None:
                        return Stop("side", run, step)
                    answer = side
                elif self._is_first(run, step.hand):
                    if not own and not finish:
                        return Stop("ask", run, step)
                    answer = own.pop() if own else step.play.options[0]
                else:
                    answer = step.play.options[0]
            elif isinstance(step, Peek):
                hidden_card = next(iter((step.hand.down or {}).values())).open()
                answer = Peeked(hidden_card is not None and step.natural(hidden_card))
            elif isinstance(step, Reveal):
                if not step.card.known:
                    return Stop("dealer", run, step)
                answer = step.card.open()
            elif isinstance(step, AddWager | Settle):
                answer = DONE
            else:
                assert isinstance(step, Vie)
                raise NoTable(f"{self.game.title} is played for a pot, not against a house")
            run.feed(answer)
        raise NoTable(f"a round of {self.game.title} does not end")

    @staticmethod
    def _is_first(run: Run, hand: Hand) -> bool:
        return hand.place.hand == 1
