"""How a correction may change the list of a round's steps."""

from __future__ import annotations

from enum import Enum


class EditKind(Enum):
    """What an edit does to a step; WAGER changes what lay on a spot."""

    REPLACE = "replace"
    REMOVE = "remove"
    INSERT = "insert"
    WAGER = "wager"
