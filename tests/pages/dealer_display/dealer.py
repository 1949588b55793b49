"""The dealer display in a test's hand: what it is shown, and what a dealer waits for."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.moments import dealer_view, moment
from tests.pages.pictures.pit import Picture, PicturedTable, fullest, safe_view, seven_seats

#: What a card that lies face down is called.
BACK = "face-down card"
TOKEN = "a-token-of-this-table"
#: The page's own: presses sooner than this after a change belong to the picture before.
REACTION_MS = 150


def to_choose() -> PicturedTable:
    """Seat 1 has hard 16 against the dealer's hard 15 and may choose."""
    return PicturedTable().opened().bets(s1=2500, s3=5000).next().deal("5h 8c Kh 9s 7c 2s 2c")


def settling() -> PicturedTable:
    return seven_seats().next().until_settling()


def paying() -> PicturedTable:
    """Seat 1 has a Finnish 27: it is paid at once."""
    return PicturedTable().opened().bets(s1=250000).next().deal("Ac 9d Kc 8h")


def two_holds() -> PicturedTable:
    return fullest().misread().call_floor()


SCENES: dict[str, Callable[[], Picture]] = {
    "first shoe": lambda: PicturedTable().dealer_view(),
    "bets open": lambda: seven_seats().dealer_view(),
    "to choose": lambda: to_choose().dealer_view(),
    "five cards each": lambda: fullest().dealer_view(),
    "settling": lambda: settling().dealer_view(),
    "paying": lambda: paying().dealer_view(),
    "two holds": lambda: two_holds().dealer_view(),
    "scanner unplugged": lambda: fullest().unplug().dealer_view(),
    "refused": lambda: refused_press().dealer_view(),
    "record not available": safe_view,
}


def refused_press() -> PicturedTable:
    return fullest().stand()


def show(service: PageServer, picture: Picture) -> None:
    service.show("/events/dealer", "scene", picture)


def at_display(open_tab: OpenTab, service: PageServer, picture: Picture, **how: str | None) -> Page:
    """A dealer display with a token that shows `picture` and is past the first moment of it."""
    show(service, picture)
    page = open_tab(f"{service.url}/dealer#token={TOKEN}", **how)
    expect_picture(page, picture)
    return page


def at_its_own_time(open_tab: OpenTab, service: PageServer, picture: Picture) -> Page:
    """A display that shows `picture`, and whose time goes on when the test says so.

    From the first moment on: timers from before would go on by the real clock, and one of them
    finds, some time within the next second, that the line was silent for as long as the clock was
    put forward.
    """
    show(service, picture)
    page = open_tab("about:blank")
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.goto(f"{service.url}/dealer#token={TOKEN}")
    expect_picture(page, picture)
    page.clock.run_for(2 * REACTION_MS)
    return page


def expect_picture(page: Page, picture: Picture) -> None:
    expect(page.locator("body")).to_have_attribute("data-seq", str(picture["seq"]))
    expect(page.locator("h1")).to_have_text(said(picture))


def said(picture: Picture) -> str:
    """The sentence, with the true minus that displays write."""
    return str(picture["headline"])


def settled_eye(page: Page) -> None:
    """The dealer has had time to read the picture."""
    page.evaluate("ms => new Promise((done) => setTimeout(done, ms))", REACTION_MS + 10)


def answered(page: Page) -> None:
    """The press before this has been answered."""
    expect(page.locator("body")).to_have_attribute("data-sending", "false")


def no_press_was_sent(service: PageServer) -> bool:
    return not service.stage.sent


def at_moment(open_tab: OpenTab, service: PageServer, name: str, **how: str | None) -> Page:
    return at_display(open_tab, service, dealer_view(moment(name)), **how)


def names(cards: Locator) -> list[str | None]:
    """The cards of a hand, as they are called."""
    return [each.get_attribute("aria-label") for each in cards.get_by_role("img").all()]


def keys(page: Page) -> list[str]:
    return [" ".join(each.split()) for each in page.locator("#keys .key").all_inner_texts()]
