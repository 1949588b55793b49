"""A pit that was cut off for four hours: how fast it has every table's record again.

make catch-up      # 200 tables, 6,700 records each: four hours of a table with 40,000 a day

Twice: the broker was away, and the tables send what it did not take; and the archive was down while
the tables sent, and the broker's disk was wiped before it came back, so that the archive asks each
table. The tables' real forwarders
(some hundred to a process, since in truth each is on a machine of its own), a real nats-server and
`tablectl pit` with SQLite share this machine: what each takes of the CPU for a record says what
they would need on machines of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, Table, func, select

from controller.bus.messages import STREAM, RecordBatch, Topic, decode, subject
from controller.bus.server_conf import PIT
from controller.pit.archive.books.schema import FOLLOWED
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import MONEY, RECORDS, ROUNDS, TABLES
from controller.record.files.head_anchor import Position
from controller.rules.games.registry import GAMES
from tests.bench.pit.away_tables import PLAYED, PlayedTable, kind_of, play_tables, played
from tests.bench.pit.bus_cost import broker_line
from tests.bench.pit.live import process_cpu_s
from tests.bench.pit.told import told_process
from tests.bench.table import BenchLine, print_table
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.pit.archive.pit_process import PitProcess, write_config

#: Of `make bench`; what `make catch-up` asks for takes minutes.
TABLES_MANY: Final = 20
AWAY: Final = 2_000
PROMISE: Final = 40_000
#: Every table has so many before anything is away.
BEFORE: Final = 10
A_PROCESS: Final = 100
_LOOK_S: Final = 0.02
#: Books that were not written for so long are as far as they go: between two rounds.
_SETTLED_S: Final = 12.0
#: What is not archived after so long a standstill is lost.
_LAST_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """What it took: s until the first record came, from then to the last, and to the last book; of
    the CPU in s by process.
    """

    first_s: float
    archived_s: float
    books_s: float
    used_s: dict[str, float]


def lines(tables: int = TABLES_MANY, records: int = AWAY) -> list[BenchLine]:
    """The rows of this part."""
    names = [f"T{number}" for number in range(1, tables + 1)]
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as place, ExitStack() as stack:
        folder = Path(place)
        kinds = [played(game, BEFORE + 2 * records) for game in sorted(GAMES)]
        (folder / PLAYED).write_bytes(pickle.dumps(kinds))
        broker = stack.enter_context(
            NatsServer(folder / "nats", {PIT: PASSWORDS[PIT], **dict.fromkeys(names, "secret")})
        )
        pit = PitProcess(write_config(folder, broker))
        engine = open_database(f"sqlite:///{folder / 'archive.db'}")
        stack.callback(engine.dispose)
        groups = [names[at : at + A_PROCESS] for at in range(0, tables, A_PROCESS)]
        told = ToldTables([
            stack.enter_context(told_process(play_tables, folder, each, broker.url))
            for each in groups
        ])  # fmt: skip
        pit.start()
        stack.callback(pit.end)
        told.record(BEFORE)
        _look_until(engine, tables * BEFORE)
        found: list[BenchLine] = []
        for turn, (what, away) in enumerate((
            ("the broker was away", _broker_away),
            ("the broker's disk was wiped while the archive was down", _broker_wiped),
        )):  # fmt: skip
            until = BEFORE + (turn + 1) * records
            heads = away(broker, pit, partial(told.record, until))
            pids = {"pit": [pit.pid], "broker": [broker.pid], "tables": told.pids}
            took = _caught_up(engine, tables * until, pids)
            found += _shown(f"pit: {tables:,} tables, {what}", tables * records, took)
            found.append(_lost(engine, heads, [kind_of(each, kinds) for each in names], until))
    return found


class ToldTables:
    """All tables, in their processes; `pids` once they have recorded."""

    def __init__(self, tells: list[Connection]) -> None:
        self._tells = tells
        self.pids: list[int] = []

    def record(self, until: int) -> dict[str, Position]:
        """Have all tables record on to that number; their last records."""
        for each in self._tells:
            each.send(until)
        said: list[tuple[int, dict[str, Position]]] = [each.recv() for each in self._tells]
        self.pids = [pid for pid, _ in said]
        return {name: head for _, heads in said for name, head in heads.items()}


def _broker_away(
    broker: NatsServer, _pit: PitProcess, record: Callable[[], dict[str, Position]]
) -> dict[str, Position]:
    broker.kill()
    heads = record()
    broker.start()
    return heads


def _broker_wiped(
    broker: NatsServer, pit: PitProcess, record: Callable[[], dict[str, Position]]
) -> dict[str, Position]:
    """The tables have sent all of it, so that they send none of it again by themselves."""
    pit.kill()
    pit.end()
    heads = record()
    asyncio.run(_until_sent(broker.url, heads))
    broker.kill()
    broker.wipe()
    broker.start()
    pit.start()
    return heads


async def _until_sent(url: str, heads: dict[str, Position]) -> None:
    async with broker_line(url) as stream:
        for name, head in heads.items():
            while True:
                last = await stream.get_last_msg(STREAM, subject(name, Topic.RECORDS))
                assert last.data is not None
                if decode(last.data, RecordBatch).records[-1].seq == head.seq:
                    break
                await asyncio.sleep(_LOOK_S)


def _archived(engine: Engine) -> tuple[int, int]:
    """How many records are archived, and up to how many the books go."""
    with engine.connect().execution_options(reads_only=True) as connection:
        records = connection.scalar(select(func.sum(TABLES.c.seq))) or 0
        return records, connection.scalar(select(func.sum(FOLLOWED.c.seq))) or 0


def _look_until(engine: Engine, count: int) -> None:
    """Look until so many records are archived, or nothing more comes."""
    at, since_s = 0, time.perf_counter()
    while at < count and time.perf_counter() - since_s < _LAST_S:
        now, _ = _archived(engine)
        if now != at:
            at, since_s = now, time.perf_counter()
        time.sleep(_LOOK_S)


def _caught_up(engine: Engine, count: int, pids: dict[str, list[int]]) -> CaughtUp:
    began = time.perf_counter()
    before = {name: sum(map(process_cpu_s, some)) for name, some in pids.items()}
    first, _ = _archived(engine)
    _look_until(engine, first + 1)
    first_s = time.perf_counter() - began
    _look_until(engine, count)
    archived_s = time.perf_counter() - began - first_s
    used = {name: sum(map(process_cpu_s, some)) - before[name] for name, some in pids.items()}
    books, books_s = 0, archived_s
    since_s = time.perf_counter()
    while time.perf_counter() - since_s < _SETTLED_S:
        _, now = _archived(engine)
        if now != books:
            books, since_s = now, time.perf_counter()
            books_s = since_s - began - first_s
        time.sleep(_LOOK_S)
    return CaughtUp(first_s, archived_s, books_s, used)


def _shown(what: str, count: int, took: CaughtUp) -> list[BenchLine]:
    rate = count / took.archived_s
    shares = ", ".join(f"{name} {1e6 * used / count:.0f}" for name, used in took.used_s.items())
    return [
        BenchLine(f"{what}: archived", f"{rate:,.0f}/s", "", f">= {PROMISE:,}/s", rate >= PROMISE),
        BenchLine(f"{what}: with books", f"{count / took.books_s:,.0f}/s"),
        BenchLine(f"{what}: until the first came, then all", f"{took.first_s:.1f} s, "
                  f"{took.archived_s:.1f} s"),
        BenchLine(f"{what}: CPU a record in µs", shares),
    ]  # fmt: skip


def _lost(
    engine: Engine, heads: dict[str, Position], kinds: list[PlayedTable], until: int
) -> BenchLine:
    """Every chain ends as its table's, every round and payment is there, nothing is open."""
    with engine.connect() as connection:

        def count(table: Table) -> int:
            return connection.scalar(select(func.count()).select_from(table)) or 0

        ends = connection.execute(select(TABLES.c.name, TABLES.c.seq, TABLES.c.hash)).all()
        there = count(RECORDS), count(ROUNDS), count(MONEY)
        wrong = findings(connection, only_open=True, most=100)
    assert {name: Position(seq, hash_) for name, seq, hash_ in ends} == heads
    due = (
        len(kinds) * until, sum(bisect_right(each.rounds, until) for each in kinds),
        sum(bisect_right(each.paid, until) for each in kinds),
    )  # fmt: skip
    lost = [one - other for one, other in zip(due, there, strict=True)]
    return BenchLine(
        "  records, rounds and payments lost, findings", f"{lost}, {len(wrong)}", "",
        "0 of each", (lost, len(wrong)) == ([0, 0, 0], 0),
    )  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit.catch_up")
    parser.add_argument("--tables", type=int, default=TABLES_MANY)
    parser.add_argument("--records", type=int, default=AWAY, help="that each makes meanwhile")
    asked = parser.parse_args()
    print_table(lines(asked.tables, asked.records))
