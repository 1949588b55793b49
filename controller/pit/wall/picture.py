"""A picture of the wall: what its page is sent of it, and what the wall keeps of each table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.alert_view import AlertView
from controller.pit.wall.tile import Tile

_ENCODER: Final = msgspec.json.Encoder()


class WallPlace(msgspec.Struct, frozen=True):
    """What is needed to put a table in its place, of a tile that is not looked at."""

    table: str
    need: str
    rank: int
    since_ms: int | None
    pit: str
    floor: str
    game: str


@dataclass(slots=True)
class ShownTable:
    """A table as it is shown: its tile and its place, and the pictures that changed them."""

    tile: Tile
    place: WallPlace
    place_json: bytes
    tile_picture: int
    place_picture: int
    _tile_json: bytes = b""

    def shows(self, tile: Tile, picture: int) -> None:
        """Another tile in the same place, since that picture."""
        self.tile, self.tile_picture, self._tile_json = tile, picture, b""

    @property
    def tile_json(self) -> bytes:
        """The tile, encoded once for all who look at it: of a large pit nobody looks at most."""
        if not self._tile_json:
            self._tile_json = _ENCODER.encode(self.tile)
        return self._tile_json


@dataclass(frozen=True, slots=True)
class Change:
    """What the page is sent: places of tables and tiles that changed, and the pit's own time.

    `standstill`: the archive's, null while it goes on. `alerts`: all that are open, where they
    changed; null where not.
    """

    picture: int
    at_ms: int
    standstill: ArchiveStandstill | None
    alerts: tuple[AlertView, ...] | None
    places: tuple[WallPlace, ...]
    tiles: tuple[Tile, ...]
