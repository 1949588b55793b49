"""Records that a pit's archive set aside, as a file that anybody can check.

A line of JSON says which records of which table they are, and after which one they follow; each
line after it is a record as it lay in the table's own file, with its hash. A hash covers its record
and the hash before it: whoever has the last one from elsewhere knows that all of them are there.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from controller.record.files.chain_store import Row, chain
from controller.record.files.database import JournalError
from controller.record.files.head_anchor import NotedHead, Position, genesis

FORM: Final = "tablectl-set-aside/1"
#: A line is no longer: a record is far shorter.
_MOST_BYTES: Final = 16 * 2**20
_HASH_BYTES: Final = 32


class SetAsideHead(Struct, frozen=True, kw_only=True):
    """Whose records `first_seq` to `last_seq` are, and why they stand in no report of the pit.

    `identity` is the table's record (hex). `after_hash` is the hash of the record before the first,
    which both histories have, `last_hash` that of the last one (hex). Times are the pit's, in ms.
    """

    form: str = FORM
    table: str
    identity: str
    branch: int
    who: str
    reason: str
    asked_ms: int
    done_ms: int
    first_seq: int
    last_seq: int
    after_hash: str
    last_hash: str


class _SetAsideLine(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    seq: int
    version: int
    hash: str
    body: str = ""
    body_base64: str = ""


def set_aside_lines(head: SetAsideHead, rows: Iterable[Row]) -> Iterator[bytes]:
    """The lines of the file."""
    yield msgspec.json.encode(head) + b"\n"
    for row in rows:
        yield msgspec.json.encode(_line(row)) + b"\n"


def check_set_aside(path: Path, noted: NotedHead | None = None) -> SetAsideHead:
    """Check every record of the file, link by link; what its first line says.

    `noted`: a head that was noted while the table had these records, which has to be one of them.
    Raises `JournalError` for the first thing that is wrong, `OSError`.
    """
    with path.open("rb") as file:
        head = _head(path, file)
        at, found = _before(path, head), ""
        for number, line in enumerate(_lines(path, file), start=2):
            at = _follow(path, number, line, at)
            if noted is not None and noted.seq == at.seq:
                found = at.hash.hex()
    if at != Position(head.last_seq, bytes.fromhex(head.last_hash)):
        raise JournalError(
            f"{path} ends at record {at.seq}, and its first line says {head.last_seq}, with another"
            " hash or number: records are missing at its end, or were changed"
        )
    if noted is not None and not (found and found.startswith(noted.hash)):
        raise JournalError(
            f"{path}: record {noted.seq} as it was noted is not among its records: look the note up"
            " once more, or export the file anew"
        )
    return head


def _line(row: Row) -> _SetAsideLine:
    try:
        return _SetAsideLine(row.seq, row.version, row.hash.hex(), row.body.decode("utf-8"))
    except UnicodeDecodeError:
        coded = base64.b64encode(row.body).decode()
        return _SetAsideLine(row.seq, row.version, row.hash.hex(), body_base64=coded)


def _lines(path: Path, file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_MOST_BYTES):
        if not line.endswith(b"\n"):
            raise JournalError(f"{path} ends within a line: it was cut off")
        yield line


def _head(path: Path, file: BinaryIO) -> SetAsideHead:
    try:
        head = msgspec.json.decode(file.readline(_MOST_BYTES), type=SetAsideHead)
        sizes = {len(bytes.fromhex(each)) for each in (head.after_hash, head.last_hash)}
        bytes.fromhex(head.identity)
    except (ValueError, msgspec.MsgspecError) as error:
        raise JournalError(
            f"{path} is no record, and no file of records that were set aside ({error}): name the"
            " folder of a record, or what `tablectl pit CONFIG set-aside NUMBER` wrote"
        ) from error
    if head.form != FORM or sizes != {_HASH_BYTES} or not 1 <= head.first_seq <= head.last_seq:
        raise JournalError(f"{path} is of another form than {FORM}: use the tablectl that wrote it")
    return head


def _before(path: Path, head: SetAsideHead) -> Position:
    """The record that both histories have."""
    before = Position(head.first_seq - 1, bytes.fromhex(head.after_hash))
    if before.seq == 0 and before != genesis(bytes.fromhex(head.identity)):
        raise JournalError(
            f"{path} does not begin where the record of its table begins: export it anew with"
            " `tablectl pit CONFIG set-aside NUMBER`"
        )
    return before


def _follow(path: Path, number: int, line: bytes, at: Position) -> Position:
    try:
        read = msgspec.json.decode(line, type=_SetAsideLine)
        body = base64.b64decode(read.body_base64, validate=True) or read.body.encode()
        hash_ = bytes.fromhex(read.hash)
    except (ValueError, msgspec.MsgspecError) as error:
        raise JournalError(f"{path}, line {number}: it cannot be read ({error})") from error
    if read.seq != at.seq + 1:
        raise JournalError(f"{path}, line {number}: record {read.seq} does not follow {at.seq}")
    if chain(at.hash, read.seq, read.version, body) != hash_:
        raise JournalError(
            f"{path}, line {number}: record {read.seq} is not the one that its hash was made of"
        )
    return Position(read.seq, hash_)
