"""Counting toward 27: aces 14 or 1, J 11, Q 12, K 13 ("Scoring", "Hard and Soft")."""

from __future__ import annotations

FACES = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}


def count(cards: list[str], *, wild: bool) -> tuple[int, bool]:
    """The total and whether it is soft. A wild Joker makes 27, any other counts 0."""
    number = 0
    aces = 0
    for code in cards:
        if code == "Jo":
            continue
        if code[0] == "A":
            aces += 1
        number += FACES.get(code[0]) or int(code[0])
    soft = aces > 0 and number - 1 + 14 <= 27
    if wild and "Jo" in cards:
        return 27, soft
    if soft:
        number += 13
    return number, soft


def words(total: tuple[int, bool]) -> str:
    """A total as a report writes it."""
    number, soft = total
    if number > 27:
        return f"bust {number}"
    return f"soft {number}" if soft else f"hard {number}"
