"""The pictures of an archived round that may be shown, by the records alone. Pure.

A table and its pit ask this of their own copies of the record, each for itself. A picture is known
by its name, the SHA-256 of its file: what is not of that name is not the one on record. It may be
shown once its card lies face up. Of a card that was folded, burned, kept or put aside unseen, or
that still lies face down, there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from msgspec import Struct

from controller.rules.sealed import commitment
from controller.table import facts as f
from controller.table.facts import Record

#: No round has more records; one that has is read this far.
MOST_RECORDS: Final = 2_000


class RecordPicture(Struct, frozen=True):
    """The picture by which the card of record `seq` was read, or could not be."""

    seq: int
    name: str


class _Down(NamedTuple):
    """A card that lies face down in a hand: its seal (empty: it was not read), its picture."""

    seat: int
    hand: int
    seal: str
    name: str


def pictures_shown(records: Iterable[Record], number: int) -> tuple[RecordPicture, ...]:
    """What may be shown of round `number`, in the order of its records, which begin with it.

    None where they begin with something else.
    """
    found: list[RecordPicture] = []
    down: list[_Down] = []
    begun = False
    for record in records:
        fact: Any = record.fact
        if isinstance(fact, f.BetsClosed | f.DummyBegan):
            if begun or fact.number != number:
                break
            begun = True
        elif not begun or isinstance(fact, f.RoundEnded | f.RoundVoided):
            break
        elif isinstance(fact, f.CardDealt) or (isinstance(fact, f.HoldRaised) and fact.open):
            found.append(RecordPicture(record.seq, fact.evidence))
        elif isinstance(fact, f.CardDealtDown):
            down.append(_Down(fact.seat, fact.hand, fact.card.digest, fact.evidence))
        elif isinstance(fact, f.CardTurned) and (card := _turned(down, fact)) is not None:
            down.remove(card)
            found.append(RecordPicture(record.seq, card.name))
    hidden = {each.name for each in down}
    return tuple(each for each in found if each.name and each.name not in hidden)


def _turned(down: list[_Down], fact: f.CardTurned) -> _Down | None:
    """The very card that was turned; None where the record does not say which one it was.

    One that was not read has no seal to know it by: it is the one that lies there alone.
    """
    there = [each for each in down if (each.seat, each.hand) == (fact.seat, fact.hand)]
    seal = _seal_of(fact) if fact.nonce else ""
    if seal:
        there = [each for each in there if each.seal == seal]
    return there[0] if len(there) == 1 and there[0].seal == seal else None


def _seal_of(fact: f.CardTurned) -> str:
    """The commitment that a turned card opens. No table writes a nonce that is none."""
    try:
        nonce = bytes.fromhex(fact.nonce)
    except ValueError:
        return "no seal"
    return commitment(nonce, fact.card, fact.serial)
