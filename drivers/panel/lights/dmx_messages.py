"""Pure: the messages of a DMX USB Pro and its kin, to the interface and from it.

Source: ENTTEC, DMX USB Pro Widget API 1.44: 7E, label, length (low byte first, at most 600), data,
E7. Label 10 asks for the serial number (four bytes), label 3 for the parameters (firmware's version
in two bytes, break, mark after break, packets a second), label 6 is a DMX packet with its start
code, 25 to 513 bytes: it is sent again and again until another one comes, or any request but
labels 3 and 6, which ends the output. What the line itself says comes as messages of other labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

PARAMETERS: Final = 3
SEND: Final = 6
SERIAL_NUMBER: Final = 10
#: What is asked of the parameters besides the interface's own: no bytes of the user's.
NO_USER_BYTES: Final = b"\0\0"
PARAMETERS_BYTES: Final = 5
SERIAL_BYTES: Final = 4

_BEGINS: Final = 0x7E
_ENDS: Final = 0xE7
_DATA_MAX: Final = 600
_HEAD: Final = 4
#: The shortest packet that it takes, without the start code.
_SLOTS_MIN: Final = 24


def request(label: int, data: bytes = b"") -> bytes:
    """A message to the interface."""
    return bytes((_BEGINS, label, len(data) & 0xFF, len(data) >> 8)) + data + bytes((_ENDS,))


def packet(slots: bytes) -> bytes:
    """The message that lets it send these slots again and again, with the dimmers' start code."""
    return request(SEND, b"\0" + slots.ljust(_SLOTS_MIN, b"\0"))


class DmxMessages:
    """What comes from the interface, in whatever pieces: whole messages, by label."""

    def __init__(self) -> None:
        self._rest = b""

    def of(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The messages that `data` ends; what is none is passed over, byte by byte."""
        self._rest += data
        while True:
            self._rest = self._rest[_at(self._rest) :]
            if len(self._rest) < _HEAD:
                return
            length = int.from_bytes(self._rest[2:_HEAD], "little")
            end = _HEAD + length
            if length <= _DATA_MAX and len(self._rest) <= end:
                return
            if length > _DATA_MAX or self._rest[end] != _ENDS:
                self._rest = self._rest[1:]  # it looked like a beginning, and was none
                continue
            label, content = self._rest[1], self._rest[_HEAD:end]
            self._rest = self._rest[end + 1 :]
            yield label, content


def _at(data: bytes) -> int:
    """Where the next message can begin, else the end."""
    found = data.find(_BEGINS)
    return len(data) if found < 0 else found
