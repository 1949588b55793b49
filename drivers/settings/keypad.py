"""`[keypad]`, `[pedal]`: a USB keypad or a foot pedal, by the keys that it types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from drivers.settings.checks import Wrong, refuse, within
from drivers.settings.panel import BUTTON_NAMES, DEFAULT_STUCK_S

_ROWS: Final = (
    (1, "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P"),
    (28, "ENTER"), (30, "A S D F G H J K L"), (44, "Z X C V B N M"), (57, "SPACE"),
    (55, "KPASTERISK"), (59, "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10"),
    (71, "KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT"), (87, "F11 F12"),
    (96, "KPENTER"), (98, "KPSLASH"),
    (102, "HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT DELETE"), (69, "NUMLOCK"),
    (183, "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    (272, "MOUSE_LEFT MOUSE_RIGHT MOUSE_MIDDLE"),
)  # fmt: skip
#: The kernel's codes of keys (linux/input-event-codes.h), by their names there.
KEYS: Final = {
    name: first + n for first, row in _ROWS for n, name in enumerate(row.split())
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeypadSettings:
    """`[keypad]` or `[pedal]`: `device` is its node, `next` and the others the key that means it.

    Keys are named as Linux names them, without KEY_: KPENTER, A, F13. A key that is down for
    `debounce_ms` counts (0: at once; USB keys do not bounce, and a pedal may let go at once).
    """

    device: str
    next: str | None = None
    stand: str | None = None
    hit: str | None = None
    repeat: str | None = None
    call: str | None = None
    debounce_ms: int = 0
    stuck_s: int = DEFAULT_STUCK_S

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.device.startswith("/"):
            yield Wrong("device", "name its node with the whole path, as /dev/input/by-id/…")
        named = {name: getattr(self, name) for name in BUTTON_NAMES}
        keys = {name: key for name, key in named.items() if key is not None}
        for name, key in keys.items():
            if key not in KEYS:
                near = get_close_matches(key.upper().removeprefix("KEY_"), KEYS) or [
                    "KPENTER",
                    "F13",
                ]
                yield Wrong(
                    name,
                    f"there is no key {key}: write it as evtest shows it, without KEY_, perhaps"
                    f" {' or '.join(near)}",
                )
        if not keys:
            yield Wrong("next", "there is no key: give at least this one")
        if len(set(keys.values())) != len(keys):
            yield Wrong("next", "a key stands twice: everything it can mean needs its own")
        yield from within("debounce_ms", self.debounce_ms, 0, 500)
        yield from within("stuck_s", self.stuck_s, 1, 600)
