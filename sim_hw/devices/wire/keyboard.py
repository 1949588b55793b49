"""A scanner that types: the kernel's input events of each key, as a USB keyboard gives them.

Sources: Linux, Documentation/input/input.rst (`struct input_event`: two words of time, type, code,
value; a report ends with SYN_REPORT) and input-event-codes.h (the codes of the keys). Of each key
comes what it is in the HID report (MSC_SCAN), then that it is down or up. Unconfirmed on a scanner:
how long between keys, and whether several come in one report.
"""

from __future__ import annotations

import struct
from typing import Final

_EVENT: Final = struct.Struct("@llHHi")
EVENT_BYTES: Final = _EVENT.size
_SYN, _KEY, _MSC = 0, 1, 4
_MSC_SCAN: Final = 4
_SYN_REPORT, _SYN_DROPPED = 0, 3
_LEFT_SHIFT: Final = 42
#: The keys of a keyboard of the United States that card codes are made of.
_KEYS: Final = {
    **{each: 2 + n for n, each in enumerate("1234567890")},
    **dict(zip("qwertyuiop", range(16, 26), strict=True)),
    **dict(zip("asdfghjkl", range(30, 39), strict=True)),
    **dict(zip("zxcvbnm", range(44, 51), strict=True)),
    "]": 27, "-": 12, "\r": 28,
}  # fmt: skip
KEYPAD: Final = {"7": 71, "8": 72, "9": 73, "4": 75, "5": 76, "6": 77, "1": 79, "2": 80, "3": 81}


def event(kind: int, code: int, value: int) -> bytes:
    """One event, at a time that nobody looks at."""
    return _EVENT.pack(1_700_000_000, 250_000, kind, code, value)


def key(code: int, value: int) -> bytes:
    """A key that goes down (1), is repeated (2) or comes up (0), as one report."""
    return event(_MSC, _MSC_SCAN, 0x70000 + code) + event(_KEY, code, value) + event(_SYN, 0, 0)


def pressed(code: int) -> bytes:
    """A key that goes down and up."""
    return key(code, 1) + key(code, 0)


def typed(text: str) -> bytes:
    """The events of a text: capitals with Shift."""
    said = b""
    for each in text:
        stroke = pressed(_KEYS[each.lower()])
        capital = key(_LEFT_SHIFT, 1) + stroke + key(_LEFT_SHIFT, 0)
        said += capital if each.isupper() else stroke
    return said


def dropped() -> bytes:
    """That the kernel had no room for some events."""
    return event(_SYN, _SYN_DROPPED, 0)
