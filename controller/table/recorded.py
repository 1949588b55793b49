"""A round as the record has it: data made of its facts alone, whatever rules it was played by.

Past rounds, replays, the status page, corrections' differences and the void of a round are made of
this. No script runs here: cards go where the facts say, and totals, results and amounts are those
that were recorded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from controller.rules.actions import DEALER_SEAT, Action, Bid, Outcome, Place
from controller.rules.cards import Card
from controller.rules.messages import Message
from controller.rules.money import Odds
from controller.rules.options import Plain
from controller.rules.round import Wagers
from controller.rules.sealed import Sealed
from controller.rules.steps import DECLINED, DONE, Answer, Peeked
from controller.table.growing import changed
from controller.table.log_entry import LogEntry
from controller.table.shoe.ledger import ForeignCard, Staked

RecordedOptions: TypeAlias = tuple[tuple[str, Plain], ...]
"""House options by name, as plain values."""


class StepKind(Enum):
    """What a step of a round was; the value is the word on record."""

    DEAL = "deal"
    TURN = "turn"
    PEEK = "peek"
    DECIDE = "decide"
    WAGER = "wager"
    SETTLE = "settle"


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

    `total` is what the display shows, as the game prints it. `wager` and `net` (the player's gain)
    are in minor units, None where not tracked; `net` also while there is no result. `ended` is the
    action with which its player completed it, `raised` how many of its first cards are pushed up.
    """

    seat: int
    hand: int
    total: str = ""
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


class RecordedStep(NamedTuple):
    """One thing that happened in a round: to which hand, what was answered, what came of it.

    `card` is one that lies face up, `sealed` one that went face down. `amount` is that of a bet, a
    raise or a further wager. `confirmed`: the further wager was put down. `why` is the rule's
    reason, `forced` whether it left no choice.
    """

    at_ms: int
    kind: StepKind
    seat: int
    hand: int
    card: Card | None = None
    sealed: Sealed | None = None
    action: Action | None = None
    amount: int | None = None
    natural: bool = False
    confirmed: bool = False
    why: Message | None = None
    forced: bool = False
    felt: FeltChange = NO_CHANGE

    @property
    def answer(self) -> Answer:
        """What the script of the game was answered."""
        if self.kind is StepKind.DEAL and self.sealed is not None:
            return self.sealed
        if self.kind in (StepKind.DEAL, StepKind.TURN):
            assert self.card is not None
            return self.card
        if self.kind is StepKind.DECIDE:
            assert self.action is not None
            return self.action if self.amount is None else Bid(self.action, self.amount)
        if self.kind is StepKind.PEEK:
            return Peeked(self.natural)
        if self.kind is StepKind.WAGER:
            return DONE if self.confirmed else DECLINED
        return DONE


class NotRecorded(ValueError):
    """A step that is about a hand or a card that the record does not have."""


def first_felt(wagers: Wagers, change: FeltChange = NO_CHANGE) -> RecordedFelt:
    """The felt as a round begins."""
    hands = tuple(RecordedHand((), HandStatus(seat, 1, wager=wager)) for seat, wager in wagers)
    felt = RecordedFelt(hands, RecordedHand((), HandStatus(DEALER_SEAT, 1)))
    return felt if change == NO_CHANGE else _with_change(felt, change)


def felt_after(felt: RecordedFelt, step: RecordedStep) -> RecordedFelt:
    """The felt after a step. Raises `NotRecorded`."""
    return _with_change(with_own_effect(felt, step), step.felt)


def with_own_effect(felt: RecordedFelt, step: RecordedStep) -> RecordedFelt:
    """The felt after what a step says by itself: its card lies there, its chips have moved.

    Raises `NotRecorded`.
    """
    if step.kind is StepKind.DEAL:
        new = step.card or step.sealed
        hand = felt.at(step.seat, step.hand)
        if hand is None or new is None:
            raise NotRecorded(f"there is no hand {step.hand} of seat {step.seat}")
        return _with_hand(felt, hand, RecordedHand((*hand.cards, new), hand.status))
    if step.kind is StepKind.TURN:
        hand = felt.at(step.seat, step.hand)
        if hand is None or step.card is None or not hand.face_down:
            raise NotRecorded("no card that lies face down is to be turned")
        at = hand.cards.index(hand.face_down[0])
        cards = (*hand.cards[:at], step.card, *hand.cards[at + 1 :])
        return _with_hand(felt, hand, RecordedHand(cards, hand.status))
    if step.kind is StepKind.SETTLE:
        hand = felt.at(step.seat, step.hand)
        if hand is None:
            raise NotRecorded(f"there is no hand {step.hand} of seat {step.seat}")
        status = hand.status._replace(settled=True)
        return _with_hand(felt, hand, RecordedHand(hand.cards, status))
    return felt


