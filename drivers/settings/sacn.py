"""`[sacn]`: the spots' lights as fixtures of a DMX universe, over the network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from typing import Final, Literal

from drivers.settings.checks import Wrong, refuse, within
from drivers.settings.panel import SPOTS_MAX

SLOTS_MAX: Final = 512

Order = Literal["rgb", "rgbw", "drgb", "drgbw"]


@dataclass(frozen=True, slots=True)
class SacnSettings:
    """`[sacn]`: one fixture a spot in a universe of E1.31, seat 1 at slot `first`.

    `host` is the receiver's IPv4 address; without it the universe's multicast group is sent to, by
    the network card of the address `via` where there are several. `order` is that of a fixture's
    slots: d for a dimmer, which is lit with its colours. `priority` is that of E1.31 (0 to 200): a
    lighting desk with a higher one takes the fixtures.
    """

    universe: int
    host: str = ""
    via: str = ""
    spots: int = 7
    first: int = 1
    order: Order = "rgb"
    brightness: int = 255
    priority: int = 100

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from within("universe", self.universe, 1, 63_999)
        yield from within("spots", self.spots, 1, SPOTS_MAX)
        yield from within("first", self.first, 1, last_first(self.order, self.spots))
        yield from within("brightness", self.brightness, 1, 255)
        yield from within("priority", self.priority, 0, 200)
        for name in ("host", "via"):
            if (text := getattr(self, name)) and not _is_address(text):
                yield Wrong(name, "write an IPv4 address, as 192.168.7.20")

    @property
    def address(self) -> str:
        """Where the packets go: to the host, or the group of the universe (E1.31, 9.3.1)."""
        return self.host or f"239.255.{self.universe >> 8}.{self.universe & 0xFF}"


def last_first(order: Order, spots: int) -> int:
    """The last slot at which fixtures of all spots can begin."""
    return SLOTS_MAX + 1 - len(order) * min(max(spots, 1), SPOTS_MAX)


def _is_address(text: str) -> bool:
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True
