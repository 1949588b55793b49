"""Journals as tables write them: whole days dealt at random in-process, written to real files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from controller.record.chain_store import Reader, Row, Writer, chain
from controller.record.codec import VERSION, encode
from controller.record.head_anchor import START, Mark
from controller.record.journal import openings_of
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.facts import Record
from controller.table.roles import Person
from controller.table.views.english import say
from tests.support.croupier import Croupier
from tests.support.pit import Answer, Pit, setup

BATCH = 5_000


class QuickPit(Pit):
    """A table that believes its decisions: for days too long to be compared at every step."""

    def give(
        self,
        given: i.Given,
        *,
        key: str = "",
        seen: int | None = None,
        by: tuple[Person, ...] = (),
    ) -> Answer:
        self._now_ms += 1_000
        self._inputs += 1
        cause = f"k:{key}#{self._inputs}" if key else f"scanner:0011aabb:{self._inputs}"
        nonce = self._inputs.to_bytes(16, "big")
        stamp = i.Stamp(self._now_ms, self._now_ms * 1_000_000, cause, nonce, seen, by)
        decision = decide(self._state, given, stamp)
        self.records += decision.records
        self._state = decision.state
        refused = say(decision.refused, decision.state.game.words)
        self.last = Answer(decision.records, refused, decision.seq, decision.refused)
        return self.last


def dealing(seed: int, name: str = "21-24-27", seats: int = 5) -> Iterator[QuickPit]:
    """A table that deals without end; yields after every round. Take its records as they come."""
    pit = QuickPit(setup(seats, name))
    mixed = random.Random(seed)
    croupier = Croupier(pit, mixed)
    while True:
        few, most = pit.state.game.seats.start, 1 if pit.state.game.vying else 20
        playing = sorted(mixed.sample(range(1, seats + 1), mixed.randint(min(few, seats), seats)))
        croupier.round({seat: 1_000 * mixed.randint(1, most) for seat in playing})
        yield pit


def records(seed: int, count: int, name: str = "21-24-27") -> list[Record]:
    """The first `count` records of a day."""
    for pit in dealing(seed, name):
        if len(pit.records) >= count:
            return pit.records[:count]
    raise AssertionError("a table deals without end")


def rows_of(dealt: list[Record], after: Mark = START) -> list[Row]:
    """Records as they lie in a file, chained."""
    previous, rows = after.hash, []
    for record in dealt:
        body = encode(record)
        previous = chain(previous, record.seq, VERSION, body)
        rows.append(Row(record.seq, VERSION, body, previous))
    return rows


def write_journal(path: Path, dealt: list[Record]) -> Mark:
    """Add records to a journal, in large commits, and anchor the last."""
    with closing(Reader(path)) as reader:
        for _ in reader.rows():
            pass
        head = reader.head
    with closing(Writer(path, head)) as writer:
        for at in range(0, len(dealt), BATCH):
            part = dealt[at : at + BATCH]
            writer.add(rows_of(part, writer.head), openings_of(part))
        writer.mark()
        return writer.head


def fill(path: Path, day: Iterator[QuickPit], count: int, head: Mark = START) -> Mark:
    """Let a day go on until its journal has `count` records or a few more; the last of them."""
    for pit in day:
        if len(pit.records) >= BATCH or head.seq + len(pit.records) >= count:
            head = write_on(path, pit.records, head)
            pit.records.clear()
            if head.seq >= count:
                return head
    raise AssertionError("a table deals without end")


def write_on(path: Path, dealt: list[Record], head: Mark) -> Mark:
    """Add records to a journal whose head is known."""
    with closing(Writer(path, head)) as writer:
        writer.add(rows_of(dealt, head), openings_of(dealt))
        writer.mark()
        return writer.head
