"""Who dealt, and who answered, is shown by name where the pit's own directory has one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI

from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import TABLE_IDS
from controller.pit.directories import rows
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.report.report import section
from controller.table import facts as f
from controller.table.roles import PersonId
from tests.pit.accounts.known import known_in
from tests.pit.archive.books.archived import Archived
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.records.dealing import two_days
from tests.support.dealt.days import CalendarPit

pytestmark = pytest.mark.anyio
STRANGER = PersonId("0badcafe")


async def test_dealers_are_named_whom_the_pit_knows_and_others_shown_by_id(
    tmp_path: Path, two_days_played: CalendarPit
) -> None:
    known = known_in(tmp_path)
    aino = known.add("Aino", PitRole.DEALER)
    with known.engine.begin() as connection:
        rows.set_tables(connection, aino, frozenset({"T1"}))
        person = PersonId(rows.person_of(connection, aino))
    archive = Archived(known.engine)
    with known.engine.begin() as connection:
        # At T3 she was on record by another id, before its people came from here.
        earlier = PersonId("0badbeef")
        moved = {"name": "T3", "person": earlier, "user_id": aino, "called": "aino"}
        connection.execute(TABLE_IDS.insert().values(moved))
    for table, dealer in (("T1", person), ("T2", STRANGER), ("T3", earlier)):
        records = list(two_days_played.records)
        # Whoever deals is said before the first bets are closed, in place of what was said there.
        at = next(n for n, each in enumerate(records) if isinstance(each.fact, f.BetsClosed))
        said = f.DealerChanged(dealer, 0)
        records = [*records[:at], records[at]._replace(fact=said), *records[at:]]
        archive.add(table, [each._replace(seq=n + 1) for n, each in enumerate(records)])
    archive.keep()
    span = ReportSpan("2023-11-14", "2023-11-15")
    pace = section(known.engine, "pace", span, By.DEALER, {})
    alone = section(known.engine, "pace", replace(span, table="T1"), By.DEALER, {})
    at = [each.name for each in pace.columns].index("rounds")
    [rounds] = [row[at] for row in alone.rows]
    assert isinstance(rounds, int)
    assert {row[0]: row[at] for row in pace.rows} == {
        "Aino": 2 * rounds, f"person {STRANGER}": rounds,
    }  # fmt: skip
    # In and out: who came when, until the next one was named there.
    came = section(known.engine, "dealers", span, By.TABLE, {})
    assert {row[:2] for row in came.rows} == {
        ("T1", "Aino"), ("T2", f"person {STRANGER}"), ("T3", "Aino"),
    }  # fmt: skip
    assert all(row[2] and row[3] is None and row[4] is None for row in came.rows)
    # Whoever has left is named still.
    known.people.close(aino)
    app: FastAPI = app_of(known)
    viewer = Browser(app, known.enters(known.add("Olli", PitRole.PIT_BOSS)).session)
    found = (await viewer.get("/rounds?dealer=aino")).text
    assert "Aino</td>" in found
    assert STRANGER not in found
    assert "/rounds/T3/" in found
    assert "dealt by Aino" in (await viewer.get("/rounds/T1/1")).text
    assert "Aino" in (await viewer.get("/reports?by=dealer&from=2023-11-14&to=2023-11-15")).text
    known.engine.dispose()


def test_dealers_come_and_go(tmp_path: Path) -> None:
    known = known_in(tmp_path)
    pit = two_days("21-24-27", people=True)
    archive = Archived(known.engine)
    archive.add("T1", pit.records)
    archive.keep()
    came = [(each.fact.person, each.at_ms) for each in pit.records
            if isinstance(each.fact, f.DealerChanged)]  # fmt: skip
    (first, first_ms), (second, second_ms) = came
    span = ReportSpan("2023-11-14", "2023-11-15")
    found = section(known.engine, "dealers", span, By.TABLE, {})
    assert found.rows == (
        ("T1", f"person {second}", second_ms, None, None),
        ("T1", f"person {first}", first_ms, second_ms, (second_ms - first_ms) / 1_000),
    )
    assert section(known.engine, "dealers", replace(span, table="T2"), By.TABLE, {}).rows == ()
    day = section(known.engine, "dealers", replace(span, last=span.first), By.TABLE, {})
    # Whoever took over after the day, and whoever dealt when it began, belong to it.
    assert day.rows == found.rows[1:]
    day = section(known.engine, "dealers", replace(span, first=span.last), By.TABLE, {})
    assert day.rows == found.rows
    never = section(known.engine, "dealers", ReportSpan("2023-12-01", "2023-12-01"), By.TABLE, {})
    assert never.rows == ()
    known.engine.dispose()
