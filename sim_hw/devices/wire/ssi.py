"""A scanner that speaks SSI: its packets, and what it answers to the host's.

Source: Zebra, Simple Serial Interface Programmer's Guide (72E-40451): length, opcode, source
(0: the scanner), status, data, and the two's complement of their sum, high byte first; parameters
238 (whether a code comes in a packet, or as text: that is how it leaves the works), 138 (how it is
triggered: 0 level, 7 presentation, 8 host) and 136 (how long a session lasts at most), as Zebra's
Product Reference Guides have them. Unconfirmed on a scanner: what it does with a
command that it does not know (nothing, here), what it answers to a parameter that it does not have
(the beep code alone), and whether it denies a session that its mode does not allow. What nobody
answers is not sent again here, and a session does not end by its time: both take a clock.
"""

from __future__ import annotations

from typing import Final

ACK: Final = 0xD0
NAK: Final = 0xD1
SCAN_ENABLE: Final = 0xE9
PARAM_SEND: Final = 0xC6
PARAM_REQUEST: Final = 0xC7
START_SESSION: Final = 0xE4
STOP_SESSION: Final = 0xE5
PACKETS: Final = 0xEE
TRIGGER_MODE: Final = 0x8A
SESSION_TIME: Final = 0x88
BY_HOST: Final = 8
RESEND: Final = 1
DENIED: Final = 6
NO_BEEP: Final = 0xFF
DECODE_DATA: Final = 0xF3
#: The bar code type of the guide's table.
CODE_128: Final = 0x03
_RETRANSMIT: Final = 1
_AS_MADE: Final = {PACKETS: 0, TRIGGER_MODE: 0, SESSION_TIME: 99}
#: After this many codes a rough one loses its power.
POWER_EVERY: Final = 15


def ssi_packet(opcode: int, data: bytes = b"", status: int = 0) -> bytes:
    """A packet of the scanner."""
    body = bytes((4 + len(data), opcode, 0, status)) + data
    return body + (0x10000 - sum(body)).to_bytes(2, "big")


class SsiScanner:
    """The scanner: acknowledges what it is told, and reads when its mode says so.

    What was not understood it sends again. `stubborn`: the parameters that it does not change.
    """

    def __init__(self, stubborn: tuple[int, ...] = ()) -> None:
        self.parameters = dict(_AS_MADE)
        self.enabled = False
        self.reads = False
        self.acknowledged = 0
        self._stubborn = stubborn
        self._heard = b""
        self._said = b""

    def says(self, code: bytes) -> bytes:
        """The packet of a code; nothing before it is enabled, nor where its host waits for none."""
        by_host = self.parameters[TRIGGER_MODE] == BY_HOST
        if not self.enabled or (by_host and not self.reads):
            return b""
        self.reads = False
        if self.parameters.get(PACKETS) == 0:
            return code + b"\r"
        self._said = bytes((CODE_128,)) + code
        return ssi_packet(DECODE_DATA, self._said)

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came."""
        self._heard += data
        said = b""
        while self._heard and len(self._heard) >= self._heard[0] + 2:
            size = self._heard[0] + 2
            packet, self._heard = self._heard[:size], self._heard[size:]
            said += self._answer(packet[1], packet[4:-2])
        return said

    def _answer(self, opcode: int, data: bytes) -> bytes:
        if opcode == ACK:
            self.acknowledged += bool(self._said)
            self._said = b""
        elif opcode == NAK and self._said:
            return ssi_packet(DECODE_DATA, self._said, _RETRANSMIT)
        elif opcode == SCAN_ENABLE:
            self.enabled = True
            return ssi_packet(ACK)
        elif opcode == PARAM_SEND:
            for number, value in zip(data[1::2], data[2::2], strict=True):
                if number in self.parameters and number not in self._stubborn:
                    self.parameters[number] = value
            return ssi_packet(ACK)
        elif opcode == PARAM_REQUEST:
            known = [each for each in data if each in self.parameters]
            held = b"".join(bytes((each, self.parameters[each])) for each in known)
            return ssi_packet(PARAM_SEND, bytes((NO_BEEP,)) + held)
        elif opcode in (START_SESSION, STOP_SESSION):
            if self.parameters[TRIGGER_MODE] != BY_HOST:
                return ssi_packet(NAK, bytes((DENIED,)))
            self.reads = opcode == START_SESSION
            return ssi_packet(ACK)
        return b""


class RoughSsi(SsiScanner):
    """The same on a bad line and a loose plug of its power, by the count of its codes.

    Of every four codes one is spoilt on its way and must be asked for again, and of one the
    acknowledgement is lost, so that it comes again with the retransmit bit. Of every four words to
    begin a session one comes spoilt, and one not at all. After every `POWER_EVERY` codes its power
    is gone for a moment behind an adapter that stays: what it was set up with is lost, and nothing
    says so.
    """

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        self._starts = 0
        self._deaf = False

    def says(self, code: bytes) -> bytes:
        """The packet of a code, as it arrives."""
        said = super().says(code)
        if not said:
            return b""
        self._count += 1
        self._deaf = self._count % 4 == 2
        if self._count % 4 == 0:
            return said[:-1] + bytes((said[-1] ^ 0x55,))
        return said

    def _answer(self, opcode: int, data: bytes) -> bytes:
        if opcode == ACK and self._said:
            if self._deaf:
                self._deaf = False
                return ssi_packet(DECODE_DATA, self._said, _RETRANSMIT)
            if self._count % POWER_EVERY == 0:
                self.parameters = dict(_AS_MADE)
                self.enabled = False
        if opcode == START_SESSION:
            self._starts += 1
            if self._starts % 4 in (2, 3):
                return ssi_packet(NAK, bytes((RESEND,))) if self._starts % 4 == 2 else b""
        return super()._answer(opcode, data)
