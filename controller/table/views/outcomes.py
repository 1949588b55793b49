"""What a round came to, hand by hand and for each unit bet: for whoever pays many on one hand.

A game server pays bets behind and shared hands by this; the table knows none of those who made
them. Fractions are exact.
"""

from __future__ import annotations

from fractions import Fraction

from controller.rules.actions import Outcome
from controller.rules.frozen import frozen
from controller.rules.money import HALF
from controller.table.recorded.hands import RecordedBonus, RecordedHand
from controller.table.recorded.round import RecordedRound
from controller.table.views.texts import outcome_value


@frozen
class BonusPaid:
    """What a hand was paid on top: `pays` for each unit of its wager, or the fixed `amount` in
    minor units, which is nothing for each unit.
    """

    pays: str | None
    amount: int | None


@frozen
class HandOutcome:
    """How a hand ended (hand 0: a side bet).

    `stake` is its wager in units of the seat's first bet: 2 where it was doubled, 1/2 for
    insurance; null where amounts are not tracked. `pays` is what its player gained for each unit of
    its wager, the bonus left out: 3/2, -1, 0; null in a pot, where `share` is what it took of that
    in minor units. `outcome` is win, lose, push, surrender or void, empty while it is not known.
    """

    seat: int
    hand: int
    outcome: str
    settled: bool
    stake: str | None
    pays: str | None
    share: int | None
    bonus: BonusPaid | None


@frozen
class RoundOutcomes:
    """What round `number` came to. `ended`: no further hand is played in it; `void`: every wager
    goes back. A correction changes it, and the record says so.
    """

    number: int
    ended: bool
    void: bool
    hands: tuple[HandOutcome, ...]


def outcomes(played: RecordedRound) -> RoundOutcomes:
    """What a round came to, as far as it has come."""
    first = dict(played.wagers)
    hands = tuple(
        _outcome(each, first.get(each.status.seat), void=played.void) for each in played.felt.hands
    )
    return RoundOutcomes(played.number, played.ended_ms > 0, played.void, hands)


def _outcome(hand: RecordedHand, first: int | None, *, void: bool) -> HandOutcome:
    result = hand.result
    seat, number = hand.place
    stake = None if not first or hand.wager is None else Fraction(hand.wager, first)
    if void:
        return HandOutcome(seat, number, "void", True, _text(stake), "0", None, None)
    pays = None if result is None or result.share is not None else _pays(hand)
    bonus = None if result is None or result.bonus is None else _bonus(result.bonus)
    share = None if result is None else result.share
    return HandOutcome(
        seat, number, outcome_value(hand), hand.settled, _text(stake), _text(pays), share, bonus
    )


def _pays(hand: RecordedHand) -> Fraction:
    result = hand.result
    assert result is not None
    if result.outcome is Outcome.WIN:
        return Fraction(result.odds.pays, result.odds.per)
    if result.outcome is Outcome.SURRENDER:
        return -Fraction(HALF.pays, HALF.per)
    return Fraction(-1 if result.outcome is Outcome.LOSE else 0)


def _bonus(paid: RecordedBonus) -> BonusPaid:
    if paid.odds is None:
        return BonusPaid(None, paid.amount)
    return BonusPaid(_text(Fraction(paid.odds.pays, paid.odds.per)), None)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
