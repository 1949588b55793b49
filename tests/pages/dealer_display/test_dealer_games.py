"""The dealer display in the five games: splits, side bets, backs, low cards, pots."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.looks import contrasts, cut_off, px, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import FACES, SIZES, OpenTab
from tests.pages.dealer_display.dealer import (
    BACK,
    at_display,
    at_moment,
    expect_picture,
    keys,
    names,
    settled_eye,
    show,
)
from tests.pages.pictures.moments import (
    MOMENTS,
    dealer_view,
    moment,
    players_view,
    said,
    started,
    status_view,
)
from tests.support.forms import long_only

# All games


@pytest.mark.long
@pytest.mark.parametrize("font", FACES, ids=["usual face", "widest face"])
@pytest.mark.parametrize("size", SIZES)
def test_every_moment_of_every_game_fits_and_can_be_read(
    open_tab: OpenTab, service: PageServer, size: str, font: str | None
) -> None:
    page = at_moment(open_tab, service, next(iter(MOMENTS)), size=size, font=font)
    for number, name in enumerate(MOMENTS, start=10_000):
        picture = dealer_view(moment(name)) | {"seq": number}
        show(service, picture)
        expect_picture(page, picture)
        assert cut_off(page) == [], name
        assert unreadable(page) == [], name
        assert px(page, ".tail" if picture["holds"] else ".lead") >= 64, name
        assert overfull_keys(page) == [], name
        headline = [each["ratio"] for each in contrasts(page) if each["px"] >= 64]
        assert min(headline) >= 7, name


def overfull_keys(page: Page) -> list[str]:
    """Keys that are too small for a thumb, or for what they say."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('#keys .key')].filter((key) => {
          const box = key.getBoundingClientRect();
          const inside = [...key.children].map((each) => each.getBoundingClientRect());
          const least = key.dataset.quiet === undefined ? 72 : 44;
          return box.height < least || box.width < 120
            || inside.some(({ left, right }) => left < box.left || right > box.right);
        }).map((key) => key.innerText)"""
    )
    return found


@pytest.mark.long
def test_the_floor_is_called_by_a_quiet_key_that_nobody_takes_for_the_next_thing(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "low_cards_raised")
    expect(page.locator("#keys")).to_contain_text("No key is needed: draw the card.")
    ground = "node => getComputedStyle(node).backgroundColor"
    quiet = page.get_by_role("button", name="Call the floor")
    colour = quiet.evaluate(ground)
    show(service, dealer_view(moment("bonus")))
    done = page.get_by_role("button", name="Done")
    assert done.evaluate(ground) != quiet.evaluate(ground) == colour


# Finnish 27


@pytest.mark.long
def test_five_plays_stand_in_a_fixed_order(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "five_keys")
    wanted = ["S Stand", "H Hit", "D Double", "P Split", "R Surrender", "C Call the floor"]
    assert keys(page) == wanted
    boxes = [each.bounding_box() for each in page.locator("#keys .key").all()]
    lefts = [each["x"] for each in boxes if each]
    assert lefts == sorted(lefts)


@pytest.mark.long
def test_split_hands_lie_side_by_side_and_the_one_in_turn_is_marked(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "split_hands")
    hands = page.locator('[data-seat="1"] .hand')
    expect(hands).to_have_count(2)
    first, second = (each.bounding_box() for each in hands.all())
    assert first
    assert second
    assert first["x"] + first["width"] <= second["x"]
    assert first["y"] == second["y"]
    assert names(hands.nth(0)) == ["Eight of clubs", "King of clubs"]
    expect(hands.nth(0)).to_contain_text("stands")
    expect(hands.nth(1)).to_contain_text("doubled")
    expect(hands.nth(1)).to_contain_text("50.00")
    expect(hands.nth(1)).to_have_attribute("data-active", "")
    expect(hands.nth(0)).not_to_have_attribute("data-active", "")
    expect(page.locator(".versus-name").first).to_have_text("Seat 1, hand 2")


@pytest.mark.long
def test_a_bonus_is_announced_in_a_line_of_its_own(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "bonus")
    expect(page.locator(".bonus")).to_have_text("★ Bonus 8-9-10 spades: 2,000.00.")
    expect(page.locator(".tail")).to_have_text("3,000.00")
    expect(page.locator("#why")).to_have_text("8-9-10.")
    assert px(page, ".tail") == max(each["px"] for each in contrasts(page))


@pytest.mark.long
def test_a_doubled_hand_that_is_settled_still_says_so(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = started("finnish-27", 7, {1: 2500})
    pit.deal("8c 6h  9d Kh")
    said(pit, "double")
    pit.deal("4s 8h")
    page = at_display(open_tab, service, dealer_view(pit))
    seat = page.locator('[data-seat="1"]')
    expect(seat.locator(".note")).to_have_text("doubled")
    expect(seat.locator(".verdict")).to_have_text("Loses \N{MINUS SIGN}50.00")


# Casino 7-27


@pytest.mark.long
def test_the_dealers_low_cards_are_pushed_up(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "low_cards_raised")
    cards = page.locator(".versus-hand").get_by_role("img")
    tops = [box["y"] for each in cards.all() if (box := each.bounding_box())]
    assert len(tops) == 4
    assert tops[0] == tops[1] == tops[2] < tops[3] - 10
    expect(page.locator(".versus-hand .total")).to_have_text(re.compile(r"low 7\s*high 17"))


@pytest.mark.long
def test_low_and_high_are_kept_apart(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "low_or_high")
    assert keys(page)[:3] == ["L Stay low", "S Stay high", "H Hit"]
    numbers = page.locator('[data-seat="1"] .total b')
    expect(numbers).to_have_text(["5", "15"])
    first, second = (each.bounding_box() for each in numbers.all())
    assert first
    assert second
    assert first["x"] + first["width"] < second["x"]


@pytest.mark.long
def test_a_total_is_laid_out_by_its_parts_whatever_its_line_says(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = dealer_view(moment("low_or_high"))
    hands = [
        hand | {
            "total": "enintään 5 tai 31 / liikaa",
            "total_parts": [
                {"word": "enintään / matala, 1", "number": "5", "over": False},
                {"word": "", "number": "31", "over": True},
            ],
        }
        for hand in picture["hands"]
    ]  # fmt: skip
    page = at_display(open_tab, service, picture | {"hands": hands})
    shown = page.locator('[data-seat="1"] .total')
    expect(shown.locator(".total-word")).to_have_text(["enintään / matala, 1", ""])
    expect(shown.locator("b")).to_have_text(["5", "31"])
    expect(shown).to_have_attribute("data-bust", "")


# Blackjack


@pytest.mark.long
def test_blackjack_has_boxes_and_an_operator(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "insurance")
    expect(page.locator(".versus-name")).to_have_text(["Box 2", "Operator"])
    assert keys(page)[:2] == ["I Insurance", "N No insurance"]
    expect(page.locator('[data-seat="1"] .side-bet')).to_have_text("insurance 5.00")


def test_the_hidden_card_lies_on_its_face_until_it_is_turned(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "hidden_card")
    assert names(page.locator(".versus-hand")) == ["Ace of hearts", BACK]
    settled_eye(page)
    page.keyboard.press("Enter")
    assert service.next_sent().body["do"] == "turn"
    pit = MOMENTS["hidden_card"]()
    pit.press("next")
    show(service, dealer_view(pit))
    cards = page.locator(".versus-hand").get_by_role("img", name="Five of clubs")
    expect(cards).to_have_count(1)


def test_a_hidden_card_that_was_not_read_is_entered_when_it_is_turned(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "hidden_unread")
    settled_eye(page)
    page.keyboard.press("e")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("7h")
    page.keyboard.press("Enter")
    page.keyboard.press("y")
    sent = service.next_sent().body
    assert (sent["do"], sent["seat"], sent["card"]) == ("turn", 0, "7h")


@pytest.mark.long
def test_the_offered_play_stands_out_by_a_word_and_a_pattern(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "offered_split")
    offered = page.locator(".key[data-offered]")
    expect(offered).to_have_count(1)
    expect(offered).to_contain_text("Offer")
    expect(offered).to_contain_text("Split")
    assert "gradient" in offered.evaluate("node => getComputedStyle(node).backgroundImage")


@pytest.mark.long
def test_insurance_is_paid_by_name(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "insured")
    expect(page.locator(".tail")).to_have_text("10.00")
    expect(page.locator('[data-seat="1"] .side-bet')).to_have_text("insurance +10.00")


# Seven Twenty-Seven


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seats"), [long_only("four_vying", 4), long_only("vying", 7), ("ten_vying", 10)]
)
def test_who_is_to_act_what_a_call_costs_and_the_pot_are_large(
    open_tab: OpenTab, service: PageServer, name: str, seats: int
) -> None:
    picture = dealer_view(moment(name))
    page = at_moment(open_tab, service, name)
    expect(page.locator("li .seat")).to_have_count(seats)
    expect(page.locator(".tail")).to_have_text("120.00 to call")
    expect(page.locator(".versus .pot-sum")).to_have_text(picture["pot"])
    assert px(page, ".versus .pot-sum") >= 64
    assert keys(page)[:3] == ["F Fold", "A Call 120.00", "R Raise"]
    deals = page.locator(".deals")
    expect(deals).to_have_count(1)
    expect(page.locator(f'[data-seat="{seats}"] .deals b')).to_have_text("D")


@pytest.mark.long
def test_folded_hands_lie_on_their_faces_and_say_so(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "from_the_pot")
    folded = page.locator('[data-seat="1"]')
    expect(folded).to_contain_text("folded")
    assert names(folded.locator(".fan")) == [BACK, "King of clubs"]
    expect(page.locator("h1")).to_have_text("Pay seat 2 from the pot: 215.00")


@pytest.mark.long
def test_the_seat_that_shows_is_in_turn(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "showdown")
    expect(page.locator("h1")).to_have_text("Seat 2 shows")
    assert names(page.locator('[data-seat="2"] .fan')) == [BACK, "King of diamonds", BACK]
    assert keys(page)[0] == "Enter Turned"


@pytest.mark.parametrize("name", ["five_keys", "insurance", "low_or_high", "vying"])
def test_the_limits_are_said_in_the_games_own_words(name: str) -> None:
    """A message without words shows its code, which is in kebab case."""
    for view in (dealer_view(moment(name)), players_view(moment(name)), status_view(moment(name))):
        assert view["limits"].endswith(" EUR.")
        assert "-" not in view["limits"]
