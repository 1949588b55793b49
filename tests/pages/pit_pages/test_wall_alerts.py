"""Alerts on the wall: what is wrong, since when, who must act, and who has it in hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.roles import PitRole
from controller.pit.alerts.causes import Cause
from controller.pit.alerts.settings import AlertKind, AlertSettings
from controller.pit.alerts.store import alerts, judge
from controller.pit.wall.wall import Wall
from tests.pages.browser.looks import unreadable
from tests.pages.browser.tab import Tab
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer, in_play, now_ms, troubled
from tests.pages.pit_pages.test_wall import opened, pit
from tests.support.forms import long_only, quick_first

__all__ = ["pit"]

HELD = Cause("held T7", AlertKind.HELD, "T7", "Held for 5 minutes: foreign card", 1_000)
STORM = Cause("offline", AlertKind.OFFLINE, "*", "12 tables are not heard: T1, T2", 2_000, 12)


def found(pit: PitServer, *causes: Cause) -> None:
    """The pit looks: these are wrong, and nothing else is any more."""
    at_ms = now_ms()
    since = [Cause(c.key, c.kind, c.table, c.text, at_ms - 65_000, c.count) for c in causes]
    with pit.known.engine.begin() as connection:
        judge(connection, since, lambda kind, table: False, AlertSettings(), at_ms)
    shown(pit)


def shown(pit: PitServer) -> None:
    """What the database has is what the walls show next."""
    with pit.known.engine.connect() as connection:
        now = tuple(alerts(connection, AlertSettings()))

    def show(wall: Wall) -> None:
        wall.show_alerts(now)

    pit.do(show)


def answered(page: Page, about: str) -> None:
    with page.expect_response("**/answer") as said:
        page.get_by_role("button", name=f"I have it in hand: {about}").click()
    assert said.value.status == 200


@pytest.mark.parametrize("size", quick_first([(390, 844), (1280, 720), (3840, 2160)], [(390, 844)]))
def test_alerts_stand_above_the_tables_and_are_taken_in_hand(
    open_tab: OpenTab, pit: PitServer, size: tuple[int, int]
) -> None:
    pit.do(troubled)
    found(pit, HELD, STORM)
    page = opened(open_tab, pit, size)
    strip = page.locator("#alerts .alert")
    expect(strip).to_have_count(2)
    expect(strip.first).to_contain_text("T7")
    expect(strip.first).to_contain_text("Held for 5 minutes: foreign card")
    expect(strip.first).to_contain_text("1 min 0")
    expect(strip.nth(1)).to_contain_text("Several tables")
    expect(strip.nth(1)).to_contain_text("12 \u00d7")
    assert unreadable(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing has to be scrolled sideways"
    answered(page, "T7")
    shown(pit)
    expect(page.locator(".alert[data-answered]")).to_contain_text("✓ Aino has it")
    expect(strip.first).to_contain_text("Several tables")
    expect(page.locator("#unanswered")).to_be_hidden()


@pytest.mark.long
def test_an_alert_whose_cause_is_over_goes_by_itself(open_tab: OpenTab, pit: PitServer) -> None:
    found(pit, HELD)
    page = opened(open_tab, pit)
    expect(page.locator("#alerts")).to_be_visible()
    found(pit)
    expect(page.locator("#alerts")).to_be_hidden()


def test_an_answer_that_comes_too_late_is_said(
    open_tab: OpenTab, pit: PitServer, tabs: list[Tab]
) -> None:
    found(pit, HELD)
    page = opened(open_tab, pit)
    expect(page.locator("#alerts .alert")).to_have_count(1)
    with pit.known.engine.begin() as connection:
        judge(connection, [], lambda kind, table: False, AlertSettings(), now_ms())
    page.get_by_role("button", name="I have it in hand: T7").click()
    expect(page.locator("#unanswered")).to_have_text("There is no such alert, or it is over")
    (refused,) = tabs[-1].complaints  # the browser's own, of an answer that is none of success
    assert "404" in refused
    tabs[-1].complaints.clear()
    shown(pit)
    expect(page.locator("#unanswered")).to_be_hidden()


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (PitRole.VIEWER, []),
        (PitRole.CAGE, ["T1"]),
        long_only(PitRole.AUDITOR, ["T1", "T7"]),
    ],
)
def test_nobody_is_offered_what_would_be_refused(
    open_tab: OpenTab, pit: PitServer, role: PitRole, may: list[str]
) -> None:
    """Of alerts the cage has fills alone in hand, who only looks none; nor do they read rounds."""
    fill = Cause("fill:T1:7", AlertKind.FILL, "T1", "A fill of 50.00 is waited for", 1_000)
    pit.do(in_play)
    found(pit, HELD, fill)
    comes = pit.known.add("Bo", role)
    page = open_tab("about:blank")
    page.goto(f"{pit.url}/enter/{pit.known.people.link(comes, Purpose.SIGN_IN)}")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-answers", re.compile("none|fills|all"))
    expect(page.locator("#alerts .alert")).to_have_count(2)
    offered = page.locator("#alerts .alert:has(button:visible) b").all_inner_texts()
    assert sorted(each.removeprefix("▲ ") for each in offered) == may
    page.locator('.tile[data-table="T1"] .face').click()
    rounds = page.locator("#about").get_by_role("link", name="Its rounds")
    expect(rounds).to_be_visible(visible=role is not PitRole.VIEWER)
