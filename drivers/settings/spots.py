"""`[bet_spots]`: RFID readers under the bet spots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from drivers.settings.checks import Wrong, refuse, within
from drivers.settings.panel import SPOTS_MAX

#: How a chip is spoken to, its maker's "host interface"; serial is its HSU.
Interface = Literal["serial", "spi", "i2c"]
#: How the names of a node begin.
_NODES: Final[dict[Interface, str]] = {
    "serial": "/dev/serial/by-path/…", "spi": "/dev/spidev0.0", "i2c": "/dev/i2c-1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BetSpotSettings:
    """`[bet_spots]`: an RFID reader with a node of its own under each spot, seat 1 first.

    `ports` are their nodes, "" for a seat without one; `interface` says what they are: "serial"
    lines, selects of an "spi" bus, or "i2c" buses (of which each has one reader); `chip` is that of
    the readers, "pn532" or, on SPI, "rc522". All are asked one after another, with a pause of
    `poll_ms` after the last; what lies there is believed once it was the same for `settle_ms`.
    `key_file` holds the house's key of the amounts on its tags; without one tags are only there or
    not.
    """

    ports: tuple[str, ...]
    interface: Interface = "serial"
    chip: Literal["pn532", "rc522"] = "pn532"
    poll_ms: int = 50
    settle_ms: int = 200
    key_file: Path | None = None

    def __post_init__(self) -> None:
        refuse(self._problems())

    @property
    def wired(self) -> tuple[str, ...]:
        """The nodes of the seats that have a reader."""
        return tuple(each for each in self.ports if each)

    def _problems(self) -> Iterator[Wrong]:
        if not self.wired or len(self.ports) > SPOTS_MAX:
            yield Wrong("ports", f'name 1 to {SPOTS_MAX}, "" for a seat without a reader')
        for each in self.wired:
            if not each.startswith("/"):
                as_ = _NODES[self.interface]
                yield Wrong("ports", f"name each node with the whole path, as {as_}")
        if len(set(self.wired)) != len(self.wired):
            yield Wrong("ports", "a port stands twice: every spot has a reader of its own")
        if self.chip == "rc522" and self.interface != "spi":
            yield Wrong("chip", 'an RC522 is spoken to on SPI: write interface = "spi"')
        yield from within("poll_ms", self.poll_ms, 0, 1_000)
        yield from within("settle_ms", self.settle_ms, 0, 2_000)
