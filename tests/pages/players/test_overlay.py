"""The overlay: graphics over a studio's picture, transparent elsewhere, never before their time."""

from __future__ import annotations

from io import BytesIO

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.moments import dealer_view, players_view
from tests.pages.pictures.pit import Picture
from tests.pages.players.test_seated import full
from tests.pages.test_countdown import closing, last_call
from tests.support.forms import long_only

SIZES = ((1920, 1080), (3840, 2160))
DELAY_MS = 1_500
#: Says of each view that it has come.
LISTEN = """
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const found = parse(text, ...more);
    if (found?.seats) console.debug("a view");
    return found;
  };
"""


def at_overlay(
    open_tab: OpenTab, service: PageServer, picture: Picture, asked: str = "", page: str = "players"
) -> Page:
    service.show(f"/events/{page}", "scene", picture)
    return open_tab(f"{service.url}/overlay{asked}")


def drawn(page: Page, picture: Picture) -> None:
    expect(page.locator("body")).to_have_attribute("data-seq", str(picture["seq"]))


def alpha(page: Page) -> np.ndarray:
    """How opaque each pixel is."""
    png = page.screenshot(omit_background=True)
    decoded = cv2.imdecode(np.frombuffer(BytesIO(png).read(), np.uint8), cv2.IMREAD_UNCHANGED)
    assert decoded is not None
    assert decoded.shape[2] == 4
    return np.asarray(decoded[:, :, 3])


def boxes(page: Page) -> list[list[float]]:
    """Where plates and cards are."""
    found: list[list[float]] = page.evaluate(
        """() => [...document.querySelectorAll('.plate, .card')]
            .filter((node) => node.checkVisibility())
            .map((node) => node.getBoundingClientRect())
            .map(({ x, y, width, height }) => [x, y, width, height])"""
    )
    return found


def pictured(page: Page) -> tuple[np.ndarray, np.ndarray]:
    """How opaque each pixel is, and where graphics are, with a pixel's edge, at that moment."""
    before, opacity = boxes(page), alpha(page)
    while before != (now := boxes(page)):  # it was laid out anew meanwhile
        before, opacity = now, alpha(page)
    there = np.zeros(opacity.shape[:2], bool)
    for x, y, wide, high in now:
        there[max(0, int(y) - 2) : int(y + high) + 3, max(0, int(x) - 2) : int(x + wide) + 3] = True
    return opacity, there


@pytest.mark.parametrize("size", SIZES)
def test_pixels_outside_the_graphics_are_transparent(
    open_tab: OpenTab, service: PageServer, size: tuple[int, int]
) -> None:
    picture = closing(service, players_view(last_call()), 60_000) | {"seq": 9}
    picture |= {key: value for key, value in players_view(full("Ann")).items() if key != "window"}
    page = at_overlay(open_tab, service, picture)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    drawn(page, picture)
    opacity, there = pictured(page)
    astray = np.argwhere((opacity > 0) & ~there)
    assert astray.size == 0, (astray.min(axis=0), astray.max(axis=0))
    assert (opacity[there] > 0).mean() > 0.7
    assert there.mean() < 0.5
    assert cut_off(page) == []
    assert unreadable(page) == []


def test_nothing_appears_before_its_delay(open_tab: OpenTab, service: PageServer) -> None:
    first = players_view(full("Ann")) | {"at_ms": service.stage.now_ms}
    page = at_overlay(open_tab, service, first, f"?delay_ms={DELAY_MS}")
    page.wait_for_timeout(300)
    assert page.locator("body").get_attribute("data-seq") is None
    assert alpha(page).max() == 0
    drawn(page, first)
    due_ms = first["at_ms"] + DELAY_MS
    assert float(page.evaluate("document.body.dataset.drawn")) >= due_ms
    second = first | {"seq": first["seq"] + 1, "at_ms": service.stage.now_ms}
    service.show("/events/players", "scene", second)
    drawn(page, second)
    assert float(page.evaluate("document.body.dataset.drawn")) >= second["at_ms"] + DELAY_MS


@pytest.mark.parametrize("off_ms", [86_400_000, -86_400_000])
def test_a_clock_that_is_wrong_shows_nothing_before_its_delay_and_keeps_nothing_back(
    open_tab: OpenTab, service: PageServer, off_ms: int
) -> None:
    """Of a browser that has not heard the table's time yet, and of a table's that is set back."""
    picture = players_view(full("Ann")) | {"at_ms": service.stage.now_ms + off_ms}
    service.fall_silent()
    page = open_tab("about:blank")
    page.add_init_script(LISTEN)
    page.clock.install()
    service.show("/events/players", "scene", picture)
    with page.expect_event("console", lambda said: said.text == "a view"):
        page.goto(f"{service.url}/overlay?delay_ms={DELAY_MS}")
    page.clock.run_for(DELAY_MS - 1_000)
    assert page.locator("body").get_attribute("data-seq") is None
    page.clock.run_for(2_000)
    drawn(page, picture)


@pytest.mark.long
def test_the_countdown_is_as_late_as_the_rest(open_tab: OpenTab, service: PageServer) -> None:
    picture = closing(service, players_view(last_call()), 20_000)
    page = at_overlay(open_tab, service, picture, "?delay_ms=30000")
    drawn(page, picture)
    expect(page.locator("#clock")).to_have_text("48 s")


def test_the_prompter_shows_the_dealer_one_thing(open_tab: OpenTab, service: PageServer) -> None:
    picture = closing(service, dealer_view(last_call()), 20_000)
    page = at_overlay(open_tab, service, picture, "?mode=prompter", page="dealer")
    drawn(page, picture)
    expect(page.locator("#notice")).to_have_text(picture["headline"])
    expect(page.locator("#seats")).to_be_hidden()
    assert cut_off(page) == []


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        long_only("?delay_ms=-5", "delay_ms=-5: write whole milliseconds, 0 to 60000"),
        long_only("?delay_ms=1.5", "write whole milliseconds"),
        ("?delay_ms=60001", "write whole milliseconds"),
        long_only("?delay=5", "delay: an overlay takes delay_ms and mode"),
        long_only("?mode=loud", "mode=loud: write table or prompter"),
    ],
)
def test_what_an_address_may_not_ask_is_said(
    open_tab: OpenTab, service: PageServer, asked: str, says: str
) -> None:
    page = at_overlay(open_tab, service, players_view(full("Ann")), asked)
    expect(page.get_by_role("alert")).to_contain_text(says)
    expect(page.locator("#table")).to_be_hidden()
