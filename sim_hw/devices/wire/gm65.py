"""A Grow GM65 at the other end of a line: zones of settings, read and written by commands.

Source: Hangzhou Grow, GM65 Bar Code Reader Module User Manual 1.3. Confirmed against published
exchanges: the checksums of 07 01 00 2A 02 (D8 0F) and of the answer 02 00 00 01 00 (33 31).
The bits of zone 0060 are those of its manual's table, as a published set-up program writes them;
zones 0005 and 0013 (the pause between readings; whether and how long the same code waits) are as
cryptoadvance/specter-diy writes them.
Unconfirmed on a reader: what it answers to a spoilt command (nothing, here), with what end it
leaves the works (none, here).
"""

from __future__ import annotations

from typing import Final

_HEADER: Final = b"\x7e\x00"
_COMMAND_BYTES: Final = 9


def checksum(data: bytes) -> bytes:
    """CRC-CCITT from zero, as the manual's appendix computes it bit by bit."""
    sum_ = 0
    for byte in data:
        for bit in range(7, -1, -1):
            sum_ *= 2
            if sum_ & 0x10000:
                sum_ ^= 0x11021
            if byte >> bit & 1:
                sum_ ^= 0x1021
    return bytes((sum_ >> 8 & 0xFF, sum_ & 0xFF))


class Gm65:
    """The reader: what it answers to what it hears. `stubborn`: zones that it does not change."""

    def __init__(self, zones: dict[int, int] | None = None, stubborn: tuple[int, ...] = ()) -> None:
        # As it leaves the works: continuous, nothing after a code. Its pause, and that a code again
        # has to wait, are what labels may have made of it.
        self.zones = {0x0000: 0xD6, 0x0005: 0x0A, 0x0013: 0x85, 0x0060: 0x60} | (zones or {})
        self._stubborn = stubborn
        self._heard = b""

    def says(self, code: bytes) -> bytes:
        """A code as its zones have it."""
        kind = self.zones[0x0060]
        if kind & 0x80:
            code = b"\x03" + len(code).to_bytes(2, "big") + code
        ends = (b"\r", b"\r\n", b"\t", b"")
        return code + (ends[kind >> 5 & 3] if kind & 1 else b"")

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came."""
        self._heard += data
        answer = b""
        while len(self._heard) >= _COMMAND_BYTES:
            command, self._heard = self._heard[:_COMMAND_BYTES], self._heard[_COMMAND_BYTES:]
            body = command[2:-2]
            if command.startswith(_HEADER) and checksum(body) == command[-2:]:
                answer += self._done(body[0], int.from_bytes(body[2:4], "big"), body[4])
        return answer

    def _done(self, kind: int, zone: int, data: int) -> bytes:
        value = 0
        if kind == 7:
            value = self.zones[zone]
        elif zone not in self._stubborn:
            self.zones[zone] = data
        body = bytes((0, 1, value))
        return b"\x02\x00" + body + checksum(body)
