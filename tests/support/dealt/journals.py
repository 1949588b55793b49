"""Journals as tables write them: whole days dealt at random in-process, written to real files."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from controller.record.days.gaming_day import openings_of, rows_of
from controller.record.files.chain_store import Beginning, open_newest
from controller.record.files.day_files import day_files
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import Position, genesis
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.facts import Record
from controller.table.roles import Person
from controller.table.views.english import say
from tests.support.dealt.croupier import Croupier
from tests.support.pit import Pit, PitAnswer, setup

BATCH = 5_000


class QuickPit(Pit):
    """A table that believes its decisions: for days too long to be compared at every step."""

    def give(
        self,
        input_: i.TableInput,
        *,
        key: str = "",
        view_seq: int | None = None,
        by: tuple[Person, ...] = (),
    ) -> PitAnswer:
        self._now_ms += 1_000
        self._inputs += 1
        cause = f"k:{key}#{self._inputs}" if key else f"scanner:0011aabb:{self._inputs}"
        nonce = self._inputs.to_bytes(16, "big")
        stamp = i.Stamp(self._now_ms, self._now_ms * 1_000_000, cause, nonce, view_seq, by)
        decision = decide(self._state, input_, stamp)
        self.records += decision.records
        self._state = decision.state
        refused = say(decision.refused, decision.state.words)
        self.last = PitAnswer(decision.records, refused, decision.seq, decision.refused)
        return self.last


def dealing(seed: int, name: str = "21-24-27", seats: int = 5) -> Iterator[QuickPit]:
    """A table that deals without end; yields after every round. Take its records as they come."""
    pit = QuickPit(setup(seats, name))
    mixed = random.Random(seed)
    croupier = Croupier(pit, mixed)
    while True:
        few, most = pit.state.game.seats.start, 1 if pit.state.game.vying else 20
        playing = sorted(mixed.sample(range(1, seats + 1), mixed.randint(min(few, seats), seats)))
        croupier.round({seat: 1_000 * mixed.randint(1, most) for seat in playing})
        yield pit


def records(seed: int, count: int, name: str = "21-24-27") -> list[Record]:
    """The first `count` records of a day."""
    for pit in dealing(seed, name):
        if len(pit.records) >= count:
            return pit.records[:count]
    raise AssertionError("a table deals without end")


#: The identity and the first day of a record that is written here.
IDENTITY = bytes(range(32))
"""The identity of table T1's record."""
DAY = "2023-11-14"


def identity_of(table: str) -> bytes:
    """The identity of a table's record: two have never the same."""
    return IDENTITY if table == "T1" else hashlib.sha256(table.encode()).digest()


def writer(folder: Path, identity: bytes = IDENTITY) -> ChainWriter:
    """The newest day of a record, or a first one, opened at its end."""
    reader = open_newest(folder) if folder.is_dir() else None
    if reader is None:
        folder.mkdir(parents=True, exist_ok=True)
        beginning = Beginning(identity, DAY, genesis(identity))
        return ChainWriter(folder, beginning, beginning.after)
    with closing(reader):
        return ChainWriter(folder, reader.beginning, reader.last())


def write_journal(folder: Path, dealt: list[Record], identity: bytes = IDENTITY) -> Position:
    """Add records to the newest day of a record, in large commits, and anchor the last."""
    with closing(writer(folder, identity)) as day:
        for at in range(0, len(dealt), BATCH):
            part = dealt[at : at + BATCH]
            day.add(rows_of(part, day.head), openings_of(part))
        day.mark()
        return day.head


def fill(folder: Path, day: Iterator[QuickPit], count: int) -> Position:
    """Let a table go on until its record has `count` records or a few more; the last of them."""
    written = 0
    for pit in day:
        if len(pit.records) >= BATCH or written + len(pit.records) >= count:
            written += len(pit.records)
            head = write_journal(folder, pit.records)
            pit.records.clear()
            if written >= count:
                return head
    raise AssertionError("a table deals without end")


def newest(folder: Path) -> Path:
    """The file of the newest gaming day of a record."""
    return day_files(folder)[-1].path
