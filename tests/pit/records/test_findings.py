"""A finding that nothing a table sends would end: who may end it, and what is on record of it."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.branches.rows import waiting
from controller.pit.archive.findings.finding_rows import add_finding, findings, settle_one
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.overview import Overview, overview
from controller.pit.archive.storage.schema import FINDINGS
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import Browser, records_for

pytestmark = pytest.mark.anyio

FORGED = ArchiveFinding(FindingKind.NO_MESSAGE, 0, "this is no <RecordBatch>")
GAP = ArchiveFinding(FindingKind.GAP, 7, "records did not come")
FORK = ArchiveFinding(FindingKind.FORK, 7, "another <record> than the archive has")


@pytest.fixture
def numbers(known: KnownAccounts) -> tuple[int, int]:
    """A forged message, and a gap."""
    with known.engine.begin() as connection:
        for each in (FORGED, GAP):
            add_finding(connection, "T1", each, 1_000)
        found = {each.kind: each.number for each in findings(connection, only_open=True, most=9)}
    return found["no_message"], found["gap"]


async def test_a_pit_boss_says_what_it_was_and_it_is_over(
    known: KnownAccounts, app: FastAPI, numbers: tuple[int, int]
) -> None:
    forged, gap = numbers
    boss = Browser(app, known.enters(known.add("Aino", PitRole.PIT_BOSS)).session)
    page = (await boss.get(f"/findings/{forged}")).text
    assert "this is no &lt;RecordBatch&gt;" in page
    for nothing in ("", "  ", "x" * 121):
        assert (await boss.post(f"/findings/{forged}", what=nothing)).status_code == 422
    ended = await boss.post(f"/findings/{forged}", what="a test of the <installer>")
    assert ended.headers["location"] == "/records"
    with known.engine.connect() as connection:
        assert [each.number for each in findings(connection, only_open=True, most=9)] == [gap]
        newest = newest_rows(connection, 1)[0]
        assert first_wrong_row(connection) is None
    assert (newest.who, newest.act) == ("Aino", "settled_finding")
    assert newest.about == "T1, no message: a test of the <installer>"
    # Over, of no number, or one that ends as soon as the records come.
    for number in (forged, 99, gap):
        assert (await boss.get(f"/findings/{number}")).status_code == 404
        assert (await boss.post(f"/findings/{number}", what="again")).status_code == 404


async def test_it_asks_who_is_there_and_comes_back(
    known: KnownAccounts, app: FastAPI, numbers: tuple[int, int]
) -> None:
    boss = Browser(app, known.enters(known.add("Aino", PitRole.PIT_BOSS)).session)
    known.clock.now_ms += 11 * 60_000
    asked = await boss.get(f"/findings/{numbers[0]}")
    assert asked.headers["location"] == f"/prove?next=/findings/{numbers[0]}"


def test_found_again_it_is_open_again(known: KnownAccounts, numbers: tuple[int, int]) -> None:
    with known.engine.begin() as connection:
        assert settle_one(connection, numbers[0], 2_000)
        assert not settle_one(connection, numbers[0], 3_000)
        add_finding(connection, "T1", FORGED, 4_000)
        still = findings(connection, only_open=True, most=9)
    assert [(each.kind, each.count) for each in still] == [("no_message", 1), ("gap", 1)]


def test_the_list_has_a_way_on_for_whoever_may(
    known: KnownAccounts, numbers: tuple[int, int]
) -> None:
    with known.engine.connect() as connection:
        shown = Overview(0, "", True, (), tuple(findings(connection, only_open=False, most=9)))
    page = records_for(PitRole.AUDITOR, shown)
    assert f'<a href="/findings/{numbers[0]}">Looked into</a>' in page
    assert page.count("ends by itself") == 1
    assert "/findings/" not in records_for(PitRole.FLOOR, shown)


async def test_a_pit_boss_says_which_history_stands_once_and_why(
    known: KnownAccounts, app: FastAPI
) -> None:
    with known.engine.begin() as connection:
        add_finding(connection, "T1", FORK, 1_000)
        (found,) = findings(connection, only_open=True, most=9)
    boss = Browser(app, known.enters(known.add("Aino", PitRole.PIT_BOSS)).session)
    page = (await boss.get(f"/findings/{found.number}")).text
    assert "another &lt;record&gt; than" in page
    assert "Which of the two stands?" in page
    path = f"/findings/{found.number}/branch"
    for nothing in ("", "  ", "x" * 121):
        assert (await boss.post(path, what=nothing)).status_code == 422
    # It is no finding that is over once somebody has looked into it.
    assert (await boss.post(f"/findings/{found.number}", what="seen")).status_code == 404
    said = await boss.post(path, what="the disk <died>")
    assert (said.status_code, said.headers["location"]) == (303, "/records")
    again = await boss.post(path, what="the disk died, again")
    assert (again.status_code, "said already" in again.text) == (422, True)
    with known.engine.connect() as connection:
        (asked,) = waiting(connection)
        newest = newest_rows(connection, 1)[0]
        shown = Overview(0, "", True, (), (found,), (asked,))
    assert (asked.table, asked.who, asked.reason) == ("T1", "Aino", "the disk <died>")
    assert (newest.who, newest.act) == ("Aino", "accepted_branch")
    assert newest.about == "T1, fork at record 7: its own stands: the disk <died>"
    listed = records_for(PitRole.AUDITOR, shown)
    assert f'<a href="/findings/{found.number}">Which one stands?</a>' in listed
    assert "nothing yet: the table is asked where the two part" in listed
    assert "the disk &lt;died&gt;" in listed


async def test_what_newer_software_found_is_listed_and_not_ended_here(
    known: KnownAccounts, app: FastAPI, numbers: tuple[int, int]
) -> None:
    """An older release was put back over its archive."""
    forged, gap = numbers
    with known.engine.begin() as connection:
        connection.execute(update(FINDINGS).where(FINDINGS.c.id == forged).values(kind="ghost"))
    shown = overview(known.engine, 2_000, "", archives=True)
    page = records_for(PitRole.PIT_BOSS, shown)
    assert "ghost" in page
    assert "newer software ends it" in page
    assert f"/findings/{forged}" not in page
    assert "ends by itself" in page, "the gap"
    boss = Browser(app, known.enters(known.add("Aino", PitRole.PIT_BOSS)).session)
    for number in (forged, gap):
        assert (await boss.get(f"/findings/{number}")).status_code == 404
        assert (await boss.post(f"/findings/{number}", what="seen")).status_code == 404
