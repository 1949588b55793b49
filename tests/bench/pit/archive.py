"""A pit that catches up: records of many tables, verified and archived, and then their books.

python -m tests.bench.pit.archive --tables 200

As after a time away of the broker: batches of a hundred records, many tables in a transaction, each
record checked against its table's chain, with rounds, hands, holds, money and people derived; then
the books. By the CPU's time beside the wall's, so that a machine with other work tells something,
too.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from controller.bus.messages import batch
from controller.pit.archive.books.follower import Follower
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import RECORDS, TABLES
from controller.pit.archive.store import Store
from controller.record.days.gaming_day import rows_of
from controller.record.files.head_anchor import genesis
from controller.record.reading.expected import Holders
from tests.bench.table import BenchLine, print_table
from tests.pit.archive.messages import mark_before
from tests.support.dealt.journals import dealing, identity_of

MANY: Final = 60
SEED: Final = 3
#: So much of an evening, of every table.
ROUNDS: Final = 30
PROMISE: Final = 40_000
A_BATCH: Final = 100
#: So many batches are one transaction.
AT_ONCE: Final = 400


def lines(tables: int = MANY) -> list[BenchLine]:
    """The rows of this part."""
    table = next(each for each in dealing(SEED) if each.state.counts.rounds == ROUNDS)
    names = [f"T{number}" for number in range(tables)]
    # Each table has a record of its own, which says the same.
    own = {name: list(rows_of(table.records, genesis(identity_of(name)))) for name in names}
    messages = [
        (
            name,
            batch(
                name, identity_of(name), mark_before(own[name], at + 1, identity_of(name)),
                own[name][at : at + A_BATCH],
            ),
        )
        for at in range(0, len(table.records), A_BATCH) for name in names
    ]  # fmt: skip
    count = tables * len(table.records)
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        engine = open_database(f"sqlite:///{Path(folder) / 'archive.db'}")
        store = Store(engine, _now_ms)
        store.load()

        def archived() -> None:
            for at in range(0, len(messages), AT_ONCE):
                store.take(messages[at : at + AT_ONCE])

        follower = Follower(engine, Holders(Path(folder)), _now_ms, write_ms=0)

        def keep_books() -> None:
            while follower.follow():
                pass

        of_archive = _line(f"records of {tables} tables archived", count, archived, PROMISE)
        with engine.connect() as connection:
            there = connection.scalar(select(func.count()).select_from(RECORDS))
            heads = set(connection.scalars(select(TABLES.c.hash)))
        assert (there, heads) == (count, {each[-1].hash for each in own.values()}), (
            "none lost, every chain verified"
        )
        of_books = _line("the same, their books kept", count, keep_books, PROMISE)
        engine.dispose()
    return [of_archive, of_books]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _line(what: str, count: int, work: Callable[[], None], promise: int) -> BenchLine:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    per_s = count / (time.perf_counter() - wall)
    per_cpu_s = count / (time.process_time() - cpu)
    figure = f"{per_s:,.0f}/s ({per_cpu_s:,.0f}/s of CPU)"
    return BenchLine(f"pit: {what}", figure, goal=f">= {promise:,}/s", reached=per_s >= promise)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit.archive")
    parser.add_argument("--tables", type=int, default=MANY)
    print_table(lines(parser.parse_args().tables))
