"""A scanner that sends its codes in HID reports of their own (HID POS), not as keys. No clock.

Sources: USB-IF, HID Point of Sale Usage Tables 1.02 (usage page 0x8C, Bar Code Scanner); the layout
of report 2 as the makers have it: Access-IS, LSR118 Product Manual, appendix B (64 bytes: number,
length, three of the AIM identifier, 56 of data, symbology, reserved, "continued"). Honeywell's
scanners send the same. Proved with reports made from that table, not tried on a scanner.
"""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Doubt
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.raw_code import RawCode, checked

USAGE_PAGE: Final = 0x8C
REPORT_BYTES: Final = 64
_SCANNED_DATA: Final = 2
_AIM: Final = slice(2, 5)
_DATA: Final = 5
_DATA_BYTES: Final = 56
_CONTINUED: Final = 63
#: Reports of one code follow each other within a few milliseconds.
REST_MS: Final = 500


class HidPosFraming:
    """Puts the reports of a scanner together to raw codes.

    One read is one report; where a busy reader hands on several at once, each has its full length.
    A code whose rest does not come is garbled; so is a report that says it is longer than it can
    be, or is cut off. Reports of another number, shorter ones too, are no codes.
    """

    def __init__(self, settings: ScannerSettings) -> None:
        self.to_send = b""
        self._aim = settings.aim == "required"
        self._max_bytes = settings.max_bytes
        self._begun: bytes | None = None
        self._too_long = False
        self._last_ns = 0

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`, on the caller's clock; None while nothing is unfinished."""
        return None if self._begun is None else self._last_ns + REST_MS * 1_000_000

    def feed(self, data: bytes, at_ns: int) -> list[RawCode]:
        """The codes that are whole once `data` has come."""
        codes = self.tick(at_ns)
        self._last_ns = at_ns
        for at in range(0, len(data), REPORT_BYTES):
            report = data[at : at + REPORT_BYTES]
            if len(report) == REPORT_BYTES:
                if report[0] == _SCANNED_DATA:
                    codes += self._report(report)
            elif at or report[0] == _SCANNED_DATA:
                # Behind others it may be the end of a card's, out of step by a short one.
                self._begun, self._too_long = None, False
                codes.append(Doubt.GARBLED)
        return codes

    def tick(self, at_ns: int) -> list[RawCode]:
        """What a silence until `at_ns` makes certain."""
        if self.due_ns is None or at_ns < self.due_ns:
            return []
        self._begun, self._too_long = None, False
        return [Doubt.GARBLED]

    def _report(self, report: bytes) -> list[RawCode]:
        length = report[1]
        if length > _DATA_BYTES:
            self._begun, self._too_long = None, False
            return [Doubt.GARBLED]
        code = (self._begun or b"") + report[_DATA : _DATA + length]
        self._too_long = self._too_long or len(code) > self._max_bytes
        if report[_CONTINUED] & 1:
            self._begun = code[: self._max_bytes]
            return []
        too_long, self._begun, self._too_long = self._too_long, None, False
        if too_long:
            return [Doubt.TOO_LONG]
        if not code:
            return []
        return [checked(report[_AIM] + code if self._aim else code)]
