"""Pure: the slots of DMX fixtures, by whatever way they are sent: one fixture a spot, in a row."""

from __future__ import annotations

from typing import Protocol

from controller.devices.lights import Colour


class FixturesInRow(Protocol):
    """Where the fixtures stand: the first slot, and the order and brightness of each one's."""

    @property
    def first(self) -> int:
        """The first slot of seat 1, from 1."""
        ...

    @property
    def order(self) -> str:
        """What a fixture's slots are: r, g, b, w, and d for a dimmer."""
        ...

    @property
    def brightness(self) -> int:
        """What a lit slot has, of 255."""
        ...


def slots(fixtures: FixturesInRow, colours: list[Colour]) -> bytes:
    """The slots from 1 on that show these colours, one a spot; before the first all are 0."""
    made = bytes(fixtures.first - 1)
    for red, green, blue in colours:
        lit = {"r": red, "g": green, "b": blue, "d": red or green or blue}
        made += bytes(fixtures.brightness * lit.get(each, False) for each in fixtures.order)
    return made
