"""One table on the wall: what it needs, how urgently, and since when. Pure.

What is made anew of every status that comes (five thousand a second, of a thousand tables) is a
struct of msgspec: a frozen dataclass takes ten times as long to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import msgspec

from controller.pit.wall.settings import WallSettings
from controller.pit.wall.status import OpenAlarm, TableStatus

_BETTING: Final = "betting"
_ROUND: Final = "round"
#: The tone of a table whose record is not available.
_SAFE: Final = "safe"


class Need(Enum):
    """What a table needs, the most urgent first; the value is its name in addresses and styles."""

    STOPPED = "stopped"
    HELD = "held"
    RECORD = "record"
    ALARM = "alarm"
    OFFLINE = "offline"
    LATE = "late"
    SHUFFLE = "shuffle"
    PLAYING = "playing"
    OPEN = "open"
    CLOSED = "closed"
    DEAD_SPREAD = "dead"
    NEVER_HEARD = "unknown"


#: Who must act on what the table itself does not know of.
_WHO: Final = {Need.RECORD: "engineer", Need.OFFLINE: "floor"}

#: The order of the tiles: the place of each need.
URGENCY: Final = {need: place for place, need in enumerate(Need)}


class Heard(msgspec.Struct, frozen=True):
    """The newest status of a table, when the pit got it, and by how much its clock is off.

    `clock_ms` is the table's clock less the pit's, as far as messages can tell. `stopped_ms`: since
    when the table says that its record is not available, as the pit heard it. `before_set`: the
    pit's own clock was set since. `body`: the message itself, of which a live page shows more.
    """

    status: TableStatus
    at_ms: int
    clock_ms: int = 0
    stopped_ms: int | None = None
    before_set: bool = False
    body: bytes = b""

    @property
    def stopped(self) -> bool:
        """Whether the table shows that its record is not available."""
        return self.status.tone == _SAFE


@dataclass(frozen=True, slots=True)
class RecordFinding:
    """Something that the archive found in a table's record: a gap, a fork, a broken link."""

    text: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A table that speaks, and what it says is no status: since when, and when it spoke last."""

    text: str
    since_ms: int
    at_ms: int


class Tile(msgspec.Struct, frozen=True):
    """A table as the wall shows it; texts are the table's own. Times are the pit's, in ms.

    `since_ms` is null where it is not known. `pace` is rounds an hour, `target` what the house
    expects. `stakes` are the least and the largest bet, in minor units, both 0 where they are not
    known; `deals` is who deals. `seats_taken` of `seats` have a hand. `shoe` is the part of the
    shoe that is gone, up to the cut. `unheard`: alarms that nobody has answered. `page`: the
    table's own.
    """

    table: str
    need: str
    rank: int
    pit: str
    floor: str
    game: str
    limits: str
    stakes: tuple[int, int]
    deals: str
    waiting_for: str
    why: str
    who: str
    since_ms: int | None
    round: int
    rounds_played: int
    pace: float | None
    target: float | None
    seats_taken: int
    seats: int
    shoe: float
    holds: int
    alarms: int
    unheard: int
    simulated: bool
    software: str
    seq: int
    house_loses: str
    edge_note: str
    page: str


def need_of(
    heard: Heard | None, finding: RecordFinding | None, now_ms: int, settings: WallSettings
) -> tuple[Need, int | None]:
    """What the table needs most, and since when."""
    if heard is None:
        return (Need.NEVER_HEARD, None) if finding is None else (Need.RECORD, finding.since_ms)
    status = heard.status
    since_ms = _ours(heard, status.since_ms)
    if heard.stopped:
        return Need.STOPPED, heard.stopped_ms
    if status.holds:
        return Need.HELD, _ours(heard, min(hold.since_ms for hold in status.holds))
    if finding is not None:
        return Need.RECORD, finding.since_ms
    calling = [alarm for alarm in status.alarms if alarm.level and not alarm.acknowledged]
    if calling:
        return Need.ALARM, _ours(heard, min(alarm.since_ms for alarm in calling))
    if now_ms - heard.at_ms > settings.offline_s * 1_000:
        return Need.OFFLINE, heard.at_ms
    if status.closed and status.phase == _BETTING:
        return Need.CLOSED, since_ms
    waited_s = (now_ms - since_ms) / 1_000 if since_ms else 0.0
    if status.phase == _BETTING and not _taken(status):
        return (Need.DEAD_SPREAD if waited_s > settings.dead_spread_s else Need.OPEN), since_ms
    if waited_s > settings.late_s:
        return Need.LATE, since_ms
    if status.phase == _BETTING:
        return Need.OPEN, since_ms
    return (Need.PLAYING if status.phase == _ROUND else Need.SHUFFLE), since_ms


def tile(
    table: str,
    heard: Heard | None,
    finding: RecordFinding | None,
    now_ms: int,
    settings: WallSettings,
) -> Tile:
    """The tile of a table; of one that is offline, what it showed last."""
    need, since_ms = need_of(heard, finding, now_ms, settings)
    section = settings.section(table)
    pit, floor = (section.pit, section.floor) if section else ("", "")
    page = settings.pages.get(table, "")
    if heard is None:
        return Tile(
            table=table, need=need.value, rank=URGENCY[need], pit=pit, floor=floor, game="",
            limits="", stakes=(0, 0), deals="", waiting_for=_said(need, None, finding), why="",
            who=_WHO.get(need, ""), since_ms=since_ms, round=0, rounds_played=0, pace=None,
            target=None, seats_taken=0, seats=0, shoe=0.0, holds=0, alarms=0, unheard=0,
            simulated=False, software="", seq=0, house_loses="", edge_note="", page=page,
        )  # fmt: skip
    status = heard.status
    gravest = _gravest(status.alarms)
    return Tile(
        table=table, need=need.value, rank=URGENCY[need], pit=pit, floor=floor, game=status.game,
        limits=status.limits, stakes=status.stakes, deals=status.deals,
        waiting_for=_said(need, gravest, finding) or status.waiting_for,
        why=gravest.text if need is Need.ALARM and gravest else status.why,
        who=_who(need, gravest) or status.who, since_ms=since_ms,
        round=status.round, rounds_played=status.rounds_played, pace=status.rounds_per_hour,
        target=settings.target.get(status.game), seats_taken=len(_taken(status)),
        seats=status.seats, shoe=_shoe(status), holds=len(status.holds),
        alarms=len(status.alarms), unheard=_unheard(status.alarms),
        simulated=status.simulated, software=status.software, seq=status.seq,
        house_loses=status.house_loses, edge_note=status.edge_note,
        page=page,
    )  # fmt: skip


def _said(need: Need, gravest: OpenAlarm | None, finding: RecordFinding | None) -> str:
    """What the tile says in place of what the table waits for; empty: what it waits for."""
    if need is Need.RECORD and finding is not None:
        return finding.text
    if need is Need.ALARM and gravest is not None:
        return gravest.title
    return ""


def _who(need: Need, gravest: OpenAlarm | None) -> str:
    """Who must act in place of whom the table names; empty: whom it names."""
    if need is Need.ALARM and gravest is not None:
        return gravest.who
    return _WHO.get(need, "")


def _gravest(alarms: tuple[OpenAlarm, ...]) -> OpenAlarm | None:
    """The alarm that calls furthest, and of those the oldest."""
    if not alarms:  # as of nearly every table
        return None
    calling = [alarm for alarm in alarms if alarm.level and not alarm.acknowledged]
    return min(calling, key=lambda alarm: (-alarm.level, alarm.since_ms), default=None)


def _unheard(alarms: tuple[OpenAlarm, ...]) -> int:
    """Alarms that nobody has answered."""
    return sum(not alarm.heard for alarm in alarms) if alarms else 0


def _taken(status: TableStatus) -> frozenset[int]:
    """The seats that have a hand or a bet."""
    return frozenset(hand.seat for hand in status.hands if hand.seat)


def _shoe(status: TableStatus) -> float:
    """The part of the shoe that is gone, of what is dealt before the shuffle."""
    dealt = status.shoe.cut or status.shoe.size
    return round(min(status.shoe.gone / dealt, 1.0), 3) if dealt else 0.0


def _ours(heard: Heard, at_ms: int) -> int | None:
    """A time of the table's clock by the pit's; null where the table gives none."""
    return at_ms - heard.clock_ms if at_ms else None
