"""Steps of a recorded round, and the felt after them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from controller.rules.actions import DEALER_SEAT, Action, Bid
from controller.rules.cards import Card
from controller.rules.engine.round import Wagers
from controller.rules.messages import Message
from controller.rules.script.steps import DECLINED, DONE, Answer, Peeked
from controller.rules.sealed import Sealed
from controller.table.recorded.hands import (
    NO_CHANGE,
    FeltChange,
    HandStatus,
    RecordedFelt,
    RecordedHand,
    Relaid,
)


class StepKind(Enum):
    """What a step of a round was; the value is the word on record."""

    DEAL = "deal"
    TURN = "turn"
    PEEK = "peek"
    DECIDE = "decide"
    WAGER = "wager"
    SETTLE = "settle"


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
