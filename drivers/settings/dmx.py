"""`[dmx]`: the spots' lights as fixtures of a DMX line, by an interface on USB."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from drivers.settings.checks import Wrong, refuse, within
from drivers.settings.panel import SPOTS_MAX
from drivers.settings.sacn import Order, last_first


@dataclass(frozen=True, slots=True)
class DmxSettings:
    """`[dmx]`: one fixture a spot on the line of a DMX USB Pro, seat 1 at slot `first`.

    `port` is the interface's node. `order` is that of a fixture's slots: d for a dimmer, which is
    lit with its colours.
    """

    port: str
    spots: int = 7
    first: int = 1
    order: Order = "rgb"
    brightness: int = 255

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.port.startswith("/"):
            yield Wrong("port", "name its node with the whole path, as /dev/serial/by-id/…")
        yield from within("spots", self.spots, 1, SPOTS_MAX)
        yield from within("first", self.first, 1, last_first(self.order, self.spots))
        yield from within("brightness", self.brightness, 1, 255)
