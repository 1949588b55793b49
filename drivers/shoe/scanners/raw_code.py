"""A raw code: what one packet, line or report of a scanner holds, before anybody looks it up."""

from __future__ import annotations

from typing import Final, Protocol

from controller.devices.inputs import Doubt

RawCode = bytes | Doubt
"""A whole code in printable ASCII, or why it cannot be one."""

_PRINTABLE: Final = frozenset(range(0x20, 0x7F))


def checked(code: bytes) -> RawCode:
    """The code, or that it is garbled: control characters and bytes outside ASCII are in none."""
    return code if _PRINTABLE.issuperset(code) else Doubt.GARBLED


class Framing(Protocol):
    """Cuts what a scanner sends into raw codes. It has no clock: times are the caller's, in ns."""

    to_send: bytes
    """What the scanner waits to hear; whoever sends it empties it."""

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing is unfinished."""
        ...

    def feed(self, data: bytes, at_ns: int) -> list[RawCode]:
        """The codes that are whole once `data` has come."""
        ...

    def tick(self, at_ns: int) -> list[RawCode]:
        """What a silence until `at_ns` has ended, if anything."""
        ...
