"""Every spot's lamps at the pins against what the dealer's display says of it.

The dealer looks at the light of the hand in turn; here is looked at all others, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, Protocol

from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from sim_hw.devices.spot_lamps import DARK, LampColour
from sim_hw.people.page_link import Link
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Display

#: What all spots of a held table may say: whether somebody was called is not on the display.
HELD: Final = frozenset({Light.HELD, Light.CALLING})
_COLOURS: Final[Mapping[Light, LampColour]] = {
    light: LampColour(*look.colour) for light, look in LOOKS.items()
}


class SpotEyes(Protocol):
    """Eyes on the spots, by the lamps at their pins."""

    def spot(self, seat: int) -> LampColour:
        """What the spot of `seat` shows at this instant."""
        ...

    def perceived(self, seat: int) -> LampColour:
        """The colour that an eye takes from it: in the dark of a blink, the one before."""
        ...


def told(display: Display, seats: int) -> tuple[frozenset[Light], ...]:
    """What each spot may say by the display, seat 1 first; nothing where it is no live picture."""
    if display.safe:
        return ()
    if display.holds:
        return (HELD,) * seats
    if display.phase not in ("betting", "round"):
        return (frozenset({Light.SHUFFLE}),) * seats
    lights = [Light.EMPTY] * seats
    for hand in display.hands:
        at = hand.place.seat - 1
        light = Light(hand.light)
        # Between rounds the last one's hands are still shown; only a bet lies at its spot.
        if display.phase == "betting" and light is not Light.BET:
            continue
        # Of several hands at a spot, the one in turn speaks for it.
        if lights[at] is Light.EMPTY or hand.active:
            lights[at] = light
    return tuple(frozenset({each}) for each in lights)


class SpotCheck:
    """Looks whether the spots show what the display says, `within_s` of a picture.

    `looked` counts the pictures to which all spots agreed, `wrong` says which spots did not show
    what, one line for each.
    """

    def __init__(self, spots: SpotEyes, link: Link, changes: Changes, within_s: float) -> None:
        self.looked = 0
        self.wrong: list[str] = []
        self._spots = spots
        self._link = link
        self._changes = changes
        self._within_s = within_s

    async def look(self, seats: int) -> None:
        """Compare with the newest picture; until they agree, it is another one, or it is late."""
        display = self._link.display
        if display is None or not (wanted := told(display, seats)):
            return
        now_s = asyncio.get_running_loop().time
        late_s = now_s() + self._within_s
        while True:
            count = self._changes.count
            wrong = [
                f"seat {seat} shows {_words(self._spots.spot(seat))} and the display says"
                f" {' or '.join(sorted(each.value for each in may))}: {display.headline}"
                for seat, may in enumerate(wanted, start=1)
                if not any(self._shows(seat, each) for each in may)
            ]
            if not wrong:
                self.looked += 1
                return
            left_s = late_s - now_s()
            if self._link.display is not display:
                return  # lamps and display were on their way to another picture
            if left_s <= 0:
                self.wrong += wrong
                return
            await self._changes.wait(left_s, count)

    def _shows(self, seat: int, light: Light) -> bool:
        # The dark of a blink is no spot that is dark.
        if light is Light.EMPTY:
            return self._spots.spot(seat) == DARK
        return self._spots.perceived(seat) == _COLOURS[light]


def _words(colour: LampColour) -> str:
    return "+".join(name for name, lit in colour._asdict().items() if lit) or "dark"
