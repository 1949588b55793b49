"""Totals in messages: what the parts of a hand's total are called, with their numbers.

A game gives a total as `TotalParts`; the words come from a catalogue when it is shown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from controller.rules.hands import TotalKind, TotalPart, TotalParts
from controller.rules.messages import Message, message

_WORDS: Final = {
    TotalKind.HARD: message("total-hard"),
    TotalKind.SOFT: message("total-soft"),
    TotalKind.BUST: message("total-bust"),
    TotalKind.LOW: message("total-low"),
    TotalKind.HIGH: message("total-high"),
    TotalKind.HIGH_BUST: message("total-too-many"),
    TotalKind.NO_LOW: message("total-no-low"),
    TotalKind.ANNOUNCED_BUST: message("total-bust"),
}
#: What a hand that plays for low, and one that plays for high, may not pass.
LOW_MOST: Final = 7
HIGH_MOST: Final = 27
_OVER: Final = {TotalKind.BUST, TotalKind.HIGH_BUST, TotalKind.ANNOUNCED_BUST}


def is_over(part: TotalPart) -> bool:
    """Whether the number passes what the game allows."""
    return part.kind in _OVER


def word_of(part: TotalPart) -> Message | None:
    """What the number of a part is called; None where it stands alone."""
    return _WORDS.get(part.kind)


def number_of(part: TotalPart) -> Message | None:
    """The number of a part; None where it has none."""
    if part.number is None:
        return None
    if part.kind is TotalKind.HALVES:
        return message("total-halves", halves=part.number)
    return message("total-points", points=part.number)


def as_shown(parts: TotalParts) -> TotalParts:
    """A total as people are told it; the record keeps what was summed.

    A sum that is over 7 plays for no low, and one that is over 27 is bust.
    """
    if len(parts) != 2 or parts[0].kind is not TotalKind.LOW:
        return parts
    (_, low), (kind, high) = parts
    if low is None or low <= LOW_MOST:
        return parts
    if kind is TotalKind.HIGH and high is not None and high > HIGH_MOST:
        return (TotalPart(TotalKind.BUST, high),)
    return (TotalPart(TotalKind.NO_LOW), parts[1])


@lru_cache(maxsize=4096)
def total_message(parts: TotalParts, *, dealer: bool = False) -> Message:
    """A total in one line: `low 5 / high 15`; the dealer announces `low 3, high 23`."""
    said = tuple(_in_line(each) for each in as_shown(parts))
    return message("total-announced", parts=said) if dealer else message("total", parts=said)


@lru_cache(maxsize=4096)
def summed_message(parts: TotalParts) -> Message:
    """A total in one line as it stands on record: what was summed."""
    return message("total", parts=tuple(_in_line(each) for each in parts))


def _in_line(part: TotalPart) -> Message:
    word, number = word_of(part), number_of(part)
    if word is None:
        assert number is not None, "a part has a word, a number, or both"
        return number
    if number is None:
        return word
    if part.kind is TotalKind.ANNOUNCED_BUST:
        return message("total-word-then-number", word=word, number=number)
    return message("total-word-number", word=word, number=number)
