"""Tables of the benchmark `live`, some hundred to a process: their real forwarders, over records
that were generated before and are there commit by commit, each at its moment.

A table writes its record on a machine of its own: what its own commits take there
(`own_commit_s`) is none of what is measured here.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import time
from collections import deque
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.bus.forwarder import Forwarder
from controller.config.bus_section import BusSection
from controller.record.days.gaming_day import openings_of, rows_of
from controller.record.files.chain_store import Beginning, Row
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import Position, genesis
from controller.record.newest_rows import NewestRows
from controller.record.reading.record_tail import MOST_BYTES, MOST_RECORDS, RecordTail
from controller.rules.games.registry import GAMES
from controller.table.facts import Record
from tests.bench.pit.seen_records import WAITS_FOR
from tests.pit.wall.statuses import status
from tests.support.dealt.journals import DAY, dealing

#: Each table's records a second.
A_SECOND: Final = 5
_SEED: Final = 5
#: Their lines begin one after the other: a broker gives each two seconds to say whose it is.
_APART_S: Final = 0.005
#: What is due within this time is committed together: to wait for each by itself would cost the
#: machine more than a table's line.
_TURN_S: Final = 0.002

Moments = dict[tuple[str, int], float]
"""When each record of each table was due, by this machine's clock."""


@cache
def played(game: str, records: int) -> list[list[Record]]:
    """The first commits of an evening, so many records together or a few more: each is what one
    decision of the table has yielded.
    """
    made: list[list[Record]] = []
    for pit in dealing(_SEED, game):
        # A decision's records have its moment; two have never the same.
        made, last_ms = [], -1
        for each in pit.records:
            if each.at_ms == last_ms:
                made[-1].append(each)
            else:
                made.append([each])
            last_ms = each.at_ms
        if len(pit.records) >= records:
            break
    return made


def commits_of(name: str, records: int) -> list[list[Record]]:
    """What a table plays: one of the five games."""
    game = sorted(GAMES)[int(name[1:]) % len(GAMES)]
    found, so_far = [], 0
    for each in played(game, records):
        if so_far >= records:
            break
        found.append(each)
        so_far += len(each)
    return found


