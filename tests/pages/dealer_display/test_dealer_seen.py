"""The dealer display: what a dealer sees at a glance."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.pages.browser.looks import contrasts, cut_off, px, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import FACES, SIZES, OpenTab
from tests.pages.dealer_display.dealer import (
    SCENES,
    at_display,
    expect_picture,
    no_press_was_sent,
    paying,
    show,
    to_choose,
    two_holds,
)
from tests.pages.pictures.pit import PicturedTable, fullest, safe_view


def test_before_the_first_bet_the_limits_are_said_once(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = PicturedTable().opened()
    first, then = pit.dealer_view(), pit.bets(s1=2500).dealer_view()
    page = at_display(open_tab, service, first)
    expect(page.locator("#line")).to_contain_text(first["rule"])
    assert page.locator("body").inner_text().count(first["limits"]) == 1
    show(service, then)
    expect_picture(page, then)
    assert page.locator("body").inner_text().count(then["limits"]) == 1


@pytest.mark.long
@pytest.mark.parametrize("font", FACES, ids=["usual face", "widest face"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_scrolls_or_is_cut_off_in_the_fullest_pictures(
    open_tab: OpenTab, service: PageServer, size: str, font: str | None
) -> None:
    first, *others = SCENES.values()
    page = at_display(open_tab, service, first(), size=size, font=font)
    for number, scene in enumerate((first, *others), start=10_000):
        picture = scene() | {"seq": number}
        show(service, picture)
        expect_picture(page, picture)
        assert cut_off(page) == []


@pytest.mark.long
def test_the_sentence_is_read_at_two_metres(open_tab: OpenTab, service: PageServer) -> None:
    sizes = {}
    for size in SIZES:
        page = at_display(open_tab, service, SCENES["five cards each"](), size=size)
        sizes[size] = (px(page, ".lead"), px(page, ".tail"))
        assert min(sizes[size]) >= 64
    assert min(sizes["1080p"]) > min(sizes["720p"])


@pytest.mark.long
def test_an_amount_to_pay_is_the_largest_thing_on_the_display(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, paying().dealer_view())
    expect(page.locator(".tail")).to_have_text("2,500.00")
    assert px(page, ".tail") == max(each["px"] for each in contrasts(page))


@pytest.mark.long
def test_every_text_can_be_read_in_the_dark(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, safe_view())
    for number, scene in enumerate(SCENES.values(), start=10_000):
        picture = scene() | {"seq": number}
        show(service, picture)
        expect_picture(page, picture)
        assert unreadable(page) == []
        headline = [each["ratio"] for each in contrasts(page) if each["px"] >= 64]
        assert headline
        assert min(headline) >= 7


def test_each_tone_has_a_colour_an_icon_and_a_word_of_its_own(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = fullest().dealer_view()
    page = at_display(open_tab, service, picture)
    looks = []
    for tone in ("calm", "act", "forced", "pay", "take", "shuffle", "held", "safe"):
        show(service, picture | {"tone": tone})
        expect(page.locator(f'body[data-tone="{tone}"]')).to_be_attached()
        word = page.locator("#tone span").inner_text()
        icon = page.locator("#tone path").get_attribute("d")
        looks.append((word, icon))
    assert len({word for word, _ in looks}) == len(looks)
    assert len({icon for _, icon in looks}) == len(looks)


@pytest.mark.long
def test_the_hand_in_question_stands_over_the_dealers(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    hands = page.locator(".versus-hand")
    expect(hands.nth(0)).to_contain_text(re.compile(r"Seat 1.*hard 16", re.DOTALL))
    expect(hands.nth(1)).to_contain_text(re.compile(r"Dealer.*hard 15", re.DOTALL))
    cards = hands.nth(0).get_by_role("img")
    names = [each.get_attribute("aria-label") for each in cards.all()]
    assert names == ["Five of hearts", "Nine of spades", "Two of clubs"]


@pytest.mark.long
def test_seats_stand_as_the_dealer_sees_them(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, fullest().dealer_view())
    boxes = [page.locator(f'[data-seat="{n}"]').bounding_box() for n in range(1, 8)]
    lefts = [box["x"] for box in boxes if box]
    assert len(lefts) == 7
    assert lefts == sorted(lefts)


def test_a_hold_takes_the_screen_and_offers_its_ways(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, two_holds().dealer_view())
    frame = page.locator("#table").evaluate("node => getComputedStyle(node).boxShadow")
    assert "rgb(229, 50, 45)" in frame
    expect(page.locator("h1")).to_contain_text("Card not read")
    expect(page.locator("#why")).to_contain_text("Nobody moves it")
    expect(page.locator("#more")).to_have_text("1 more after this: Floor called")
    expect(page.locator("#keys button")).to_have_text(
        [
            re.compile("Enter the card"),
            re.compile("No card left"),
            re.compile("Void the round"),
            re.compile("Call the floor"),
        ]
    )
    # The felt stays in sight: a recount compares the cards with it.
    expect(page.locator('[data-seat="7"] .fan')).to_be_visible()


def test_the_safe_picture_shows_nothing_but_what_to_do(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, safe_view())
    expect(page.locator("h1")).to_have_text("Table stopped: record not available")
    expect(page.locator("#why")).to_contain_text("Call the floor")
    for part in ("#keys", "#seats", "#line", "#versus", ".bar"):
        expect(page.locator(part)).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    assert no_press_was_sent(service)


@pytest.mark.long
def test_a_refusal_stays_until_the_picture_changes_it(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = to_choose()
    page = at_display(open_tab, service, pit.dealer_view())
    line = page.get_by_role("status")
    expect(line).to_contain_text("Dealer hits under hard 21")
    view = pit.next().dealer_view()
    show(service, view)
    expect(line).to_contain_text(view["refusal"])
    show(service, pit.stand().dealer_view())
    expect(line).to_contain_text("Dealer hits under hard 21")


def test_nothing_moves_for_those_who_asked_for_stillness(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, fullest().dealer_view())
    page.emulate_media(reduced_motion="reduce")
    show(service, two_holds().dealer_view())
    expect(page.locator("h1")).to_contain_text("Card not read")
    assert page.evaluate("document.getAnimations().length") == 0
