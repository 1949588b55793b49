"""A pit with many archived rounds: a day's report, and searches, also of a card that is rare.

python -m tests.bench.pit_books --rounds 10000000     # as many as a pit has

Made by the database itself, in SQLite; each figure is of a connection of its own, after a start.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import text

from controller.pit.archive.database import open_database
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.report import report
from controller.pit.reports.search import RoundSearch, find_rounds
from tests.bench.table import Line, print_table

ROUNDS: Final = 200_000
TABLES: Final = 200
#: A table deals so many rounds a day.
A_DAY: Final = 1_000
BEGAN_MS: Final = 1_767_225_600_000  # 2026-01-01
RARE: Final = "Jo"
PROMISE_S: Final = 1.0

_NUMBERS: Final = (
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :rounds) "
)
#: Round `i` is of table `i % tables + 1`, the `i / tables`-th one there.
_PLACE: Final = (
    "i % :tables + 1 AS table_id, i / :tables AS place, "
    ":began + (i / :tables) * (86400000 / :a_day) + i % :tables AS at_ms"
)
_FILL: Final = (
    "INSERT INTO tables SELECT i + 1, 'T' || (i + 1), x'00', 1000000000, x'00', 0, 0, '', "
    "'blackjack', '', '', 0 FROM (" + _NUMBERS + "SELECT i FROM n WHERE i < :tables)",
    "INSERT INTO followed SELECT id, 3, seq, 0, 'EUR', '{}' FROM tables",
    "INSERT INTO rounds (table_id, seq, number, day, game, dealer, began_ms, ended_ms, dummy, "
    "void, corrections, wagered, net) SELECT table_id, place * 30, place + 1, "
    "date(at_ms / 1000, 'unixepoch'), 'blackjack', 'd' || (place / 40 % 50), at_ms, at_ms + 50000, "
    "0, 0, 0, 4000 + 100 * (place % 37), 100 * (i * 7919 % 61 - 30) "
    "FROM (" + _NUMBERS + "SELECT i, " + _PLACE + " FROM n) ORDER BY table_id, place",
    (
        "INSERT INTO round_cards SELECT card.code, r.began_ms, r.table_id, r.seq, card.at % 6 "
        "FROM (SELECT value AS code, key AS at FROM json_each(:cards)) AS card CROSS JOIN "
        "(SELECT began_ms, table_id, seq, number FROM rounds ORDER BY began_ms, table_id) AS r "
        "WHERE (r.number * 7919 + r.table_id * 31 + card.at * 104729) % 52 < 12"
    ),
    (
        "INSERT INTO round_cards SELECT :rare, began_ms, table_id, seq, 0 FROM rounds "
        "WHERE number = 1 AND table_id <= 3"
    ),
    (
        "INSERT INTO round_amounts SELECT 500 * (1 + (number + seat.key) % 200), began_ms, "
        "table_id, seq, seat.key FROM rounds CROSS JOIN json_each('[0,1,2,3]') AS seat "
        "ORDER BY 1, 2, 3"
    ),
    (
        "INSERT INTO tallies (day, table_id, hour_ms, shift, game, dealer, rounds, dummies, void, "
        "untracked, corrections, seats, places, hands, wagered, net, played_ms, cards, by_hand, "
        "misreads, holds, hold_ms, errors, held_rounds, held_wagered, held_net, theory, mistakes) "
        "SELECT day, table_id, began_ms / 3600000 * 3600000, 0, game, dealer, count(*), 0, 0, "
        "0, 0, 4 * count(*), 7 * count(*), 4 * count(*), sum(wagered), sum(net), 60000 * count(*), "
        "12 * count(*), 0, 0, 0, 0, 0, count(*), sum(wagered), sum(net), 5 * sum(wagered), 0 "
        "FROM rounds GROUP BY 1, 2, 3, 5, 6"
    ),
)


def made(path: Path, rounds: int) -> str:
    """An archive with so many rounds in its books; its address."""
    address = f"sqlite:///{path}"
    engine = open_database(address)
    cards = "[" + ",".join(f'"{rank}{suit}"' for rank in "A23456789TJQK" for suit in "shdc") + "]"
    values = {
        "rounds": rounds, "tables": TABLES, "a_day": A_DAY, "began": BEGAN_MS, "cards": cards,
        "rare": RARE,
    }  # fmt: skip
    for each in _FILL:
        with engine.begin() as connection:
            used = {name: value for name, value in values.items() if f":{name}" in each}
            connection.execute(text(each), used)
    engine.dispose()
    return address


def seconds(address: str, what: Callable[..., object]) -> float:
    """How long the first question after a start takes."""
    engine = open_database(address)
    began = time.perf_counter()
    what(engine)
    taken = time.perf_counter() - began
    engine.dispose()
    return taken


def day_of(rounds: int) -> str:
    """A day in the middle of what was played."""
    days = max(1, rounds // TABLES // A_DAY)
    return time.strftime("%Y-%m-%d", time.gmtime(BEGAN_MS / 1_000 + 86_400 * (days // 2)))


def lines(rounds: int = ROUNDS) -> list[Line]:
    """The rows of this part."""
    searches = {
        "a common card": RoundSearch(card="7h"),
        "a card that came up three times": RoundSearch(card=RARE),
        "a card at a seat of one table": RoundSearch(card="7h", seat=3, table="T77"),
        "a card, an amount and a dealer": RoundSearch(card="As", amount=10_000, dealer="d7"),
        "an amount that nobody bet": RoundSearch(amount=12_345),
    }
    span, many = ReportSpan(day_of(rounds), day_of(rounds)), f"{rounds:,} rounds"
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        address = made(Path(folder) / "archive.db", rounds)
        found = [
            _line(
                f"a day's report by {by.value}, {many}",
                seconds(address, partial(report, span=span, by=by, target={})),
            )
            for by in (By.TABLE, By.DEALER, By.HOUR)
        ]
        found += [
            _line(f"search for {name}, {many}", seconds(address, partial(find_rounds, search=it)))
            for name, it in searches.items()
        ]
    return found


def _line(what: str, taken_s: float) -> Line:
    goal = f"<= {PROMISE_S:.0f} s"
    return Line(f"pit: {what}", f"{taken_s:.2f} s", goal=goal, reached=taken_s <= PROMISE_S)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit_books")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    print_table(lines(parser.parse_args().rounds))
