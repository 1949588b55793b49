"""A DMX USB Pro at the end of a line: what its fixtures are lit with, and what it answers.

Source: ENTTEC, DMX USB Pro Widget API 1.44. Unconfirmed on an interface: how long it takes to
answer while it sends, what a fixture does when the output ends, and whether those of other makers
answer label 10.
"""

from __future__ import annotations

from typing import Final

SERIAL: Final = bytes.fromhex("67452301")
#: Firmware 1.44, break and mark after break in units of 10.67 µs, packets a second.
PARAMETERS: Final = bytes((0x2C, 0x01, 9, 1, 40))


def message(label: int, data: bytes) -> bytes:
    """What it says: also of the DMX line, unasked (label 5)."""
    return b"\x7e" + bytes((label,)) + len(data).to_bytes(2, "little") + data + b"\xe7"


class DmxUsbPro:
    """The interface. `lit` are the slots from 1 on that it sends again and again, None: it sends
    nothing; `silent`: it hears and says nothing any more; `packets` how many pictures it was given.
    """

    def __init__(self, parameters: bytes = PARAMETERS) -> None:
        self._parameters = parameters
        self.silent = False
        self.asked: list[int] = []
        self.power_up()

    def power_up(self) -> None:
        """Its plug is in again: its port listens."""
        self._heard = b""
        self.lit: bytes | None = None
        self.packets = 0

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came."""
        if self.silent:
            return b""
        self._heard += data
        said = b""
        while len(self._heard) >= 4:
            assert self._heard[0] == 0x7E, "a message begins"
            length = int.from_bytes(self._heard[2:4], "little")
            assert length <= 600
            if len(self._heard) < 5 + length:
                break
            assert self._heard[4 + length] == 0xE7, "a message ends"
            said += self._obeys(self._heard[1], self._heard[4 : 4 + length])
            self._heard = self._heard[5 + length :]
        return said

    def _obeys(self, label: int, data: bytes) -> bytes:
        self.asked.append(label)
        if label == 6:
            assert 25 <= len(data) <= 513, "a packet it takes"
            assert data[0] == 0, "start code of dimmers"
            self.lit = data[1:]
            self.packets += 1
            return b""
        if label == 3:
            assert data == b"\0\0", "no bytes of the user's"
            return message(3, self._parameters)
        assert label == 10, f"label {label} is not asked for"
        assert data == b""
        self.lit = None  # any request but 3 and 6 ends the output
        return message(10, SERIAL)
