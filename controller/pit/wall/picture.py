"""A picture of the wall: what its page is sent of it, and what the wall keeps of each table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.alert_view import AlertView
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.tile import Heard, RecordFinding, Tile, need_of

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
    """A table as it is shown: its tile and its place, and the pictures that changed them. It was
    drawn of `heard` and `finding` (both None: of something else); of the same at another time only
    what it needs may differ.
    """

    tile: Tile
    place: WallPlace
    place_json: bytes
    tile_picture: int
    place_picture: int
    heard: Heard | None
    finding: RecordFinding | None
    _tile_json: bytes = b""

    def still_shows(
        self, heard: Heard | None, finding: RecordFinding | None, now_ms: int,
        settings: WallSettings,
    ) -> bool:  # fmt: skip
        """Whether nothing was heard or found since, and no time has passed that tells: a thousand
        tables are looked at each second.
        """
        if heard is None or self.heard is not heard or self.finding is not finding:
            return False
        need, since_ms = need_of(heard, finding, now_ms, settings)
        return (self.tile.need, self.tile.since_ms) == (need.value, since_ms)

    def shows(
        self, tile: Tile, picture: int, heard: Heard | None, finding: RecordFinding | None
    ) -> None:
        """Another tile in the same place, since that picture, of what was heard and found."""
        self.tile, self.tile_picture, self._tile_json = tile, picture, b""
        self.heard, self.finding = heard, finding

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
