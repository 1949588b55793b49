"""Where the archive is in a table's record, and what a message adds to it. Pure.

At or below the cursor a message's hashes are compared with the archive's: a duplicate, or a fork.
The next record is checked link by link; beyond it the table is asked for what is missing. Numbers
of the broker play no part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.bus.messages import BadMessage, HeadNews, RecordBatch, position_of, row_of
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.record.files.chain_store import Row, chain
from controller.record.files.head_anchor import Position, genesis

KnownHash = Callable[[int], bytes | None]
"""The hash of an archived record by its number; None where the archive has no such record."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last record of a table that the archive has; `identity` is that of its chain."""

    identity: bytes
    at: Position


@dataclass(frozen=True, slots=True)
class CursorStep:
    """What a message comes to: records to archive, the cursor after them, what is wrong.

    `missing`: the message begins beyond the cursor, so the table is to be asked.
    """

    cursor: Cursor
    rows: tuple[Row, ...] = ()
    finding: ArchiveFinding | None = None
    missing: bool = False


def begun(identity: bytes) -> Cursor:
    """The cursor before the first record of a table."""
    return Cursor(identity, genesis(identity))


def identity_of(text: str) -> bytes:
    """The identity in a message. Raises `BadMessage`."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise BadMessage(f"{text[:80]!r} is no identity") from error


def follow(cursor: Cursor | None, batch: RecordBatch, known: KnownHash) -> CursorStep:
    """What `batch` adds to the record of a table that stands at `cursor` (None: it is new).

    Raises `BadMessage` for a message that could be of no table.
    """
    identity = identity_of(batch.identity)
    after, rows = position_of(batch.after), tuple(map(row_of, batch.records))
    at = cursor or begun(identity)
    if at.identity != identity:
        return CursorStep(at, finding=two_tables(at.identity, identity))
    for seq, row in enumerate(rows, after.seq + 1):
        if not 0 <= row.version <= 0xFFFF:
            raise BadMessage("its records are of no format")
        if row.seq != seq:
            raise BadMessage(f"its records are not numbered on from {after.seq}")
    if after == at.at:  # as nearly all: nothing of it is archived yet
        return _linked(at, rows)
    if after.seq > at.at.seq:
        return CursorStep(at, missing=True)
    if fork := _forked(at, (after, *(Position(each.seq, each.hash) for each in rows)), known):
        return CursorStep(at, finding=fork)
    return _linked(at, [each for each in rows if each.seq > at.at.seq])


def _linked(cursor: Cursor, rows: Sequence[Row]) -> CursorStep:
    """The records that follow the cursor, as far as each holds."""
    previous = cursor.at
    for count, row in enumerate(rows):
        if chain(previous.hash, row.seq, row.version, row.body) != row.hash:
            text = (
                f"record {row.seq} is not the one that its hash was made of, or does not follow "
                f"from record {previous.seq}"
            )
            finding = ArchiveFinding(FindingKind.BROKEN, row.seq, text)
            return CursorStep(Cursor(cursor.identity, previous), tuple(rows[:count]), finding)
        previous = Position(row.seq, row.hash)
    return CursorStep(Cursor(cursor.identity, previous), tuple(rows))


def _forked(cursor: Cursor, marks: Sequence[Position], known: KnownHash) -> ArchiveFinding | None:
    """The first record at or below the cursor that is another one in the message.

    Each hash covers all before it: where the last one agrees, the others do.
    """
    archived = [each for each in marks if each.seq <= cursor.at.seq]
    if not archived or _agrees(cursor, archived[-1], known):
        return None
    first = next(each for each in archived if not _agrees(cursor, each, known))
    return forked(first.seq)


def _agrees(cursor: Cursor, mark: Position, known: KnownHash) -> bool:
    if mark.seq == 0:
        return mark == genesis(cursor.identity)
    if mark.seq == cursor.at.seq:
        return mark == cursor.at
    return known(mark.seq) == mark.hash


def look_at_head(
    cursor: Cursor, news: HeadNews, known: KnownHash, before: int
) -> ArchiveFinding | None:
    """What an announced head says against the archive; None where it agrees or is further.

    `before` is the number at which the cursor stood as the table announced its head the last time:
    a head below that one is no late news, but a record that became shorter. Raises `BadMessage`.
    """
    identity, head = identity_of(news.identity), position_of(news.head)
    if identity != cursor.identity:
        return two_tables(cursor.identity, identity)
    if head.seq > cursor.at.seq:
        return None
    if not _agrees(cursor, head, known):
        return forked(head.seq)
    if head.seq < before:
        text = (
            f"the table's record ends with {head.seq}, the archive has {cursor.at.seq} records of "
            "it: the table was put back to an older backup"
        )
        return ArchiveFinding(FindingKind.BEHIND, head.seq + 1, text)
    return None


def forked(seq: int) -> ArchiveFinding:
    """Two histories of one table, which part at record `seq` or before it."""
    text = (
        f"record {seq} of the table is another one than the archive has: the table was put back to "
        "an older backup and went on from there, or one of the two was forged"
    )
    return ArchiveFinding(FindingKind.FORK, seq, text)


def two_names(other: str) -> ArchiveFinding:
    """A record that is archived under another table's name, and would be counted twice."""
    text = (
        f"this table's record is archived already, as that of {other}: where {other} was renamed,"
        f" `tablectl pit CONFIG rename-table {other} NEW-NAME`; where it is a copy, give it a"
        " record of its own. Nothing of it is archived under this name until then"
    )
    return ArchiveFinding(FindingKind.TWO_NAMES, 0, text)


def two_tables(known: bytes, other: bytes) -> ArchiveFinding:
    """Two records under one name."""
    text = (
        f"another record goes by this table's name (it begins with {other.hex()[:16]}, the "
        f"archived one with {known.hex()[:16]}): give one of the two tables another name"
    )
    return ArchiveFinding(FindingKind.TWO_TABLES, 0, text)
