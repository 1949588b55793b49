"""A PN532 on a serial line, and the tags in its field: bytes in, bytes out.

Source: NXP, PN532 User Manual UM0701-02, 6.2.1 (frames), 7.2 and 7.3 (commands); NTAG213/215/216
data sheet: pages of four bytes, the first four of them not the user's, READ of four pages, WRITE
of one. Asleep until it hears 0x55. Unconfirmed on a chip: how long it takes, what two tags on top
of each other do, and metal below the felt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

ACK: Final = b"\x00\x00\xff\x00\xff\x00"
ERROR: Final = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
TARGETS_MAX: Final = 2
#: Status of a data exchange in which the tag did not answer.
TIMED_OUT: Final = b"\x01"
NTAG213_PAGES: Final = 45


@dataclass
class Tag:
    """An NTAG213: its number, and its pages; `deaf` after that many more pages were written."""

    uid: bytes
    pages: bytearray = field(default_factory=lambda: bytearray(4 * NTAG213_PAGES))
    kind: int = 0x00
    deaf_after: int = 1_000
    written: list[int] = field(default_factory=list)

    def hears(self, said: bytes) -> bytes | None:
        """What it answers; None: nothing."""
        if said[:1] == b"\x30" and 4 * said[1] < len(self.pages):
            at = 4 * said[1]
            return bytes((self.pages + self.pages[:16])[at : at + 16])
        if said[:1] == b"\xa2" and len(said) == 6 and self.deaf_after > 0:
            self.deaf_after -= 1
            self.pages[4 * said[1] : 4 * said[1] + 4] = said[2:]
            self.written.append(said[1])
            return b""
        return None


class Pn532:
    """The chip. `lying` gives the tags in its field; `ic` is what it says that it is."""

    def __init__(self, lying: Callable[[], list[Tag]], ic: int = 0x32) -> None:
        self._lying = lying
        self._ic = ic
        self._heard = b""
        self.awake = False
        self.normal = False
        self.field_on = False
        self._targets: list[Tag] = []

    def power_up(self) -> None:
        """Power comes back: asleep, nothing is set up."""
        self.awake = self.normal = self.field_on = False
        self._heard, self._targets = b"", []

    def hears(self, data: bytes) -> bytes:
        """What it says to these bytes."""
        if not self.awake:
            at = data.find(b"\x55")
            if at < 0:
                return b""
            self.awake, data = True, data[at:]
        self._heard += data
        said = b""
        while (start := self._heard.find(b"\x00\xff")) >= 0:
            rest = self._heard[start + 2 :]
            if len(rest) >= 2 and rest[0] + rest[1] & 0xFF:
                self._heard = rest  # a length that cannot be: no frame begins here
                continue
            if len(rest) < 2 or len(rest) < rest[0] + 3:
                break
            length, body = rest[0], rest[2 : 2 + rest[0]]
            right = not (sum(body) + rest[2 + length]) & 0xFF
            self._heard = rest[length + 3 :]
            if right and length and body[0] == 0xD4:
                said += ACK + self._answer(body[1:])
        return said

    def _answer(self, command: bytes) -> bytes:
        known = {
            0x02: self._firmware, 0x14: self._mode, 0x32: self._radio, 0x4A: self._list,
            0x40: self._exchange,
        }  # fmt: skip
        found = known.get(command[0])
        if found is None or not (self.normal or command[0] in (0x02, 0x14)):
            return ERROR
        data = bytes((0xD5, command[0] + 1)) + found(command[1:])
        head = bytes((0x00, 0x00, 0xFF, len(data), -len(data) & 0xFF))
        return head + data + bytes((-sum(data) & 0xFF, 0x00))

    def _firmware(self, said: bytes) -> bytes:
        return bytes((self._ic, 1, 6, 7))

    def _mode(self, said: bytes) -> bytes:
        self.normal = said[:1] == b"\x01"
        return b""

    def _radio(self, said: bytes) -> bytes:
        if said[:1] == b"\x01":
            self.field_on = bool(said[1] & 1)
            if not self.field_on:
                self._targets = []
        return b""

    def _list(self, said: bytes) -> bytes:
        self.field_on = True
        self._targets = self._lying()[: min(said[0], TARGETS_MAX)]
        found = bytes((len(self._targets),))
        for number, tag in enumerate(self._targets, start=1):
            found += bytes((number, 0x00, 0x44, tag.kind, len(tag.uid))) + tag.uid
        return found

    def _exchange(self, said: bytes) -> bytes:
        number = said[0]
        if not 1 <= number <= len(self._targets):
            return b"\x27"
        tag = self._targets[number - 1]
        answer = tag.hears(said[1:]) if tag in self._lying() else None
        return TIMED_OUT if answer is None else b"\x00" + answer
