"""The dealer display: what a dealer sees at a glance, and what a press sends."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.pages.conftest import SIZES, OpenTab
from tests.pages.looks import contrasts, cut_off, px, unreadable
from tests.pages.pit import Picture, Pit, fullest, safe_view, seven_seats
from tests.pages.server import PageServer

TOKEN = "a-token-of-this-table"
#: The page's own: presses sooner than this after a change belong to the picture before.
REACTION_MS = 150


def to_choose() -> Pit:
    """Seat 1 has hard 16 against the dealer's hard 15 and may choose."""
    return Pit().opened().bets(s1=2500, s3=5000).next().deal("5h 8c Kh 9s 7c 2s 2c")


def settling() -> Pit:
    return seven_seats().next().until_settling()


def paying() -> Pit:
    """Seat 1 has a Finnish 27: it is paid at once."""
    return Pit().opened().bets(s1=250000).next().deal("Ac 9d Kc 8h")


def two_holds() -> Pit:
    return fullest().misread().call_floor()


SCENES: dict[str, Callable[[], Picture]] = {
    "first shoe": lambda: Pit().dealer_view(),
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


def refused_press() -> Pit:
    return fullest().stand()


def show(service: PageServer, picture: Picture) -> None:
    service.show("/events/dealer", "scene", picture)


def at_display(open_tab: OpenTab, service: PageServer, picture: Picture, **how: str | None) -> Page:
    """A dealer display with a token that shows `picture` and is past the first moment of it."""
    show(service, picture)
    page = open_tab(f"{service.url}/dealer#token={TOKEN}", **how)
    seen(page, picture)
    return page


def seen(page: Page, picture: Picture) -> None:
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


# What is seen


@pytest.mark.parametrize("font", [None, "DejaVu Sans"], ids=["usual face", "widest face"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_scrolls_or_is_cut_off_in_the_fullest_pictures(
    open_tab: OpenTab, service: PageServer, size: str, font: str | None
) -> None:
    first, *others = SCENES.values()
    page = at_display(open_tab, service, first(), size=size, font=font)
    for scene in (first, *others):
        picture = scene()
        show(service, picture)
        seen(page, picture)
        assert cut_off(page) == []


def test_the_sentence_is_read_at_two_metres(open_tab: OpenTab, service: PageServer) -> None:
    sizes = {}
    for size in SIZES:
        page = at_display(open_tab, service, SCENES["five cards each"](), size=size)
        sizes[size] = (px(page, ".lead"), px(page, ".tail"))
        assert min(sizes[size]) >= 64
    assert min(sizes["1080p"]) > min(sizes["720p"])


def test_an_amount_to_pay_is_the_largest_thing_on_the_display(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, paying().dealer_view())
    expect(page.locator(".tail")).to_have_text("2,500.00")
    assert px(page, ".tail") == max(each["px"] for each in contrasts(page))


def test_every_text_can_be_read_in_the_dark(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, safe_view())
    for scene in SCENES.values():
        picture = scene()
        show(service, picture)
        seen(page, picture)
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
    expect(page.locator("h1")).to_have_text("Card not read")
    expect(page.locator("#why")).to_contain_text("Leave the card where it lies")
    expect(page.locator("#more")).to_have_text("1 more after this: Floor called")
    expect(page.locator("#keys button")).to_have_text(
        [re.compile("Enter the card"), re.compile("No card left"), re.compile("Void the round")]
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


def test_a_refusal_stays_until_the_picture_changes_it(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = to_choose()
    page = at_display(open_tab, service, pit.dealer_view())
    line = page.get_by_role("status")
    expect(line).to_contain_text("Dealer hits under hard 21")
    told = pit.next().dealer_view()
    show(service, told)
    expect(line).to_contain_text(told["told"])
    show(service, pit.stand().dealer_view())
    expect(line).to_contain_text("Dealer hits under hard 21")


def test_nothing_moves_for_those_who_asked_for_stillness(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, fullest().dealer_view())
    page.emulate_media(reduced_motion="reduce")
    show(service, two_holds().dealer_view())
    expect(page.locator("h1")).to_have_text("Card not read")
    assert page.evaluate("document.getAnimations().length") == 0


# What is pressed


def test_a_key_sends_its_command_and_nothing_else(open_tab: OpenTab, service: PageServer) -> None:
    picture = to_choose().dealer_view()
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.keyboard.press("s")
    sent = service.next_sent()
    command = {"do": "decide", "seat": 1, "hand": 1, "action": "stand"}
    assert sent.path == "/api/v1/commands"
    assert sent.body == command | {"seen": picture["seq"]}
    assert sent.headers["authorization"] == f"Bearer {TOKEN}"
    assert sent.headers["content-type"] == "application/json"
    assert re.fullmatch(r"[0-9a-f-]{36}", sent.headers["idempotency-key"])


def test_touch_and_capital_letters_do_the_same(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    settled_eye(page)
    page.get_by_role("button", name="Hit").click()
    answered(page)
    page.keyboard.press("H")
    touched, typed = service.next_sent(1), service.next_sent(2)
    assert touched.body == typed.body
    assert touched.body["action"] == "hit"
    assert touched.headers["idempotency-key"] != typed.headers["idempotency-key"]


def test_a_key_that_is_held_down_presses_once(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, settling().dealer_view())
    settled_eye(page)
    for _ in range(5):
        page.keyboard.down("Enter")
    service.next_sent()
    answered(page)
    assert len(service.stage.sent) == 1


def test_a_press_before_anybody_could_read_belongs_to_the_picture_before(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = to_choose()
    old = pit.dealer_view()
    page = at_display(open_tab, service, old)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    new = pit.stand().deal("2d").dealer_view()
    assert new["keys"] != old["keys"]
    show(service, new)
    seen(page, new)
    page.keyboard.press("s")
    assert service.next_sent().body["seen"] == old["seq"]
    answered(page)
    page.clock.run_for(REACTION_MS + 50)
    page.keyboard.press("s")
    assert service.next_sent(2).body["seen"] == new["seq"]


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
    expect(confirm).to_have_text(re.compile("It is 7♥: enter"))
    assert no_press_was_sent(service)
    confirm.click()
    way = {"do": "resolve", "hold": 1, "way": "enter_card", "card": "7h"}
    assert service.next_sent().body == way | {"seen": picture["seq"]}


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
        assert service.next_sent(count + 1).body["card"] == code
        answered(page)


def test_after_the_last_touch_enter_means_the_card(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, fullest().misread().dealer_view())
    settled_eye(page)
    page.keyboard.press("e")
    page.get_by_role("button", name="13 King").click()
    page.get_by_role("button", name="hearts").click()
    page.keyboard.press("Enter")
    assert service.next_sent().body["card"] == "Kh"


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
    picture = Pit().opened().dealer_view()
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.locator('[data-seat="3"]').click()
    page.get_by_role("button", name="Add 25", exact=True).click()
    page.get_by_role("button", name="Add 10", exact=True).click()
    page.get_by_role("button", name="Place 35.00").click()
    bet = {"do": "place_wager", "seat": 3, "amount": 3500}
    assert service.next_sent().body == bet | {"seen": picture["seq"]}


@pytest.mark.parametrize(
    ("typed", "amount"), [("25", 2500), ("12.5", 1250), ("12,50", 1250), ("1000", 100000)]
)
def test_a_bet_is_typed_as_people_write_it(
    open_tab: OpenTab, service: PageServer, typed: str, amount: int
) -> None:
    page = at_display(open_tab, service, Pit().opened().dealer_view())
    settled_eye(page)
    page.keyboard.press("4")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    assert service.next_sent().body["amount"] == amount
    assert service.next_sent().body["seat"] == 4


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


def test_one_key_repeats_the_bets_of_the_last_round(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, seven_seats().next().play_out().dealer_view())
    settled_eye(page)
    page.keyboard.press("r")
    assert service.next_sent().body["do"] == "repeat_wagers"


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
        expect(page.locator("h1")).to_have_text("Card not read")
        page.get_by_role("button", name="Enter the card").click()
        page.keyboard.type("kd")
        assert cut_off(page) == []
        assert unreadable(page) == []


# Answers


def test_a_refused_press_says_the_rule(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    pit = to_choose()
    page = at_display(open_tab, service, pit.dealer_view())
    rule = "Seat 1 must hit: hard 13 is under 15"
    service.answers(409, {"accepted": False, "seq": 9, "refused": rule})
    settled_eye(page)
    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text(rule)
    show(service, pit.stand().dealer_view())
    expect(page.get_by_role("status")).not_to_contain_text(rule)
    complaint("409")


@pytest.mark.parametrize("status", [401, 403])
def test_a_display_that_the_table_does_not_know_says_so(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None], status: int
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    service.answers(status, {"detail": "no"})
    settled_eye(page)
    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text("Open it again with its token")
    complaint(str(status))


def test_a_press_that_did_not_arrive_says_so(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    page.route("**/api/v1/commands", lambda route: route.abort())
    settled_eye(page)
    page.keyboard.press("s")
    expect(page.get_by_role("status")).to_contain_text("Not sent")
    complaint("ERR_FAILED")


# Tokens


def test_without_a_token_the_display_can_only_be_looked_at(
    open_tab: OpenTab, service: PageServer
) -> None:
    show(service, to_choose().dealer_view())
    page = open_tab(f"{service.url}/dealer")
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("button", name="Stand")).to_be_disabled()
    page.keyboard.press("s")
    show(service, seven_seats().dealer_view())
    expect(page.locator("h1")).to_have_text("Place your bets")
    expect(page.locator("button.seat")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert no_press_was_sent(service)


def test_the_token_leaves_the_address_bar_and_is_kept_for_the_tab(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    assert TOKEN not in page.url
    page.reload()
    settled_eye(page)
    expect(page.get_by_role("button", name="Stand")).to_be_enabled()
    page.keyboard.press("s")
    assert service.next_sent().headers["authorization"] == f"Bearer {TOKEN}"


def test_an_empty_token_takes_the_keys_away(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    expect(page.get_by_role("button", name="Stand")).to_be_enabled()
    page.goto(f"{service.url}/dealer?keys=off#token=")
    expect(page.get_by_role("button", name="Stand")).to_be_disabled()


# A lost line


def test_silence_makes_the_display_say_that_it_is_not_live(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = to_choose().dealer_view()
    show(service, picture)
    page = open_tab("about:blank")
    page.clock.install()
    page.goto(f"{service.url}/dealer#token={TOKEN}")
    seen(page, picture)
    service.fall_silent()
    page.clock.fast_forward(5_000)
    expect(page.locator("#lost")).to_be_hidden()
    page.clock.fast_forward(2_000)
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_contain_text("Display not live")
    assert px(page, ".lost-title") >= 64
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Stand", include_hidden=True)).to_have_count(1)
    assert page.locator("#table").evaluate("node => node.inert")
    assert no_press_was_sent(service)


def test_a_cut_line_is_shown_and_mends_itself(open_tab: OpenTab, service: PageServer) -> None:
    pit = to_choose()
    page = at_display(open_tab, service, pit.dealer_view())
    service.cut_streams()
    expect(page.locator("#lost")).to_be_visible()
    show(service, pit.stand().dealer_view())
    expect(page.locator("#lost")).to_be_hidden()
    seen(page, pit.dealer_view())


def test_a_picture_that_cannot_be_drawn_is_not_called_live(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    picture = to_choose().dealer_view()
    page = at_display(open_tab, service, picture)
    show(service, {name: picture[name] for name in picture if name != "holds"})
    expect(page.locator("#lost")).to_be_visible()
    show(service, picture)
    expect(page.locator("#lost")).to_be_hidden()
    complaint("length")


def test_a_lost_line_closes_the_pad(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, seven_seats().dealer_view())
    settled_eye(page)
    page.keyboard.press("2")
    expect(page.get_by_role("dialog")).to_be_visible()
    service.cut_streams()
    expect(page.get_by_role("dialog")).to_be_hidden()
