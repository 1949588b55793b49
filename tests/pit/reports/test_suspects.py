"""The difference of two wins is narrowed to the rounds and slips that could hold it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.pit.reports.chips import table_chips
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.table.money.cage import FIA, chips, fill, lost_round, rack_table, sign


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        yield Archived(engine)


def found(archive: Archived, closer: int) -> tuple[int | None, list[tuple[int, int, str]]]:
    """A shift of three rounds and a fill, closed with so many fives; its difference and what could
    hold it: round, slip and why.
    """
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    lost_round(pit)
    lost_round(pit, 3_000)
    lost_round(pit, 5_000)
    assert pit.state.counts.rounds == 3
    assert sign(pit, i.Happened(Reason.PAYOUT, 3)).refused == ""
    (hold,) = pit.state.holds
    stands = i.Resolve(hold.number, Resolution.STANDS, reason="as it lay")
    assert sign(pit, stands, (FIA,)).refused == ""
    fill(pit, 6)
    sign(pit, i.CloseRack(chips(30, closer, 30)))
    archive.add("T1", pit.records)
    archive.keep()
    table = table_chips(archive.engine, "T1")
    assert table is not None
    (shift,) = table.shifts
    return shift.win.difference, [
        (each.round, each.slip, "; ".join(each.why)) for each in shift.suspects
    ]


def test_a_round_with_that_amount_one_somebody_doubted_and_a_slip_of_it(archive: Archived) -> None:
    # Players lost 90, a fill of 30 came: 24 fives more were to be there. 30 are missing.
    difference, named = found(archive, 48)
    assert difference == -3_000
    assert named == [
        (0, 2, "fill of 30.00, the difference"),
        (2, 0, "seat 1 has 30.00, the difference"),
        (3, 0, "held: payout"),
    ]


def test_what_was_paid_where_it_was_to_be_taken_is_half_of_it(archive: Archived) -> None:
    # 100 are missing: 50 were paid in round 3, where 50 were to be taken.
    difference, named = found(archive, 34)
    assert difference == -10_000
    assert named[0] == (3, 0, "seat 1 has 50.00, half of the difference; held: payout")
    assert len(named) == 1


def test_where_both_wins_agree_nothing_is_named(archive: Archived) -> None:
    assert found(archive, 54) == (0, [])
