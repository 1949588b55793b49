"""What a host tells an SSI scanner: to be enabled, how it is triggered, when to read. No clock.

Source: Zebra, Simple Serial Interface Programmer's Guide (72E-40451): SCAN_ENABLE, PARAM_SEND (beep
code, numbers and values; until the power goes where the status bit "permanent" is not set),
PARAM_REQUEST, START_SESSION and STOP_SESSION, each acknowledged or refused with a reason. Numbers
and values: "Decode Data Packet Format" of the same guide, which leaves the works as plain text; of
"Trigger Mode" and "Decode Session Timeout" Zebra, DS457 and DS4308 Product Reference Guides. Proved
with an answering scanner made from the same text, not tried on a scanner.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from drivers.settings.scanner import ScannerSettings, Trigger
from drivers.shoe.scanners.raw_code import Framing
from drivers.shoe.scanners.ssi import CMD_ACK, CMD_NAK, DECODE_DATA, RESEND, SsiFraming, packet

SCAN_ENABLE: Final = 0xE9
PARAM_SEND: Final = 0xC6
PARAM_REQUEST: Final = 0xC7
START_SESSION: Final = 0xE4
STOP_SESSION: Final = 0xE5
_NO_BEEP: Final = 0xFF
#: A scanner that does not understand one and the same packet so often never will.
_AGAIN_MAX: Final = 5
#: Packet and answer take 12 ms at 9600 baud; one that sleeps is woken by what it does not hear.
_ANSWERS_MS: Final = 60
#: So many beginnings of sessions without an answer: its power is gone behind an adapter that stays.
_UNANSWERED_MAX: Final = 6


class Parameter(NamedTuple):
    """What one parameter has to hold; `name` says what it is."""

    number: int
    value: int
    name: str
    #: A scanner without this parameter can do nothing else.
    may_lack: bool = False


#: What `ssi` reads. Of a scanner that lacks it the packets, or their absence, will show.
_PACKETS: Final = Parameter(0xEE, 1, "decode data in packets", may_lack=True)
#: By `trigger`. A session must outlast a card in the beam: the longest that there is, 9.9 s.
PARAMETERS: Final[dict[Trigger, tuple[Parameter, ...]]] = {
    "own": (),
    "presentation": (Parameter(0x8A, 7, "trigger mode presentation"),),
    "beam": (
        Parameter(0x8A, 8, "trigger mode host"),
        Parameter(0x88, 99, "decode session timeout 9.9 s"),
    ),
}


class SsiSetUp:
    """Enables the scanner, and sets and reads back each parameter; it has to acknowledge all.

    `framing` is the one that reads on: a code that is read meanwhile is skipped, but acknowledged,
    and known again when it is sent again after the opening.
    """

    def __init__(self, settings: ScannerSettings, framing: Framing) -> None:
        assert isinstance(framing, SsiFraming), "its language is SSI"
        self.refused = ""
        self._framing = framing
        self._again = 0
        self._left = [packet(SCAN_ENABLE)]
        self._wanted = [_PACKETS, *PARAMETERS[settings.trigger]]
        for each in self._wanted:
            data = bytes((_NO_BEEP, each.number, each.value))
            self._left += [packet(PARAM_SEND, data), packet(PARAM_REQUEST, bytes((each.number,)))]
        self.to_send = self._left[0]
        framing.heard = self._heard

    @property
    def done(self) -> bool:
        """Whether the scanner has acknowledged everything."""
        return not self._left

    def feed(self, data: bytes, at_ns: int) -> None:
        """What the scanner sends. Its packets are answered."""
        self._framing.feed(data, at_ns)
        # The answer to a packet goes before what is asked next.
        answer, self._framing.to_send = self._framing.to_send, b""
        self.to_send = answer + self.to_send

    def _heard(self, opcode: int, data: bytes) -> None:
        if self.done or self.refused:
            return
        asked = self._left[0][1]
        # What refuses the first word may be the answer to one from before the opening, late.
        again = data[:1] == bytes((RESEND,)) or asked == SCAN_ENABLE
        if opcode == CMD_NAK and again and self._again < _AGAIN_MAX:
            self._again += 1
            self.to_send += self._left[0]
        elif opcode == CMD_NAK and asked != SCAN_ENABLE and self._wanted[0].may_lack:
            if asked == PARAM_SEND:
                del self._left[0]  # what it does not have is not read back
            del self._wanted[0]
            self._next()
        elif opcode == CMD_NAK:
            self.refused = "SCAN_ENABLE" if asked == SCAN_ENABLE else self._wanted[0].name
        elif opcode == CMD_ACK and asked != PARAM_REQUEST:
            self._next()
        elif opcode == PARAM_SEND and asked == PARAM_REQUEST:
            wanted = self._wanted.pop(0)
            # Its beep code first, then number and value; without them it has no such parameter.
            lacks = wanted.may_lack and not data[1:]
            if lacks or data[1:] == bytes((wanted.number, wanted.value)):
                self._next()
            else:
                self.refused = wanted.name

    def _next(self) -> None:
        del self._left[0]
        self._again = 0
        self.to_send += b"".join(self._left[:1])


class SsiTrigger:
    """Has the scanner read while a card is in the beam, and `late_ns` after it.

    A session ends with its code, by our word, or after its time. One that was not understood, or
    not answered, is asked for again. What is to be sent to the scanner is given back by each call;
    `refused` once it does not read when it is told to, `silent` once it answers nothing at all.
    """

    def __init__(self, framing: Framing, late_ns: int) -> None:
        assert isinstance(framing, SsiFraming), "its language is SSI"
        framing.heard = self._heard
        self.refused = ""
        self.silent = False
        self._late_ns = late_ns
        self._reads = False
        self._stop_ns: int | None = None
        self._again_ns: int | None = None
        self._unanswered = 0

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`, on the caller's clock; None while nothing waits for its time."""
        waits = (each for each in (self._stop_ns, self._again_ns) if each is not None)
        return min(waits, default=None)

    def edge(self, covered: bool, at_ns: int) -> bytes:
        """The beam was broken or cleared."""
        if not covered:
            self._stop_ns = at_ns + self._late_ns if self._reads else None
            return b""
        self._stop_ns = None
        if self._reads:
            return b""
        self._reads = True
        return self._start(at_ns)

    def tick(self, at_ns: int) -> bytes:
        """Time has passed."""
        if self._stop_ns is not None and at_ns >= self._stop_ns:
            self._over()
            return packet(STOP_SESSION)
        if self._again_ns is None or at_ns < self._again_ns:
            return b""
        if self._unanswered >= _UNANSWERED_MAX:
            self._again_ns, self.silent = None, True
            return b""
        return self._start(at_ns)

    def _start(self, at_ns: int) -> bytes:
        self._again_ns = at_ns + _ANSWERS_MS * 1_000_000
        self._unanswered += 1
        return packet(START_SESSION)

    def _over(self) -> None:
        self._reads, self._stop_ns, self._again_ns = False, None, None

    def _heard(self, opcode: int, data: bytes) -> None:
        starting = self._again_ns is not None
        if opcode == CMD_NAK and starting and data[:1] == bytes((RESEND,)):
            self._again_ns = 0  # at once; spoilt again and again, it is as silent
            return
        self._unanswered = 0
        if opcode == DECODE_DATA:
            self._over()
        elif opcode == CMD_ACK:
            self._again_ns = None
        elif opcode == CMD_NAK and starting:
            # Its power went and came back behind an adapter that stayed: it has its own mode again.
            self._again_ns, self.refused = None, "START_SESSION"
