"""Tables that play: from a record committed on a table's disk to the same record in the archive.

python -m tests.bench.pit_live --tables 1000 --seconds 60

The real forwarders (all in this process), a real nats-server, `tablectl pit` as a process of its
own with SQLite. Each table commits one record five times a second. When a record is archived is
seen in the database, looked at every 10 ms. On a machine with other work the figures are those of
that work.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, func, select

from controller.bus.forwarder import Forwarder
from controller.bus.server_conf import PIT
from controller.config.bus_section import BusSection
from controller.pit.archive.database import open_database
from controller.pit.archive.finding_rows import findings
from controller.pit.archive.schema import RECORDS, TABLES
from controller.record.days.gaming_day import openings_of, rows_of
from controller.record.files.chain_store import Beginning
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import genesis
from controller.table.facts import Record
from tests.bench.table import BenchLine, print_table, quantile
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.support.journals import DAY, records

TABLES_MANY: Final = 40
SECONDS: Final = 10
A_SECOND: Final = 5
PROMISE_S: Final = 0.050
_LOOK_S: Final = 0.010
#: What is not archived by then is lost.
_LAST_S: Final = 120


class GrowingTable:
    """A table whose record grows by one at a time."""

    def __init__(self, name: str, folder: Path, url: str, dealt: list[Record]) -> None:
        self.name = name
        self._dealt = dealt
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
            status=lambda: (self.seq, b"{}"), clock_ms=lambda: time.time_ns() // 1_000_000,
            software="bench",
        )  # fmt: skip

    def commit(self) -> None:
        """The next record is on the disk."""
        part = self._dealt[self.seq : self.seq + 1]
        self._day.add(rows_of(part, self._day.head), openings_of(part))
        self._day.mark()
        self.seq += len(part)

    def close(self) -> None:
        """The record is closed."""
        self._day.close()


def lines(tables: int = TABLES_MANY, seconds: int = SECONDS) -> list[BenchLine]:
    """The rows of this part."""
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as place:
        folder = Path(place)
        names = [f"T{number}" for number in range(1, tables + 1)]
        passwords = {PIT: PASSWORDS[PIT], **dict.fromkeys(names, "secret")}
        dealt = records(5, A_SECOND * seconds + 1)
        with NatsServer(folder / "nats", passwords) as broker, _pit(folder, broker) as engine:
            waits = asyncio.run(_played(names, folder, broker.url, dealt, engine, seconds))
            with engine.connect() as connection:
                there = connection.scalar(select(func.count()).select_from(RECORDS)) or 0
                wrong = findings(connection, only_open=True, most=100)
    due = tables * (A_SECOND * seconds + 1)
    what = f"pit: {tables:,} tables x {A_SECOND}/s"
    p99 = quantile(waits, 0.99)
    return [
        BenchLine(
            f"{what}, committed to archived", f"{1_000 * quantile(waits, 0.5):.0f} ms",
            f"{1_000 * p99:.0f} ms", f"p99 <= {1_000 * PROMISE_S:.0f} ms", p99 <= PROMISE_S,
        ),
        BenchLine(f"{what}, records lost, findings", f"{due - there}, {len(wrong)}", "", "0, 0",
             (due - there, len(wrong)) == (0, 0)),
    ]  # fmt: skip


@contextmanager
def _pit(folder: Path, broker: NatsServer) -> Iterator[Engine]:
    process = PitProcess(write_config(folder, broker))
    process.start()
    engine = open_database(f"sqlite:///{folder / 'archive.db'}")
    try:
        yield engine
    finally:
        engine.dispose()
        process.end()


async def _played(
    names: list[str], folder: Path, url: str, dealt: list[Record], engine: Engine, seconds: int
) -> list[float]:
    """How long each record took, in s."""
    committed: dict[tuple[str, int], float] = {}
    waits: list[float] = []
    with ExitStack() as stack:
        tables = [
            stack.enter_context(closing(GrowingTable(name, folder, url, dealt))) for name in names
        ]
        lines_ = [asyncio.ensure_future(each.line.run()) for each in tables]
        last_seq: defaultdict[str, int] = defaultdict(int)
        await _until(engine, last_seq, dict.fromkeys(names, 1), committed, waits)
        waits.clear()
        looking = asyncio.ensure_future(_looking(engine, last_seq, committed, waits))
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(_deal, tables, seconds, committed, loop)
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await _until(engine, last_seq, {each.name: each.seq for each in tables}, committed, waits)
        for line in lines_:
            line.cancel()
        await asyncio.gather(*lines_, return_exceptions=True)
    return waits


def _deal(
    tables: list[GrowingTable], seconds: int, committed: dict[tuple[str, int], float],
    loop: asyncio.AbstractEventLoop,
) -> None:  # fmt: skip
    """Each table commits at moments of its own. Blocks, as a service's own writer thread does."""
    began = time.perf_counter()
    for turn in range(A_SECOND * seconds):
        for place, each in enumerate(tables):
            due = began + (turn + place / len(tables)) / A_SECOND
            if (left := due - time.perf_counter()) > 0:
                time.sleep(left)
            each.commit()
            committed[each.name, each.seq] = time.perf_counter()
            loop.call_soon_threadsafe(each.line.wake)


async def _until(
    engine: Engine, last_seq: defaultdict[str, int], wanted: dict[str, int],
    committed: dict[tuple[str, int], float], waits: list[float],
) -> None:  # fmt: skip
    """Look until every table is archived so far, or nobody would wait any longer."""
    until = time.perf_counter() + _LAST_S
    while time.perf_counter() < until and any(last_seq[name] < seq for name, seq in wanted.items()):
        await asyncio.to_thread(_look, engine, last_seq, committed, waits)
        await asyncio.sleep(_LOOK_S)


async def _looking(
    engine: Engine, last_seq: defaultdict[str, int], committed: dict[tuple[str, int], float],
    waits: list[float],
) -> None:  # fmt: skip
    """Look until cancelled."""
    while True:
        await asyncio.to_thread(_look, engine, last_seq, committed, waits)
        await asyncio.sleep(_LOOK_S)


def _look(
    engine: Engine, last_seq: defaultdict[str, int], committed: dict[tuple[str, int], float],
    waits: list[float],
) -> None:  # fmt: skip
    """Note what is archived now. Blocks."""
    with engine.connect().execution_options(reads_only=True) as connection:
        heads = connection.execute(select(TABLES.c.name, TABLES.c.seq)).all()
    now = time.perf_counter()
    for name, seq in heads:
        for each in range(last_seq[name] + 1, seq + 1):
            if (at := committed.pop((name, each), None)) is not None:
                waits.append(now - at)
        last_seq[name] = seq


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit_live")
    parser.add_argument("--tables", type=int, default=TABLES_MANY)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    asked = parser.parse_args()
    print_table(lines(asked.tables, asked.seconds))
