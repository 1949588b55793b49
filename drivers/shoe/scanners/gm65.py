"""Grow GM65, GM72 and their kin: text codes, and zones of settings that are read and written.

Source: Hangzhou Grow, GM65 Bar Code Reader Module User Manual 1.3, and published exchanges: a
command is 7E 00, type (07 read, 08 write), number of bytes, zone (two bytes), data, CRC (CCITT,
high byte first, over all from the type on); the answer 02 00, type (00: done), number of bytes,
data, CRC. Zone 0000 holds the mode in its lowest two bits: 3 reads by itself when the picture
changes. Zone 0005 is the pause between two readings, in tenths of a second; bit 7 of zone 0013 says
whether the same code has to wait, the others how long: as programs that set up GM65s write them
(cryptoadvance/specter-diy, src/hosts/qr.py; of the unit of the latter they disagree, and nothing
here rests on it). What is written lasts until the power goes: the reader's memory is not worn, and
it is set up at each opening. Proved with an answering reader made from the same text, not tried on
a reader.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from drivers.settings.scanner import ScannerSettings

_COMMAND: Final = b"\x7e\x00"
_ANSWER: Final = b"\x02\x00"
_READ: Final = 7
_WRITE: Final = 8
_DONE: Final = 0
#: Header, type and number of bytes before the data of an answer; the checksum after it.
_HEAD: Final = 4
_CHECKSUM: Final = 2
#: A zone is answered with one byte: what says that it is longer is none, and not waited for.
_DATA_MAX: Final = 8


class Zone(NamedTuple):
    """What one zone has to hold: `value` in the bits of `mask`; `name` says what it is."""

    address: int
    mask: int
    value: int
    name: str


_INDUCTION: Final = Zone(0x0000, 0x03, 0x03, "induction mode")
#: Where a beam tells cards apart, the next card is read whatever it is: no hand is faster than a
#: tenth of a second, and an equal card must not wait for the same code's delay. So what lies before
#: it is read again and again (`AGAIN_NS`). Without a beam they stay as the labels have them: a code
#: that comes twice there looks like two cards.
_ANY_CARD: Final = (
    Zone(0x0005, 0xFF, 0x01, "0.1 s between two readings"),
    Zone(0x0013, 0x80, 0x00, "no delay of the same code"),
)
#: Within that time a code that comes again is of the same card: the tenth of a second, and 0.15 s
#: to find and say it. An equal card that follows sooner is one without a code.
AGAIN_NS: Final = 250_000_000
#: As text, with the end that `terminator` names. What is not here the reader has no setting for.
_ENDS: Final = {
    "cr": Zone(0x0060, 0xE1, 0x01, "CR after each code"),
    "crlf": Zone(0x0060, 0xE1, 0x21, "CR LF after each code"),
    "idle": Zone(0x0060, 0x81, 0x00, "nothing after a code"),
}


def zones(settings: ScannerSettings, *, has_beam: bool = False) -> tuple[Zone, ...]:
    """What a reader has to hold."""
    end = _ENDS.get(settings.terminator)
    held = (_INDUCTION,) if end is None else (_INDUCTION, end)
    return (*held, *_ANY_CARD) if has_beam else held


def crc(data: bytes) -> bytes:
    """CRC-16, polynomial 1021 hex, from 0, high byte first."""
    sum_ = 0
    for byte in data:
        sum_ ^= byte << 8
        for _ in range(8):
            sum_ = (sum_ << 1) ^ (0x1021 if sum_ & 0x8000 else 0)
        sum_ &= 0xFFFF
    return sum_.to_bytes(2, "big")


def command(kind: int, address: int, data: int) -> bytes:
    """A command: what is written, or how many bytes are read."""
    body = bytes((kind, 1)) + address.to_bytes(2, "big") + bytes((data,))
    return _COMMAND + body + crc(body)


class Gm65SetUp:
    """Reads each zone, writes it where it is otherwise, and reads it back."""

    def __init__(self, settings: ScannerSettings, *, has_beam: bool = False) -> None:
        self.refused = ""
        self._zones = list(zones(settings, has_beam=has_beam))
        self._awaits_write = False
        self._written = False
        self._buffer = b""
        self.to_send = self._read()

    @property
    def done(self) -> bool:
        """Whether the reader has all that it was asked to have."""
        return not self._zones

    def feed(self, data: bytes, at_ns: int) -> None:
        """What the reader sends. A code that it reads meanwhile is skipped."""
        self._buffer += data
        while not (self.done or self.refused) and (answer := self._answer()) is not None:
            self._take(*answer)

    def _answer(self) -> tuple[int, bytes] | None:
        """Type and data of the next answer that is whole and has its checksum."""
        while (at := self._buffer.find(_ANSWER)) >= 0:
            rest = self._buffer[at:]
            if len(rest) >= _HEAD and rest[3] > _DATA_MAX:
                self._buffer = rest[1:]
                continue
            if len(rest) < _HEAD or len(rest) < _HEAD + rest[3] + _CHECKSUM:
                return None
            end = _HEAD + rest[3]
            if crc(rest[2:end]) == rest[end : end + _CHECKSUM]:
                self._buffer = rest[end + _CHECKSUM :]
                return rest[2], rest[_HEAD:end]
            self._buffer = rest[1:]
        self._buffer = self._buffer[-1:]  # it may be the first of an answer
        return None

    def _take(self, kind: int, data: bytes) -> None:
        zone = self._zones[0]
        if kind != _DONE or len(data) != 1:
            self.refused = zone.name
        elif self._awaits_write:
            self._awaits_write, self._written = False, True
            self.to_send += self._read()
        elif data[0] & zone.mask == zone.value:
            self._zones.pop(0)
            self._written = False
            if self._zones:
                self.to_send += self._read()
        elif self._written:
            self.refused = zone.name
        else:
            self._awaits_write = True
            value = data[0] & ~zone.mask & 0xFF | zone.value
            self.to_send += command(_WRITE, zone.address, value)

    def _read(self) -> bytes:
        return command(_READ, self._zones[0].address, 1)