class _TailSoFar(RecordTail):
    """A record of which there is on the disk what the table has committed by now, and no more."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.head_now = Position(0, b"")

    def head(self) -> tuple[bytes, Position] | None:
        found = super().head()
        return None if found is None else (found[0], self.head_now)

    def after(
        self, mark: Position, most: int = MOST_RECORDS, most_bytes: int = MOST_BYTES
    ) -> list[Row]:
        seq = self.head_now.seq
        found = super().after(mark, max(1, min(most, seq - mark.seq)), most_bytes)
        found = [each for each in found if each.seq <= seq]
        self.at_end = not found or found[-1].seq == seq
        return found


class GeneratedTable:
    """A table whose whole record is there, and of which its line sees so much as it has committed.

    `commits` are those to come.
    """

    def __init__(self, name: str, folder: Path, url: str, commits: list[list[Record]]) -> None:
        self.name = name
        # Each record has an identity of its own, by which the broker tells what came twice.
        identity = hashlib.sha256(name.encode()).digest()
        beginning = Beginning(identity, DAY, genesis(identity))
        rows = rows_of([each for commit in commits for each in commit], beginning.after)
        (folder / name).mkdir()
        with closing(ChainWriter(folder / name, beginning, beginning.after)) as day:
            day.add(rows)
            day.mark()
        left = iter(rows)
        self.commits = [tuple(islice(left, len(each))) for each in commits]
        self._newest = NewestRows()
        self._tail = _TailSoFar(folder / name)
        self.line = self._line(folder, url)
        self._next = iter(self.commits)
        self.commit()

    def _line(self, folder: Path, url: str) -> Forwarder:
        password = folder / f"{self.name}.password"
        password.write_text("secret")
        line = Forwarder(
            self.name, folder / self.name, BusSection((url,), self.name, password),
            status=self._status, clock_ms=lambda: time.time_ns() // 1_000_000,
            software="bench", newest=self._newest,
        )  # fmt: skip
        line._source._tail = self._tail  # else what is on the disk already would be announced
        return line

    @property
    def seq(self) -> int:
        """The last record that is committed."""
        return self._tail.head_now.seq

    def commit(self) -> None:
        """The next commit is on the disk, and its line is told."""
        rows = next(self._next)
        self._tail.head_now = Position(rows[-1].seq, rows[-1].hash)
        self._newest.add(rows)

    def _status(self) -> tuple[int, bytes]:
        shown = status(seq=self.seq, waiting_for=WAITS_FOR.format(self.seq))
        return self.seq, msgspec.json.encode(shown)


def moments(tables: list[GeneratedTable]) -> list[tuple[float, int]]:
    """When which table commits, in s from the beginning, in order: each at moments of its own, so
    many records a second.
    """
    return sorted(
        ((table.commits[turn][0].seq - 2 + place / len(tables)) / A_SECOND, place)
        for place, table in enumerate(tables)
        for turn in range(1, len(table.commits))
    )


@dataclass(slots=True)
class PlayedRecords:
    """Tables of a process: when each record was due; how late the last commit of a hundred was,
    since the process had not enough of this machine; CPU of their lines, and of what told them to
    commit, which is the benchmark's own; in s.
    """

    due: Moments = field(default_factory=dict)
    late_s: float = 0.0
    lines_s: float = 0.0
    own_s: float = 0.0


def play_tables(
    names: list[str], folder: Path, url: str, records: int, signs: tuple[Any, Any, Any]
) -> PlayedRecords:
    """Tables in a process of their own."""
    return asyncio.run(_play(names, folder, url, records, signs))


async def _play(
    names: list[str], folder: Path, url: str, records: int, signs: tuple[Any, Any, Any]
) -> PlayedRecords:
    played_ = PlayedRecords()
    late = list[float]()
    began, ended, at = signs
    tables = [GeneratedTable(each, folder, url, commits_of(each, records)) for each in names]
    forwarding = list[asyncio.Future[None]]()
    for each in tables:
        forwarding.append(asyncio.ensure_future(each.line.run()))
        await asyncio.sleep(_APART_S)
    waits = deque(moments(tables))
    # As a table does once it is up: what was dealt before is not to be looked at again.
    gc.collect()
    gc.freeze()
    await asyncio.to_thread(began.wait)
    began_s, before_s = at.value, time.process_time()
    while waits:
        begins_s, now = time.thread_time(), time.perf_counter() - began_s
        while waits and waits[0][0] <= now:
            when, place = waits.popleft()
            table = tables[place]
            first = table.seq + 1
            table.commit()
            table.line.wake()
            late.append(time.perf_counter() - began_s - when)
            for seq in range(first, table.seq + 1):
                played_.due[table.name, seq] = began_s + when
        played_.own_s += time.thread_time() - begins_s
        await asyncio.sleep(_TURN_S)
    await asyncio.to_thread(ended.wait)
    played_.lines_s = time.process_time() - before_s - played_.own_s
    played_.late_s = sorted(late)[len(late) * 99 // 100]
    for line in forwarding:
        line.cancel()
    await asyncio.gather(*forwarding, return_exceptions=True)
    return played_


def own_commit_s(folder: Path, records: int) -> float:
    """CPU that a table's own journal takes a record, in s: chained, written, anchored."""
    commits = commits_of("T1", records)
    beginning = Beginning(bytes(32), DAY, genesis(bytes(32)))
    (folder / "own").mkdir()
    with closing(ChainWriter(folder / "own", beginning, beginning.after)) as day:
        began_s = time.process_time()
        for each in commits:
            day.add(rows_of(each, day.head), openings_of(each))
            day.mark()
        return (time.process_time() - began_s) / day.head.seq
