"""A report by hour or day is looked at: bars and a line, words for whoever sees no picture."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from controller.pit.house_time import HouseTime
from controller.pit.wall.settings import WallSettings
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.evening import DAY, kept_evening
from tests.pages.pit_pages.pit_server import PitServer
from tests.support.forms import quick_first

UPLOT: Final = Path(__file__).parents[3] / "controller/pit/static/vendor/uplot"
#: As it was published on npm as uplot 1.6.32; another version is another decision (DECISIONS.md).
PUBLISHED: Final = {
    "LICENSE": "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
    "uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    "uPlot.min.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
}
#: How many points of each canvas have a colour.
DRAWN: Final = """() => [...document.querySelectorAll('.plot canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, at) => sum + (at % 4 === 3 && value > 0 ? 1 : 0), 0);
})"""


@pytest.fixture
def pit() -> Iterator[PitServer]:
    with PitServer(WallSettings(target={"21-24-27": 55.0})) as server:
        with server.known.engine.begin() as connection:
            kept_evening(connection)
        yield server


def report(open_tab: OpenTab, pit: PitServer, size: tuple[int, int], asked: str) -> Page:
    page = open_tab("about:blank")
    pit.sign_in(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{pit.url}/reports?from={DAY}&{asked}")
    return page


def test_every_download_has_a_name_of_its_own(open_tab: OpenTab, pit: PitServer) -> None:
    """Who hears the page reads a list of its links: six times “CSV” says nothing."""
    page = report(open_tab, pit, (1280, 720), "by=hour")
    links = page.locator("main a")
    names = [each.get_attribute("aria-label") or each.inner_text() for each in links.all()]
    assert any(each.startswith("CSV: ") for each in names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("size", quick_first([(390, 844), (1280, 720), (3840, 2160)], [(390, 844)]))
def test_an_evening_is_seen_hour_by_hour(
    open_tab: OpenTab, pit: PitServer, size: tuple[int, int]
) -> None:
    page = report(open_tab, pit, size, "by=hour&table=T1")
    plots = page.locator("figure[data-chart] canvas")
    expect(plots).to_have_count(2)
    assert min(page.evaluate(DRAWN)) > 1_000, "a line and bars, no empty frame"
    money = page.locator("#money figure")
    words = money.locator("figcaption").inner_text()
    assert words.startswith("Money by hour, EUR. Win: from ")
    assert f"({DAY} " in words
    assert "Theory: from" in words
    expect(page.get_by_role("img", name=words)).to_be_visible()
    expect(money.locator(".u-legend")).to_contain_text("Theory")
    expect(page.locator("#pace figcaption")).to_contain_text("Target: 55.0 throughout.")
    assert unreadable(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing has to be scrolled sideways"
    # Figures are the table's below it, also of the hour in which nothing was dealt.
    expect(page.locator("#money .wide tbody tr")).to_have_count(9)
    bars = page.locator("#holds meter")
    expect(bars).to_have_count(5)
    assert bars.first.evaluate("(it) => [it.value, it.max]") == [9, 9]


def test_hours_are_those_of_the_house(open_tab: OpenTab) -> None:
    house = HouseTime("Europe/Helsinki")
    with PitServer(WallSettings(), house=house) as pit:
        with pit.known.engine.begin() as connection:
            kept_evening(connection)
        page = report(open_tab, pit, (1280, 720), "by=hour&table=T1")
        expect(page.locator("#money .wide th").first).to_have_text("From (Europe/Helsinki)")
        first = page.locator("#money .wide tbody th").first
        expect(first).to_have_text("2026-11-26 20:00")  # 18:00 UTC
        expect(page.locator("#money figcaption")).to_contain_text("(2026-11-27 0")
        legend = page.locator("#money .u-legend")
        expect(legend).to_contain_text("From (Europe/Helsinki)")
        box = page.locator("#money .u-over").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 1, box["y"] + 50)
        expect(legend).to_contain_text("26 Nov 2026, 20:00 GMT+2")
        # A gaming day has no zone.
        page.goto(f"{pit.url}/reports?from={DAY}&by=day&table=T1")
        expect(page.locator("#money .wide th").first).to_have_text("Day")


def test_without_hours_or_days_there_is_no_chart(open_tab: OpenTab, pit: PitServer) -> None:
    page = report(open_tab, pit, (1280, 720), "by=table")
    expect(page.locator("#money .wide tbody tr")).to_have_count(4)
    expect(page.locator("figure")).to_have_count(0)


def test_uplot_is_served_as_it_was_published() -> None:
    found = {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in UPLOT.iterdir()}
    assert found == PUBLISHED
    assert b"(v1.6.32)" in (UPLOT / "uPlot.iife.min.js").read_bytes()[:60]
