"""Simple Serial Interface: the packets of Zebra, Symbol and some Honeywell scanners. No clock.

Source: Zebra, Simple Serial Interface Programmer's Guide (72E-40451): a packet is its length (all
but the checksum), opcode, source, status, data, and a checksum of two bytes, high byte first, the
two's complement of the sum of all before. The host acknowledges each; a scanner that hears nothing
sends again with the retransmit bit. Tried against packets that follow this text, not on a scanner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.devices.inputs import Doubt
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.raw_code import RawCode, checked

DECODE_DATA: Final = 0xF3
CMD_ACK: Final = 0xD0
CMD_NAK: Final = 0xD1
_SCANNER, _HOST = 0, 4
_RETRANSMIT: Final = 0x01
_CONTINUES: Final = 0x02
#: Reason of a NAK: send it again.
RESEND: Final = 1
_HEAD: Final = 4
_CHECKSUM: Final = 2
#: A packet of 257 bytes takes 0.27 s at 9600 baud; a pause of this long within one ends it.
BROKEN_MS: Final = 100
#: A scanner sends again what was refused, up to twice, after its response time-out (2 s).
AGAIN_MS: Final = 5_000
#: The bar code types of the guide's table that decks are printed with, as AIM letters.
_AIM: Final = {0x01: "A", 0x03: "C", 0x0F: "C", 0x1B: "d", 0x1C: "Q", 0x11: "L", 0x2D: "z"}


def packet(opcode: int, data: bytes = b"") -> bytes:
    """A packet of the host."""
    body = bytes((_HEAD + len(data), opcode, _HOST, 0)) + data
    return body + _checksum(body)


def _checksum(body: bytes) -> bytes:
    return (-sum(body) & 0xFFFF).to_bytes(2, "big")


class SsiFraming:
    """Cuts the packets of a scanner into raw codes; `to_send` are the answers that it waits for.

    A code that was acknowledged and comes once more with the retransmit bit is the same card, and
    dropped. A packet that was spoilt is asked for again; if it does not come, or what comes cannot
    be distinguished from the card before, it is `Doubt.GARBLED`. A code in several packets is one
    `Doubt.TOO_LONG`. `heard` is called with the opcode and the data of every packet that was whole.
    """

    def __init__(self, settings: ScannerSettings) -> None:
        self.to_send = b""
        self.heard: Callable[[int, bytes], None] = lambda *_: None
        self._aim = settings.aim == "required"
        self._max_bytes = settings.max_bytes
        self._buffer = b""
        self._last_ns = 0
        self._refused_ns: int | None = None
        self._taken = b""
        self._rest_until_ns = 0

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`, on the caller's clock; None while nothing is unfinished."""
        broken = self._last_ns + BROKEN_MS * 1_000_000 if self._buffer else None
        again = None if self._refused_ns is None else self._refused_ns + AGAIN_MS * 1_000_000
        return min((each for each in (broken, again) if each is not None), default=None)

    def feed(self, data: bytes, at_ns: int) -> list[RawCode]:
        """The codes that are whole once `data` has come."""
        codes = self.tick(at_ns)
        self._last_ns = at_ns
        self._buffer += data
        while self._buffer:
            size = self._buffer[0] + _CHECKSUM
            if self._buffer[0] < _HEAD:
                self._refuse(at_ns)
            elif len(self._buffer) < size:
                break
            else:
                whole, self._buffer = self._buffer[:size], self._buffer[size:]
                if _checksum(whole[:-_CHECKSUM]) == whole[-_CHECKSUM:]:
                    # An echo of what we sent is no answer: a scanner's packets are from 0.
                    if whole[2] == _SCANNER:
                        self.heard(whole[1], whole[_HEAD:-_CHECKSUM])
                        codes += self._code(whole[1], whole[3], whole[_HEAD:-_CHECKSUM])
                else:
                    self._refuse(at_ns)
        return codes

    def tick(self, at_ns: int) -> list[RawCode]:
        """What a silence until `at_ns` makes certain."""
        if self._buffer and at_ns - self._last_ns >= BROKEN_MS * 1_000_000:
            self._refuse(self._last_ns)
        if self._refused_ns is not None and at_ns - self._refused_ns >= AGAIN_MS * 1_000_000:
            self._refused_ns = None
            return [Doubt.GARBLED]
        return []

    def _refuse(self, at_ns: int) -> None:
        """Ask for the packet again. What follows a wrong length is none to be relied on."""
        self._buffer = b""
        self._refused_ns = at_ns if self._refused_ns is None else self._refused_ns
        self.to_send += packet(CMD_NAK, bytes((RESEND,)))

    def _code(self, opcode: int, status: int, data: bytes) -> list[RawCode]:
        if opcode in (CMD_ACK, CMD_NAK):
            return []
        self.to_send += packet(CMD_ACK)
        if opcode != DECODE_DATA:
            return []
        sent_again, same = bool(status & _RETRANSMIT), data == self._taken
        refused, self._refused_ns, self._taken = self._refused_ns is not None, None, data
        # A scanner that never sends the rest must not cost a card that comes much later.
        rest, continues = self._last_ns < self._rest_until_ns, bool(status & _CONTINUES)
        self._rest_until_ns = self._last_ns + AGAIN_MS * 1_000_000 if continues else 0
        if sent_again and same:
            return [Doubt.GARBLED] if refused else []
        # One that is not sent again is another card: the scanner has given up what was refused.
        lost: list[RawCode] = [Doubt.GARBLED] if refused and not sent_again else []
        if rest:
            return lost
        if continues or len(data) - 1 > self._max_bytes:
            return [*lost, Doubt.TOO_LONG]
        if len(data) < 2:
            return lost
        code = data[1:]
        if self._aim:
            code = f"]{_AIM.get(data[0], '?')}0".encode() + code
        return [*lost, checked(code)]
