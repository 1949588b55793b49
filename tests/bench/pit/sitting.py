"""Four hours of a table, from its rack's opener to the closer: as records, and as rows of the pit.

They are played here once. Whatever a table does on later days is the same under later numbers, so
that the rows of one sitting, moved on, are those of a table that has played for months.
`tests/pit/archive/test_filled.py` archives such days record by record and holds the two together.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Engine, Table, select

from controller.bus.messages import batch
from controller.odds.live.leak_watch import LeakWatch
from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FoldState, quarter_of
from controller.pit.archive.books.follower import Follower
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.store import Store
from controller.record.days.gaming_day import rows_of
from controller.record.files.head_anchor import genesis
from controller.record.reading.expected import Holders
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import PersonId
from tests.pit.archive.messages import mark_before
from tests.records.dealing import called_and_released, corrected, racked, signed, square, unread
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit
from tests.support.dealt.journals import identity_of
from tests.table.money.cage import chips

ROUNDS: Final = 240
A_ROUND_MS: Final = 57_000
#: With some minutes for those who sign and count, in which the table stands idle.
HOUR_MS: Final = 3_600_000
SITTING_MS: Final = 4 * HOUR_MS
#: A dealer deals so many rounds, then another.
A_DEALER: Final = 40
SEATS: Final = 5
MOST_PLAYERS: Final = 3


class TableNumbers(NamedTuple):
    """How far the numbers of a table have come."""

    record: int = 0
    round: int = 0
    hold: int = 0
    shoe: int = 0
    slip: int = 0
    shift: int = 0

    def after(self, more: TableNumbers) -> TableNumbers:
        """After a sitting."""
        return TableNumbers(*(mine + theirs for mine, theirs in zip(self, more, strict=True)))


#: The columns that later days have otherwise: a number that goes on (a field of `TableNumbers`),
#: `ms` a time, `quarter` the quarter of an hour of one, `day` the day's label, `dealer` who deals
#: then. A number 0 stays 0.
MOVES: Final[dict[Table, dict[str, str]]] = {
    s.ROUNDS: {
        "seq": "record", "number": "round", "day": "day", "dealer": "dealer", "began_ms": "ms",
        "ended_ms": "ms",
    },
    s.HANDS: {"seq": "record", "round": "round"},
    s.HOLDS: {
        "seq": "record", "number": "hold", "round": "round", "began_ms": "ms", "released_ms": "ms",
    },
    b.RACK_SHIFTS: {
        "number": "shift", "day": "day", "opened_ms": "ms", "closed_ms": "ms",
        "first_round": "round", "last_round": "round",
    },
    b.SLIPS: {
        "slip": "slip", "seq": "record", "shift": "shift", "at_ms": "ms", "since": "shift",
        "taken": "slip", "void_ms": "ms", "day": "day", "dealer": "dealer",
    },
    b.STOPS: {
        "number": "hold", "seq": "record", "day": "day", "shift": "shift", "dealer": "dealer",
        "round": "round", "began_ms": "ms", "answered_ms": "ms", "released_ms": "ms",
    },
    b.SHOES: {"seq": "record", "day": "day", "at_ms": "ms", "number": "shoe"},
    b.TALLIES: {"day": "day", "quarter_ms": "quarter", "shift": "shift", "dealer": "dealer"},
    b.READS: {"day": "day"},
    b.ROUND_CARDS: {"at_ms": "ms", "seq": "record"},
    b.ROUND_AMOUNTS: {"at_ms": "ms", "seq": "record"},
}  # fmt: skip
#: The same of facts.
FACTS: Final[dict[type, dict[str, str]]] = {
    f.BetsClosed: {"number": "round"}, f.DummyBegan: {"number": "round"},
    f.RoundEnded: {"number": "round"}, f.RoundVoided: {"number": "round"},
    f.RoundCorrected: {"number": "round"}, f.SettledRoundVoided: {"number": "round"},
    f.HoldRaised: {"number": "hold", "round": "round"},
    f.HoldReleased: {"number": "hold"}, f.ResolutionChosen: {"number": "hold"},
    f.PackLoaded: {"number": "shoe"}, f.ShoeReconciled: {"number": "shoe"},
    f.RackOpened: {"slip": "slip"}, f.RackClosed: {"slip": "slip"},
    f.SlipSigned: {"slip": "slip"}, f.DropBoxChanged: {"slip": "slip"},
    f.ChipsBought: {"slip": "slip"}, f.SoftCounted: {"slip": "slip", "taken": "slip"},
    f.SlipVoided: {"slip": "slip"},
    f.DayOpened: {"label": "day"}, f.DealerChanged: {"person": "dealer"},
}  # fmt: skip
Move = Callable[[str, Any], Any]
"""Moves a value of a kind of `MOVES`."""


@dataclass(frozen=True, slots=True)
class SittingPlace:
    """Which sitting of which table it is: what was before it, when it begins, who deals."""

    before: TableNumbers
    began_ms: int
    dealers: Sequence[str]

    @property
    def day(self) -> str:
        """The label of its gaming day."""
        return datetime.fromtimestamp(self.began_ms / 1_000, UTC).date().isoformat()

    def move(self, kind: str, value: Any) -> Any:
        """A value of the sitting as it is there."""
        if value is None:
            return None
        if kind == "day":
            return self.day
        if kind == "dealer":
            return self.dealers[int(value)] if value else value
        if kind in ("ms", "quarter"):
            at_ms = value + self.began_ms
            return at_ms if kind == "ms" else quarter_of(at_ms)
        return value + getattr(self.before, kind) if value else 0

    def moved_back(self, kind: str, value: Any) -> Any:
        """The contrary: a value as it is there, as of the sitting itself."""
        if value is None:
            return None
        if kind == "day":
            assert value == self.day
            return ""
        if kind == "dealer":
            return str(self.dealers.index(value)) if value else value
        if kind in ("ms", "quarter"):
            return value - self.began_ms
        found = value - getattr(self.before, kind) if value else 0
        assert found >= 0
        return found

    def records(self, played: Sequence[f.Record]) -> list[f.Record]:
        """Records of the sitting as they are there."""
        return [
            each._replace(
                seq=each.seq + self.before.record, at_ms=each.at_ms + self.began_ms,
                fact=moved(each.fact, FACTS.get(type(each.fact), {}), self.move),
            )
            for each in played
        ]  # fmt: skip


def moved(fact: Any, kinds: dict[str, str], move: Move) -> Any:
    """A fact with its numbers moved."""
    changes = {name: move(kind, getattr(fact, name)) for name, kind in kinds.items()}
    return replace(fact, **changes) if changes else fact


@dataclass(frozen=True, slots=True)
class TableSitting:
    """A sitting; times in ms after it began. `rows` are by table and column, `kept` is what the
    books read the next record with.
    """

    game: str
    records: Sequence[f.Record]
    uses: TableNumbers
    rows: dict[Table, dict[str, list[Any]]]
    kept: FoldState


def play(game: str, seed: int) -> list[f.Record]:
    """The records of a sitting; a dealer is the number of the turn, times begin with 0."""
    pit = CalendarPit(game, SEATS)
    mixed = Random(seed)
    croupier = Croupier(pit, mixed)
    began_ms = pit.now_ms
    # Before the rack: its slips would else be of whoever dealt last in the sitting before.
    _dealt_by(pit, 0)
    racked(pit)
    few, most = pit.state.game.seats.start, 1 if pit.state.game.vying else 20
    for number in range(ROUNDS):
        pit.set_clock_ms(max(pit.now_ms, began_ms + number * A_ROUND_MS))
        if number and number % A_DEALER == 0:
            _dealt_by(pit, number // A_DEALER)
        playing = sorted(
            mixed.sample(range(1, SEATS + 1), mixed.randint(few, max(few, MOST_PLAYERS)))
        )
        croupier.round({seat: 1_000 * mixed.randint(1, most) for seat in playing})
        _trouble(pit, croupier, number)
    signed(pit, i.CloseRack(chips(30, 30, 30), roll=False, box="A8"))
    signed(pit, i.CountBox(pit.state.money.slips, 12_300 + 100 * seed))
    # A day's later sitting opens no day; the books take the same day twice for one.
    return [
        each._replace(seq=at, at_ms=each.at_ms - began_ms) for at, each in enumerate(pit.records, 1)
    ]


def _dealt_by(pit: CalendarPit, turn: int) -> None:
    changed = f.DealerChanged(PersonId(str(turn)), 0)
    pit.records.append(pit.records[-1]._replace(fact=changed))


def _trouble(pit: CalendarPit, croupier: Croupier, number: int) -> None:
    match number:
        case 30 | 150:
            called_and_released(pit)
        case 70:
            corrected(pit, pit.state.counts.rounds)
        case 110:
            unread(pit, croupier)
        case 190:
            pit.give(i.Happened(Reason.MISDEAL, pit.state.counts.rounds))
            assert pit.resolve(Resolution.VOID).refused == ""
            square(pit)


def uses(played: Sequence[f.Record]) -> TableNumbers:
    """How many numbers of each kind a sitting takes."""
    kinds = [type(each.fact) for each in played]
    slips = [each for each, moves in FACTS.items() if "slip" in moves and each is not f.SlipVoided]
    return TableNumbers(
        len(played), sum(map(kinds.count, (f.BetsClosed, f.DummyBegan))),
        kinds.count(f.HoldRaised), kinds.count(f.PackLoaded), sum(map(kinds.count, slips)),
        kinds.count(f.RackOpened),
    )  # fmt: skip


def archive(engine: Engine, tables: dict[str, list[f.Record]]) -> None:
    """Archive records of tables, and keep their books."""
    store = Store(engine, lambda: 0)
    store.load()
    for name, records in tables.items():
        identity = identity_of(name)
        rows = list(rows_of(records, genesis(identity)))
        store.take(
            [
                (
                    name,
                    batch(name, identity, mark_before(rows, at + 1, identity), rows[at : at + 100]),
                )
                for at in range(0, len(rows), 100)
            ]
        )
    follower = Follower(engine, Holders(Path("nowhere")), lambda: 0, write_ms=0)
    while follower.follow():
        pass


def sittings(games: Sequence[tuple[str, int]]) -> list[TableSitting]:
    """A sitting of each game and seed: its rows as they are once the table has played before."""
    played = [play(*each) for each in games]
    used = [uses(each) for each in played]
    dealers = [str(turn) for turn in range(ROUNDS // A_DEALER)]
    second = [SittingPlace(each, 86_400_000, dealers) for each in used]
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        engine = open_database(f"sqlite:///{Path(folder) / 'played.db'}")
        first = SittingPlace(TableNumbers(), 0, dealers)
        archive(engine, {
            f"T{at}": first.records(each) + second[at].records(each)
            for at, each in enumerate(played)
        })  # fmt: skip
        found = [
            TableSitting(game, played[at], used[at], *_rows(engine, f"T{at}", second[at]))
            for at, (game, _) in enumerate(games)
        ]
        engine.dispose()
    return found


def _rows(
    engine: Engine, name: str, place: SittingPlace
) -> tuple[dict[Table, dict[str, list[Any]]], FoldState]:
    """The rows of a table's second sitting, as of the sitting itself."""
    found: dict[Table, dict[str, list[Any]]] = {}
    with engine.connect().execution_options(reads_only=True) as connection:
        id_ = connection.scalar(select(s.TABLES.c.id).where(s.TABLES.c.name == name))
        for table, kinds in MOVES.items():
            later = table.c.day == place.day if "day" in table.c else table.c.seq > place.before[0]
            columns = [each for each in table.c if each.name != "table_id"]
            query = select(*columns).where(table.c.table_id == id_, later)
            rows = connection.execute(query.order_by(*table.primary_key)).all()
            found[table] = {
                each.name: [
                    place.moved_back(kinds[each.name], row[at]) if each.name in kinds else row[at]
                    for row in rows
                ]
                for at, each in enumerate(columns)
            }
        query = select(b.FOLLOWED.c.kept).where(b.FOLLOWED.c.table_id == id_)
        kept = msgspec.json.decode(connection.scalar(query) or "", type=FoldState)
    change_kept(kept, place.moved_back)
    return found, kept


def change_kept(kept: FoldState, move: Move) -> None:
    """Move what the books read the next record with, after a sitting; without the test."""
    assert not kept.stops
    assert not kept.rack.is_open
    kept.watch = LeakWatch()
    kept.day, kept.dealer = move("day", kept.day), move("dealer", kept.dealer)
    kept.rounds, kept.ended_ms = move("round", kept.rounds), move("ms", kept.ended_ms)
    kept.rack.box_since = move("shift", kept.rack.box_since)
    kept.rack.shift = {
        name: move(MOVES[b.RACK_SHIFTS][name], value) if name in MOVES[b.RACK_SHIFTS] else value
        for name, value in kept.rack.shift.items()
    }
