"""What a message adds to the archive, in whatever order messages come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.bus.messages import (
    BadMessage,
    ChainMark,
    HeadNews,
    RecordBatch,
    batch,
    mark_of,
)
from controller.pit.archive.cursor import Cursor, begun, follow, look_at_head
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.record.files.chain_store import Row, chain
from controller.record.files.head_anchor import Position, genesis
from tests.support.forms import examples

IDENTITY = bytes(range(32))
OTHER = bytes(32)
COUNT = 30


def chained(bodies: list[str], identity: bytes = IDENTITY) -> list[Row]:
    found: list[Row] = []
    previous = genesis(identity)
    for number, body in enumerate(bodies, 1):
        row = Row(number, 2, body.encode(), chain(previous.hash, number, 2, body.encode()))
        found.append(row)
        previous = Position(number, row.hash)
    return found


def before(rows: list[Row], seq: int, identity: bytes = IDENTITY) -> Position:
    return Position(seq - 1, rows[seq - 2].hash) if seq > 1 else genesis(identity)


def message(rows: list[Row], first: int, last: int, identity: bytes = IDENTITY) -> RecordBatch:
    return batch("T1", identity, before(rows, first, identity), rows[first - 1 : last])


JOURNAL = chained([f"record {each}" for each in range(1, COUNT + 1)])
#: The same table, put back to record 10, and what it wrote then.
FORKED = chained(
    [f"record {each}" + (" anew" if each > 10 else "") for each in range(1, COUNT + 1)]
)


@dataclass
class Archive:
    """An archive in memory, by the same decisions."""

    cursor: Cursor | None = None
    rows: list[Row] = field(default_factory=list)
    findings: list[ArchiveFinding] = field(default_factory=list)

    def take(self, sent: RecordBatch) -> bool:
        """Whether the table is to be asked."""
        step = follow(self.cursor, sent, self.known)
        if step.rows or self.cursor is not None:
            self.cursor = step.cursor
        self.rows += step.rows
        if step.finding is not None:
            self.findings.append(step.finding)
        return step.missing

    def known(self, seq: int) -> bytes | None:
        return self.rows[seq - 1].hash if 0 < seq <= len(self.rows) else None

    @property
    def seq(self) -> int:
        return len(self.rows)


def nothing_known(_seq: int) -> bytes | None:
    return None


spans = st.tuples(st.integers(1, COUNT), st.integers(1, 8)).map(
    lambda it: (it[0], min(COUNT, it[0] + it[1] - 1))
)


@given(sent=st.lists(spans, max_size=40))
@examples(30, long=600)
def test_any_order_with_gaps_and_twice_comes_to_the_journal(sent: list[tuple[int, int]]) -> None:
    """Messages are lost, late and come twice; whenever one is beyond, the table is asked."""
    archive = Archive()
    for first, last in sent:
        missing = archive.take(message(JOURNAL, first, last))
        assert missing is (first - 1 > archive.seq)
        if missing:
            archive.take(message(JOURNAL, archive.seq + 1, COUNT))
        assert archive.rows == JOURNAL[: archive.seq]
    archive.take(message(JOURNAL, archive.seq + 1, COUNT)) if archive.seq < COUNT else None
    assert archive.rows == JOURNAL
    assert archive.findings == []


@given(sent=st.lists(st.tuples(st.booleans(), spans), min_size=1, max_size=30))
@examples(30, long=600)
def test_two_histories_are_never_mixed(sent: list[tuple[bool, tuple[int, int]]]) -> None:
    """After a restore messages of both come: what is archived is one, and the fork is named."""
    archive = Archive()
    for anew, (first, last) in sent:
        journal = FORKED if anew else JOURNAL
        known = len(archive.findings)
        taken = archive.seq
        if archive.take(message(journal, first, last)):
            archive.take(message(journal, archive.seq + 1, last))
        assert archive.rows in (JOURNAL[: archive.seq], FORKED[: archive.seq])
        # Above the record at which they part a message of the other one is always named.
        if taken > 10 and last > 10 and archive.rows != journal[: archive.seq]:
            assert [each.kind for each in archive.findings[known:]] == [FindingKind.FORK]
            assert 10 <= archive.findings[-1].seq <= max(11, first - 1, taken)


@given(at=st.integers(1, COUNT), bit=st.integers(0, 7), first=st.integers(1, COUNT))
@examples(30, long=600)
def test_a_record_that_was_changed_is_named_and_none_after_it_is_taken(
    at: int, bit: int, first: int
) -> None:
    forged = list(JOURNAL)
    row = forged[at - 1]
    forged[at - 1] = row._replace(body=bytes([row.body[0] ^ (1 << bit) & 0x7F, *row.body[1:]]))
    if forged == JOURNAL:
        return
    archive = Archive()
    if first > 1:
        archive.take(message(JOURNAL, 1, first - 1))
    archive.take(message(forged, first, COUNT))
    if at < first:
        assert archive.rows == JOURNAL
    else:
        assert archive.rows == JOURNAL[: at - 1]
        assert [(each.kind, each.seq) for each in archive.findings] == [(FindingKind.BROKEN, at)]


def test_where_a_fork_begins_is_named() -> None:
    archive = Archive()
    archive.take(message(JOURNAL, 1, 20))
    archive.take(message(FORKED, 8, 14))
    assert [(each.kind, each.seq) for each in archive.findings] == [(FindingKind.FORK, 11)]
    # What goes on from another record than the archive's is a fork too, though none is compared.
    archive.take(message(FORKED, 21, 22))
    assert archive.findings[-1] == archive.findings[0].__class__(
        FindingKind.FORK, 20, archive.findings[-1].text
    )
    assert archive.rows == JOURNAL[:20]


def test_two_tables_of_one_name_are_named() -> None:
    archive = Archive()
    archive.take(message(JOURNAL, 1, 3))
    archive.take(message(chained(["another"], OTHER), 1, 1, OTHER))
    assert [each.kind for each in archive.findings] == [FindingKind.TWO_TABLES]
    assert archive.rows == JOURNAL[:3]


@pytest.mark.parametrize(
    "bad",
    [
        RecordBatch("T1", "no hex", mark_of(genesis(IDENTITY)), ()),
        RecordBatch("T1", IDENTITY.hex(), ChainMark(0, "00"), ()),
        batch("T1", IDENTITY, genesis(IDENTITY), [JOURNAL[0], JOURNAL[2]]),
        batch("T1", IDENTITY, genesis(IDENTITY), [JOURNAL[1], JOURNAL[0]]),
        batch("T1", IDENTITY, before(JOURNAL, 3), JOURNAL[:2]),
        batch("T1", IDENTITY, genesis(IDENTITY), [JOURNAL[0]._replace(version=-1)]),
        batch("T1", IDENTITY, genesis(IDENTITY), [JOURNAL[0]._replace(version=70_000)]),
        batch("T1", IDENTITY, Position(-1, bytes(32)), [JOURNAL[0]._replace(seq=0)]),
        batch("T1", IDENTITY, Position(2**63, bytes(32)), []),
    ],
)
def test_what_no_table_sends_is_refused(bad: RecordBatch) -> None:
    with pytest.raises(BadMessage):
        follow(None, bad, nothing_known)


def head(rows: Mapping[int, Row] | list[Row], seq: int, identity: bytes = IDENTITY) -> HeadNews:
    mark = ChainMark(seq, rows[seq - 1].hash.hex()) if seq else mark_of(genesis(identity))
    return HeadNews("T1", identity.hex(), mark, 0, "")


def test_heads_are_held_against_the_archive() -> None:
    archive = Archive()
    archive.take(message(JOURNAL, 1, 20))
    cursor = archive.cursor
    assert cursor is not None

    def kind(news: HeadNews, before: int) -> FindingKind | None:
        assert cursor is not None
        found = look_at_head(cursor, news, archive.known, before)
        return found.kind if found else None

    assert kind(head(JOURNAL, 20), 20) is None
    assert kind(head(JOURNAL, 25), 20) is None, "further than the archive"
    assert kind(head(JOURNAL, 15), 12) is None, "late news: the archive went on meanwhile"
    assert kind(head(JOURNAL, 15), 20) is FindingKind.BEHIND
    assert kind(head(FORKED, 15), 20) is FindingKind.FORK
    assert kind(head(FORKED, 20), 20) is FindingKind.FORK
    assert kind(head(JOURNAL, 0), 20) is FindingKind.BEHIND
    assert kind(head(chained(["x"], OTHER), 1, OTHER), 20) is FindingKind.TWO_TABLES
    assert look_at_head(begun(IDENTITY), head(JOURNAL, 0), nothing_known, 0) is None
