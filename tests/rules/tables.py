"""Tables of rules written out as text, the way the rulings write them, and how they are read.

Nothing here is the engine's: hands are counted by the second opinion, and rows are words.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules.actions import Action, Place
from controller.rules.cards import Card, card
from controller.rules.script.felt import Hand

ACTIONS = {
    "S": Action.STAND,
    "H": Action.HIT,
    "D": Action.DOUBLE,
    "P": Action.SPLIT,
    "R": Action.SURRENDER,
    "low": Action.STAY_LOW,
    "high": Action.STAY_HIGH,
}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


def rows(text: str) -> list[list[str]]:
    """The rows of a table: a line each, cells between bars, `#` begins a remark."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [[cell.strip() for cell in line.split("|")] for line in lines if line]


def actions(letters: str, drop: Iterable[str] = ()) -> set[Action]:
    """The actions that a cell such as `S H (D)` names; letters in `drop` are not meant."""
    words = letters.replace("(", "").replace(")", "").split()
    return {ACTIONS[word] for word in words if word not in set(drop)}


def cards(text: str) -> list[Card]:
    """Cards as the engine knows them: `Ah 9c Jo`."""
    return [card(code) for code in text.split()]


def hand_of(codes: Iterable[str], wager: int = 1_000, *, split: bool = False) -> Hand:
    """A hand that lies on the felt."""
    hand = Hand(Place(1), wager)
    hand.cards = [card(code) for code in codes]
    hand.split = split
    return hand
