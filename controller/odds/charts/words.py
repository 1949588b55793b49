"""Words of a strategy on paper, on a page and in a file."""

from __future__ import annotations

from typing import Final

from controller.rules.actions import Action
from controller.rules.cards import JOKER

#: What a strategy card writes for an action; others stand by their first letter.
LETTERS: Final = {Action.SPLIT: "P", Action.SURRENDER: "R"}
#: Before the card that the dealer shows.
UP: Final = "up "


def letter_of(action: Action) -> str:
    """What a strategy card writes: S, H, D, P for a split, R for a surrender."""
    return LETTERS.get(action, "".join(part[0] for part in action.value.split("-")).upper())


def dealer_text(reported: str) -> str:
    """What the dealer shows: a card that is up stands for its class, whatever its suit."""
    code = reported.removeprefix(UP)
    if code in (reported, JOKER.code):
        return reported
    rank = code[:-1]
    return f"{UP}{'10' if rank == 'T' else rank}"
