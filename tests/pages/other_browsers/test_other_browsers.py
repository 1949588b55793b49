"""What people open in Firefox or Safari works there as in Chromium, in which all else is tried.

Pages are measured by the same script (`browser/measure.py`): nothing is cut, lies over something
else, or is too small to read or hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

from tests.pages.browser.measure import LEAST_TARGET_PX, LEAST_TEXT_PX, MEASURE
from tests.pages.browser.server import PageServer
from tests.pages.dealer_display.dealer import REACTION_MS, TOKEN, said, show, to_choose
from tests.pages.dealer_display.every_picture import ShownPicture, fullest, pictures
from tests.pages.documents.test_fairness import DEALT, TURNED, Feed
from tests.pages.other_browsers.windows import KINDS, OtherBrowser, opened
from tests.pages.pictures.pit import seven_seats
from tests.pages.pit_pages.pit_server import NAMES, SETTINGS, PitServer, in_play, troubled
from tests.pages.status import test_status as status
from tests.pages.test_phones import LEAST_TEXT_PX as LEAST_ON_A_PHONE_PX

pytestmark = pytest.mark.long

#: One picture of so many of the sample that Chromium shows whole.
EVERY: Final = 48
SCREENS: Final = ((800, 480), (1280, 800), (1920, 1080))
#: The narrowest that each lets its window be is wider than a telephone; it takes what it can.
PHONE: Final = (390, 844)


@pytest.fixture(scope="module", params=KINDS, ids=lambda each: each.__name__)
def browser(request: pytest.FixtureRequest) -> Iterator[OtherBrowser]:
    kind: type[OtherBrowser] = request.param
    if kind.missing:
        pytest.skip(f"not here: {kind.missing}")
    with opened(kind) as window:
        yield window
        assert window.complaints() == []


@cache
def sample() -> tuple[ShownPicture, ...]:
    """Some of all pictures that a dealer display may show."""
    return tuple(pictures(full=False, every=EVERY))


def at_display(browser: OtherBrowser, service: PageServer, picture: dict[str, Any]) -> None:
    show(service, picture)
    browser.go("about:blank")
    browser.go(f"{service.url}/dealer#token={TOKEN}")
    browser.wait("document.body.dataset.seq === arguments[0]", str(picture["seq"]))
    browser.wait("document.querySelector('h1').textContent === arguments[0]", said(picture))


def test_a_dealers_press_is_sent_and_what_follows_is_shown(
    browser: OtherBrowser, service: PageServer
) -> None:
    table = to_choose()
    picture = table.dealer_view()
    browser.fit(*SCREENS[0])
    at_display(browser, service, picture)
    browser.run(f"return new Promise((done) => setTimeout(done, {REACTION_MS + 10}))")
    browser.run(
        "[...document.querySelectorAll('#keys .key')]"
        ".find((each) => each.innerText.includes('Stand')).click()"
    )
    sent = service.next_sent()
    command = {"do": "decide", "seat": 1, "hand": 1, "action": "stand"}
    assert sent.body == command | {"view_seq": picture["seq"]}
    after = table.stand().dealer_view()
    show(service, after)
    browser.wait("document.querySelector('h1').textContent === arguments[0]", said(after))


@pytest.mark.parametrize("screen", SCREENS, ids=lambda each: f"{each[0]}x{each[1]}")
def test_a_dealer_display_fits_its_screen(
    browser: OtherBrowser, service: PageServer, screen: tuple[int, int]
) -> None:
    browser.fit(*screen)
    at_display(browser, service, to_choose().dealer_view())
    browser.run(MEASURE)
    limits = {
        "leastText": LEAST_TEXT_PX, "leastTarget": LEAST_TARGET_PX, "scrolls": False,
    }  # fmt: skip
    script = "return window.__walk('/static/pages/dealer/dealer.js', arguments[0], arguments[1])"
    shown = (*sample(), *fullest())
    walked = browser.run(script, [each.view for each in shown], limits)
    wrong = zip(shown, walked, strict=True)
    assert [f"{each.name}: {problem}" for each, found in wrong for problem in found] == []


def test_a_display_says_that_its_line_is_lost_and_comes_back(
    browser: OtherBrowser, service: PageServer
) -> None:
    at_display(browser, service, to_choose().dealer_view())
    lost = "getComputedStyle(document.querySelector('#lost')).display"
    service.fall_silent()
    browser.wait(f"{lost} !== 'none'")
    service.cut_streams()
    browser.wait(f"{lost} === 'none'")


def test_the_status_page_fits_a_phone(browser: OtherBrowser, service: PageServer) -> None:
    browser.fit(*PHONE)
    status.show(service, seven_seats().next().play_out().rounds(3).repeat().next().draw(18))
    browser.go("about:blank")
    browser.go(f"{service.url}/#token={TOKEN}")
    browser.wait("document.querySelector('#live').textContent === 'Live'")
    browser.run(MEASURE)
    limits = {
        "leastText": LEAST_ON_A_PHONE_PX, "leastTarget": LEAST_TARGET_PX, "scrolls": True,
    }  # fmt: skip
    assert browser.run("return window.__measure(arguments[0])", limits) == []


def test_a_player_sees_whether_a_hidden_card_was_changed(
    browser: OtherBrowser, service: PageServer
) -> None:
    """The table of cards is not there at first: WebKit does not notice `:has(tbody:empty)`."""
    feed = Feed(service)
    browser.go("about:blank")
    browser.go(f"{service.url}/fairness")
    assert browser.run("return document.querySelector('#found').checkVisibility()") is False
    feed.tell(DEALT)
    browser.wait("document.querySelectorAll('#cards tr').length === 1")
    feed.tell(TURNED)
    browser.wait("document.querySelector('#cards').innerText.includes('the same card')")
    assert browser.run("return document.querySelector('#found').checkVisibility()") is True


def test_somebody_signs_in_to_the_pit_of_this_machine_and_sees_what_changes(
    browser: OtherBrowser,
) -> None:
    """Without TLS: WebKit keeps no cookie that is for TLS alone."""
    with PitServer(SETTINGS) as pit:
        browser.fit(1280, 800)
        browser.go(pit.link())
        browser.run("document.querySelector('main button, form button').click()")
        browser.wait("location.pathname === '/'")
        browser.wait("document.querySelector('#live')?.textContent === 'Live'")
        pit.do(in_play)
        browser.wait("document.querySelectorAll('.tile').length === arguments[0]", len(NAMES))
        assert browser.run("return document.documentElement.scrollHeight <= innerHeight")
        before = browser.run("return document.querySelector('#wall, main').innerText")
        pit.do(troubled)
        browser.wait("document.querySelector('#wall, main').innerText !== arguments[0]", before)
        for page in ("/alerts", "/sessions", "/users", "/people", "/handover"):
            browser.go(pit.url + page)
            assert browser.run("return location.pathname") == page
            wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1], page
