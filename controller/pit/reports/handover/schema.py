"""The table of handovers between shifts of the pit: what was said, and who signed it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from controller.pit.archive.storage.schema import METADATA

#: `shown` is what stood on the page as it was signed (JSON); `taken_*` empty until the next signs.
#: Users by number and by the name that they had then.
HANDOVERS: Final = Table(
    "handovers", METADATA,
    Column("id", Integer, primary_key=True),
    Column("since_ms", BigInteger, nullable=False),
    Column("given_ms", BigInteger, nullable=False),
    Column("given_user", Integer, nullable=False),
    Column("given_name", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("shown", Text, nullable=False),
    Column("taken_ms", BigInteger),
    Column("taken_user", Integer),
    Column("taken_name", Text, nullable=False),
)  # fmt: skip

Index("handovers_given", HANDOVERS.c.given_ms)
