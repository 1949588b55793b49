"""The tables of the archive's database, for SQLite and PostgreSQL alike.

Times are wall times in ms, amounts minor units, people their ids. What is derived stands by the
number of the record that it comes from, so that it cannot be written twice.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

METADATA: Final = MetaData()


def _of_record(name: str, *columns: Column[object]) -> Table:
    """A table whose rows come from one record each, or from one place of it."""
    return Table(
        name, METADATA,
        Column("table_id", Integer, ForeignKey("tables.id"), primary_key=True),
        Column("seq", BigInteger, primary_key=True, autoincrement=False),
        *columns, sqlite_with_rowid=False,
    )  # fmt: skip


#: A table of the pit, its cursor, and what the next record is read with.
TABLES: Final = Table(
    "tables", METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("identity", LargeBinary, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("archived_ms", BigInteger, nullable=False),
    Column("software", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("day", Text, nullable=False),
    Column("dealer", Text, nullable=False),
    Column("round", BigInteger, nullable=False),
)  # fmt: skip

RECORDS: Final = _of_record(
    "records",
    Column("version", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)

#: `seq` is the record that began it. `wagered` and `net` leave untracked wagers out.
ROUNDS: Final = _of_record(
    "rounds",
    Column("number", BigInteger, nullable=False),
    Column("day", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("dealer", Text, nullable=False),
    Column("began_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("dummy", Boolean, nullable=False),
    Column("void", Boolean, nullable=False),
    Column("corrections", Integer, nullable=False),
    Column("wagered", BigInteger, nullable=False),
    Column("net", BigInteger),
)

#: A hand as it was settled; a correction leaves it, and changes its round and the money.
HANDS: Final = _of_record(
    "hands",
    Column("round", BigInteger, nullable=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("outcome", Text, nullable=False),
    Column("wager", BigInteger),
    Column("net", BigInteger),
)

HOLDS: Final = _of_record(
    "holds",
    Column("number", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("began_ms", BigInteger, nullable=False),
    Column("released_ms", BigInteger),
    Column("resolution", Text, nullable=False),
)

#: What a seat got (below zero: lost), record by record: the sum over a round is its net.
MONEY: Final = _of_record(
    "money",
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("round", BigInteger, nullable=False),
    Column("day", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
)

#: Who did what, by id.
PEOPLE: Final = _of_record(
    "people",
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("person", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

#: Which directory of people is in force from a record on (`table.facts.DirectoryInstalled`).
DIRECTORIES: Final = _of_record(
    "directories",
    Column("serial", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("roster", Text, nullable=False),
    Column("people", Integer, nullable=False),
    Column("good_until_ms", BigInteger, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

#: By the table's name: a message may be of no table that the archive has. `seq` 0: no record.
FINDINGS: Final = Table(
    "findings", METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Column("count", BigInteger, nullable=False),
    Column("settled_ms", BigInteger),
)  # fmt: skip

#: Somebody with the right to say so has said that the table's own history stands, not the
#: archive's: why, and what was set aside for it (nothing yet, or nothing at all: no hash).
BRANCHES: Final = Table(
    "branches", METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("finding", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("done_ms", BigInteger),
    Column("said", Text, nullable=False),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("last_hash", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)  # fmt: skip

#: Records that were archived, and are not of the history that stands.
SET_ASIDE: Final = Table(
    "set_aside", METADATA,
    Column("branch", Integer, ForeignKey("branches.id"), primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

#: Tables that are out of service for good, by name: one may never have had a record here.
RETIRED: Final = Table(
    "retired", METADATA,
    Column("name", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("who", Text, nullable=False),
    Column("reason", Text, nullable=False),
)  # fmt: skip

#: How far the broker's buffer was read: a hint that saves time, and nobody's cursor.
BUFFER: Final = Table(
    "buffer", METADATA,
    Column("stream", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
)  # fmt: skip

Index("rounds_number", ROUNDS.c.table_id, ROUNDS.c.number)
#: Rounds that were made void or corrected: few.
Index(
    "rounds_put_right", ROUNDS.c.began_ms, ROUNDS.c.table_id,
    sqlite_where=text("void = 1 OR corrections > 0"),
    postgresql_where=text("void OR corrections > 0"),
)  # fmt: skip
Index("rounds_day", ROUNDS.c.day, ROUNDS.c.table_id)
Index("hands_round", HANDS.c.table_id, HANDS.c.round)
Index("holds_number", HOLDS.c.table_id, HOLDS.c.number)
Index(
    "holds_open", HOLDS.c.table_id, HOLDS.c.number,
    sqlite_where=text("released_ms IS NULL"), postgresql_where=text("released_ms IS NULL"),
)  # fmt: skip
Index("money_day", MONEY.c.day, MONEY.c.table_id)
Index("people_person", PEOPLE.c.person, PEOPLE.c.at_ms)
Index(
    "people_dealers", PEOPLE.c.at_ms,
    sqlite_where=text("act = 'DealerChanged'"), postgresql_where=text("act = 'DealerChanged'"),
)  # fmt: skip
Index(
    "branches_open", BRANCHES.c.name, unique=True,
    sqlite_where=text("done_ms IS NULL"), postgresql_where=text("done_ms IS NULL"),
)  # fmt: skip
Index(
    "findings_open", FINDINGS.c.name, FINDINGS.c.kind, FINDINGS.c.seq, unique=True,
    sqlite_where=text("settled_ms IS NULL"), postgresql_where=text("settled_ms IS NULL"),
)  # fmt: skip
