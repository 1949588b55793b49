"""How a correction may change the list of a round's steps."""

from __future__ import annotations

from enum import Enum


class EditKind(Enum):
    """What an edit does to a step. The value stands on record and in the API: it never changes.

    WAGER changes what lay on a spot; DEAD takes a spot out of the round. BURN takes a card out of
    its hand and puts it aside, KEEP keeps it as the next card: both have left the shoe.
    """

    REPLACE = "replace"
    REMOVE = "remove"
    INSERT = "insert"
    WAGER = "wager"
    DEAD = "dead"
    BURN = "burn"
    KEEP = "keep"
