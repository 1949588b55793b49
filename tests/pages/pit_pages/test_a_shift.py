"""A shift of a pit boss, in a browser, from the opener of a rack to the handover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.roles import PitRole
from controller.pit.alerts.causes import Cause
from controller.pit.alerts.settings import AlertKind, AlertSettings
from controller.pit.alerts.store import alerts, judge
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import Wall
from controller.table import facts as f
from controller.table.facts import Record
from controller.table.inputs.pit import PIT_ACTS
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer, asked_of, now_ms
from tests.pit.archive.books.archived import Archived
from tests.records.dealing import two_days
from tests.support.pit import setup

#: The archive lacks so many records of the table when that is put back.
LATE = 6
DEALER = "0e170003"


@pytest.fixture
def pit() -> Iterator[PitServer]:
    with PitServer(WallSettings(offline_s=3_600), replace(setup(3), pit_acts=PIT_ACTS)) as server:
        yield server


@pytest.fixture(scope="module")
def played() -> list[Record]:
    """Two days of T1: an opener, a fill that never came, rounds, one of them put right later."""
    return two_days("21-24-27").records


@pytest.mark.long
def test_from_opener_to_handover(open_tab: OpenTab, pit: PitServer, played: list[Record]) -> None:
    archive = Archived(pit.known.engine)
    archive.add("T1", played, last=len(played) - LATE)
    archive.keep()
    pit.do(asked_of)
    page = open_tab("about:blank")
    pit.sign_in(page)
    _short_fill(page, pit)
    _disputed_round(page, pit, played)
    _dealer_changed(page, pit)
    _alarm_escalated(page, pit)
    _put_back(page, pit, archive, played)
    _handed_over(page, pit)


def _short_fill(page: Page, pit: PitServer) -> None:
    """A rack was opened; a fill that did not come whole is void, and the chips say what is off."""
    page.goto(f"{pit.url}/tables/T1/chips")
    shift = page.locator("section.shift").last
    expect(shift).to_contain_text("opener")
    expect(page.locator("main")).to_contain_text("Void: never came")
    expect(shift.locator(".off")).to_contain_text("Difference")
    page.goto(f"{pit.url}/tables/T1")
    page.get_by_label("Amount that is on its way").fill("50")
    page.get_by_role("button", name="Ask for it").click()
    expect(page.locator("#said")).to_have_text("Done. T1 expects a fill of 50.00")
    (note,) = pit.table_state().pit.notes
    assert note.amount == 5_000, "the dealer's display shows what is on its way"


def _disputed_round(page: Page, pit: PitServer, played: list[Record]) -> None:
    """A guest remembers a card; the round is found by it, and told step by step."""
    corrected = next(it.fact for it in played if isinstance(it.fact, f.RoundCorrected))
    card = next(step.card for step in corrected.steps if step.card is not None)
    index = next(it.fact.setup.index for it in played if isinstance(it.fact, f.TableOpened))
    page.goto(f"{pit.url}/rounds")
    page.get_by_role("textbox", name="Card").fill(card.label(index))
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name=f"T1, {corrected.number}", exact=True).click()
    expect(page.locator("h1")).to_have_text(f"Round {corrected.number} of table T1")
    expect(page.get_by_role("heading", name="Put right later")).to_be_visible()
    expect(page.locator("tbody")).to_have_count(2)
    expect(page.locator("main")).to_contain_text(f"{card.label(index)} is dealt")


def _dealer_changed(page: Page, pit: PitServer) -> None:
    page.goto(f"{pit.url}/tables/T1")
    page.get_by_label("Id in the table's directory").fill(DEALER)
    page.get_by_role("button", name="Changes now").click()
    expect(page.locator("#said")).to_have_text("Done. T1 has the dealer by that name now")
    assert pit.table_state().people.dealer == DEALER


def _alarm_escalated(page: Page, pit: PitServer) -> None:
    """Nobody answers the floor's alert: it becomes the pit boss's, who takes it in hand."""
    page.goto(pit.url)
    held = Cause("held:T1", AlertKind.HELD, "T1", "A card was read twice", now_ms() - 130_000)
    strip = page.locator("#alerts .alert")
    for later_ms, who in ((0, "floor"), (181_000, "pit boss")):
        with pit.known.engine.begin() as connection:
            judge(
                connection, [held], lambda kind, table: False, AlertSettings(), now_ms() + later_ms
            )
        _shown(pit)
        expect(strip.locator(".alert-who")).to_have_text(who)
    with page.expect_response(lambda answer: answer.request.method == "POST") as taken:
        page.get_by_role("button", name="I have it in hand: T1").click()
    assert taken.value.ok
    _shown(pit)
    expect(strip).to_contain_text("✓ Aino has it")


def _shown(pit: PitServer) -> None:
    with pit.known.engine.connect() as connection:
        now = tuple(alerts(connection, AlertSettings()))

    def show(wall: Wall) -> None:
        wall.show_alerts(now)

    pit.do(show)


def _put_back(page: Page, pit: PitServer, archive: Archived, played: list[Record]) -> None:
    """The table comes back with another history, which is named, and then with its own."""
    first = len(played) - LATE + 1
    other = [*played[: first - 2], *(it._replace(at_ms=it.at_ms + 1) for it in played[first - 2 :])]
    archive.add("T1", other, first=first - 1)
    with pit.known.engine.connect() as connection:
        (fork,) = findings(connection, only_open=True, most=9)
    assert (fork.table, fork.kind) == ("T1", "fork")
    finding = RecordFinding(fork.text, fork.since_ms)
    pit.do(lambda wall: wall.find("T1", finding))
    expect(page.locator('.tile[data-table="T1"]')).to_contain_text("Record")
    page.goto(f"{pit.url}/records")
    expect(page.locator("main, body").first).to_contain_text(fork.text)
    archive.add("T1", played, first=first)
    archive.keep()
    page.reload()
    expect(page.locator("body")).to_contain_text("To be looked into: 0")


def _handed_over(page: Page, pit: PitServer) -> None:
    page.goto(f"{pit.url}/handover")
    expect(page.locator("main")).to_contain_text("the rack is open, shift 2")
    expect(page.locator("main")).to_contain_text("A card was read twice (Aino has it in hand)")
    page.get_by_label("What the next one must know").fill("Seat 3 asks for the manager")
    page.get_by_role("button", name="Sign and hand over").click()
    expect(page.locator("main")).to_contain_text("Somebody else signs that they take over")
    page.get_by_role("button", name="Sign out").click()
    comes = pit.known.add("Bo", PitRole.PIT_BOSS)
    page.goto(f"{pit.url}/enter/{pit.known.people.link(comes, Purpose.SIGN_IN)}")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.goto(f"{pit.url}/handover")
    expect(page.locator("main")).to_contain_text("Seat 3 asks for the manager")
    page.get_by_role("button", name="I have read it and take over").click()
    expect(page.locator("details summary")).to_contain_text("Aino to Bo")
    page.goto(f"{pit.url}/alerts")
    expect(page.locator("main")).to_contain_text("Bo has it")
