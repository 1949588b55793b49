"""What goes over the bus: subjects, and the JSON of each message. Pure.

A record crosses as it lies in the table's file: number, version, bytes, hash. Hidden cards stand
in these bytes as commitments, so that what is mirrored is what may be published. Whoever takes
records checks them with the chain's own function (`controller.record.files.chain_store.chain`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Final, TypeVar

import msgspec

from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position

PREFIX: Final = "tablectl"
#: The stream that buffers records while an archive is away, and the subjects that it takes.
STREAM: Final = "TABLECTL_RECORDS"
#: The stream that keeps the last directory of people that was sent to each table.
PEOPLE_STREAM: Final = "TABLECTL_PEOPLE"
#: This many records go in one message at most, and this many bytes of them: NATS takes 1 MiB.
MOST_RECORDS: Final = 100
MOST_BYTES: Final = 500_000
#: This many pictures of cards are asked for at once; of a round there are fewer.
MOST_PICTURES: Final = 200
#: What a database holds as a number.
_MOST_SEQ: Final = 2**62
#: What a message may say, whoever made it: counts and wall times in ms that every reader of JSON
#: holds exactly, texts for people.
Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Said = Annotated[str, msgspec.Meta(max_length=2_000)]
#: What is raised for bytes that are not the JSON that is wanted, whoever made them: not JSON, not
#: of that form, no UTF-8, nested without end.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
#: A table's name on the bus: a subject's parts are divided by dots, and `*` and `>` stand for any.
TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")


class Topic(Enum):
    """The last part of a table's subjects."""

    RECORDS = "records"
    HEAD = "head"
    STATUS = "status"
    REFILL = "refill"
    COMMAND = "command"
    PEOPLE = "people"
    PICTURES = "pictures"


_TOPICS: Final = frozenset(each.value for each in Topic)


class BadMessage(ValueError):
    """A message that is none of ours; the text says what is wrong with it."""


class RecordLine(msgspec.Struct, frozen=True):
    """A record: its number, its format, its bytes (the JSON that is chained), its hash in hex."""

    seq: int
    version: int
    body: str
    hash: str


class ChainMark(msgspec.Struct, frozen=True):
    """A place in a table's record: number and hash (hex) of a record; number 0: its beginning."""

    seq: int
    hash: str


class RecordBatch(msgspec.Struct, frozen=True):
    """Records of a table in their order, the first of which follows `after`.

    `identity` (hex) is the random number that the table drew when its record began: two tables of
    one name differ in it.
    """

    table: str
    identity: str
    after: ChainMark
    records: tuple[RecordLine, ...]


class HeadNews(msgspec.Struct, frozen=True):
    """How far a table's record goes, at its wall time; sent every few seconds."""

    table: Said
    identity: Said
    head: ChainMark
    at_ms: Whole
    software: Said


class RefillRequest(msgspec.Struct, frozen=True):
    """The archive asks for the records after one that it has, up to a number of them."""

    after: ChainMark
    most: int = MOST_RECORDS


class RefillRefused(msgspec.Struct, frozen=True):
    """The table cannot go on from there; `why` is for people, `head` how far its record goes.

    `fork`: it has another record at that place, or fewer; else the days before are gone from it.
    """

    table: Said
    identity: Said
    head: ChainMark
    fork: bool
    why: Said


#: A picture's name is the SHA-256 of its file.
PictureName = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
PictureNames = Annotated[tuple[PictureName, ...], msgspec.Meta(max_length=MOST_PICTURES)]


class PicturesRequest(msgspec.Struct, frozen=True):
    """The pit asks for pictures of cards of round `round`, which begins with record `first`."""

    round: Whole
    first: Whole
    names: PictureNames


class CardPicture(msgspec.Struct, frozen=True):
    """What a camera saw of a card: a JPEG (base64), and the name under which it is on record."""

    name: PictureName
    jpeg: Annotated[bytes, msgspec.Meta(max_length=MOST_BYTES)]


