"""A second opinion: four of the games once more, written from the rule books and rulings alone.

Deliberately another hand's work: plain loops over card codes and whole numbers, one function per
game, nothing of the controller's. What both engines say alike, two readings of the book say alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference import blackjack, casino_7_27, finnish_27, twenty_one_24_27
from tests.reference.table import Choose, ReferenceTable, Report

_ROUNDS = {
    "finnish-27": finnish_27.play,
    "21-24-27": twenty_one_24_27.play,
    "casino-7-27": casino_7_27.play,
    "blackjack": blackjack.play,
}
GAMES = tuple(_ROUNDS)


class DecisionRefused(Exception):
    """The decision numbered `at` is not among those that are open, is missing, or is left over."""

    def __init__(self, at: int) -> None:
        super().__init__(f"decision {at}")
        self.at = at


def play(
    game: str,
    seats: list[tuple[int, int]],
    cards: list[str],
    choose: Choose,
    options: Mapping[str, Any],
) -> Report:
    """A round: (seat, wager) in order, cards as they leave the shoe, who chooses, house options.

    Raises `NoCards` when the cards give out, and whatever `choose` raises.
    """
    return _ROUNDS[game](ReferenceTable(seats, cards, choose), options)


def play_case(case: Mapping[str, Any]) -> Report:
    """A written case of a lawful set-up. Raises `NoCards`, or `DecisionRefused` for a decision."""
    actions = [each["action"] for each in case["decisions"]]
    taken = 0

    def choose(allowed: list[str]) -> str:
        nonlocal taken
        if taken >= len(actions) or actions[taken] not in allowed:
            raise DecisionRefused(taken)
        taken += 1
        return str(actions[taken - 1])

    seats = [(each["seat"], each["bet"]) for each in case["seats"]]
    report = play(case["game"], seats, case["cards"], choose, case.get("options") or {})
    if taken < len(actions):
        raise DecisionRefused(taken)
    return report
