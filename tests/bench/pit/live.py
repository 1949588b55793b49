"""Tables that play: from a record committed on a table's disk to the same record in the archive,
and to the wall of somebody who has forty tables in view.

python -m tests.bench.pit.live --tables 1000 --seconds 60

The real forwarders (some hundred to a process, since in truth each is on a machine of its own), a
real nats-server, `tablectl pit` as a process of its own with SQLite. Each table commits one record
five times a second. When a record is archived is seen in the database, looked at every 10 ms. On a
machine with other work the times are those of that work: what each process takes of the CPU for a
record is not, and says what a machine needs.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import multiprocessing
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Engine, func, select

from controller.bus.forwarder import Forwarder
from controller.bus.server_conf import PIT
from controller.config.bus_section import BusSection
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import RECORDS, TABLES
from controller.record.days.gaming_day import openings_of, rows_of
from controller.record.files.chain_store import Beginning
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import genesis
from controller.record.newest_rows import NewestRows
from controller.table.facts import Record
from tests.bench.pit.seen_records import WAITS_FOR, SeenRecords
from tests.bench.pit.viewers import signed_in
from tests.bench.table import BenchLine, print_table, quantile
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.pit.wall.statuses import status
from tests.support.dealt.journals import DAY, records

TABLES_MANY: Final = 40
SECONDS: Final = 10
A_SECOND: Final = 5
PROMISE_S: Final = 0.050
#: From the record to the wall, where only what is in view is sent, ten times a second.
PROMISE_SEEN_S: Final = 0.200
_IN_VIEW: Final = 40
_LOOK_S: Final = 0.010
#: What is not archived by then is lost.
_LAST_S: Final = 120
#: The forwarders of so many tables are in one process.
A_PROCESS: Final = 125
#: From when every table is archived until they commit.
_LEAD_S: Final = 1.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
#: Where tables' records lie: each has a disk of its own, and here are none for a thousand.
_MEMORY: Final = Path("/dev/shm")
#: A process of many tables has many threads, of which none may keep the others waiting for long.
_TURN_S: Final = 0.0002


class GrowingTable:
    """A table whose record grows by one at a time."""

    def __init__(self, name: str, folder: Path, url: str, dealt: list[Record]) -> None:
        self.name = name
        self._dealt = dealt
        self._newest = NewestRows()
        self.seq = 0
        (folder / name).mkdir()
        # Each record has an identity of its own, by which the broker tells what came twice.
        identity = hashlib.sha256(name.encode()).digest()
        beginning = Beginning(identity, DAY, genesis(identity))
        self._day = ChainWriter(folder / name, beginning, beginning.after)
        self.commit()
        password = folder / f"{name}.password"
        password.write_text("secret")
        self.line = Forwarder(
            name, folder / name, BusSection((url,), name, password),
            status=self._status, clock_ms=lambda: time.time_ns() // 1_000_000,
            software="bench", newest=self._newest,
        )  # fmt: skip

    def commit(self) -> None:
        """The next record is on the disk."""
        part = self._dealt[self.seq : self.seq + 1]
        rows = rows_of(part, self._day.head)
        self._day.add(rows, openings_of(part))
        self._newest.add(rows)
        self._day.mark()
        self.seq += len(part)

    def _status(self) -> tuple[int, bytes]:
        shown = status(seq=self.seq, waiting_for=WAITS_FOR.format(self.seq))
        return self.seq, msgspec.json.encode(shown)

    def close(self) -> None:
        """The record is closed."""
        self._day.close()


@dataclass(slots=True)
class ArchivedMoments:
    """When each record of each table was seen in the archive, by this machine's clock."""

    seqs: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    at: dict[tuple[str, int], float] = field(default_factory=dict)

    def look(self, engine: Engine) -> None:
        """Note what is archived now. Blocks."""
        with engine.connect().execution_options(reads_only=True) as connection:
            heads = connection.execute(select(TABLES.c.name, TABLES.c.seq)).all()
        now = time.perf_counter()
        for name, seq in heads:
            for each in range(self.seqs[name] + 1, seq + 1):
                self.at[name, each] = now
            self.seqs[name] = seq

    def until(self, engine: Engine, names: list[str], seq: int) -> None:
        """Look until every table is archived so far, or nobody would wait any longer."""
        until = time.perf_counter() + _LAST_S
        while time.perf_counter() < until and any(self.seqs[name] < seq for name in names):
            self.look(engine)
            time.sleep(_LOOK_S)