def _with_hand(felt: RecordedFelt, old: RecordedHand, new: RecordedHand) -> RecordedFelt:
    if old is felt.dealer:
        return RecordedFelt(felt.hands, new)
    return RecordedFelt(tuple(new if each is old else each for each in felt.hands), felt.dealer)


def _with_change(felt: RecordedFelt, change: FeltChange) -> RecordedFelt:
    if change.relaid:
        felt = _relaid(felt, change.relaid)
    for status in change.hands:
        hand = felt.at(status.seat, status.hand)
        if hand is None:
            raise NotRecorded(f"there is no hand {status.hand} of seat {status.seat}")
        felt = _with_hand(felt, hand, RecordedHand(hand.cards, status))
    return felt


def _relaid(felt: RecordedFelt, relaid: Iterable[Relaid]) -> RecordedFelt:
    cards = [card for hand in felt.all for card in hand.cards]
    hands = []
    for seat, number, places in relaid:
        before = felt.at(seat, number)
        status = before.status if before else HandStatus(seat, number)
        try:
            hands.append(RecordedHand(tuple(cards[place] for place in places), status))
        except IndexError:
            raise NotRecorded("a card is moved that does not lie there") from None
    return RecordedFelt(tuple(hands), felt.dealer)


@dataclass(frozen=True)  # without slots: `changed` copies the whole at once
class RecordedRound:
    """A round from its first bet to its last chip, or as far as it has come (`ended_ms` 0).

    It was begun under `revision` of `game` with these house `options` by the software `build`.
    `opening` is what became of the hands before the first step. `net` is the players' gain in all,
    untracked wagers left out. `foreign_cards` are those that left the shoe in it. `day` labels the
    gaming day in which it began, empty at a table without a calendar. `log` is what happened in it
    beside its steps, and later about it (`controller.table.logbook`).
    """

    number: int
    game: str
    revision: int
    options: RecordedOptions
    wagers: Wagers
    started_ms: int
    shoe: int
    build: str
    felt: RecordedFelt
    opening: FeltChange = NO_CHANGE
    steps: tuple[RecordedStep, ...] = ()
    ended_ms: int = 0
    net: int = 0
    void: bool = False
    foreign_cards: tuple[ForeignCard, ...] = ()
    day: str = ""
    log: tuple[LogEntry, ...] = ()

    @property
    def rules(self) -> str:
        """The game and its revision: `finnish-27/1`."""
        return f"{self.game}/{self.revision}"

    @property
    def dummy(self) -> bool:
        """Whether it is played without bets: cards drawn in error, played out."""
        return all(wager == 0 for _, wager in self.wagers)

    @property
    def staked(self) -> tuple[Staked, ...]:
        """The wager of each hand."""
        return tuple(Staked(*hand.place, hand.wager) for hand in self.felt.hands)

    def with_step(self, step: RecordedStep) -> RecordedRound:
        """The round after one more step. Raises `NotRecorded`."""
        felt = felt_after(self.felt, step)
        return changed(self, {"steps": (*self.steps, step), "felt": felt})

    def given_back(self) -> tuple[tuple[int, int], ...]:
        """What seats are to be paid (below zero: to give back) if the round is void.

        Of the hands that were settled; the bets of the others still lie there.
        """
        return owed((), self.felt.hands)


def net_of(felt: RecordedFelt) -> int:
    """The players' gain in all; wagers that are not tracked are left out."""
    return sum(hand.net for hand in felt.hands if hand.net is not None)


def owed(
    after: Iterable[RecordedHand], before: Iterable[RecordedHand]
) -> tuple[tuple[int, int], ...]:
    """What each seat is still to be paid (below zero: to give back), in minor units.

    Of the hands that are settled, if it was paid as they stood `before` and not as they stand
    `after`; wagers that are not tracked are left out.
    """
    found: dict[int, int] = {}
    for hands, sign in ((before, -1), (after, 1)):
        for hand in hands:
            if hand.settled and hand.net is not None:
                seat = hand.status.seat
                found[seat] = found.get(seat, 0) + sign * hand.net
    return tuple(sorted((seat, amount) for seat, amount in found.items() if amount))
