"""Amounts keep the currency in which they were played, and cash its game: whatever comes later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.pit.archive.books.rack_rows import rack_rows
from controller.pit.archive.books.win import wins
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.chips import table_chips
from controller.pit.reports.report.report import section
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Resolution
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.records.dealing import racked
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round
from tests.support.pit import Pit, setup
from tests.table.money.cage import BOTH, DENOMINATIONS, chips, lost_round, rack_table, sign

ALL = ReportSpan("", "")


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        yield Archived(engine)


def of(
    archive: Archived, name: str, by: By = By.TABLE, span: ReportSpan = ALL
) -> list[dict[str, object]]:
    """The rows of a part, by the names of their columns."""
    found = section(archive.engine, name, span, by, {})
    names = [each.name for each in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def in_dollars(pit: Pit) -> None:
    """From now on the table plays in another currency."""
    asked = i.Reload(replace(pit.state.setup, currency="USD"), pit.state.run.alarm_times)
    assert not pit.give(asked).refused
    assert pit.state.setup.currency == "USD"


def counted_box(pit: Pit | CalendarPit, box: str, cash: int) -> None:
    """Another box is put under the table, and the one before is counted."""
    assert not pit.give(i.ChangeBox(box), by=BOTH).refused
    assert not pit.give(i.CountBox(pit.state.money.slips, cash), by=BOTH).refused


def test_what_was_played_in_euros_stays_in_euros(archive: Archived) -> None:
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    sign(pit, i.ChangeBox("A7"))
    lost_round(pit)
    counted_box(pit, "A8", 2_000)
    sign(pit, i.CloseRack(chips(30, 30, 30)))
    in_dollars(pit)
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    lost_round(pit, 3_000)
    lost_round(pit, 3_000)
    # It is found after all that 20 euros lay there, and another ten are taken.
    edit = i.EditAsked(1, EditKind.WAGER, amount=2_000)
    assert pit.give(i.Correct(1, (edit,), "another wager"), by=BOTH).refused == ""
    archive.add("T1", pit.records)
    archive.keep()
    money = of(archive, "money")
    shown = [(it["currency"], it["rounds"], it["wagered"], it["win"], it["drop"]) for it in money]
    assert shown == [("EUR", 1, 2_000, 2_000, 2_000), ("USD", 2, 6_000, 6_000, None)]
    (pace,) = of(archive, "pace")
    assert pace["rounds"] == 3, "rounds are of no currency"
    assert [each["currency"] for each in of(archive, "racks")] == ["EUR", "USD"]
    found = table_chips(archive.engine, "T1")
    assert found is not None
    assert [each.currency for each in found.shifts] == ["USD", "EUR"]


def test_a_rack_that_was_open_over_a_change_of_currency_has_no_sum(archive: Archived) -> None:
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    sign(pit, i.ChangeBox("A7"))
    lost_round(pit)
    in_dollars(pit)
    lost_round(pit)
    counted_box(pit, "A8", 2_000)
    sign(pit, i.CloseRack(chips(30, 30, 30), box="A9"))
    sign(pit, i.CountBox(pit.state.money.slips, 0))
    archive.add("T1", pit.records)
    archive.keep()
    with archive.engine.connect() as connection:
        rack = rack_rows(connection, "T1")
    assert rack is not None
    (_, win), = wins(rack)  # fmt: skip
    assert win.chips is None
    assert win.missing == (
        "its amounts are in EUR and USD: what chips and rounds come to together is no sum",
    )
    shown = [(it["currency"], it["win"], it["drop"]) for it in of(archive, "money")]
    assert shown == [("EUR", 1_000, None), ("USD", 1_000, None)]


def test_cash_of_a_rack_over_a_change_of_game_is_of_no_game(archive: Archived) -> None:
    pit = CalendarPit("21-24-27")
    croupier = Croupier(pit, Random(27))
    racked(pit)
    some_round(croupier)
    croupier.open_bets()
    counted_box(pit, "A8", 50_000)
    archive.add("T1", pit.records)
    archive.keep()
    first = len(pit.records) + 1
    day = ReportSpan("2023-11-14", "2023-11-14")
    (game,) = of(archive, "money", By.GAME, day)
    assert game["drop"] == 50_000
    assert game["hold"] is not None

    pit.setup = replace(setup(5, "blackjack"), chips=DENOMINATIONS, buy_ins=True)
    pit.give(i.Start(pit.setup, "0.0-test", ()))
    while pit.state.holds:
        assert pit.resolve(Resolution.COUNT).refused == ""
    some_round(Croupier(pit, Random(27)))
    croupier.open_bets()
    counted_box(pit, "A9", 1_000)
    archive.add("T1", pit.records, first)
    archive.keep()
    games = of(archive, "money", By.GAME, day)
    assert [(each["rounds"], each["drop"], each["hold"]) for each in games] == [
        (1, None, None), (1, None, None)
    ]  # fmt: skip
    (table,) = of(archive, "money", By.TABLE, day)
    assert table["drop"] == 51_000, "it is the table's all the same"
    assert table["hold"] is not None
