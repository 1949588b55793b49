"""Digests of commands, by which one that is sent again is known; they tell no card.

The key lies with the openings, its commitment is on record: a table that is started again goes on
with it.
"""

from __future__ import annotations

import hmac
from typing import Final

from controller.record.files.openings import (
    Opening,
    Openings,
    print_commitment,
    print_opening,
)

#: This much of a command's digest stands in its cause.
PRINT_DIGITS: Final = 16


class CommandPrints:
    """The key of commands' digests."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        #: What the next day's openings say of a key that is on record and lost.
        self.lost: list[Opening] = []

    def resume(self, commitment: str, openings: Openings | None) -> None:
        """Go on with the key that is on record, unless it is lost.

        Where it is, a command that is sent again is refused as another one: it acts once all the
        same.
        """
        if not commitment or openings is None:
            return
        if key := openings.print_key(commitment):
            self._key = key
        else:
            self.lost = [Opening(commitment, b"", "", "")]

    @property
    def commitment(self) -> str:
        """What commits to the key; a start puts it on record."""
        return print_commitment(self._key)

    @property
    def opening(self) -> Opening:
        """What opens that commitment."""
        return print_opening(self._key)

    def of(self, command: bytes) -> str:
        """The keyed digest of a command, for its cause."""
        return hmac.digest(self._key, command, "sha256").hex()[:PRINT_DIGITS]
