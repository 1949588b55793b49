"""The same code again, sooner than a hand can draw the next card: counted, not taken (pure)."""

from __future__ import annotations

from typing import Final

from drivers.shoe.scanners.raw_code import RawCode

#: The same code within this time of its first is at most this many cards more: no hand is faster.
REPEAT_NS: Final = 100_000_000
AGAIN_MAX: Final = 4


class RepeatFilter:
    """Knows the code that came last. Cheap, since a scanner may send a flood of them."""

    def __init__(self) -> None:
        self._last: RawCode | None = None
        self._first_ns = 0
        self._again = 0

    def is_repeat(self, raw: RawCode, at_ns: int) -> bool:
        """Whether a code is the last one again, too soon for another card."""
        if raw != self._last or at_ns - self._first_ns >= REPEAT_NS:
            self._last, self._first_ns, self._again = raw, at_ns, 0
            return False
        self._again += 1
        return self._again > AGAIN_MAX

    def forget(self) -> None:
        """The next code is of another card, whatever it is."""
        self._last = None
