"""English: how values are written, and the words of what the engine and the options say.

The reasons of a game stand in its own file.
"""

from __future__ import annotations

from typing import Final

from controller.rules.cards import Card
from controller.rules.felt import DEALER_SEAT, SIDE_BET, Action, Place
from controller.rules.messages import Amount, Catalogue, Language, Seat, Value, Words
from controller.rules.money import amount_text


def write(value: Value, spec: str, words: Words) -> str:
    """A value in English: `10♥`, `25.00`, `seat 3`, `stay low`, `soft 17`, `3 to 2`.

    A card is its label, its `name` (`King of hearts`) or its `code` (`Kh`).
    """
    if isinstance(value, Card):
        return value.name if spec == "name" else value.code if spec == "code" else value.label
    if isinstance(value, Amount):
        return amount_text(value.minor)
    if isinstance(value, Seat | Place):
        return _place(value, words)
    if isinstance(value, Action):
        return value.value.replace("-", " ")
    return str(value)


def _place(value: Seat | Place, words: Words) -> str:
    seat, hand = value if isinstance(value, Place) else (value.number, 1)
    if seat == DEALER_SEAT:
        return f"the {words.dealer}"
    if hand == SIDE_BET:
        return f"the side bet of {words.seat} {seat}"
    return f"{words.seat} {seat}" + (f", hand {hand}" if hand > 1 else "")


RULES: Final[Catalogue] = {}

ENGLISH: Final = Language(write, RULES)
