"""The felt: hands, results and wagers as they lie on the table while a round is played.

One `Felt` belongs to one run of one script, which alone writes on it. Everybody else reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Generic, NamedTuple, TypeVar

from controller.rules.actions import DEALER_SEAT, Action, Bid, Move, Outcome, Place
from controller.rules.cards import Card
from controller.rules.messages import Message
from controller.rules.money import EVEN, HALF, Odds
from controller.rules.sealed import Sealed

#: Actions by which a player completes a hand.
_COMPLETES: Final = (
    Action.STAND, Action.STAY_LOW, Action.STAY_HIGH, Action.SURRENDER, Action.FOLD,
)  # fmt: skip
_FIRST_HANDS: Final = tuple(Place(seat) for seat in range(17))

PlayerT = TypeVar("PlayerT")
DealerT = TypeVar("DealerT")


class Play(NamedTuple, Generic[PlayerT, DealerT]):
    """What the rules let a hand do now, and why; one option alone is forced play.

    `total` and `dealer` are what decided it, as the game counts; both print as reports have
    them. `offer` is the option that the dealer offers by name, if the rule book says so.
    """

    options: tuple[Action, ...]
    why: Message
    total: PlayerT
    dealer: DealerT
    offer: Action | None = None

    @property
    def forced(self) -> Action | None:
        """The one action that is allowed; None where there is a choice."""
        return self.options[0] if len(self.options) == 1 else None


class Up(NamedTuple):
    """The dealer's only card that is face up."""

    card: Card

    def __str__(self) -> str:
        return f"up {self.card.code}"


class Bonus(NamedTuple):
    """What a winning hand is paid on top: odds on its wager, or a fixed amount (minor units)."""

    name: Message
    odds: Odds | None = None
    amount: int = 0

    def on(self, wager: int) -> int:
        """The bonus for a hand of that wager, in minor units."""
        return self.amount if self.odds is None else self.odds.on(wager)


class Result(NamedTuple):
    """How one hand ended: the outcome, the odds that a win pays (to one), and the reason.

    `share` is what the hand takes from a pot (minor units), where players play for one.
    """

    outcome: Outcome
    why: Message
    odds: Odds = EVEN
    bonus: Bonus | None = None
    share: int | None = None

    def net(self, wager: int) -> int:
        """What the player gains (or loses) on `wager`, in minor units; nothing without a bet."""
        if not wager and self.share is None:
            return 0
        if self.share is not None:
            return self.share - wager
        if self.outcome is Outcome.WIN:
            return self.odds.on(wager) + (self.bonus.on(wager) if self.bonus else 0)
        if self.outcome is Outcome.SURRENDER:
            return -HALF.on(wager)
        return -wager if self.outcome is Outcome.LOSE else 0


class Point(NamedTuple):
    """A decision point that was passed: the hand as it stood, what was allowed, what was done.

    `amount` is that of a bet or a raise, None for other actions.
    """

    place: Place
    cards: tuple[Card, ...]
    play: Play[Any, Any]
    action: Action
    amount: int | None


class Hand:
    """One hand. `wager` is in minor units, None where the amount is not tracked.

    `cards` lie face up, in the order in which they were dealt; `down` are those face down, by
    their position among all of the hand. `ended` is the action with which its player completed
    it, None while it is open or complete by itself.
    """

    __slots__ = (
        "cards", "doubled", "down", "ended", "place", "result", "settled", "split", "wager",
    )  # fmt: skip

    def __init__(self, place: Place, wager: int | None) -> None:
        self.place = place
        self.wager = wager
        self.cards: list[Card] = []
        self.down: dict[int, Sealed] | None = None
        self.doubled = False
        self.split = False
        self.ended: Action | None = None
        self.result: Result | None = None
        self.settled = False

    def double(self) -> None:
        """The further wager lies beside the first: twice the wager, on one hand."""
        self.doubled = True
        if self.wager is not None:
            self.wager *= 2

    def lay_down(self, card: Sealed) -> None:
        """Add a card, face down."""
        if self.down is None:
            self.down = {}
        self.down[len(self.cards) + len(self.down)] = card

    def turn(self, card: Card) -> None:
        """Turn the first card that lies face down."""
        assert self.down
        first = min(self.down)
        del self.down[first]
        self.cards.insert(first, card)

    def lying(self) -> Iterator[Card | Sealed]:
        """All cards of the hand in the order in which they were dealt."""
        down = self.down or {}
        up = iter(self.cards)
        for at in range(len(self.cards) + len(down)):
            hidden = down.get(at)
            yield next(up) if hidden is None else hidden

    @property
    def net(self) -> int | None:
        """What the player gains, in minor units; None without a result or an amount."""
        if self.result is None or self.wager is None:
            return None
        return self.result.net(self.wager)

    @property
    def size(self) -> int:
        """Number of cards, face up or down."""
        return len(self.cards) + (len(self.down) if self.down else 0)

    def __repr__(self) -> str:
        return f"<hand {self.place.hand} of seat {self.place.seat}: {list(self.lying())}>"


class Felt:
    """The players' hands in order of play, the dealer's hand, and the decision points so far."""

    __slots__ = ("_points", "dealer", "hands")

    def __init__(self, wagers: Iterable[tuple[int, int | None]]) -> None:
        self.hands = [Hand(_FIRST_HANDS[seat], wager) for seat, wager in wagers]
        self.dealer = Hand(_FIRST_HANDS[DEALER_SEAT], None)
        self._points: list[tuple[Place, tuple[Card, ...], Play[Any, Any], Move]] = []

    def in_play(self) -> list[Hand]:
        """The hands without a result yet, in order of play."""
        return [hand for hand in self.hands if hand.result is None]

    def note(
        self, hand: Hand, play: Play[Any, Any], move: Move, cards: Iterable[Card] = ()
    ) -> None:
        """Note a decision, free or forced; `cards` if it was about those of another hand."""
        self._points.append((hand.place, tuple(cards or hand.cards), play, move))
        if move in _COMPLETES:
            hand.ended = move

    def split(self, hand: Hand) -> Hand:
        """Make two hands of one, a card each; the new one, with a wager of its own, comes after.

        The hands of the seat that are still to be played move up by one number.
        """
        at = self.hands.index(hand)
        seat = hand.place.seat
        for later in self.hands[at + 1 :]:
            if later.place.seat == seat:
                later.place = Place(seat, later.place.hand + 1)
        other = Hand(Place(seat, hand.place.hand + 1), hand.wager)
        other.cards.append(hand.cards.pop())
        hand.split = other.split = True
        self.hands.insert(at + 1, other)
        return other

    @property
    def points(self) -> list[Point]:
        """The decision points passed so far, in order."""
        return [
            Point(place, cards, play, *(move if isinstance(move, Bid) else (move, None)))
            for place, cards, play, move in self._points
        ]
