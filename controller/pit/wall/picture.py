"""A picture of the wall: what its page is sent of it, and what the wall keeps of each table."""

from __future__ import annotations

from dataclasses import dataclass

from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.alert_view import AlertView
from controller.pit.wall.tile import Tile


@dataclass(frozen=True, slots=True)
class WallPlace:
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
    """A table as it is shown: its tile and place, encoded, and the pictures that changed them."""

    tile: Tile
    place: WallPlace
    tile_json: bytes
    place_json: bytes
    tile_picture: int
    place_picture: int


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
