"""How players' hands came out, by the facts of their round. Pure.

A hand that is paid or taken at the layout is settled by a fact of its own. In Seven Twenty-Seven
stakes lie in the pot: who folds has lost by that decision, who is further from 7 and 27 once the
last card is turned or the pot is paid out. Such a fact's change of the felt says so.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from controller.rules.actions import Outcome
from controller.table.facts import (
    CardDealt,
    CardDealtDown,
    CardTurned,
    DealerPeeked,
    Decided,
    HandSettled,
    WagerAdded,
    WagerDeclined,
)

#: What a round is played by, its beginning and its end apart.
STEPS: Final = (
    CardDealt, CardDealtDown, CardTurned, Decided, DealerPeeked, WagerAdded, WagerDeclined,
    HandSettled,
)  # fmt: skip


class HandResult(NamedTuple):
    """How a hand came out; `wager` and `net` in minor units, None where not tracked."""

    seat: int
    hand: int
    outcome: Outcome
    wager: int | None
    net: int | None


def hand_results(fact: Any) -> tuple[HandResult, ...]:
    """The results that a step of a round leads to, each of its hands once."""
    results = {
        (each.seat, each.hand): HandResult(
            each.seat, each.hand, each.result.outcome, each.wager, each.net
        )
        for each in fact.felt.hands
        if each.settled and each.result is not None
    }
    if isinstance(fact, HandSettled):
        paid = HandResult(fact.seat, fact.hand, fact.outcome, fact.wager, fact.net)
        results[fact.seat, fact.hand] = paid
    return tuple(results.values())
