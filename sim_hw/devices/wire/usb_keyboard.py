"""A USB keyboard's reports, and the events that the kernel of the host makes of them.

Sources: USB-IF, Device Class Definition for HID 1.11, appendix B.1 (a report of 8 bytes: modifiers,
one reserved, up to six keys that are down), HID Usage Tables 1.4, page 7 (the numbers of the keys);
Linux, drivers/hid/hid-input.c (`hid_keyboard`: the kernel's codes; each change is MSC_SCAN and the
key, a report ends with SYN_REPORT). Unconfirmed on a scanner: how long between reports.
"""

from __future__ import annotations

from typing import Final

from sim_hw.devices.wire.keyboard import event

REPORT_BYTES: Final = 8
_KEYS_AT: Final = 2
_SHIFT: Final = 0x02
_SYN, _KEY, _MSC, _MSC_SCAN = 0, 1, 4, 4
#: The first usage of the modifiers; their codes in the kernel, from the left Ctrl on.
_MODIFIERS_AT: Final = 0xE0
_MODIFIERS: Final = (29, 42, 56, 125, 97, 54, 100, 126)
#: By the usage of the first: the kernel's codes of a row.
_CODES_BY_ROW: Final = {
    0x04: (30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47,
           17, 45, 21, 44),
    0x1E: (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 28),
    0x2D: (12, 13, 26, 27),
    0x58: (96,),
}  # fmt: skip
_CODES: Final = {first + n: code for first, row in _CODES_BY_ROW.items()
                 for n, code in enumerate(row)}  # fmt: skip
_USAGES: Final = {
    **{each: 0x04 + n for n, each in enumerate("abcdefghijklmnopqrstuvwxyz")},
    **{each: 0x1E + n for n, each in enumerate("1234567890\r")},
    "-": 0x2D, "]": 0x30,
}  # fmt: skip
#: Keys of keypads and pedals, by their names in Linux.
USAGES: Final = {"KPENTER": 0x58, **{each.upper(): _USAGES[each] for each in "abcdef123456"}}
_NOTHING: Final = bytes(REPORT_BYTES)


def stroke(usage: int, *, shift: bool = False) -> bytes:
    """The reports of a key that goes down and up."""
    held = bytes((_SHIFT if shift else 0, 0, usage))
    return held.ljust(REPORT_BYTES, b"\0") + _NOTHING


def strokes(text: str) -> bytes:
    """The reports of a text that is typed, capitals with Shift."""
    return b"".join(stroke(_USAGES[each.lower()], shift=each.isupper()) for each in text)


class KeyboardHost:
    """The kernel at the other end of the cable: reports to the events of its node."""

    def __init__(self) -> None:
        self._rest = b""
        self._last = _NOTHING

    def __call__(self, data: bytes) -> bytes:
        """The events of the reports that are whole by now."""
        data = self._rest + data
        whole = len(data) - len(data) % REPORT_BYTES
        self._rest = data[whole:]
        return b"".join(
            self._report(data[at : at + REPORT_BYTES]) for at in range(0, whole, REPORT_BYTES)
        )

    def _report(self, report: bytes) -> bytes:
        before, self._last = self._last, report
        said = b""
        for bit, code in enumerate(_MODIFIERS):
            if (before[0] ^ report[0]) >> bit & 1:
                said += _changed(_MODIFIERS_AT + bit, code, report[0] >> bit & 1)
        were, are = before[_KEYS_AT:], report[_KEYS_AT:]
        for usages, others, value in ((were, are, 0), (are, were, 1)):
            for usage in usages:
                if usage and usage not in others:
                    said += _changed(usage, _CODES[usage], value)
        return said + event(_SYN, 0, 0) if said else b""


def _changed(usage: int, code: int, value: int) -> bytes:
    return event(_MSC, _MSC_SCAN, 0x70000 + usage) + event(_KEY, code, value)
