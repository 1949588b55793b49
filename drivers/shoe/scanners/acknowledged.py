"""Scanners that send text and wait for ACK or NAK after each code (Datalogic and others). No clock.

Sources: Datalogic, PowerScan D8530 manual, 5.1.1 (the host sends ACK, 06, or NAK, 15 hex, which
asks for the code again; the reader reads nothing while it waits) and PowerScan PD96 Product
Reference Guide (ACK NAK Options: "enable for label transmission"). There is no retransmit bit: a
code that comes again because our ACK was lost looks like the next card, and what was refused is
known again only by the time. Proved on a pty, not tried on a scanner.
"""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Doubt
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import Framer
from drivers.shoe.scanners.raw_code import RawCode

ACK: Final = b"\x06"
NAK: Final = b"\x15"
#: What was refused begins to come again at once; later than this it is another card's. No hand
#: deals another card so soon: one that comes in this time is the one that was refused.
AGAIN_MS: Final = 100


class AcknowledgedFraming:
    """Cuts text into raw codes and answers each; a garbled one is asked for again.

    If it does not come, or comes garbled again, it is `Doubt.GARBLED`. So is one that another code
    follows in the same read: that scanner did not wait, and is not asked.
    """

    def __init__(self, settings: ScannerSettings) -> None:
        self.to_send = b""
        self._lines = Framer(settings)
        self._refused_ns: int | None = None

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`, on the caller's clock; None while nothing is unfinished."""
        if self._lines.due_ns is not None or self._refused_ns is None:
            return self._lines.due_ns
        return self._refused_ns + AGAIN_MS * 1_000_000

    def feed(self, data: bytes, at_ns: int) -> list[RawCode]:
        """The codes that are whole once `data` has come."""
        given_up = self._given_up(at_ns)
        return given_up + self._answered(self._lines.feed(data, at_ns), at_ns)

    def tick(self, at_ns: int) -> list[RawCode]:
        """What a silence until `at_ns` makes certain."""
        given_up = self._given_up(at_ns)
        return given_up + self._answered(self._lines.tick(at_ns), at_ns)

    def _given_up(self, at_ns: int) -> list[RawCode]:
        """That a code which was asked for again did not come, nor began to."""
        if self._refused_ns is None or self._lines.due_ns is not None:
            return []
        if at_ns - self._refused_ns < AGAIN_MS * 1_000_000:
            return []
        self._refused_ns = None
        return [Doubt.GARBLED]

    def _answered(self, codes: list[RawCode], at_ns: int) -> list[RawCode]:
        taken: list[RawCode] = []
        for left, code in zip(reversed(range(len(codes))), codes, strict=True):
            refused, self._refused_ns = self._refused_ns is not None, None
            if code is not Doubt.GARBLED:
                self.to_send += ACK
                taken.append(code)
                continue
            if refused:
                taken.append(code)  # it came again, or is another card: the first is lost
            if left or self._lines.due_ns is not None:
                self.to_send += ACK
                taken.append(code)
            else:
                self.to_send += NAK
                self._refused_ns = at_ns
        return taken
