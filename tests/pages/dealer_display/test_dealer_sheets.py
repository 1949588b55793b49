"""The dealer display: which card, and how much, is asked before it is sent."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import (
    answered,
    at_display,
    no_press_was_sent,
    settled_eye,
    show,
)
from tests.pages.pictures.moments import dealer_view, moment
from tests.pages.pictures.pit import PicturedTable, fullest, seven_seats
from tests.support.forms import long_only, quick_first


def test_a_card_is_entered_only_after_it_was_confirmed(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = fullest().misread().dealer_view()
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.get_by_role("button", name="Enter the card").click()
    page.get_by_role("button", name="7 Seven").click()
    confirm = page.get_by_role("button", name=re.compile("It is"))
    expect(confirm).to_have_count(0)
    page.get_by_role("button", name="spades").click()
    page.get_by_role("button", name="hearts").click()
    expect(confirm).to_have_text(re.compile("It is 7♥"))
    where = centre(confirm)
    assert no_press_was_sent(service)
    confirm.click()
    resolution = {"do": "resolve", "hold": 1, "resolution": "enter_card", "card": "7h"}
    # The table is told which card, and asks again; it counts for nothing yet.
    assert service.next_sent().body == resolution | {"view_seq": picture["seq"]}
    expect(page.get_by_role("dialog")).to_contain_text("Enter 7♥?")
    yes = page.get_by_role("button", name="Yes")
    # A finger that presses twice where it was does not enter the card.
    page.mouse.click(*where)
    assert abs(centre(yes)[0] - where[0]) > 300
    assert len(service.stage.sent) == 1
    yes.click()
    named, entered = service.next_sent(1), service.next_sent(2)
    assert entered.body == named.body
    # With the same key the table would take the two for one press that was sent again.
    assert entered.headers["idempotency-key"] != named.headers["idempotency-key"]


def test_a_card_that_the_table_refuses_closes_the_sheet_and_says_why(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = at_display(open_tab, service, fullest().misread().dealer_view())
    service.answers(409, {"accepted": False, "refused": "King of hearts: all are gone already"})
    settled_eye(page)
    page.keyboard.press("e")
    page.keyboard.type("kh")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#line")).to_contain_text("King of hearts: all are gone already")
    assert len(service.stage.sent) == 1
    complaint("409")


def centre(key: Locator) -> tuple[float, float]:
    box = key.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("back", quick_first(["n", "Escape"], ["Escape"]))
def test_the_second_question_can_be_answered_no(
    open_tab: OpenTab, service: PageServer, back: str
) -> None:
    page = at_display(open_tab, service, dealer_view(moment("hidden_unread")))
    settled_eye(page)
    page.keyboard.press("e")
    page.keyboard.type("7d")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Enter 7♦?")
    page.keyboard.press(back)
    expect(page.get_by_role("button", name="It is 7♦")).to_be_visible()
    page.keyboard.press("h")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Enter 7♥?")
    page.keyboard.press("y")
    sent = [service.next_sent(count).body for count in (1, 2, 3)]
    assert [(each["do"], each["card"]) for each in sent] == [
        ("turn", "7d"), ("turn", "7h"), ("turn", "7h"),
    ]  # fmt: skip


@pytest.mark.long
def test_cards_are_picked_from_the_keyboard_too(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, fullest().misread().dealer_view())
    for keys, code in (("kd", "Kd"), ("0s", "Ts"), ("1c", "Ac"), ("o", "Jo")):
        settled_eye(page)
        page.keyboard.press("e")
        expect(page.get_by_role("dialog")).to_be_visible()
        for key in keys:
            page.keyboard.press(key)
        count = len(service.stage.sent)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text(re.compile(r"Enter \S+\?"))
        page.keyboard.press("y")
        assert service.next_sent(count + 2).body["card"] == code
        answered(page)


@pytest.mark.long
def test_after_the_last_touch_enter_means_the_card(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, fullest().misread().dealer_view())
    settled_eye(page)
    page.keyboard.press("e")
    page.get_by_role("button", name="13 King").click()
    page.get_by_role("button", name="hearts").click()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Enter 13♥?")
    page.keyboard.press("y")
    assert service.next_sent(2).body["card"] == "Kh"


def test_escape_leaves_the_picker_without_a_word(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, fullest().misread().dealer_view())
    settled_eye(page)
    page.keyboard.press("e")
    page.keyboard.press("7")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert no_press_was_sent(service)


def test_a_question_closes_when_it_is_no_longer_asked(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, fullest().misread().dealer_view())
    settled_eye(page)
    page.keyboard.press("e")
    expect(page.get_by_role("dialog")).to_be_visible()
    show(service, fullest().dealer_view())
    expect(page.get_by_role("dialog")).to_be_hidden()


# Bets


def test_a_bet_is_placed_by_touching_a_seat_and_chips(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = PicturedTable().opened().dealer_view()
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.locator('[data-seat="3"]').click()
    page.get_by_role("button", name="Add 25", exact=True).click()
    page.get_by_role("button", name="Add 10", exact=True).click()
    page.get_by_role("button", name="Place 35.00").click()
    bet = {"do": "place_wager", "seat": 3, "amount": 3500}
    assert service.next_sent().body == bet | {"view_seq": picture["seq"]}


@pytest.mark.parametrize(
    ("typed", "amount"),
    [
        ("12,50", 1250),
        *(long_only(*each) for each in (("25", 2500), ("12.5", 1250), ("1000", 100000))),
    ],
)
def test_a_bet_is_typed_as_people_write_it(
    open_tab: OpenTab, service: PageServer, typed: str, amount: int
) -> None:
    page = at_display(open_tab, service, PicturedTable().opened().dealer_view())
    settled_eye(page)
    page.keyboard.press("4")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    assert service.next_sent().body["amount"] == amount
    assert service.next_sent().body["seat"] == 4


@pytest.mark.long
@pytest.mark.parametrize(
    ("typed", "answer"), [long_only("1", "The least is"), ("6000", "The most is")]
)
def test_a_bet_out_of_the_bounds_is_not_sent(
    open_tab: OpenTab, service: PageServer, typed: str, answer: str
) -> None:
    page = at_display(open_tab, service, PicturedTable().opened().dealer_view())
    settled_eye(page)
    page.keyboard.press("4")
    page.keyboard.type(typed)
    expect(page.locator(".pad-limits")).to_contain_text(answer)
    page.keyboard.press("Enter")
    expect(page.locator(".confirm")).to_be_disabled()
    assert no_press_was_sent(service)


def test_a_bet_is_taken_back_or_left_untracked(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, seven_seats().dealer_view())
    settled_eye(page)
    page.keyboard.press("2")
    page.get_by_role("button", name="Remove 100.00").click()
    assert service.next_sent().body["do"] == "remove_wager"
    answered(page)
    page.keyboard.press("5")
    page.get_by_role("button", name="Bet, amount not tracked").click()
    sent = service.next_sent(2).body
    assert (sent["do"], sent["seat"], sent["amount"]) == ("place_wager", 5, None)


@pytest.mark.long
def test_one_key_repeats_the_bets_of_the_last_round(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, seven_seats().next().play_out().dealer_view())
    settled_eye(page)
    page.keyboard.press("r")
    assert service.next_sent().body["do"] == "repeat_wagers"


@pytest.mark.long
def test_the_pads_fit_the_screen_too(open_tab: OpenTab, service: PageServer) -> None:
    for size in SIZES:
        page = at_display(open_tab, service, seven_seats().dealer_view(), size=size)
        settled_eye(page)
        page.keyboard.press("2")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert cut_off(page) == []
        assert unreadable(page) == []
        page.keyboard.press("Escape")
        show(service, fullest().misread().dealer_view())
        expect(page.locator("h1")).to_contain_text("Card not read")
        page.get_by_role("button", name="Enter the card").click()
        page.keyboard.type("kd")
        assert cut_off(page) == []
        assert unreadable(page) == []
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Enter 13♦?")
        assert cut_off(page) == []
        assert unreadable(page) == []
