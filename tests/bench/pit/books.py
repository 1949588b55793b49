"""A pit with many archived rounds: a day's report, and searches, also of what is rare or nowhere.

python -m tests.bench.pit.books --rounds 10000000                # as many as a pit has, in SQLite
python -m tests.bench.pit.books --rounds 10000000 --postgresql   # in a throw-away cluster
make rounds   # 100 M in SQLite, in a folder that stays: goes on where it was broken off
make rounds POSTGRESQL=1   # the same in a cluster of PostgreSQL

Each figure is of a connection of its own, after a start; of SQLite's file nothing is in memory
before the first of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Engine

from controller.pit.alerts.archived_troubles import read_troubles
from controller.pit.alerts.settings import AlertSettings
from controller.pit.archive.overview import overview
from controller.pit.archive.storage.database import open_database
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.chips import table_chips
from controller.pit.reports.handover.handover import draft
from controller.pit.reports.report.report import report
from controller.pit.reports.search.lead import RoundSearch
from controller.pit.reports.search.search import find_rounds
from tests.bench.pit.filled import A_DAY, BEGAN_MS, DAY_MS, RARE, ArchiveFilling, fill, filling
from tests.bench.pit.first_wall import looks
from tests.bench.table import BenchLine, print_table, quantile
from tests.pit.archive.databases import Postgres

ROUNDS: Final = 200_000
#: What SQLite takes for a round: 567 with its indexes, and room to sort the largest of them.
A_ROUND_BYTES: Final = 750
#: What PostgreSQL takes: 2,140 of 10 M rounds, and room to sort.
A_ROUND_IN_POSTGRESQL_BYTES: Final = 2_400
PROMISE_S: Final = 1.0
#: The first picture of the wall.
WALL_S: Final = 0.1
#: Of the first question after a start.
FIRST_S: Final = 3.0
QUEENS: Final = ("Qc", "Qd", "Qh", "Qs")
SEARCHES: Final = {
    "a common card": RoundSearch(cards=("7h",)),
    "a rank": RoundSearch(cards=QUEENS),
    "a rank at a seat of one table, one night": RoundSearch(
        cards=QUEENS, seat=3, table="T77", first_ms=BEGAN_MS, last_ms=BEGAN_MS + DAY_MS
    ),
    "a rank at a seat that nobody took": RoundSearch(cards=QUEENS, seat=9),
    "a rank of a dealer who never dealt": RoundSearch(cards=QUEENS, dealer="d999"),
    "a rank and an amount that nobody bet": RoundSearch(cards=QUEENS, amount=12_345),
    "a card that came up three times": RoundSearch(cards=(RARE,)),
    "a card at a seat of one table": RoundSearch(cards=("7h",), seat=3, table="T77"),
    "a card, an amount and a dealer": RoundSearch(cards=("As",), amount=10_000, dealer="d07"),
    "an amount that nobody bet": RoundSearch(amount=12_345),
    "a common amount and a card that came up three times": RoundSearch(
        cards=(RARE,), amount=10_000
    ),
    "a common card of a dealer who never dealt": RoundSearch(cards=("7h",), dealer="d999"),
    "a number, at whatever table": RoundSearch(number=17),
    "a number that no table has": RoundSearch(number=999_999_999),
    "a seat that nobody took": RoundSearch(seat=9),
    "a common card at a seat that nobody took": RoundSearch(cards=("7h",), seat=9),
    "a reason": RoundSearch(reason="misdeal"),
    "a reason that never was": RoundSearch(reason="payout"),
    "nothing: the newest": RoundSearch(),
}


def made(address: str, filled: ArchiveFilling) -> float:
    """Make an archive with these rounds in its books; how long that took, in s."""
    began = time.perf_counter()
    engine = open_database(address)
    fill(engine, filled)
    engine.dispose()
    return time.perf_counter() - began


def seconds(address: str, what: Callable[[Engine], object]) -> float:
    """How long the first question after a start takes."""
    engine = open_database(address)
    began = time.perf_counter()
    what(engine)
    taken = time.perf_counter() - began
    engine.dispose()
    return taken


def day_of(filled: ArchiveFilling) -> str:
    """A day in the middle of what was played."""
    days = max(1, filled.many // A_DAY)
    return time.strftime("%Y-%m-%d", time.gmtime((BEGAN_MS + DAY_MS * (days // 2)) / 1_000))


def lines(rounds: int = ROUNDS) -> list[BenchLine]:
    """The rows of this part: SQLite alone, which every pit begins with."""
    filled = filling(rounds)
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        file = Path(folder) / "archive.db"
        taken = made(f"sqlite:///{file}", filled)
        forget(file)
        return measured(f"sqlite:///{file}", "SQLite", filled, taken)


def kept(rounds: int, folder: Path, *, postgresql: bool = False) -> list[BenchLine]:
    """The same of an archive that stays in `folder`, and is made on where that was broken off.

    Raises `SystemExit` where the disk has no room for it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if postgresql:
        cluster = folder / f"postgresql-{rounds}"
        cluster.mkdir(exist_ok=True)
        _has_room(cluster, rounds * A_ROUND_IN_POSTGRESQL_BYTES)
        # A power cut must leave what is there whole; its newest parts are made again.
        return in_cluster(cluster, filling(rounds), "-c synchronous_commit=off")
    file = folder / f"archive-{rounds}.db"
    _has_room(file, rounds * A_ROUND_BYTES)
    filled = filling(rounds)
    taken = made(f"sqlite:///{file}", filled)
    forget(file)
    return measured(f"sqlite:///{file}", "SQLite", filled, taken)