class CardPictures(msgspec.Struct, frozen=True):
    """Pictures of those that were asked for, as many as go in a message: the rest is asked for
    again.

    `gone` are kept no longer; `held_back` the table shows to nobody, by its own record.
    """

    table: Said
    pictures: Annotated[tuple[CardPicture, ...], msgspec.Meta(max_length=MOST_PICTURES)]
    gone: PictureNames = ()
    held_back: PictureNames = ()


class PicturesRefused(msgspec.Struct, frozen=True):
    """The table gives none now; `why` is for people."""

    table: Said
    why: Said


_T = TypeVar("_T")
_ENCODER: Final = msgspec.json.Encoder()


def subject(table: str, topic: Topic) -> str:
    """The subject of a table's messages; `*` for those of all tables."""
    assert table == "*" or TABLE.fullmatch(table)
    return f"{PREFIX}.{table}.{topic.value}"


def last_people(table: str) -> str:
    """Where a table asks the broker for the last directory of people that was sent to it."""
    return f"$JS.API.DIRECT.GET.{PEOPLE_STREAM}.{subject(table, Topic.PEOPLE)}"


def table_of(subject_: str) -> str:
    """The table that a message came from, by its subject. Raises `BadMessage`."""
    prefix, _, rest = subject_.partition(".")
    table, _, topic = rest.partition(".")
    if prefix != PREFIX or not TABLE.fullmatch(table) or topic not in _TOPICS:
        raise BadMessage(f"{subject_!r} is no subject of a table")
    return table


def encode(message: msgspec.Struct) -> bytes:
    """The message as it goes over the bus."""
    return _ENCODER.encode(message)


def has_nul(body: bytes) -> bool:
    """Whether a text of a message has a NUL, which no table of ours says and PostgreSQL takes in no
    text: one status with it would keep every table's alerts from being written.
    """
    return b"\\u0000" in body


def decode(body: bytes, kind: type[_T]) -> _T:
    """A message that came. Raises `BadMessage`."""
    # Records are archived whatever they say: it is their books that stand.
    if kind is not RecordBatch and has_nul(body):
        raise BadMessage(f"this is no {getattr(kind, '__name__', kind)}: a text has a NUL")
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise BadMessage(f"this is no {getattr(kind, '__name__', kind)}: {error}") from error


def decode_refill(body: bytes) -> RecordBatch | RefillRefused:
    """A table's answer to a `RefillRequest`. Raises `BadMessage`."""
    try:
        return decode(body, RecordBatch)
    except BadMessage:
        return decode(body, RefillRefused)


def decode_pictures(body: bytes) -> CardPictures | PicturesRefused:
    """A table's answer to a `PicturesRequest`. Raises `BadMessage`."""
    try:
        return decode(body, CardPictures)
    except BadMessage:
        return decode(body, PicturesRefused)


def mark_of(position: Position) -> ChainMark:
    """A place as it goes over the bus."""
    return ChainMark(position.seq, position.hash.hex())


def position_of(mark: ChainMark) -> Position:
    """A place as the record has it. Raises `BadMessage`."""
    if not 0 <= mark.seq <= _MOST_SEQ:
        raise BadMessage(f"{mark.seq} is no number of a record")
    return Position(mark.seq, _unhex(mark.hash))


def line_of(row: Row) -> RecordLine:
    """A record as it goes over the bus."""
    return RecordLine(row.seq, row.version, row.body.decode(), row.hash.hex())


def row_of(line: RecordLine) -> Row:
    """A record as the chain has it, not checked. Raises `BadMessage`."""
    return Row(line.seq, line.version, line.body.encode(), _unhex(line.hash))


def batch(table: str, identity: bytes, after: Position, rows: Iterable[Row]) -> RecordBatch:
    """A message with these records."""
    return RecordBatch(table, identity.hex(), mark_of(after), tuple(map(line_of, rows)))


def message_id(sent: RecordBatch) -> str:
    """The same for the same records: the broker drops what comes twice in its window."""
    # With the name: two tables made of one image have one identity.
    return f"{sent.table}:{sent.identity[:16]}:{sent.after.seq}:{sent.records[-1].seq}"


def _unhex(text: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError as error:
        raise BadMessage(f"{text[:80]!r} is no hash") from error
    if len(found) != 32:
        raise BadMessage(f"{text[:80]!r} is no hash of 32 bytes")
    return found
