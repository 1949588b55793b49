"""The tables of who may act at which table, in the pit's own database. Times are wall ms."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, Table, Text

from controller.pit.archive.storage.schema import METADATA

#: At which tables a user may act, by their names; `*`: at all that take their people from here.
TABLE_GRANTS: Final = Table(
    "table_grants", METADATA,
    Column("user_id", Integer, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("name", Text, primary_key=True),
)  # fmt: skip

#: Every directory that was made for a table. `people`: ids and roles as JSON, whose digest tables
#: put on record; `content` is the digest of all that it says; `document` as it is sent, of the
#: newest alone. `in_force_ms`: when the archive had it from the table. `accepted_by`: it was not
#: made here, and somebody has said that the next one follows it.
ISSUED: Final = Table(
    "issued_directories", METADATA,
    Column("name", Text, primary_key=True),
    Column("serial", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", Text, primary_key=True),
    Column("content", Text, nullable=False),
    Column("people", Text, nullable=False),
    Column("issued_ms", BigInteger, nullable=False),
    Column("good_until_ms", BigInteger, nullable=False),
    Column("document", LargeBinary),
    Column("in_force_ms", BigInteger),
    Column("accepted_by", Text, nullable=False),
)  # fmt: skip
