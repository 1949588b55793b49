"""What the wall shows now, table by table, and what changed since any earlier picture of it.

News come as they like; pictures are drawn at most ten times a second. Each has a number, and each
table the number of the picture in which it changed last: whoever has seen picture N is sent what
changed after it, whether they missed one picture or a thousand. A broad `except` stands here: a
table whose status cannot be drawn keeps no other's tile from being drawn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Final

import msgspec

from controller.host.defects import report
from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.alert_view import AlertView
from controller.pit.wall.heard_tables import HeardTables
from controller.pit.wall.picture import ShownTable, WallPlace
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.status import TableNews, TableStatus
from controller.pit.wall.tile import Heard, RecordFinding, Tile, Unread, tile

#: The shortest time from one picture to the next.
PICTURE_S: Final = 0.1
#: How often tables are looked at of which nothing was heard: some are late or offline by now.
LOOK_S: Final = 1.0
#: Pictures of which it is known what changed in them: 10 s of a slow viewer.
RECENT: Final = 100


class Wall:
    """The tables of the pit. `clock_ms` is the pit's wall clock, `standstill` the archive's;
    `steady_ms` is a clock that nobody sets (None: `clock_ms` is one).
    """

    def __init__(
        self,
        settings: WallSettings,
        clock_ms: Callable[[], int],
        standstill: Callable[[], ArchiveStandstill | None] = lambda: None,
        steady_ms: Callable[[], int] | None = None,
    ) -> None:
        self.settings = settings
        self._clock_ms = clock_ms
        self._said = HeardTables(clock_ms, steady_ms or clock_ms)
        self._encode: Callable[[object], bytes] = msgspec.json.Encoder().encode
        self._findings: dict[str, RecordFinding] = {}
        #: Tables whose status cannot be drawn, and what is shown in its place.
        self._undrawn: dict[str, RecordFinding] = {}
        #: Tables that are out of service: they have no place until they are heard again.
        self._retired: frozenset[str] = frozenset()
        self._shown: dict[str, ShownTable] = {}
        self._stale: set[str] = set()
        self._viewers: set[asyncio.Event] = set()
        self._closing = False
        self.standstill = standstill
        self._still: ArchiveStandstill | None = None
        self._recent: deque[tuple[int, frozenset[str]]] = deque(maxlen=RECENT)
        self._places: dict[int, bytes] = {}
        self._alerts: tuple[AlertView, ...] = ()
        self._alerts_picture = 0
        self._alerts_stale = False
        #: Tables were taken from it since the newest picture.
        self._anew = False
        #: The number of the newest picture; 0: there is none.
        self.picture = 0
        #: How often tables were taken from it. What a page has of before is not to be added to.
        self.edition = 0
        for section in settings.sections:
            self._stale.update(section.tables)
        self._stale.update(settings.pages)

    @property
    def heard(self) -> Mapping[str, Heard]:
        """The newest status of each table, and when it was heard."""
        self._follow_clock()
        return self._said.heard

    @property
    def named(self) -> frozenset[str]:
        """The tables that the configuration names, but for those that are out of service."""
        sections = (each.tables for each in self.settings.sections)
        return frozenset().union(self.settings.pages, *sections) - self._retired

    @property
    def unread(self) -> Mapping[str, Unread]:
        """Tables that are heard, and cannot be read: what they showed last is old."""
        return self._said.unread

    def show_alerts(self, open_alerts: tuple[AlertView, ...]) -> None:
        """The alerts that are open, as the next picture shows them."""
        self._alerts_stale |= open_alerts != self._alerts
        self._alerts = open_alerts

    @property
    def needs(self) -> dict[str, str]:
        """What each table needs most, as of the newest picture: the value of its `Need`."""
        return {table: each.place.need for table, each in self._shown.items()}

    def status(self, table: str) -> TableStatus | None:
        """What a table said last; None: nothing."""
        heard = self._said.heard.get(table)
        return None if heard is None else heard.status

    def tile(self, table: str) -> Tile:
        """A table as it would be drawn now."""
        return self._made(table, self._clock_ms())

    def is_heard(self, table: str) -> bool:
        """Whether the table speaks: it is not offline."""
        self._follow_clock()
        return self._said.is_heard(table, self._silent_ms)

    @property
    def _silent_ms(self) -> float:
        return self.settings.offline_s * 1_000

    @property
    def speaking(self) -> frozenset[str]:
        """The tables that speak."""
        return frozenset(
            each for each in {*self._said.heard, *self._said.unread} if self.is_heard(each)
        )

    @property
    def retired(self) -> frozenset[str]:
        """Tables that are out of service, and have not been heard since."""
        return self._retired

    def knows(self, table: str) -> bool:
        """Whether the table has a place on the wall, or was heard."""
        return table in self._said.heard or table in self._shown or table in self._said.unread

    def hear(self, news: TableNews) -> None:
        """Take a table's status; an older one than is shown already is passed over."""
        self._follow_clock()
        self._retired -= {news.table}
        if self._said.hear(news):
            self._stale.add(news.table)

    def hear_unread(self, table: str, why: str) -> None:
        """A table speaks, and what it says is no status: it is not offline, and shows nothing."""
        self._follow_clock()
        self._said.hear_unread(table, why)
        self._retired -= {table}
        self._stale.add(table)

    def _follow_clock(self) -> None:
        if self._said.follow_clock():
            self._stale.update(self._said.heard)

    def find(self, table: str, finding: RecordFinding | None) -> None:
        """What the archive found in the table's record; None: nothing, or it was settled."""
        if finding is None:
            self._findings.pop(table, None)
        else:
            self._findings[table] = finding
        if table not in self._retired:
            self._stale.add(table)

    def expect(self, tables: Iterable[str]) -> None:
        """Tables that are known to the pit, whether they have been heard or not."""
        self._stale.update(
            each for each in tables if each not in self._shown and each not in self._retired
        )

    def retire(self, tables: frozenset[str]) -> None:
        """These are out of service, and no others: they have no place here, and call nobody, until
        they are heard again or put back.
        """
        back = self._retired - tables
        self._retired = tables
        self.forget(tables)
        self._stale |= back

    def forget(self, tables: Iterable[str]) -> None:
        """Tables that the pit no longer knows by these names: one was renamed, say. One that is
        heard again, or that the configuration names, stands there again.
        """
        said = self._said
        known = self._shown.keys() | said.heard.keys() | self._stale | said.unread.keys()
        gone = {each for each in tables if each in known}
        for each in gone:
            for of in (said.heard, self._findings, self._undrawn, said.unread, self._shown):
                of.pop(each, None)
        if gone:
            self.edition += 1
            self._recent.clear()
            self._stale -= gone - self.named
            self._stale |= gone & self.named
            self._anew = True

    async def run(self) -> None:
        """Draw pictures until cancelled; then viewers are let go, who would look at an old one."""
        next_look_s = 0.0
        self._closing = False
        try:
            while True:
                if (now_s := asyncio.get_running_loop().time()) >= next_look_s:
                    self._stale.update(self._shown)
                    next_look_s = now_s + LOOK_S
                self.draw()
                await asyncio.sleep(PICTURE_S)
        finally:
            self._closing = True
            self._tell()

    def draw(self) -> None:
        """Draw a picture of what was heard since the last one, if anything changed."""
        self._follow_clock()
        now_ms, number = self._clock_ms(), self.picture + 1
        changed = frozenset(each for each in self._stale if self._redraw(each, now_ms, number))
        self._stale.clear()
        still = self.standstill()
        if changed or still != self._still or self._alerts_stale or self._anew:
            self._still, self._anew = still, False
            self.picture = number
            if self._alerts_stale:
                self._alerts_picture, self._alerts_stale = number, False
            self._recent.append((number, changed))
            self._places.clear()
            self._tell()

    def _tell(self) -> None:
        for viewer in self._viewers:
            viewer.set()

    def _redraw(self, table: str, now_ms: int, number: int) -> bool:
        """Whether the table looks otherwise than in the last picture."""
        known, of = self._shown.get(table), self._drawn_of(table)
        try:
            same = known is not None and known.still_shows(*of, now_ms, self.settings)
        except Exception:  # noqa: BLE001  (see the head of this file)
            same = False  # it is named as it is drawn
        if same:
            return False
        made, of = self._made(table, now_ms), self._drawn_of(table)
        if known is not None and known.tile == made:
            known.heard, known.finding = of
            return False
        place = WallPlace(
            made.table, made.need, made.rank, made.since_ms, made.pit, made.floor, made.game
        )
        if known is not None and known.place == place:
            known.shows(made, number, *of)
        else:
            encoded = self._encode(place)
            self._shown[table] = ShownTable(made, place, encoded, number, number, *of)
        return True

    def _drawn_of(self, table: str) -> tuple[Heard | None, RecordFinding | None]:
        """What a table is drawn of now, where that is all there is to its tile."""
        if table in self._said.unread or table in self._undrawn:
            return None, None
        return self._said.heard.get(table), self._findings.get(table)

    def _made(self, table: str, now_ms: int) -> Tile:
        """The tile of a table; of one that says what cannot be drawn, that: the others' are."""
        if (unread := self._said.unread.get(table)) is not None:
            if now_ms - unread.at_ms <= self._silent_ms:
                said = RecordFinding(unread.text, unread.since_ms)
                return tile(table, None, said, now_ms, self.settings)
            del self._said.unread[table]  # it is silent by now
        heard, finding = self._said.heard.get(table), self._findings.get(table)
        try:
            made = tile(table, heard, finding, now_ms, self.settings)
        except Exception as error:  # noqa: BLE001  (see the head of this file)
            if table not in self._undrawn:
                what = f"what {table} says cannot be drawn"
                self._undrawn[table] = RecordFinding(report(what, error), now_ms)
            return tile(table, None, self._undrawn[table], now_ms, self.settings)
        self._undrawn.pop(table, None)
        return made

    async def changed(self) -> AsyncIterator[None]:
        """Yields at once and after each picture, until the wall ends."""
        drawn = asyncio.Event()
        self._viewers.add(drawn)
        try:
            while not self._closing:
                drawn.clear()
                yield
                await drawn.wait()
        finally:
            self._viewers.discard(drawn)

    def changes(self, after: int, in_view: frozenset[str] | None) -> bytes:
        """What changed after the picture `after` (0: everything), as JSON of a `Change`.

        Tiles only of the tables `in_view`; None: of all.
        """
        changed = self._changed_after(after)
        wanted = changed if in_view is None else changed & in_view
        shown = (self._shown[table] for table in sorted(wanted))
        tiles = b",".join(each.tile_json for each in shown if each.tile_picture > after)
        has_alerts = after and self._alerts_picture <= after
        form = b'{"picture":%d,"at_ms":%d,"standstill":%b,"alerts":%b,"places":[%b],"tiles":[%b]}'
        return form % (
            self.picture, self._clock_ms(), self._encode(self._still),
            self._encode(None if has_alerts else self._alerts),
            self._places_after(after, changed), tiles,
        )  # fmt: skip

    def _changed_after(self, after: int) -> frozenset[str]:
        """The tables that changed after a picture; all of them if that was long ago."""
        if not self._recent or after < self._recent[0][0] - 1:
            return frozenset(self._shown)
        recent = (tables for number, tables in self._recent if number > after)
        return frozenset().union(*recent)

    def _places_after(self, after: int, changed: frozenset[str]) -> bytes:
        """The places that changed, encoded once for all who have the same picture."""
        known = self._places.get(after)
        if known is None:
            shown = (self._shown[table] for table in sorted(changed))
            known = b",".join(each.place_json for each in shown if each.place_picture > after)
            # Pages name the picture: while nothing changes one could name all that there were.
            if len(self._places) <= RECENT:
                self._places[after] = known
        return known
