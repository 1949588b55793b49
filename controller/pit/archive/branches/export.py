"""Records that were set aside, read out of the archive for a file of them. Blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, Engine, select

from controller.pit.archive.storage import schema as s
from controller.record.files.chain_store import Row, chain
from controller.record.files.head_anchor import genesis
from controller.record.reading.set_aside import SetAsideHead

_AT_ONCE: Final = 1_000


class NothingSetAside(ValueError):
    """There are no records under that number that could be exported; the text says why."""


def set_aside_head(engine: Engine, number: int) -> SetAsideHead:
    """What the records of a branch are. Raises `NothingSetAside`, `DBAPIError`."""
    with engine.connect().execution_options(reads_only=True) as connection:
        query = select(s.BRANCHES).where(s.BRANCHES.c.id == number)
        branch = connection.execute(query).mappings().first()
        if branch is None:
            raise NothingSetAside(f"nobody said of two histories which one stands under {number}")
        name, first = str(branch["name"]), int(branch["first_seq"])
        if branch["done_ms"] is None or not first:
            raise NothingSetAside(f"no records of {name} were set aside under {number}")
        table = connection.execute(select(s.TABLES).where(s.TABLES.c.name == name)).mappings().one()
        return SetAsideHead(
            table=name, identity=table["identity"].hex(), branch=number, who=branch["who"],
            reason=branch["reason"], asked_ms=branch["asked_ms"], done_ms=branch["done_ms"],
            first_seq=first, last_seq=branch["last_seq"], last_hash=branch["last_hash"].hex(),
            after_hash=_before(connection, number, name, table["id"], table["identity"]).hex(),
        )  # fmt: skip


def set_aside_rows(engine: Engine, number: int) -> Iterator[Row]:
    """The records of a branch, some at a time: no connection waits for a slow reader."""
    after, kept = 0, s.SET_ASIDE.c
    while True:
        query = select(kept.seq, kept.version, kept.body, kept.hash).where(
            kept.branch == number, kept.seq > after
        )
        with engine.connect().execution_options(reads_only=True) as connection:
            rows = connection.execute(query.order_by(kept.seq).limit(_AT_ONCE)).all()
        if not rows:
            return
        yield from (Row(*each) for each in rows)
        after = rows[-1][0]


def _before(connection: Connection, number: int, name: str, id_: int, identity: bytes) -> bytes:
    """The hash of the record that both histories have, which the first one follows."""
    first = next(iter(_first_row(connection, number)))
    if first.seq == 1:
        return genesis(identity).hash
    seq = first.seq - 1
    records, kept, branches = s.RECORDS.c, s.SET_ASIDE.c, s.BRANCHES.c
    standing = select(records.hash).where(records.table_id == id_, records.seq == seq)
    # Later the table may have been put back further: then that one was set aside, too.
    aside = (
        select(kept.hash)
        .join(s.BRANCHES, branches.id == kept.branch)
        .where(branches.name == name, kept.seq == seq)
    )
    for hash_ in connection.scalars(standing.union_all(aside)):
        if chain(hash_, first.seq, first.version, first.body) == first.hash:
            return bytes(hash_)
    raise NothingSetAside(f"the archive no longer has record {seq} of {name}, which they follow")


def _first_row(connection: Connection, number: int) -> Iterator[Row]:
    kept = s.SET_ASIDE.c
    query = select(kept.seq, kept.version, kept.body, kept.hash).where(kept.branch == number)
    for each in connection.execute(query.order_by(kept.seq).limit(1)):
        yield Row(*each)
