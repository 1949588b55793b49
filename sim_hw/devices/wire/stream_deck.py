"""A Stream Deck: what its keys show, and the reports of their states.

Sources: Boatswain, doc/stream-deck.md; python-elgato-streamdeck, StreamDeckOriginalV2, of the other
models its file of each; Elgato, HID API (docs.elgato.com/streamdeck/hid). Unconfirmed on a deck:
whether it reports its states when it is plugged in with a key held, and how long the reports of the
older models are beyond their keys.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

VENDOR: Final = 0x0FD9
MK2: Final = 0x0080
_REPORT: Final = 512


class DeckKind(NamedTuple):
    """A model: its USB number, keys, and output reports; `bmp`: it is one of the older ones.

    `first` is the number of a picture's first page, `counts_back` that it counts the keys of a row
    (of so many) from the right.
    """

    product: int
    keys: int
    bmp: bool = False
    image: int = 1_024
    first: int = 0
    counts_back: int = 0


KINDS: Final = {
    "MK.2": DeckKind(MK2, 15),
    "XL": DeckKind(0x006C, 32),
    "Neo": DeckKind(0x009A, 8),
    "+": DeckKind(0x0084, 8),
    "Mini": DeckKind(0x0063, 6, bmp=True),
    "Original": DeckKind(0x0060, 15, bmp=True, image=8_191, first=1, counts_back=5),
    "Pedal": DeckKind(0x0086, 3, image=0),
}


class Deck:
    """A deck: `pictures` are the files that its keys show, by key from 0 at the top left."""

    def __init__(self, kind: DeckKind = KINDS["MK.2"]) -> None:
        self.kind = kind
        self._heard = b""
        self._pages: dict[int, list[bytes]] = {}
        self.pictures: dict[int, bytes] = {}

    def hears(self, data: bytes) -> None:
        """Output reports, in whatever pieces they come."""
        assert not data or self.kind.image, "it has nothing to show"
        self._heard += data
        while self._heard and len(self._heard) >= self.kind.image:
            report, self._heard = self._heard[: self.kind.image], self._heard[self.kind.image :]
            (self._old_page if self.kind.bmp else self._page)(report)

    def _page(self, report: bytes) -> None:
        number, command, key, last, length, page = struct.unpack_from("<BBBBHH", report)
        assert (number, command) == (2, 7), "a picture"
        assert 0 < length <= self.kind.image - 8
        self._take(key, page, report[8 : 8 + length], last=last)

    def _old_page(self, report: bytes) -> None:
        number, command, page, last, key = struct.unpack_from("<BBHBB", report)
        assert (number, command) == (2, 1), "a picture"
        assert report[6:16] == bytes(10)
        self._take(key - 1, page - self.kind.first, report[16:], last=last)

    def _take(self, key: int, page: int, part: bytes, *, last: bool) -> None:
        assert 0 <= key < self.kind.keys
        pages = self._pages.setdefault(key, [])
        assert len(pages) == page, "page after page"
        pages.append(part)
        if last:
            self.pictures[self._seen(key)] = self._whole(self._pages.pop(key))

    def _whole(self, pages: list[bytes]) -> bytes:
        if not self.kind.bmp:
            return b"".join(pages)
        # A bitmap says how long it is. The first model knows that, and halves it.
        size = int.from_bytes(pages[0][2:6], "little")
        part = (size + 1) // 2 if self.kind.counts_back else self.kind.image - 16
        return b"".join(each[:part] for each in pages)[:size]

    def _seen(self, key: int) -> int:
        """Where a key of that number is, counted from the top left; and the other way round."""
        back = self.kind.counts_back
        return key if not back else key - key % back + back - 1 - key % back

    def report(self, *down: int) -> bytes:
        """The report that says which keys are down now."""
        states = bytes(self._seen(key) in down for key in range(self.kind.keys))
        if self.kind.bmp:
            return b"\x01" + states
        return (struct.pack("<BBH", 1, 0, self.kind.keys) + states).ljust(_REPORT, b"\0")

    def dial(self) -> bytes:
        """The report of a dial that is turned by one, of a model that has dials."""
        return struct.pack("<BBHB4b", 1, 3, 5, 1, 1, 0, 0, 0).ljust(_REPORT, b"\0")