def _has_room(place: Path, bytes_: int) -> None:
    """Say what is there and what is to come. Raises `SystemExit` where that has no room."""
    files = [each for each in (place, *place.rglob("*")) if each.is_file()]
    there = sum(each.stat().st_size for each in files)
    needed, free = bytes_ - there, shutil.disk_usage(place.parent).free
    print(f"{place}: {there / 1e9:,.1f} GB are there, {max(0, needed) / 1e9:,.1f} GB are to come, "
          f"{free / 1e9:,.1f} GB are free")  # fmt: skip
    if needed > free:
        raise SystemExit("There is no room for it: name another FOLDER_OF_ROUNDS, or fewer rounds")


def of_postgresql(rounds: int) -> list[BenchLine]:
    """The same on a throw-away cluster."""
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        # What is cut off is made again: nothing is written twice, nor waited for.
        fast = "-c wal_level=minimal -c max_wal_senders=0 -c fsync=off"
        return in_cluster(Path(folder), filling(rounds), fast)


def in_cluster(folder: Path, filled: ArchiveFilling, fast: str) -> list[BenchLine]:
    """The same on the cluster in `folder`, with the server's options `fast` while it is made."""
    folder.chmod(0o755)
    with Postgres(folder) as server:
        server.stop()
        server.start(fast)
        taken = made(server.url, filled)
        server.stop()
        for file in folder.rglob("*"):
            if file.is_file():
                forget(file)
        server.start()
        return measured(server.url, "PostgreSQL", filled, taken)


def forget(file: Path) -> None:
    """Nothing of the file is in memory, as after a start of the machine."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fdatasync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def measured(address: str, kind: str, filled: ArchiveFilling, made_s: float) -> list[BenchLine]:
    """A day's report and every search, the first of them right after a start; at last the wall,
    of a pit that runs on it.
    """
    day, many = day_of(filled), f"{filled.rounds:,} rounds, {kind}"
    span, now_ms = ReportSpan(day, day), filled.began_ms(filled.many)
    asked: dict[str, Callable[[Engine], object]] = {
        f"a day's report by {by.value}": partial(report, span=span, by=by, target={}) for by in By
    }
    asked |= {
        f"search for {name}": partial(find_rounds, search=it) for name, it in SEARCHES.items()
    }
    asked |= {
        "the page of records": lambda engine: overview(engine, now_ms, "", archives=True),
        "chips of a table": partial(table_chips, table="T77"),
        "what is to be handed over": partial(draft, now_ms=now_ms),
        "what alerts look at": partial(_troubles, now_ms=now_ms),
    }
    first, *_ = asked
    found = [BenchLine(f"pit: made, {many}", f"{made_s:.0f} s")]
    found.append(
        _line(f"{first}, the first question, {many}", seconds(address, asked[first]), FIRST_S)
    )
    found += (
        _line(f"{name}, {many}", seconds(address, what), PROMISE_S) for name, what in asked.items()
    )
    waits = looks(address, filled.tables)
    p99 = quantile(waits, 0.99)
    found.append(
        BenchLine(
            f"pit: the wall's first picture, {filled.tables} tables, {many}",
            f"{1_000 * quantile(waits, 0.5):.0f} ms", f"{1_000 * p99:.0f} ms",
            f"p99 <= {1_000 * WALL_S:.0f} ms", p99 <= WALL_S,
        )
    )  # fmt: skip
    return found


def _troubles(engine: Engine, now_ms: int) -> object:
    with engine.connect().execution_options(reads_only=True) as connection:
        return read_troubles(connection, AlertSettings(), now_ms)


def _line(what: str, taken_s: float, promise_s: float) -> BenchLine:
    goal = f"<= {promise_s:.0f} s"
    return BenchLine(f"pit: {what}", f"{taken_s:.2f} s", goal=goal, reached=taken_s <= promise_s)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit.books")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--postgresql", action="store_true", help="not SQLite")
    parser.add_argument("--folder", type=Path, help="where the archive stays")
    asked_for = parser.parse_args()
    if asked_for.folder is not None:
        print_table(kept(asked_for.rounds, asked_for.folder, postgresql=asked_for.postgresql))
    else:
        print_table((of_postgresql if asked_for.postgresql else lines)(asked_for.rounds))
