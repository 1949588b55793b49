"""The dealer display on every screen: nothing is cut, overlaps, or is too small to read or hit.

One load of the page for each screen and index style; the test takes the place of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest
from playwright.sync_api import Browser, Page

from controller.table.irregularities.holds import Reason
from tests.pages.browser.measure import install, walk
from tests.pages.browser.server import PageServer
from tests.pages.dealer_display.every_picture import ShownPicture, fullest, pictures
from tests.support.forms import is_long_form, quick_first

SCREENS = ((800, 480), (1024, 600), (1280, 800), (1920, 1080))
PHONES = ((360, 740), (390, 844), (844, 390))
STYLES = ("finnish", "anglo")
#: One picture of so many, the first at another place for each screen.
EVERY, LONG_EVERY = 96, 24
AT_ONCE = 50
NAMED = re.compile("“([^”]*)”")


@pytest.fixture
def display(browser: Browser, service: PageServer, screen: tuple[int, int]) -> Iterator[Page]:
    """A dealer display of that size, fed by the test, without complaints at the end."""
    width, height = screen
    page = browser.new_page(viewport={"width": width, "height": height})
    complaints: list[str] = []
    page.on(
        "console",
        lambda said: (
            complaints.append(f"{said.text} {said.location}") if said.type == "error" else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    install(page)
    page.goto(f"{service.url}/dealer#token=a-token-of-this-table")
    page.wait_for_load_state("networkidle")
    yield page
    page.close()
    assert complaints == []


def of_the_sample() -> Iterator[ShownPicture]:
    """The covering sample, drawn up once."""
    yield from _sample()


@cache
def _sample() -> tuple[ShownPicture, ...]:
    return tuple(pictures(full=False))


def of_the_sample_from(first: int) -> Iterator[ShownPicture]:
    """Some pictures of the sample, beginning with that one."""
    return islice(of_the_sample(), first, None, LONG_EVERY if is_long_form() else EVERY)


def wrong_with(
    page: Page, shown: Iterator[ShownPicture], style: str, *, scrolls: bool = False
) -> list[str]:
    """What an eye would find wrong with the pictures, each with the name of its picture."""
    found: list[str] = []
    while some := list(islice(shown, AT_ONCE)):
        views = [each.view | {"words": each.view["words"] | {"index": style}} for each in some]
        for each, problems in zip(some, walk(page, "dealer", views, scrolls=scrolls), strict=True):
            found += [f"{each.name}: {problem}" for problem in problems]
    return found


@pytest.mark.long
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("screen", SCREENS, ids=lambda each: f"{each[0]}x{each[1]}")
def test_a_sample_of_all_pictures_fits_every_screen(
    display: Page, screen: tuple[int, int], style: str
) -> None:
    first = SCREENS.index(screen) * len(STYLES) + STYLES.index(style)
    assert wrong_with(display, of_the_sample_from(first), style) == []


@pytest.mark.parametrize("screen", [SCREENS[0]], ids=["every screen"])
def test_the_fullest_pictures_fit_every_screen_and_phone(
    display: Page, screen: tuple[int, int]
) -> None:
    """A recount that differs at every seat while the floor is called and a press was refused."""
    found, pictures_shown = [], fullest()
    smallest = (SCREENS[0], PHONES[0], PHONES[-1])
    for width, height in (*SCREENS, *PHONES) if is_long_form() else smallest:
        display.set_viewport_size({"width": width, "height": height})
        phone = (width, height) in PHONES
        problems = wrong_with(display, iter(pictures_shown), "finnish", scrolls=phone)
        found += [f"{width}x{height}: {each}" for each in problems]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("screen", SCREENS, ids=lambda each: f"{each[0]}x{each[1]}")
def test_every_picture_fits_every_screen(
    display: Page, screen: tuple[int, int], style: str
) -> None:
    assert wrong_with(display, pictures(full=True), style) == []


@pytest.mark.parametrize("style", quick_first(STYLES, ["anglo"]))
@pytest.mark.parametrize(
    "screen", quick_first(PHONES, PHONES[2:]), ids=lambda each: f"{each[0]}x{each[1]}"
)
def test_a_phone_has_a_layout_of_its_own(
    display: Page, screen: tuple[int, int], style: str
) -> None:
    first = PHONES.index(screen) * len(STYLES) + STYLES.index(style)
    assert wrong_with(display, of_the_sample_from(first), style, scrolls=True) == []


def test_every_instruction_names_keys_that_are_there() -> None:
    """Whoever does what the display says finds the key, in all games and at all holds."""
    named, holds = 0, set()
    for name, view in pictures(full=False, every=1 if is_long_form() else 4):
        keys = {each["label"] for each in view["keys"]}
        held = view["holds"][0]["text"] if view["holds"] else ""
        for text in (view["lead"], view["detail"], view["why"], held):
            for label in NAMED.findall(text):
                assert label in keys, f"{name}: {text!r} names a key that is not there: {keys}"
                named += 1
        offered = {each.lower() for each in keys}
        for choice in view["choices"]:
            assert choice in offered, f"{name}: {choice!r} is asked for and there is no key for it"
        if view["tone"] != "safe":
            assert view["keys"][-1]["command"] == {"do": "call_floor"}, name
            assert view["keys"][-1]["key"] == "c", name
        holds |= {each["reason"] for each in view["holds"]}
    assert named > (20 if is_long_form() else 5)
    assert holds == {each.value for each in Reason}
