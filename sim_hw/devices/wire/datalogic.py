"""A Datalogic scanner that waits for ACK or NAK after each code.

Sources: Datalogic, PowerScan D8530 manual, 5.1.1, and PowerScan PD96 Product Reference Guide (ACK
NAK Options: "enable for label transmission"). Unconfirmed on a scanner: that it gives a code up
after three times.
"""

from __future__ import annotations

from typing import Final

_ACK, _NAK = 0x06, 0x15
_TIMES: Final = 3


class Datalogic:
    """The scanner: what it says of a code, and again while it hears NAK."""

    def __init__(self) -> None:
        self._said = b""
        self._times = 0
        self.acknowledged = 0

    def says(self, code: bytes) -> bytes:
        """A code, and what ends it."""
        self._said, self._times = code + b"\r", 1
        return self._said

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came."""
        answer = b""
        for byte in data:
            if byte == _ACK:
                self.acknowledged += bool(self._said)
                self._said = b""
            elif byte == _NAK and self._said and self._times < _TIMES:
                self._times += 1
                answer += self._said
        return answer
