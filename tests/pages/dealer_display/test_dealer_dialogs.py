"""The dealer display's dialogs: they fit every screen, and offer what there is and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.table import facts as f
from controller.table.irregularities.holds import Reason
from controller.table.state.state import State
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.pages.browser.measure import install, measure
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display, at_moment, settled_eye
from tests.pages.dealer_display.every_picture import at_table_with_people, grown, held, standing
from tests.pages.dealer_display.test_every_picture import PHONES, SCREENS
from tests.pages.pictures.moments import NAMES, dealer_view, moment
from tests.pages.pictures.pit import Picture, as_json
from tests.support.forms import long_only, quick_first

_DRAW = "async view => (await import('/static/pages/dealer/dealer.js')).draw(view)"


def view(state: State) -> Picture:
    return as_json(scene(state, NAMES).dealer)


def full() -> State:
    return standing()["fourteen_hands"]


def called(reason: Reason) -> State:
    return held(at_table_with_people(full()), reason)


def counted_apart() -> State:
    """One number was counted that does not agree: it is counted seat by seat."""
    state = called(Reason.FLOOR)
    shown = state.cards_shown
    return grown(state, f.FeltCounted(state.holds[0].number, shown + 1, shown))


def seat_by_seat(page: Page) -> None:
    """The second seat, with a way back to the first."""
    touch("Count the cards on the felt")(page)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Back to seat 1").wait_for()


def enter_card(page: Page) -> None:
    page.get_by_role("button", name="Enter the card").click()
    page.keyboard.type("kd")


def confirm_card(page: Page) -> None:
    enter_card(page)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Yes").wait_for()


def two_people(page: Page) -> None:
    page.get_by_role("button", name="load a new pack").click()


def their_pins(page: Page) -> None:
    two_people(page)
    page.locator("input[type=password]").first.focus()


def correct(page: Page) -> None:
    page.get_by_role("button", name="Correct the record").click()
    page.locator(".correct-steps button").nth(9).click()


def correct_bet(page: Page) -> None:
    page.get_by_role("button", name="Correct the record").click()
    page.locator(".correct-steps button").first.click()


def say_why(page: Page) -> None:
    correct(page)
    # What was changed before and not sent is still there.
    if not page.locator(".correct-list button").count():
        page.get_by_role("button", name="Take it out").click()
    page.locator(".correct-go").click()
    page.locator(".authorize").wait_for()


def refused(page: Page) -> None:
    """As long a refusal as a form shows, whatever was asked."""
    text = "✕ Name and PIN do not fit: nobody here has that name and that PIN, try again"
    page.locator(".authorize-problem").evaluate("(node, text) => node.textContent = text", text)


def pin_refused(opened: Callable[[Page], None]) -> Callable[[Page], None]:
    def open_it(page: Page) -> None:
        opened(page)
        page.locator("input[type=password]").first.focus()
        refused(page)

    return open_it


def why_refused(opened: Callable[[Page], None]) -> Callable[[Page], None]:
    def open_it(page: Page) -> None:
        opened(page)
        page.get_by_label("Why, in a few words").focus()
        refused(page)

    return open_it


def takes_over(page: Page) -> None:
    page.get_by_role("button", name="Something happened").click()
    page.get_by_role("button", name="Another dealer takes over").click()


def touch(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).click()


#: Each dialog: where it is opened, and how.
DIALOGS: dict[str, tuple[Callable[[], State], Callable[[Page], None]]] = {
    "card": (lambda: held(full(), Reason.UNREADABLE), enter_card),
    "second question": (lambda: held(full(), Reason.UNREADABLE), confirm_card),
    "two people": (lambda: held(at_table_with_people(full()), Reason.FOREIGN), two_people),
    "their PINs": (lambda: held(at_table_with_people(full()), Reason.FOREIGN), their_pins),
    "what happened": (full, touch("Something happened")),
    "bet": (lambda: standing()["21-24-27, placed"], touch("3 100.00 Change")),
    "who takes over, refused": (
        lambda: at_table_with_people(standing()["21-24-27, placed"]),
        pin_refused(takes_over),
    ),
    "cut": (lambda: standing()["21-24-27, to_be_cut"], touch("Cut elsewhere")),
    "felt": (lambda: called(Reason.FLOOR), touch("Count the cards on the felt")),
    "seat by seat": (counted_apart, seat_by_seat),
    "whose hand": (lambda: held(full(), Reason.SKIPPED), touch("Dead hand")),
    "raise": (lambda: standing()["ten_vying"], touch("Raise")),
    "correction": (lambda: held(full(), Reason.MISREAD), correct),
    "correct a bet": (lambda: held(full(), Reason.MISREAD), correct_bet),
    "floor, refused": (lambda: called(Reason.FLOOR), why_refused(touch("Go on"))),
    "floor's PIN, refused": (lambda: called(Reason.FLOOR), pin_refused(touch("Go on"))),
    "two people, refused": (lambda: called(Reason.FOREIGN), why_refused(two_people)),
    "their PINs, refused": (lambda: called(Reason.FOREIGN), pin_refused(two_people)),
    "correction, refused": (lambda: called(Reason.MISREAD), why_refused(say_why)),
    "correction's PIN, refused": (lambda: called(Reason.MISREAD), pin_refused(say_why)),
    "correction without roles, refused": (
        lambda: held(full(), Reason.MISREAD),
        why_refused(say_why),
    ),
}


@pytest.fixture
def display(browser: Browser, service: PageServer) -> Iterator[Page]:
    """A dealer display, fed by the test."""
    state = full()
    for number in (1, 1204):
        past = find_round(state, 1)
        assert past is not None
        drawn = as_json(replay(past, state.rounds.pictures, NAMES))
        service.stage.documents[f"/api/v1/rounds/{number}"] = drawn
    page = browser.new_page()
    install(page)
    page.goto(f"{service.url}/dealer#token=a-token-of-this-table")
    page.wait_for_load_state("networkidle")
    yield page
    page.close()


def authorized_before(page: Page) -> None:
    """Three people have authorized something: their names are offered in every form from now on."""
    for first, second in (("Maximilian", "Konstantin"), ("Wilhelmina", "Konstantin")):
        page.evaluate(_DRAW, view(called(Reason.FOREIGN)))
        two_people(page)
        page.locator(".authorize-usual button").first.click()
        names, pins = page.get_by_label("Name"), page.get_by_label("PIN or badge")
        for at, name in enumerate((first, second)):
            names.nth(at).fill(name)
            pins.nth(at).fill("4711")
        page.locator(".authorize-go").click()
        expect(page.locator("dialog[open]")).to_have_count(0)


#: Screens of one kind: a dialog that is open is laid out anew where the screen changes its size.
KINDS = {"screens": SCREENS, "upright": PHONES[:2], "sideways": PHONES[2:]}


#: Of each kind the one with the least room; the long form measures all.
SMALLEST = {"screens": SCREENS[:1], "upright": PHONES[:1], "sideways": PHONES[2:]}


@pytest.mark.parametrize("kind", quick_first(KINDS, ("screens",)))
def test_every_dialog_fits_every_screen_and_phone(
    display: Page, kind: str, long_form: bool
) -> None:
    found = []
    screens = (KINDS if long_form else SMALLEST)[kind]
    authorized_before(display)
    for name, (state, open_it) in DIALOGS.items():
        resize(display, screens[0])
        display.evaluate(_DRAW, view(state()))
        open_it(display)
        expect(display.locator("dialog[open]")).to_be_visible()
        for screen in screens:
            resize(display, screen)
            problems = measure(display, scrolls=kind != "screens")
            found += [f"{name}, {screen}: {problem}" for problem in problems]
        display.evaluate("() => document.querySelector('dialog[open]').close()")
    assert found == []


def resize(page: Page, screen: tuple[int, int]) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})


@pytest.mark.parametrize(
    ("size", "keys"), [long_only(SCREENS[0], 1), (PHONES[0], 0), (PHONES[2], 0)]
)
def test_a_phone_types_with_its_own_keyboard(
    display: Page, size: tuple[int, int], keys: int
) -> None:
    resize(display, size)
    display.evaluate(_DRAW, view(called(Reason.FLOOR)))
    display.get_by_role("button", name="Go on").click()
    expect(display.locator(".keyboard")).to_have_count(keys)
    field = display.get_by_label("Why, in a few words")
    expect(field).to_have_attribute("inputmode", "none") if keys else expect(
        field
    ).not_to_have_attribute("inputmode", "none")


@pytest.mark.parametrize(("name", "offered"), [("finnish-27", 1), long_only("blackjack", 0)])
def test_a_joker_is_offered_where_the_pack_has_one(
    open_tab: OpenTab, service: PageServer, name: str, offered: int
) -> None:
    moments = {"finnish-27": "fourteen_hands", "blackjack": "fourteen_insured"}
    picture = view(held(standing()[moments[name]], Reason.UNREADABLE))
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.get_by_role("button", name="Enter the card").click()
    expect(page.get_by_role("dialog").get_by_text("Joker")).to_have_count(offered)
    page.keyboard.press("o")
    expect(page.get_by_role("button", name="It is Joker")).to_have_count(offered)


@pytest.mark.long
def test_the_tenth_thing_that_may_have_happened_has_a_key_too(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "ten_vying")
    settled_eye(page)
    page.keyboard.press("?")
    letters = page.locator(".choices .key kbd").all_inner_texts()
    assert letters[:2] == ["1", "2"]
    assert len(letters) == len(set(letters)) == page.locator(".choices .key").count()
    if len(letters) > 9:
        assert letters[9] == "0"


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "hidden"), [long_only("fourteen_hands", 0), ("fourteen_insured", 1)]
)
def test_hidden_cards_are_spoken_of_where_a_game_has_some(
    open_tab: OpenTab, service: PageServer, name: str, hidden: int
) -> None:
    page = at_moment(open_tab, service, name)
    settled_eye(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("button", name="Hidden card exposed")).to_have_count(hidden)


def test_a_locked_name_is_counted_down(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = at_display(open_tab, service, dealer_view(moment("floor_called")))
    service.answers(
        429,
        {"detail": "Too many wrong PINs: wait 65 seconds, then try again"},
        {"Retry-After": "65"},
    )
    settled_eye(page)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Why, in a few words").fill("checked")
    page.get_by_label("Name").fill("Eino")
    page.get_by_label("PIN or badge").fill("0000")
    go = page.locator(".authorize-go")
    go.click()
    expect(go).to_have_text(re.compile(r"Locked: 1:0\d"))
    expect(go).to_be_disabled()
    expect(page.locator(".authorize-problem")).to_contain_text("wait 65 seconds")
    complaint("429")
