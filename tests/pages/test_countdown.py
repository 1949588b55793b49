"""The countdown of a window: by the table's clock, on the dealer's display and the players'."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.rules.actions import Action
from controller.table.inputs import WindowTimes
from controller.table.irregularities.holds import Resolution
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import at_display
from tests.pages.pictures.moments import dealer_view, players_view
from tests.pages.pictures.pit import Picture
from tests.support.forms import long_only, quick_first
from tests.support.pit import Pit, setup

TIMES = WindowTimes(
    bets_ms=3_600_000, last_call_ms=3_599_000, decision_ms=3_600_000, no_answer=(Action.STAND,)
)
#: The table's clock is so far ahead of the browser's.
AHEAD_MS = 3_600_000


#: Returns once what the page does in its next two frames is done.
NEXT_FRAMES = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


def studio() -> Pit:
    pit = Pit(replace(setup(7), windows=TIMES))
    pit.shuffle()
    pit.bet(2)
    return pit


def last_call() -> Pit:
    pit = studio()
    pit.wait(5)
    return pit


def held() -> Pit:
    pit = last_call()
    pit.press("call")
    return pit


def resumed() -> Pit:
    pit = held()
    pit.resolve(Resolution.RELEASE)
    return pit


def asked() -> Pit:
    pit = studio()
    pit.no_more_bets()
    for code in ("8h", "5c", "6d", "8s", "5h"):
        if pit.state.remote.window is None:
            pit.deal(code)
    return pit


def closing(service: PageServer, picture: Picture, left_ms: int) -> Picture:
    """The picture, with a window that runs out in so long by a table whose clock is ahead."""
    service.stage.ahead_ms = AHEAD_MS
    if picture["window"]["left_ms"] is None:
        picture["window"]["closes_at_ms"] = service.stage.now_ms + left_ms
    else:
        picture["window"]["left_ms"] = left_ms
    return picture


def at_players(open_tab: OpenTab, service: PageServer, picture: Picture, **how: str) -> Page:
    service.show("/events/players", "scene", picture)
    page = open_tab(f"{service.url}/players", **how)
    expect(page.locator("#notice")).to_have_text(picture["notice"])
    return page


def test_the_dealer_sees_the_seconds_by_the_clock_of_the_table(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, closing(service, dealer_view(studio()), 8_000))
    clock = page.locator("#clock")
    expect(clock).to_have_text(re.compile(r"^[4-8] s$"))
    expect(clock).to_have_text("3 s")
    expect(clock).to_have_text("0 s")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (studio, "Bets close in 58 s"), long_only(last_call, "Last bets: 58 s"),
        long_only(resumed, "Last bets: 58 s"), (asked, "Seat 2: 58 s"),
        long_only(held, "The clock stands: 60 s left"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("font", ["DejaVu Sans"])
@pytest.mark.parametrize("size", SIZES)
def test_players_see_what_there_is_time_for(
    open_tab: OpenTab,
    service: PageServer,
    make: Callable[[], Pit],
    says: str,
    size: str,
    font: str,
) -> None:
    picture = closing(service, players_view(make()), 60_000)
    page = at_players(open_tab, service, picture, size=size, font=font)
    expect(page.locator("#clock")).to_have_text(says)
    assert cut_off(page) == []
    assert unreadable(page) == []


@pytest.mark.long
@pytest.mark.parametrize("make", quick_first([studio, last_call, held, asked], [held]))
def test_the_seconds_have_room_on_the_dealers_display(
    open_tab: OpenTab, service: PageServer, make: Callable[[], Pit]
) -> None:
    picture = closing(service, dealer_view(make()), 3_600_000)
    page = at_display(open_tab, service, picture, font="DejaVu Sans")
    expect(page.locator("#clock")).to_have_text(re.compile(r"^(59:\d\d|60:00)$"))
    for size in ((1280, 720), (800, 480)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(NEXT_FRAMES)  # in which the page fits its words to the new size
        assert cut_off(page) == []
        assert unreadable(page) == []


@pytest.mark.long
def test_without_a_window_there_is_no_clock(open_tab: OpenTab, service: PageServer) -> None:
    pit = Pit(setup(7))
    pit.shuffle()
    page = at_display(open_tab, service, dealer_view(pit))
    expect(page.locator("#clock")).to_be_hidden()


#: Says by how much the page is off the table's time after each beat.
OFF = """async () => {
    const { tableTime } = await import('/static/drawing/table_time.js');
    const parse = JSON.parse;
    JSON.parse = (text, ...more) => {
        const found = parse(text, ...more);
        if (found?.now_ms) setTimeout(() => console.debug(`off by ${tableTime() - found.now_ms}`));
        return found;
    };
}"""


def test_a_clock_that_is_set_is_followed_with_the_next_line(
    open_tab: OpenTab, service: PageServer
) -> None:
    """The table's clock was an hour ahead, and is set: countdowns stood at nothing for a minute."""
    page = at_display(open_tab, service, closing(service, dealer_view(studio()), 300_000))
    page.evaluate(OFF)
    assert abs(off(page)) < 60_000
    service.stage.ahead_ms = 0
    while off(page) < 60_000:
        pass
    # The first beat of the other time ends the line; the next one is the first of a new line.
    assert abs(off(page)) < 60_000


def off(page: Page) -> float:
    """By how much the page is off the table's time, in ms, after its next beat."""
    with page.expect_event("console", lambda said: said.text.startswith("off by")) as told:
        pass
    return float(told.value.text.removeprefix("off by "))
