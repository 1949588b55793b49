"""What the lamps of the spots show, put together from the levels of their pins. Reads no clock."""

from __future__ import annotations

from typing import Final, NamedTuple

#: Shorter than this and no eye saw it: three pins of one spot do not switch in one instant.
EYE_MS: Final = 5


class LampColour(NamedTuple):
    """What a spot shows: which of its three lamps are lit."""

    red: bool
    green: bool
    blue: bool


DARK: Final = LampColour(False, False, False)


class SpotLamps:
    """The lamps of a table. `spots[0]` is seat 1: its red, green and blue pin."""

    def __init__(self, spots: tuple[tuple[int, int, int], ...], *, active_low: bool) -> None:
        self._spots = spots
        self._active_low = active_low
        self._levels: dict[int, int] = {}
        self._spot_of = {pin: at for at, pins in enumerate(spots) for pin in pins}
        self._shown = [DARK] * len(spots)
        self._since_ns = [0] * len(spots)
        self._colour_before = [DARK] * len(spots)

    def shown(self, seat: int) -> LampColour:
        """What the spot of `seat` shows at this instant."""
        return self._shown[seat - 1]

    def since_ns(self, seat: int) -> int:
        """Since when it shows that."""
        return self._since_ns[seat - 1]

    def perceived(self, seat: int) -> LampColour:
        """The colour that an eye takes from the spot: in the dark of a blink, the one before."""
        at = seat - 1
        shown = self._shown[at]
        return self._colour_before[at] if shown == DARK else shown

    def output(self, pin: int, level: int | None, at_ns: int) -> int | None:
        """A pin puts out `level` since `at_ns`, or (None) nothing; the seat that shows another
        colour now, if any.
        """
        if level is None:
            self._levels.pop(pin, None)
        else:
            self._levels[pin] = level
        at = self._spot_of.get(pin)
        if at is None:
            return None
        before = self._shown[at]
        if before != DARK and at_ns - self._since_ns[at] >= EYE_MS * 1_000_000:
            self._colour_before[at] = before
        lit = LampColour(*(self._lit(each) for each in self._spots[at]))
        if lit == before:
            return None
        self._shown[at], self._since_ns[at] = lit, at_ns
        return at + 1

    def _lit(self, pin: int) -> bool:
        if pin not in self._levels:
            return False
        return bool(self._levels[pin]) is not self._active_low
