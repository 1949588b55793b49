"""A scanner that types like a keyboard: its keys to the text that they mean. No clock.

The keys are those of a keyboard of the United States, which every scanner can be set to; Enter ends
a code. What has no character there (Alt with digits, Caps Lock, arrows) spoils the code that it is
typed in: nothing is guessed. The key codes are those of linux/input-event-codes.h.
"""

from __future__ import annotations

from typing import Final

from controller.devices.contracts import DeviceLost
from controller.rules.messages import message
from drivers.io.input_events import (
    DOWN,
    EV_KEY,
    EV_SYN,
    SYN_DROPPED,
    UP,
    EventParts,
    InputEvent,
)
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import Framer
from drivers.shoe.scanners.raw_code import RawCode

_SHIFTS: Final = frozenset({42, 54})
#: By the first key's code: the characters of a row of keys, plain and with Shift.
_ROWS: Final = {
    2: ("1234567890-=", "!@#$%^&*()_+"),
    15: ("\tqwertyuiop[]\r", "\tQWERTYUIOP{}\r"),
    30: ("asdfghjkl;'`", 'ASDFGHJKL:"~'),
    43: ("\\zxcvbnm,./", "|ZXCVBNM<>?"),
    55: ("*", "*"),
    57: (" ", " "),
    71: ("789-456+1230.", "789-456+1230."),
    96: ("\r", "\r"),
    98: ("/", "/"),
}
_PLAIN: Final = {at + n: row[n] for at, (row, _) in _ROWS.items() for n in range(len(row))}
_SHIFTED: Final = {at + n: row[n] for at, (_, row) in _ROWS.items() for n in range(len(row))}
#: A byte that is in no code: what it stands in is garbled.
_SPOILT: Final = 0xFF


class KeyboardFraming:
    """Cuts what a scanner types into raw codes.

    Raises `DeviceLost` where the kernel dropped events: what was typed then is unknown, and so is
    what follows.
    """

    def __init__(self, settings: ScannerSettings) -> None:
        self.to_send = b""
        self._path = str(settings.port)
        self._lines = Framer(settings)
        self._events = EventParts()
        self._shifts: set[int] = set()

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`, on the caller's clock; None while nothing is unfinished."""
        return self._lines.due_ns

    def feed(self, data: bytes, at_ns: int) -> list[RawCode]:
        """The codes that are whole once `data` has come."""
        typed = bytearray()
        for event in self._events.feed(data):
            self._key(event, typed)
        return self._lines.feed(bytes(typed), at_ns)

    def tick(self, at_ns: int) -> list[RawCode]:
        """The code that a silence until `at_ns` has ended, if any."""
        return self._lines.tick(at_ns)

    def _key(self, event: InputEvent, typed: bytearray) -> None:
        if event.kind == EV_SYN and event.code == SYN_DROPPED:
            raise DeviceLost(message("scanner-keys-lost", path=self._path))
        if event.kind != EV_KEY:
            return
        if event.code in _SHIFTS:
            (self._shifts.discard if event.value == UP else self._shifts.add)(event.code)
        elif event.value == DOWN:
            keys = _SHIFTED if self._shifts else _PLAIN
            character = keys.get(event.code)
            typed.append(_SPOILT if character is None else ord(character))
