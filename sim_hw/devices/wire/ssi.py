"""A scanner that speaks SSI: its packets, and what it answers to the host's.

Source: Zebra, Simple Serial Interface Programmer's Guide (72E-40451): length, opcode, source
(0: the scanner), status, data, and the two's complement of their sum, high byte first. Unconfirmed
on a scanner: what it does with a command that it does not know (nothing, here). What nobody answers
is not sent again here: that takes a clock.
"""

from __future__ import annotations

from typing import Final

ACK: Final = 0xD0
NAK: Final = 0xD1
SCAN_ENABLE: Final = 0xE9
DECODE_DATA: Final = 0xF3
#: The bar code type of the guide's table.
CODE_128: Final = 0x03
_RETRANSMIT: Final = 1


def ssi_packet(opcode: int, data: bytes = b"", status: int = 0) -> bytes:
    """A packet of the scanner."""
    body = bytes((4 + len(data), opcode, 0, status)) + data
    return body + (0x10000 - sum(body)).to_bytes(2, "big")


class SsiScanner:
    """The scanner: acknowledges that it is enabled; sends again what was not understood."""

    def __init__(self) -> None:
        self._heard = b""
        self._said = b""
        self.enabled = False
        self.acknowledged = 0

    def says(self, code: bytes) -> bytes:
        """The packet of a code; nothing before it is enabled."""
        if not self.enabled:
            return b""
        self._said = bytes((CODE_128,)) + code
        return ssi_packet(DECODE_DATA, self._said)

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came."""
        self._heard += data
        said = b""
        while self._heard and len(self._heard) >= self._heard[0] + 2:
            size = self._heard[0] + 2
            packet, self._heard = self._heard[:size], self._heard[size:]
            if packet[1] == SCAN_ENABLE:
                self.enabled = True
                said += ssi_packet(ACK)
            elif packet[1] == ACK:
                self.acknowledged += bool(self._said)
                self._said = b""
            elif packet[1] == NAK and self._said:
                said += ssi_packet(DECODE_DATA, self._said, _RETRANSMIT)
        return said
