"""An archive with many rounds and its books, made by the database itself: SQLite or PostgreSQL.

Rows are those that the archive and its books keep of rounds of seven seats with some twelve cards
and four bets each. The records themselves are left out: no report and no search reads them.
"""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import Connection, Engine, text

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FORM
from controller.pit.archive.schema import ROUNDS

BEGAN_MS: Final = 1_767_225_600_000  # 2026-01-01
TABLES: Final = 200
#: A table deals so many rounds a day.
A_DAY: Final = 1_000
#: A card that came up three times.
RARE: Final = "Jo"
_CARDS: Final = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "shdc"]

#: What each database writes in its own way.
_WORDS: Final = {
    "sqlite": {
        "numbers": "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n"
        " WHERE i + 1 < {}) SELECT i FROM n)",
        "day": "date(at_ms / 1000, 'unixepoch')",
        "no": "0", "nothing": "x'00'",
        "each": "(SELECT value AS code, key AS at FROM json_each(:cards))",
        "seats": "(SELECT value AS seat FROM json_each('[0,1,2,3]'))",
    },
    "postgresql": {
        "numbers": "(SELECT i FROM generate_series(0::bigint, {} - 1) AS n(i))",
        "day": "to_char(to_timestamp(at_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
        "no": "false", "nothing": "'\\x00'::bytea",
        "each": "(SELECT code, at - 1 AS at FROM json_array_elements_text(CAST(:cards AS json))"
        " WITH ORDINALITY AS c(code, at))",
        "seats": "(SELECT seat FROM generate_series(0, 3) AS s(seat))",
    },
}  # fmt: skip
#: Round `i` is of table `i % tables + 1`, the `i / tables`-th one there.
_STEPS: Final = (
    (
        "INSERT INTO tables (id, name, identity, seq, hash, at_ms, archived_ms, day, game,"
        " software, dealer, round) SELECT i + 1, 'T' || (i + 1), {nothing}, 1000000000, {nothing},"
        " 0, 0, '', 'blackjack', '', '', 0 FROM {tables} AS n"
    ),
    (
        "INSERT INTO followed (table_id, form, seq, at_ms, currency, kept)"
        " SELECT id, :form, seq, 0, 'EUR', '{{}}' FROM tables"
    ),
    (
        "INSERT INTO rounds (table_id, seq, number, day, game, dealer, began_ms, ended_ms, dummy,"
        " void, corrections, wagered, net) SELECT table_id, place * 30, place + 1, {day},"
        " 'blackjack', 'd' || (place / 40 % 50), at_ms, at_ms + 50000, {no}, {no}, 0,"
        " 4000 + 100 * (place % 37),"
        " 100 * (i * 7919 % 61 - 30) FROM (SELECT i, i % :tables + 1 AS table_id,"
        " i / :tables AS place, :began + (i / :tables) * (86400000 / :a_day) + i % :tables AS at_ms"
        " FROM {rounds} AS n) AS placed ORDER BY table_id, place"
    ),
)
#: These read rounds by the indexes that are made meanwhile.
_MORE: Final = (
    (
        "INSERT INTO round_cards (card, at_ms, table_id, seq, seat)"
        " SELECT card.code, r.began_ms, r.table_id, r.seq, card.at % 6 FROM {each} AS card"
        " CROSS JOIN (SELECT began_ms, table_id, seq, number FROM rounds"
        " ORDER BY began_ms, table_id) AS r"
        " WHERE (r.number * 7919 + r.table_id * 31 + card.at * 104729) % 52 < 12"
    ),
    (
        "INSERT INTO round_cards (card, at_ms, table_id, seq, seat)"
        " SELECT :rare, began_ms, table_id, seq, 0 FROM rounds WHERE number = 1 AND table_id <= 3"
    ),
    (
        "INSERT INTO round_amounts (amount, at_ms, table_id, seq, seat)"
        " SELECT 500 * (1 + (number + seat) % 200), began_ms, table_id, seq, seat"
        " FROM rounds CROSS JOIN {seats} AS s ORDER BY 1, 2, 3"
    ),
    (
        "INSERT INTO tallies (day, table_id, hour_ms, shift, game, dealer, rounds, dummies, void,"
        " untracked, corrections, seats, places, hands, wagered, net, played_ms, cards, by_hand,"
        " misreads, holds, hold_ms, errors, held_rounds, held_wagered, held_net, theory, mistakes)"
        " SELECT day, table_id, began_ms / 3600000 * 3600000, 0, game, dealer, count(*), 0, 0, 0,"
        " 0, 4 * count(*), 7 * count(*), 4 * count(*), sum(wagered), sum(net), 60000 * count(*),"
        " 12 * count(*), 0, 0, 0, 0, 0, count(*), sum(wagered), sum(net), 5 * sum(wagered), 0"
        " FROM rounds GROUP BY 1, 2, 3, 5, 6"
    ),
)
#: Cheaper to make once over all rows.
_INDEXED: Final = (ROUNDS,)


def fill(engine: Engine, rounds: int) -> None:
    """Put so many rounds, and what the books have of them, into an empty archive. Blocks."""
    words = dict(_WORDS[engine.dialect.name])
    numbers = words.pop("numbers")
    words |= {"rounds": numbers.format(":rounds"), "tables": numbers.format(":tables")}
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # What is cut off here is made again: nothing is written twice.
            # Before a transaction begins.
            driver: Any = connection.connection.driver_connection
            for each in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -500000"):
                driver.execute(f"PRAGMA {each}")
        indexes = [index for table in _INDEXED for index in table.indexes]
        for index in indexes:
            index.drop(connection)
        _run(connection, _STEPS, words, rounds)
        for index in indexes:
            index.create(connection)
        connection.commit()
        _run(connection, _MORE, words, rounds)
    # The next connection has its own settings again.
    engine.dispose()
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # As the database does by itself within minutes.
            for table in (ROUNDS, b.ROUND_CARDS, b.ROUND_AMOUNTS, b.TALLIES):
                connection.exec_driver_sql(f"VACUUM ANALYZE {table.name}")


def _run(
    connection: Connection, steps: tuple[str, ...], words: dict[str, str], rounds: int
) -> None:
    values: dict[str, Any] = {
        "rounds": rounds, "tables": TABLES, "a_day": A_DAY, "began": BEGAN_MS, "rare": RARE,
        "cards": json.dumps(_CARDS), "form": FORM,
    }  # fmt: skip
    for each in steps:
        sql = each.format(**words)
        used = {name: value for name, value in values.items() if f":{name}" in sql}
        connection.execute(text(sql), used)
        connection.commit()