def lines(tables: int = TABLES_MANY, seconds: int = SECONDS) -> list[BenchLine]:
    """The rows of this part."""
    memory = _MEMORY if _MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="tablectl-bench-") as place,
        tempfile.TemporaryDirectory(prefix="tablectl-bench-", dir=memory) as records_place,
    ):
        folder = Path(place)
        names = [f"T{number}" for number in range(1, tables + 1)]
        passwords = {PIT: PASSWORDS[PIT], **dict.fromkeys(names, "secret")}
        seen = SeenRecords(names[:_IN_VIEW])
        with (
            NatsServer(folder / "nats", passwords) as broker,
            _pit(folder, broker, seen) as (pit, engine),
        ):
            pids = {"pit": pit.pid, "broker": broker.pid}
            waits, on_wall, used, rate = _played(
                names, Path(records_place), broker.url, engine, seconds, pids, seen
            )
            with engine.connect() as connection:
                there = connection.scalar(select(func.count()).select_from(RECORDS)) or 0
                wrong = findings(connection, only_open=True, most=100)
    due = tables * (A_SECOND * seconds + 1)
    what = f"pit: {tables:,} tables x {A_SECOND}/s"
    p99, seen_p99 = quantile(waits, 0.99), quantile(on_wall, 0.99)
    return [
        BenchLine(
            f"{what}, committed to archived", f"{1_000 * quantile(waits, 0.5):.0f} ms",
            f"{1_000 * p99:.0f} ms", f"p99 <= {1_000 * PROMISE_S:.0f} ms", p99 <= PROMISE_S,
        ),
        BenchLine(
            f"{what}, committed to the wall", f"{1_000 * quantile(on_wall, 0.5):.0f} ms",
            f"{1_000 * seen_p99:.0f} ms", f"p99 <= {1_000 * PROMISE_SEEN_S:.0f} ms",
            seen_p99 <= PROMISE_SEEN_S,
        ),
        BenchLine(f"{what}, records lost, findings", f"{due - there}, {len(wrong)}", "", "0, 0",
             (due - there, len(wrong)) == (0, 0)),
        # Fewer than are due: the tables had not enough of this machine.
        BenchLine(f"{what}, committed", f"{rate:,.0f}/s"),
        *(
            BenchLine(f"{what}, CPU of {name} a record", f"{1e6 * cpu_s / len(waits):.0f} µs")
            for name, cpu_s in used.items()
        ),
    ]  # fmt: skip


@contextmanager
def _pit(
    folder: Path, broker: NatsServer, seen: SeenRecords
) -> Iterator[tuple[PitProcess, Engine]]:
    config = write_config(folder, broker)
    process = PitProcess(config)
    (secret,) = signed_in(config, f"sqlite:///{folder}/archive.db", 1)
    process.start()
    port = urlsplit(process.url).port
    assert port is not None
    seen.follow(port, secret)
    engine = open_database(f"sqlite:///{folder / 'archive.db'}")
    try:
        yield process, engine
    finally:
        engine.dispose()
        process.end()


