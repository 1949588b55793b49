"""What has changed on the felt: how the hands lie by the rules, beside how they lay on record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.rules.actions import DEALER_SEAT
from controller.rules.cards import Card
from controller.rules.game import Game
from controller.rules.hands import TotalParts
from controller.rules.script.felt import Felt, Hand
from controller.rules.sealed import Sealed
from controller.table.recorded.hands import (
    NO_CHANGE,
    FeltChange,
    HandStatus,
    RecordedBonus,
    RecordedFelt,
    RecordedHand,
    RecordedResult,
    Relaid,
)
from controller.table.recorded.steps import RecordedStep, StepKind, with_own_effect


def difference(
    game: Game,
    before: RecordedFelt,
    felt: Felt,
    step: RecordedStep | None = None,
    touched: Hand | None = None,
) -> FeltChange:
    """What makes `before` the felt as it lies now, beside what `step`, about `touched`, says."""
    relaid: tuple[Relaid, ...] = ()
    known: Sequence[RecordedHand] = before.hands
    if not _in_place(felt.hands, known):
        after = before if step is None else with_own_effect(before, step)
        relaid = _relaid(after, felt)
        known = [after.at(*each.place) or _NONE for each in felt.hands]
    others = []
    for hand, old in zip((*felt.hands, felt.dealer), (*known, before.dealer), strict=True):
        if hand is touched or _other(hand, old):
            status = old.status
            if hand is touched and step is not None and step.kind is StepKind.SETTLE:
                status = status._replace(settled=True)
            if (new := status_of(game, hand)) != status:
                others.append(new)
    return FeltChange(tuple(others), relaid) if others or relaid else NO_CHANGE


def _in_place(hands: Sequence[Hand], known: Sequence[RecordedHand]) -> bool:
    """Whether there are the same hands as before, each with its number."""
    if len(hands) != len(known):
        return False
    for hand, old in zip(hands, known, strict=True):  # noqa: SIM110  (half the time of `all`)
        if hand.place != old.status[:2]:
            return False
    return True


def _other(hand: Hand, old: RecordedHand) -> bool:
    """Whether a hand may stand otherwise than it was recorded, at first sight.

    A result that was recorded here has the very reason that the rules gave.
    """
    result, (cards, status) = hand.result, old
    recorded = status.result
    if result is None or recorded is None:
        if result is not None or recorded is not None:
            return True
    elif result.why is not recorded.why:
        return True
    size = len(hand.cards) if hand.down is None else hand.size
    return not (
        size == len(cards)
        and hand.wager == status.wager
        and hand.settled is status.settled
        and hand.ended is status.ended
        and hand.doubled is status.doubled
    )


#: In place of a hand that was not there before.
_NONE: Final = RecordedHand((), HandStatus(-1, -1))


def status_of(game: Game, hand: Hand) -> HandStatus:
    """How a hand stands by the rules."""
    place = hand.place
    raised = game.raised(hand.cards) if place.seat == DEALER_SEAT else 0
    return HandStatus(
        place.seat, place.hand, total_of(game, hand), hand.wager, hand.ended, hand.doubled,
        hand.settled, raised, _recorded_result(hand), hand.net,
    )  # fmt: skip


def _recorded_result(hand: Hand) -> RecordedResult | None:
    result = hand.result
    if result is None:
        return None
    bonus = None
    if result.bonus is not None:
        amount = None if hand.wager is None else result.bonus.on(hand.wager)
        bonus = RecordedBonus(result.bonus.name, result.bonus.odds, amount)
    return RecordedResult(result.outcome, result.why, result.odds, bonus, result.share)


def total_of(game: Game, hand: Hand) -> TotalParts:
    """What a hand counts, by the cards that lie face up; nothing while that would mislead."""
    if not hand.cards or (hand.down and game.vying):
        return ()
    if hand.place.seat == DEALER_SEAT:
        return game.said(hand.cards)
    return game.total(hand.cards).parts


def _relaid(before: RecordedFelt, felt: Felt) -> tuple[Relaid, ...]:
    """Where the cards of each hand lay; equal ones are found at their own seat first."""
    lay = [(each, hand.status.seat) for hand in before.all for each in hand.cards]
    taken: set[int] = set()

    def where(card: Card | Sealed, seat: int) -> int:
        places = [at for at, (each, _) in enumerate(lay) if each is card and at not in taken]
        at = next((at for at in places if lay[at][1] == seat), places[0])
        taken.add(at)
        return at

    return tuple(
        Relaid(*hand.place, tuple(where(each, hand.place.seat) for each in hand.lying()))
        for hand in felt.hands
    )
