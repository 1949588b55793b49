"""A record as an event of the feed: its number, its round, its hash, and its bytes."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from controller.record.files.chain_store import Row
from controller.service.timekeeping.clock_error import ClockError
from controller.table.facts import BetsClosed, DummyBegan, RoundEnded, RoundVoided
from controller.web.feed.public_facts import PublicFacts

#: How the bytes of a record that begins or ends a round begin.
BEGINS: Final = tuple(f'["{kind.__name__}/'.encode() for kind in (BetsClosed, DummyBegan))
ENDS: Final = tuple(f'["{kind.__name__}/'.encode() for kind in (RoundEnded, RoundVoided))


class _Numbered(msgspec.Struct):
    number: int


_PUBLIC: Final = PublicFacts()
#: Kind, wall time, monotonic time, cause, and of the fields the round's number.
_LINE: Final = msgspec.json.Decoder(tuple[str, int, int, str, _Numbered])


class FactEvent(msgspec.Struct, frozen=True):
    """A fact of the table. `record` is what lies on the table's disk: kind and version, wall time
    in ms, monotonic time in ns, cause, fields; a card that lies face down is a commitment in it.

    `round` is the round that it is of, the same for ever and at no other table; null between
    rounds. `hash` (hex) chains it to all before it.
    """

    seq: int
    round: str | None
    hash: str
    record: msgspec.Raw


class PublicEvent(msgspec.Struct, frozen=True):
    """What players may see of a fact: its kind and version, the table's wall time in ms, and those
    of its fields that are public. `round` is as in `FactEvent`.
    """

    seq: int
    round: str | None
    at_ms: int
    kind: str
    fact: msgspec.Raw


class ClockEvent(msgspec.Struct, frozen=True):
    """The table's wall time, and how far it may be off at most; null: nobody keeps its clock."""

    at_ms: int
    error_ms: float | None


class ResetEvent(msgspec.Struct, frozen=True):
    """The feed cannot go on from where it was asked to, and ends; `why` is for people.

    `fork`: the table has another record there, or none; else the days before are gone from it.
    """

    fork: bool
    why: str


class SentEvent(NamedTuple):
    """An event of the feed as it is sent, the number of its record, and the round in play then.

    `public` is what is sent of it to everybody; empty: nothing.
    """

    seq: int
    round: int
    sent: bytes
    public: bytes


def sent_event(row: Row, table: str, playing: int) -> SentEvent:
    """A record as it is sent by the table of identity `table`; `playing` is the round before it."""
    body = row.body
    number = _LINE.decode(body)[4].number if body.startswith(BEGINS) else playing
    of = f"{table}-{number}" if number else None
    said = msgspec.json.encode(FactEvent(row.seq, of, row.hash.hex(), msgspec.Raw(body)))
    sent = b"id: %d\nevent: fact\ndata: %b\n\n" % (row.seq, said)
    return SentEvent(row.seq, 0 if body.startswith(ENDS) else number, sent, _public(row, of))


def _public(row: Row, of: str | None) -> bytes:
    line = _PUBLIC.of(row.body)
    if line is None:
        return b""
    said = PublicEvent(row.seq, of, line.at_ms, line.kind, msgspec.Raw(line.fact))
    return b"id: %d\nevent: fact\ndata: %b\n\n" % (row.seq, msgspec.json.encode(said))


def round_after(body: bytes | None) -> int:
    """The round that is played after the newest record that begins or ends one; 0: none."""
    if body is None or not body.startswith(BEGINS):
        return 0
    return _LINE.decode(body)[4].number


def clock_event(at_ms: int, error: ClockError) -> bytes:
    """The clock, as it is sent."""
    said = msgspec.json.encode(ClockEvent(at_ms, error.error_ms))
    return b"event: clock\ndata: %b\n\n" % said


def reset_event(why: str, *, fork: bool) -> bytes:
    """That the feed cannot go on, as it is sent."""
    return b"event: reset\ndata: %b\n\n" % msgspec.json.encode(ResetEvent(fork, why))