def _played(
    names: list[str], folder: Path, url: str, engine: Engine, seconds: int, pids: dict[str, int],
    seen: SeenRecords,
) -> tuple[list[float], list[float], dict[str, float], float]:  # fmt: skip
    """How long each record took to the archive and to the wall, in s; how much of the CPU was used
    for them by whom, in s; how many were committed a second.
    """
    groups = [names[at : at + A_PROCESS] for at in range(0, len(names), A_PROCESS)]
    spawned = multiprocessing.get_context("spawn")
    archived, committed = ArchivedMoments(), dict[tuple[str, int], float]()
    with (
        spawned.Manager() as manager,
        ProcessPoolExecutor(len(groups), mp_context=spawned) as pool,
    ):
        began, ended = manager.Event(), manager.Event()
        at = manager.Value("d", 0.0)
        dealt: list[Future[tuple[dict[tuple[str, int], float], float]]] = [
            pool.submit(_tables, group, folder, url, seconds, (began, ended, at))
            for group in groups
        ]
        archived.until(engine, names, 1)
        at.value = time.perf_counter() + _LEAD_S
        began.set()
        before = {name: process_cpu_s(pid) for name, pid in pids.items()}
        time.sleep(_LEAD_S)
        while time.perf_counter() < at.value + seconds:
            archived.look(engine)
            time.sleep(_LOOK_S)
        archived.until(engine, names, 1 + A_SECOND * seconds)
        used = {name: process_cpu_s(pid) - before[name] for name, pid in pids.items()}
        ended.set()
        cpu_s = 0.0
        for each in dealt:
            some, more_s = each.result()
            committed |= some
            cpu_s += more_s
    waits = [archived.at[each] - when for each, when in committed.items() if each in archived.at]
    on_wall = [seen.at[each] - when for each, when in committed.items() if each in seen.at]
    when = committed.values()
    return waits, on_wall, {**used, "table": cpu_s}, len(when) / (max(when) - min(when))


def process_cpu_s(pid: int) -> float:
    """What a process has used of the CPU so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS


def _tables(
    names: list[str], folder: Path, url: str, seconds: int, signs: tuple[Any, Any, Any]
) -> tuple[dict[tuple[str, int], float], float]:
    """Some tables in a process of their own: when each record was committed; CPU in s."""
    sys.setswitchinterval(_TURN_S)
    return asyncio.run(_tables_play(names, folder, url, seconds, signs))


async def _tables_play(
    names: list[str], folder: Path, url: str, seconds: int, signs: tuple[Any, Any, Any]
) -> tuple[dict[tuple[str, int], float], float]:
    committed: dict[tuple[str, int], float] = {}
    dealt = records(5, A_SECOND * seconds + 1)
    began, ended, at = signs
    with ExitStack() as stack:
        tables = [
            stack.enter_context(closing(GrowingTable(name, folder, url, dealt))) for name in names
        ]
        forwarding = [asyncio.ensure_future(each.line.run()) for each in tables]
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(began.wait)
        before_s = time.process_time()
        await asyncio.to_thread(_deal, tables, seconds, committed, loop, at.value)
        await asyncio.to_thread(ended.wait)
        cpu_s = time.process_time() - before_s
        for line in forwarding:
            line.cancel()
        await asyncio.gather(*forwarding, return_exceptions=True)
    return committed, cpu_s


def _deal(
    tables: list[GrowingTable], seconds: int, committed: dict[tuple[str, int], float],
    loop: asyncio.AbstractEventLoop, began: float,
) -> None:  # fmt: skip
    """Each table commits at moments of its own. Blocks, as a service's own writer thread does."""
    for turn in range(A_SECOND * seconds):
        for place, each in enumerate(tables):
            due = began + (turn + place / len(tables)) / A_SECOND
            if (left := due - time.perf_counter()) > 0:
                time.sleep(left)
            each.commit()
            committed[each.name, each.seq] = time.perf_counter()
            loop.call_soon_threadsafe(each.line.wake)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit.live")
    parser.add_argument("--tables", type=int, default=TABLES_MANY)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    asked = parser.parse_args()
    print_table(lines(asked.tables, asked.seconds))
