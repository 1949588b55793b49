"""The felt: hands, wagers and results as they lie on the table while a round is played.

One `Felt` belongs to one run of one script, which alone writes on it. Everybody else reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from controller.rules.cards import Card
from controller.rules.hands import Total
from controller.rules.money import EVEN, Odds

DEALER_SEAT: Final = 0


class Action(Enum):
    """What a player may do; the value is the word in records and in the API."""

    STAND = "stand"
    HIT = "hit"


class Outcome(Enum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class Place(NamedTuple):
    """Where a hand lies: seat number (0 is the dealer) and the number of the hand at that seat."""

    seat: int
    hand: int = 1


_FIRST_HANDS: Final = tuple(Place(seat) for seat in range(17))
_STAND: Final = Action.STAND


class Play(NamedTuple):
    """What the rules let a hand do now, and why; one option alone is forced play.

    `total` and `dealer` are the totals that decided it.
    """

    options: tuple[Action, ...]
    why: str
    total: Total
    dealer: Total

    @property
    def forced(self) -> Action | None:
        """The one action that is allowed; None where there is a choice."""
        return self.options[0] if len(self.options) == 1 else None


class Result(NamedTuple):
    """How one hand ended: the outcome, the odds that a win pays (to one), and the reason."""

    outcome: Outcome
    why: str
    odds: Odds = EVEN

    def net(self, wager: int) -> int:
        """What the player gains (or loses) on `wager`, in minor units."""
        if self.outcome is Outcome.WIN:
            return self.odds.on(wager)
        return -wager if self.outcome is Outcome.LOSE else 0


class Point(NamedTuple):
    """A decision point that was passed: the hand as it stood, what was allowed, what was done."""

    place: Place
    cards: tuple[Card, ...]
    play: Play
    action: Action


class Hand:
    """One hand. `wager` is in minor units, None where the amount is not tracked."""

    __slots__ = ("cards", "place", "result", "settled", "standing", "wager")

    def __init__(self, place: Place, wager: int | None) -> None:
        self.place = place
        self.wager = wager
        self.cards: list[Card] = []
        self.standing = False
        self.result: Result | None = None
        self.settled = False

    def __repr__(self) -> str:
        return f"<hand {self.place.hand} of seat {self.place.seat}: {self.cards}>"


class Felt:
    """The players' hands in order of play, the dealer's hand, and the decision points so far."""

    __slots__ = ("_points", "dealer", "hands")

    def __init__(self, wagers: Iterable[tuple[int, int | None]]) -> None:
        self.hands = [Hand(_FIRST_HANDS[seat], wager) for seat, wager in wagers]
        self.dealer = Hand(_FIRST_HANDS[DEALER_SEAT], None)
        self._points: list[tuple[Place, tuple[Card, ...], Play, Action]] = []

    def in_play(self) -> list[Hand]:
        """The hands whose outcome is not yet known, in order of play."""
        return [hand for hand in self.hands if hand.result is None]

    def note(self, hand: Hand, play: Play, action: Action) -> None:
        """Write down a decision, free or forced."""
        self._points.append((hand.place, tuple(hand.cards), play, action))
        hand.standing = action is _STAND

    @property
    def points(self) -> list[Point]:
        """The decision points passed so far, in order."""
        return [Point(*each) for each in self._points]
