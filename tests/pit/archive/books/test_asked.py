"""What the pit asked a table for: what stands of it, and what became of fills, is in the books."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.pit.accounts.schema import USERS
from controller.pit.alerts.archived_troubles import read_troubles
from controller.pit.alerts.settings import AlertSettings
from controller.pit.archive.books.asked_rows import fills_waiting
from controller.pit.archive.books.schema import ASKED
from controller.pit.reports.handover.handover import draft
from controller.table import inputs as i
from controller.table.inputs.pit import PIT_ACTS
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.support.pit import Pit, setup
from tests.table.decide.test_from_pit import ask
from tests.table.money.cage import DENOMINATIONS, chips, fill, sign


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        with engine.begin() as connection:
            values = {"id": 17, "login": "martta", "name": "Martta", "roles": "", "made_ms": 0}
            connection.execute(USERS.insert().values(values))
        yield Archived(engine)


@pytest.fixture
def table() -> Pit:
    """A table with chips, whose house allows the pit everything, and whose rack is open."""
    pit = Pit(replace(setup(3), pit_acts=PIT_ACTS, roles=True, chips=DENOMINATIONS))
    pit.shuffle()
    assert not sign(pit, i.OpenRack(chips(30, 30, 30))).refused
    return pit


def asked(archive: Archived, pit: Pit, *, whole: bool = False) -> list[tuple[object, ...]]:
    """Kept in one go; `whole`: and record by record, which says the same."""
    archive.add("T1", pit.records)
    archive.keep()
    found = _rows(archive.engine)
    if whole:
        for upto in range(len(pit.records)):
            archive.add("T2", pit.records, first=upto + 1, last=upto + 1)
            archive.keep()
        assert _rows(archive.engine, 2) == found
    return [(each[1], *each[5:7], *each[7:]) for each in found]


def _rows(engine: Engine, table: int = 1) -> list[tuple[object, ...]]:
    a = ASKED.c
    columns = (a.seq, a.kind, a.day, a.at_ms, a.who, a.amount, a.text, a.slip, a.brought, a.became)
    query = select(*columns).where(a.table_id == table).order_by(a.seq)
    with engine.connect() as connection:
        return [tuple(each) for each in connection.execute(query)]


def waits(engine: Engine) -> list[tuple[str, int]]:
    with engine.connect() as connection:
        found = read_troubles(connection, AlertSettings(), 0).fills
        assert fills_waiting(connection, "T1") == tuple(
            each for each in found if each.table == "T1"
        )
        assert fills_waiting(connection, "T9") == ()
        day_later_ms = max((each.at_ms for each in found), default=0) + 86_400_000
        assert read_troubles(connection, AlertSettings(), day_later_ms).fills == ()
    return sorted((each.table, each.amount) for each in found)


def told(archive: Archived, pit: Pit) -> dict[str, list[str]]:
    """What a handover of now says."""
    shown = draft(archive.engine, pit.state.clock.at_ms + 1_000).shown
    return {
        name: [each.what for each in getattr(shown, name) if each.table == "T1"]
        for name in ("by_pit", "money", "disputed")
    }


def test_a_table_that_the_pit_closed_and_limits_that_it_set_stand_until_they_are_put_back(
    archive: Archived, table: Pit
) -> None:
    assert not ask(table, i.SetOptions((("max_bet", "20000"),))).refused
    assert not ask(table, i.CloseTable()).refused
    assert asked(archive, table) == [
        ("limits", 0, '[["max_bet", 20000]]', 0, 0, ""), ("closed", 0, "", 0, 0, "")
    ]  # fmt: skip
    assert told(archive, table)["by_pit"] == [
        "set by Martta: max bet 200.00", "closed by Martta: it takes no bets"
    ]  # fmt: skip
    before = len(table.records)
    assert not ask(table, i.SetOptions((("max_bet", "30000"),))).refused
    assert not ask(table, i.OpenTable()).refused
    archive.add("T1", table.records, first=before + 1)
    archive.keep()
    assert [each[-1] for each in _rows(archive.engine)] == ["changed", "put_back", ""]
    assert told(archive, table)["by_pit"] == ["set by Martta: max bet 300.00"]


def test_limits_far_from_a_games_own_are_handed_over(archive: Archived, table: Pit) -> None:
    """Beside the game's defaults each of them alone would be refused."""
    together = i.SetOptions((("min_bet", "200000"), ("max_bet", "1000000")))
    assert not ask(table, together).refused
    archive.add("T1", table.records)
    archive.keep()
    assert told(archive, table)["by_pit"] == [
        "set by Martta: max bet 10,000.00, min bet 2,000.00"
    ]  # fmt: skip


def test_a_fill_is_waited_for_until_its_slip_is_signed(archive: Archived, table: Pit) -> None:
    assert not ask(table, i.AskFill(5_000)).refused
    assert not ask(table, i.AskFill(2_500)).refused
    archive.add("T1", table.records)
    archive.keep()
    assert waits(archive.engine) == [("T1", 2_500), ("T1", 5_000)]
    assert told(archive, table)["money"][0] == (
        "a fill of 50.00 that was asked for by Martta has not come"
    )
    before = len(table.records)
    # The dealer has read of it: that brings no chips.
    assert not table.give(i.ReadNote(table.state.pit.notes[0].seq)).refused
    fill(table, 5)
    archive.add("T1", table.records, first=before + 1)
    archive.keep()
    assert waits(archive.engine) == [("T1", 5_000)], "the slip is of the other one"
    slip = table.state.money.slips
    sign(table, i.VoidSlip(slip, "never came"))
    fill(table, 4)  # less than either: the one that was asked for first
    archive.add("T1", table.records, first=before + 3)
    archive.keep()
    assert waits(archive.engine) == [("T1", 2_500)]
    sign(table, i.CloseRack(chips(30, 30, 30)))
    archive.add("T1", table.records, first=len(table.records))
    archive.keep()
    assert waits(archive.engine) == []
    disputed = told(archive, table)["disputed"]
    first = f"a fill of 50.00 that was asked for by Martta came otherwise: slip {slip + 1} brought"
    assert f"{first} 20.00" in disputed
    assert "a fill of 25.00 that was asked for by Martta never came" in disputed
    assert [each[1:] for each in asked(archive, table, whole=True)] == [
        (5_000, "", slip + 1, 2_000, "came"), (2_500, "", 0, 0, "never")
    ]  # fmt: skip


def test_where_no_rack_is_open_a_fill_is_over_once_the_dealer_has_read_of_it(
    archive: Archived, table: Pit
) -> None:
    sign(table, i.CloseRack(chips(30, 30, 30)))
    ask(table, i.AskFill(5_000))
    archive.add("T1", table.records)
    archive.keep()
    assert waits(archive.engine) == [("T1", 5_000)]
    table.give(i.ReadNote(table.state.pit.notes[0].seq))
    archive.add("T1", table.records, first=len(table.records))
    archive.keep()
    assert waits(archive.engine) == []
    assert not [each for each in told(archive, table)["disputed"] if "fill" in each]
