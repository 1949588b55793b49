"""A Stream Deck: what its keys show, and the reports of their states.

Sources: Boatswain, doc/stream-deck.md; python-elgato-streamdeck, StreamDeckOriginalV2. Unconfirmed
on a deck: whether it reports its states when it is plugged in with a key held.
"""

from __future__ import annotations

import struct
from typing import Final

VENDOR: Final = 0x0FD9
MK2: Final = 0x0080
_REPORT: Final = 512
_IMAGE: Final = 1_024


class Deck:
    """A deck of a number of keys: `pictures` are the JPEGs that its keys show, by key from 0."""

    def __init__(self, keys: int = 15) -> None:
        self._keys = keys
        self._heard = b""
        self._pages: dict[int, bytes] = {}
        self._down: set[int] = set()
        self.pictures: dict[int, bytes] = {}

    def hears(self, data: bytes) -> None:
        """Output reports, in whatever pieces they come."""
        self._heard += data
        while len(self._heard) >= _IMAGE:
            report, self._heard = self._heard[:_IMAGE], self._heard[_IMAGE:]
            number, command, key, last, length, page = struct.unpack_from("<BBBBHH", report)
            assert (number, command) == (2, 7), "a picture"
            assert key < self._keys
            assert 0 < length <= _IMAGE - 8
            before = self._pages.pop(key, b"")
            assert len(before) == page * (_IMAGE - 8), "page after page"
            whole = before + report[8 : 8 + length]
            if last:
                self.pictures[key] = whole
            else:
                self._pages[key] = whole

    def report(self, *down: int) -> bytes:
        """The report that says which keys are down now."""
        states = bytes(key in down for key in range(self._keys))
        return (struct.pack("<BBH", 1, 0, self._keys) + states).ljust(_REPORT, b"\0")
