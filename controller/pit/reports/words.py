"""Words that several pages about what happened have. Pure."""

from __future__ import annotations


def in_words(name: str) -> str:
    """A kind or a reason, by its name on record: `bets_differ` is `bets differ`."""
    return name.replace("_", " ")


def put_right(corrections: int, *, void: bool) -> str:
    """What became of a round that was put right."""
    if void:
        return "made void"
    return "corrected" if corrections == 1 else f"corrected, {corrections} times"
