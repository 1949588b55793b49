"""Records that no book can be kept of: that table's stand, and are named; the others' go on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.follower import Follower
from controller.pit.archive.books.rack_rows import rack_rows
from controller.pit.archive.overview import overview
from controller.pit.archive.storage import schema as s
from controller.record.reading.expected import Holders
from controller.table.facts import Fact, RackClosed, Record, ShoeReconciled, SlipVoided
from controller.table.shoe.reconciliation import Verdict
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.support.dealt.journals import records

NO_COLUMN = 2**70
UNFIT: dict[str, Fact] = {
    "a number that fits no column": ShoeReconciled(
        1, NO_COLUMN, True, Verdict.PROVEN, 0, 0, (), (), True
    ),
    "a slip that nobody can look for": SlipVoided(NO_COLUMN, "a mistake", ()),
}


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        yield Archived(engine)


def played_with(*facts: Fact) -> list[Record]:
    """A table that was set up, and then recorded these facts; and dealt on."""
    before = records(7, 3)
    after = [before[-1]._replace(seq=4 + at, fact=each) for at, each in enumerate(facts)]
    return before + after


def followed(archive: Archived) -> dict[str, int]:
    """Up to which record each table's books are kept."""
    query = select(s.TABLES.c.name, b.FOLLOWED.c.seq).join(
        s.TABLES, s.TABLES.c.id == b.FOLLOWED.c.table_id
    )
    with archive.engine.connect() as connection:
        return {each.name: each.seq for each in connection.execute(query)}


def open_findings(archive: Archived) -> list[tuple[str, str, int]]:
    found = overview(archive.engine, 5_000, "", archives=True).findings
    return [(each.table, each.kind, each.seq) for each in found if each.settled_ms is None]


@pytest.mark.parametrize("what", UNFIT)
def test_a_record_that_no_book_can_be_kept_of_stops_that_tables_alone(
    archive: Archived, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    archive.add("T1", played_with(UNFIT[what]))
    archive.add("T2", records(7, 3))
    archive.keep()
    assert followed(archive) == {"T2": 3}
    assert open_findings(archive) == [("T1", "books", 1)]
    assert str(NO_COLUMN) not in caplog.text
    archive.add("T2", records(7, 5), first=4)
    archive.keep()
    assert followed(archive) == {"T2": 5}
    # Whoever has mended it starts the pit anew: that record is none then that it cannot keep.
    with archive.engine.begin() as connection:
        connection.execute(delete(s.RECORDS).where(s.RECORDS.c.seq == 4, s.RECORDS.c.table_id == 1))
    archive.follower = archive.another()
    archive.keep()
    assert followed(archive) == {"T1": 3, "T2": 5}
    assert open_findings(archive) == []


def test_a_closer_whose_opener_could_not_be_read_closes_no_shift(archive: Archived) -> None:
    archive.add("T1", played_with(RackClosed(1, (), ()), SlipVoided(1, "a mistake", ())))
    archive.keep()
    assert followed(archive) == {"T1": 5}
    with archive.engine.connect() as connection:
        rack = rack_rows(connection, "T1")
    assert rack is not None
    assert (rack.shifts, [each["kind"] for each in rack.slips]) == ([], ["closer"])


def test_what_is_kept_before_such_a_record_does_not_end_the_finding(archive: Archived) -> None:
    before = records(7, 12)  # a round is in play
    unfit = UNFIT["a slip that nobody can look for"]
    archive.add("T1", [*before, before[-1]._replace(seq=13, fact=unfit)])
    archive.add("T2", records(7, 3))
    archive.keep()
    archive.keep()
    assert followed(archive) == {"T1": 9, "T2": 3}
    assert open_findings(archive) == [("T1", "books", 10)]
    with archive.engine.connect() as connection:
        assert list(connection.scalars(select(s.FINDINGS.c.count))) == [1], "found, and found once"


def test_books_are_written_although_the_pits_clock_was_set_back(archive: Archived) -> None:
    """They waited until it was again where it had been."""
    now_ms = 7_200_000
    archive.follower = Follower(archive.engine, Holders(Path("nowhere")), lambda: now_ms)
    archive.add("T1", records(7, 3))
    archive.keep()
    archive.add("T1", records(7, 5), first=4)
    archive.keep()
    assert followed(archive) == {"T1": 3}, "as records come they are written together"
    now_ms -= 3_600_000
    archive.keep()
    assert followed(archive) == {"T1": 5}
