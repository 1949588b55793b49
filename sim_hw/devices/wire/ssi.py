"""A scanner that speaks SSI: its packets, and what it answers to the host's.

Source: Zebra, Simple Serial Interface Programmer's Guide (72E-40451): length, opcode, source
(0: the scanner), status, data, and the two's complement of their sum, high byte first. Unconfirmed
on a scanner: what it does with a command that it does not know (nothing, here).
"""

from __future__ import annotations

from typing import Final

ACK: Final = 0xD0
SCAN_ENABLE: Final = 0xE9
DECODE_DATA: Final = 0xF3
#: The bar code type of the guide's table.
CODE_128: Final = 0x03


def ssi_packet(opcode: int, data: bytes = b"", status: int = 0) -> bytes:
    """A packet of the scanner."""
    body = bytes((4 + len(data), opcode, 0, status)) + data
    return body + (0x10000 - sum(body)).to_bytes(2, "big")


class SsiScanner:
    """The scanner: acknowledges that it is enabled."""

    def __init__(self) -> None:
        self._heard = b""
        self.enabled = False

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
        return said
