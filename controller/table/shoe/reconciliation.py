"""Whether a shoe adds up at its end: what is missing, too many, or was never read.

`reconcile` opens sealed cards: it is asked when a shoe is closed, and never before. `evolve` does
without it, so that a record can be checked without the openings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from controller.rules.cards import Card
from controller.rules.messages import Message, message
from controller.rules.sealed import Sealed
from controller.table.shoe.shoe import Shoe


class Verdict(Enum):
    """What a reconciliation came to."""

    PROVEN = "proven"
    AGREES = "agrees"
    DISCREPANT = "discrepant"


class Finding(NamedTuple):
    """What became of the cards of a shoe.

    `missing` is how many cards the pack is short of (below zero: has too many), `many` the kinds
    that it has too many of, and how many, `few` those that it has too few of (known only where the
    rest was `scanned`), `unread` the cards that were never read: some of `few` may be among them.
    """

    scanned: bool
    missing: int
    unread: int
    many: tuple[tuple[Card, int], ...]
    few: tuple[tuple[Card, int], ...]

    @property
    def verdict(self) -> Verdict:
        """Proven: each kind exactly as often as the pack has it. Agrees: nothing speaks against."""
        if self.missing or self.many:
            return Verdict.DISCREPANT
        return Verdict.PROVEN if self.scanned and not self.unread else Verdict.AGREES


def finding_messages(found: Finding) -> tuple[Message, ...]:
    """What a reconciliation found, part by part: every discrepancy by its kind of card."""
    parts = []
    if found.missing > 0:
        parts.append(message("cards-missing", cards=found.missing))
    elif found.missing < 0:
        parts.append(message("cards-too-many", cards=-found.missing))
    parts += [message("kind-too-many", card=kind, count=count) for kind, count in found.many]
    if found.verdict is Verdict.DISCREPANT:
        parts += [message("kind-missing", card=kind, count=count) for kind, count in found.few]
    if found.unread and (found.scanned or found.verdict is Verdict.DISCREPANT):
        if found.few and parts:
            parts.append(message("cards-never-read-may-be-missing", cards=found.unread))
        else:
            parts.append(message("cards-never-read", cards=found.unread))
    if found.verdict is Verdict.PROVEN:
        parts.append(message("every-card-is-there"))
    elif found.verdict is Verdict.AGREES:
        parts.append(message("number-agrees"))
    return tuple(parts)


def known_cards(shoe: Shoe, rest: Iterable[Sealed] = ()) -> Counter[Card]:
    """The kinds that are known of the cards that left and of the `rest`. Opens sealed cards."""
    known = Counter(shoe.face_up)
    for seal in (*shoe.sealed, *rest):
        if (kind := seal.open()) is not None:
            known[kind] += 1
    return known


def reconcile(shoe: Shoe, rest: tuple[Sealed, ...] | int) -> Finding:
    """Add up a shoe that is over: `rest` is what was left, read card by card, or its number."""
    scanned = not isinstance(rest, int)
    left = len(rest) if not isinstance(rest, int) else rest
    known = known_cards(shoe, rest if not isinstance(rest, int) else ())
    left_singly = shoe.gone + (left if scanned else 0)
    pack = shoe.pack
    kinds = dict.fromkeys((*pack.kinds(), *known))
    off = {kind: known[kind] - pack.times(kind) for kind in kinds}
    return Finding(
        scanned=scanned,
        missing=pack.size - shoe.gone - left,
        unread=left_singly - known.total(),
        many=tuple((kind, by) for kind, by in off.items() if by > 0),
        few=tuple((kind, -by) for kind, by in off.items() if by < 0 and scanned),
    )
