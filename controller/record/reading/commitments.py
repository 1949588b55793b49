"""What earlier records committed to and later ones open: cards that lay face down or were kept."""

from __future__ import annotations

from controller.rules.sealed import Sealed, commitment
from controller.table.decide.judge import other_decisions
from controller.table.facts import (
    CardKept,
    CardTurned,
    DayClosed,
    DayOpened,
    Fact,
    KeptCardUsed,
    Record,
)
from controller.table.state.state import State


class Commitments:
    """The commitments of a span of records, read in order.

    Which kept card is the next, and in which hand a card lies, this build derives otherwise than
    another revision of the table may have: of its records it is asked only whether the card is one
    of those that were kept, or that lie face down.
    """

    def __init__(self) -> None:
        self._kept: set[str] = set()

    def problem(self, before: State | None, record: Record, closed: DayClosed | None) -> str:
        """What of a record is not what an earlier one committed to; empty if nothing is.

        `before` is the state before it, `closed` the fact that closed the day before.
        """
        fact = record.fact
        self._kept.update(_kept_by(fact))
        if isinstance(fact, CardTurned):
            return _turned(before, fact)
        if isinstance(fact, KeptCardUsed):
            return self._kept_used(before, fact)
        if isinstance(fact, DayOpened) and fact.carried is not None and closed is not None:
            if fact.carried.hidden != closed.hidden:
                return "the day takes over something else than the day before says"
            if (fact.label, fact.ends_ms) != (closed.next_label, closed.next_ends_ms):
                return "the day is another one than the day before says"
        return ""

    def _kept_used(self, state: State | None, fact: KeptCardUsed) -> str:
        """A card that is dealt after it was kept must be the one that was committed to."""
        if state is None or not state.aftermath.kept_cards or fact.card is None:
            return ""
        seal = state.aftermath.kept_cards[0]
        opened = commitment(bytes.fromhex(fact.nonce), fact.card, fact.serial)
        is_first = isinstance(seal, Sealed) and seal.digest == opened
        if is_first or (opened in self._kept and other_decisions(state)):
            return ""
        return "the card that was dealt is not the one that was kept"


def _kept_by(fact: Fact) -> tuple[str, ...]:
    """The commitments of cards that are kept by a fact, or since a day before."""
    if isinstance(fact, CardKept):
        return (fact.card.digest,)
    if not isinstance(fact, DayOpened) or fact.carried is None:
        return ()
    kept = fact.carried.fields["kept_cards"]
    return tuple(each.digest for each in kept if isinstance(each, Sealed))


def _turned(state: State | None, fact: CardTurned) -> str:
    """A card that is turned must be the one that was committed to when it was dealt."""
    if state is None or state.in_play is None:
        return ""
    felt = state.in_play.felt
    hand = felt.at(fact.seat, fact.hand)
    if hand is None or not fact.nonce or not hand.face_down:
        return ""
    opened = commitment(bytes.fromhex(fact.nonce), fact.card, fact.serial)
    lying = hand.face_down[:1]
    if other_decisions(state):
        lying = [seal for each in felt.all for seal in each.face_down]
    if any(seal.digest == opened for seal in lying):
        return ""
    return "the card that was turned is not the one that was dealt face down"
