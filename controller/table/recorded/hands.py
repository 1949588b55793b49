"""Hands of a recorded round, how they stand, and what became of them by a fact."""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.rules.actions import DEALER_SEAT, Action, Outcome, Place
from controller.rules.cards import Card
from controller.rules.hands import TotalParts
from controller.rules.messages import Message
from controller.rules.money import Odds
from controller.rules.sealed import Sealed


class RecordedBonus(NamedTuple):
    """A bonus that a winning hand was paid on top; `amount` in minor units, None where not tracked.

    `odds` are those on the wager, None where it is a fixed amount.
    """

    name: Message
    odds: Odds | None
    amount: int | None


class RecordedResult(NamedTuple):
    """How a hand ended, as it was judged then: why, the odds that a win pays, the bonus.

    `share` is what the hand takes from a pot (minor units), where players play for one.
    """

    outcome: Outcome
    why: Message
    odds: Odds
    bonus: RecordedBonus | None = None
    share: int | None = None


class HandStatus(NamedTuple):
    """How a hand stands, its cards apart.

    `total` is what its open cards count, empty while that would mislead. `wager` and `net` (the
    player's gain) are in minor units, None where not tracked; `net` also while there is no result.
    `ended` is the action with which its player completed it, `raised` how many of its first cards
    are pushed up.
    """

    seat: int
    hand: int
    total: TotalParts = ()
    wager: int | None = None
    ended: Action | None = None
    doubled: bool = False
    settled: bool = False
    raised: int = 0
    result: RecordedResult | None = None
    net: int | None = None


class Relaid(NamedTuple):
    """A players' hand after hands were made, divided or renumbered.

    `cards` are places among all cards as they lay before: hand by hand from 0, the dealer's last.
    """

    seat: int
    hand: int
    cards: tuple[int, ...]


class FeltChange(NamedTuple):
    """What became of the hands by a fact, beside the card that it names.

    `hands` stand otherwise than before; `relaid` lists all players' hands in order of play where
    some came, went or were renumbered, and is empty otherwise.
    """

    hands: tuple[HandStatus, ...] = ()
    relaid: tuple[Relaid, ...] = ()


NO_CHANGE: Final = FeltChange()


class RecordedHand(NamedTuple):
    """One hand: its cards in the order in which they were dealt, and how it stands."""

    cards: tuple[Card | Sealed, ...]
    status: HandStatus

    @property
    def place(self) -> Place:
        """Where it lies."""
        return Place(self.status.seat, self.status.hand)

    @property
    def wager(self) -> int | None:
        """Its wager in minor units; None where not tracked."""
        return self.status.wager

    @property
    def result(self) -> RecordedResult | None:
        """How it ended, as it was judged then; None while that is not known."""
        return self.status.result

    @property
    def net(self) -> int | None:
        """What its player gained; None where not tracked, or not known yet."""
        return self.status.net

    @property
    def settled(self) -> bool:
        """Whether its chips have moved."""
        return self.status.settled

    @property
    def ended(self) -> Action | None:
        """The action with which its player completed it."""
        return self.status.ended

    @property
    def doubled(self) -> bool:
        """Whether a further wager lies beside the first."""
        return self.status.doubled

    @property
    def face_down(self) -> list[Sealed]:
        """Its cards that lie face down."""
        return [each for each in self.cards if isinstance(each, Sealed)]


class RecordedFelt(NamedTuple):
    """The players' hands in order of play, and the dealer's."""

    hands: tuple[RecordedHand, ...]
    dealer: RecordedHand

    @property
    def all(self) -> tuple[RecordedHand, ...]:
        """Every hand, the dealer's last."""
        return (*self.hands, self.dealer)

    def at(self, seat: int, hand: int) -> RecordedHand | None:
        """The hand that lies there."""
        if seat == DEALER_SEAT:
            return self.dealer
        for each in self.hands:
            if each.status.seat == seat and each.status.hand == hand:
                return each
        return None
