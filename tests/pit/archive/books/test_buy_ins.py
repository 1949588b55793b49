"""Buy-ins on slips, in the pit's books: the same sum as the table's own, and part of the drop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.pit.archive.books.rack_rows import rack_rows
from controller.pit.archive.books.win import wins
from controller.pit.archive.storage.database import open_database
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.chips import table_chips
from controller.pit.reports.report.racks import racks
from controller.pit.reports.report.report import section
from controller.table import inputs as i
from controller.table.queries.win import win_of
from controller.table.views.english import say
from tests.pit.archive.books.archived import Archived
from tests.support.pit import Pit
from tests.table.money.cage import buy_in, chips, lost_round, rack_table, sign


def shift(counted: int) -> Pit:
    """A shift with a buy-in of 20, one of 10 that is void, and a box that held `counted`."""
    pit = rack_table(buy_ins=True)
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    sign(pit, i.ChangeBox("A7"))
    buy_in(pit, 4, seat=2)
    buy_in(pit, 2)
    sign(pit, i.VoidSlip(4, "typed twice"))
    lost_round(pit)
    sign(pit, i.CloseRack(chips(30, 28, 30), box="A8"))
    assert not sign(pit, i.CountBox(pit.state.money.slips, counted)).refused
    return pit


@pytest.mark.parametrize(("counted", "differs"), [(2_000, 0), (1_500, 1)])
def test_the_books_say_of_buy_ins_what_the_table_says(
    tmp_path: Path, counted: int, differs: int
) -> None:
    pit = shift(counted)
    archive = Archived(open_database(f"sqlite:///{tmp_path / 'archive.db'}"))
    archive.add("T1", pit.records)
    archive.keep()
    with archive.engine.connect() as connection:
        rack = rack_rows(connection, "T1")
        report = racks(connection, ReportSpan("", "", "T1"))
    assert rack is not None
    (_, mine), = wins(rack)  # fmt: skip
    money = pit.state.money
    theirs = win_of(money, money.shifts, pit.state.counts.rounds, say)
    assert replace(mine, missing=()) == replace(theirs, missing=())
    assert len(mine.missing) == len(theirs.missing) == differs
    assert (mine.drop, mine.buy_ins, mine.difference) == (counted, 2_000, counted - 2_000)
    found = table_chips(archive.engine, "T1")
    assert found is not None
    slips = {each.slip: (each.kind, each.amount, each.about) for each in found.shifts[0].slips}
    assert slips[3] == ("buy_in", 2_000, "cash into drop box A7")
    names = [each.name for each in report.columns]
    row = dict(zip(names, report.rows[0], strict=True))
    assert (row["drop"], row["buy_ins"]) == (counted, 2_000)
    archive.engine.dispose()


def test_what_was_bought_on_slips_is_the_drop_of_an_hour_and_of_a_dealer(tmp_path: Path) -> None:
    """Boxes are counted by neither; a slip has its moment, and whoever dealt then."""
    archive = Archived(open_database(f"sqlite:///{tmp_path / 'archive.db'}"))
    archive.add("T1", shift(2_000).records)
    archive.add("T2", rack_shift_without_slips().records)
    archive.keep()
    for by, name in ((By.DEALER, "dealer"), (By.HOUR, "hour")):
        alone = section(archive.engine, "money", ReportSpan("", "", "T1"), by, {})
        (row,) = (dict(zip((it.name for it in alone.columns), each, strict=True))
                  for each in alone.rows)  # fmt: skip
        # The slip that is void bought nothing.
        assert (row["drop"], row["boxes_to_count"], row["hold"]) == (2_000, None, 50.0), name
        none = section(archive.engine, "money", ReportSpan("", "", "T2"), by, {})
        (row,) = (dict(zip((it.name for it in none.columns), each, strict=True))
                  for each in none.rows)  # fmt: skip
        assert (row["drop"], row["hold"]) == (None, None), name
    # Of two tables of which one keeps none it is a part, and no hold is told.
    both = section(archive.engine, "money", ReportSpan("", ""), By.DEALER, {})
    (row,) = (dict(zip((it.name for it in both.columns), each, strict=True)) for each in both.rows)
    assert (row["rounds"], row["drop"], row["hold"]) == (2, 2_000, None)
    archive.engine.dispose()


def rack_shift_without_slips() -> Pit:
    """A shift of a table that keeps no buy-ins."""
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    lost_round(pit)
    return pit
