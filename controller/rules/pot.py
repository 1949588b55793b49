"""What a game for a pot says of itself to whoever computes its chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from controller.rules.cards import Card

Parts: TypeAlias = list[tuple[Fraction, list[int]]]
"""The parts of a pot, and the places of those who share each."""


@dataclass(frozen=True, slots=True)
class PotRules:
    """The pure functions by which a pot is won, with the game's options as their last argument.

    `targets` names what hands come near to. `points` counts a hand toward each of them, `away` says
    how far so many points are from the nth (less is nearer; None: they cannot win that part), and
    `parts` who shares what, given the winners of each part and how many players are left. `takes`
    is the sensible player's choice of a further card, `first_cards` how many a hand begins with,
    `text` how points are written.
    """

    targets: tuple[str, ...]
    points: Callable[[Sequence[Card], Any], tuple[int, ...]]
    away: Callable[[int, int, Any], Any]
    parts: Callable[[Sequence[list[int]], int], Parts]
    takes: Callable[[Sequence[Card], Any], bool]
    first_cards: int
    text: Callable[[int], str]
