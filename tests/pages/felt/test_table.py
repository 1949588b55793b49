"""The drawn table of the simulated world: lamps as the pins say, cards, chips, and acts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.pictures.pit import Picture, PicturedTable

NAMES = ("Aino", "Eino", "Helmi", "Onni", "Lyyli", "Toivo", "Saima")
DARK = {"red": False, "green": False, "blue": False}


@pytest.fixture(autouse=True)
def display(service: PageServer) -> None:
    """The dealer display, which stands beside the table, has something to show."""
    service.show("/events/dealer", "scene", PicturedTable().dealer_view())


def world(service: PageServer, **also: Any) -> Picture:
    """Seven players at a table on which nothing has happened yet."""
    seats: list[Picture] = [
        {
            "seat": number, "name": NAMES[number - 1], "bank": 100_000, "hands": [], "side": 0,
            "folded": False, "said": "", "light": DARK,
        }
        for number in range(1, 8)
    ]  # fmt: skip
    return {
        "game": "21-24-27", "title": "21-24-27", "seed": 7, "speed": 1, "round": 1,
        "paused": False, "dealer": "robot", "index": "finnish",
        "scanner": {"name": "scanner", "plugged": True, "busy": False},
        "troubles": [
            {"do": "garbage", "text": "Garbage"}, {"do": "double", "text": "Double read"},
            {"do": "miss_code", "text": "Missed code"}, {"do": "push_back", "text": "Push back"},
        ],
        "seats": seats, "dealer_cards": [], "low_cards": 0, "discard": 0, "burned": 1, "ready": 0,
        "pot": 0, "button": 0, "words": {"dealer": "dealer", "seat": "seat"}, "vying": False,
        "shoe": {"size": 324, "left": 323, "cut": 81, "state": "in play"},
        "hand": {"card": None, "to": None}, "log": ["The shoe is loaded."],
        "service_url": service.url,
    } | also  # fmt: skip


def at_table(open_tab: OpenTab, table: PageServer, picture: Picture, size: str = "720p") -> Page:
    table.show("/events", "world", picture)
    page = open_tab(f"{table.url}/", size=size)
    expect(page.locator(".spot")).to_have_count(7)
    return page


def laid(page: Page) -> Page:
    """The page, once no card is on its way any more."""
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    return page


def hand(bet: int, *cards: str, number: int = 1, doubled: bool = False) -> Picture:
    return {"hand": number, "cards": list(cards), "bet": bet, "doubled": doubled}


def in_play(picture: Picture) -> Picture:
    for seat in picture["seats"]:
        seat["hands"] = [hand(2500 * seat["seat"], "Kh", "2c", "Jo", "5s", "7d")]
    return picture | {"dealer_cards": ["Qd", "Th"]}


def test_a_spot_glows_in_exactly_the_colour_of_its_pins(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    picture = world(service)
    mixtures = [(r, g, b) for r in (0, 1) for g in (0, 1) for b in (0, 1)][1:]
    for seat, (red, green, blue) in zip(picture["seats"], mixtures, strict=True):
        seat["light"] = {"red": bool(red), "green": bool(green), "blue": bool(blue)}
    page = at_table(open_tab, table, picture)
    rings = page.locator(".spot .ring")
    for at, mixture in enumerate(mixtures):
        stroke = str(rings.nth(at).evaluate("node => getComputedStyle(node).stroke"))
        shown = tuple(int(part) >= 200 for part in re.findall(r"\d+", stroke))
        assert shown == tuple(bool(pin) for pin in mixture)


@pytest.mark.long
def test_a_lamp_that_blinks_is_seen_to_blink(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, world(service))
    spot = page.locator(".spot").nth(2)
    for lit in (True, False, True):
        picture = world(service)
        picture["seats"][2]["light"] = DARK | {"green": lit}
        table.show("/events", "world", picture)
        expect(spot).to_have_class("spot lit" if lit else "spot")


@pytest.mark.long
def test_cards_lie_as_they_were_dealt_in_either_style(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, in_play(world(service)))
    first = page.locator("g.cards").first
    names = [each.get_attribute("aria-label") for each in first.get_by_role("img").all()]
    assert names == [
        "King of hearts", "Two of clubs", "Joker", "Five of spades", "Seven of diamonds",
    ]  # fmt: skip
    expect(first.locator("text").first).to_have_text("13")
    picture = in_play(world(service)) | {"index": "anglo"}
    table.show("/events", "world", picture)
    expect(first.locator("text").first).to_have_text("K")


def test_the_hands_of_a_split_lie_side_by_side_with_a_bet_each(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    picture = in_play(world(service))
    first, second = hand(2500, "8c", "9c"), hand(5000, "8d", "3h", "Ts", number=2, doubled=True)
    picture["seats"][3]["hands"] = [first, second]
    page = laid(at_table(open_tab, table, picture))
    seat = page.locator(".seat-cards").nth(3)
    expect(seat.locator(".cards")).to_have_count(2)
    left, right = (each.bounding_box() for each in seat.locator(".cards").all())
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"] + 1
    expect(page.locator(".bet-text").nth(3)).to_have_text("25 + 50")


def test_insurance_lies_before_the_cards_with_its_name(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    picture = in_play(world(service))
    picture["seats"][1]["side"] = 2500
    page = at_table(open_tab, table, picture)
    expect(page.locator(".side-text")).to_have_text(["insurance", "25"])
    expect(page.locator(".side-bet").nth(1).locator(".chip")).to_have_count(1)


@pytest.mark.long
def test_the_dealers_low_cards_are_pushed_up(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    cards = {"dealer_cards": ["3h", "4c", "Jd"], "low_cards": 2}
    page = laid(at_table(open_tab, table, world(service, **cards)))
    lies = page.locator(".dealer .card").all()
    tops = [box["y"] for each in lies if (box := each.bounding_box())]
    assert tops[0] == pytest.approx(tops[1], abs=1)
    assert tops[0] < tops[2] - 8


def test_the_pot_lies_in_the_middle_and_the_button_at_the_seat_that_deals(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    picture = vying(world(service))
    page = at_table(open_tab, table, picture)
    expect(page.locator(".pot-text")).to_have_text("pot 215")
    expect(page.locator(".button-text")).to_have_count(1)
    expect(page.locator(".button").nth(6).locator("text")).to_have_text("D")
    felt = page.get_by_role("img", name=re.compile("pot: 215; seat 1: face-down card"))
    expect(felt).to_be_visible()


@pytest.mark.long
def test_a_folded_hand_is_grey_and_says_so(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, vying(world(service)))
    expect(page.locator(".folded").nth(2)).to_have_text("folded")
    shade = "node => getComputedStyle(node).filter"
    assert page.locator(".seat-cards").nth(2).evaluate(shade) == "grayscale(1)"
    assert page.locator(".seat-cards").nth(1).evaluate(shade) == "none"


def vying(picture: Picture) -> Picture:
    """Seven players vie for a pot; the third has folded, the seventh deals."""
    for seat in picture["seats"]:
        seat["hands"] = [hand(0, "??", "Kh", "??")]
    picture["seats"][2]["folded"] = True
    return picture | {"vying": True, "pot": 21500, "button": 7}


def test_a_card_that_nobody_may_know_shows_its_back(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, world(service, hand={"card": "??", "to": None}))
    expect(page.locator("g.hand").get_by_role("img")).to_have_attribute(
        "aria-label", "face-down card"
    )


def test_bets_and_words_are_those_of_the_players(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    picture = in_play(world(service))
    picture["seats"][4] |= {"said": "stand", "hands": [hand(1250, "8c", "9c")]}
    page = at_table(open_tab, table, picture)
    expect(page.locator(".bubble-text")).to_have_text("stand")
    expect(page.locator(".bet-text").nth(4)).to_have_text("12.50")
    expect(page.locator(".name").first).to_contain_text("Aino")


def test_a_visitor_takes_the_dealers_seat_and_pulls_the_plug(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, world(service))
    expect(page.get_by_role("button", name="Draw card")).to_be_disabled()
    page.get_by_role("button", name="Take the dealer").click()
    assert table.next_sent().body == {"do": "take_seat"}
    table.show("/events", "world", world(service, dealer="visitor"))
    page.get_by_role("button", name="Draw card").click()
    assert table.next_sent(2).body == {"do": "draw"}
    page.get_by_role("button", name="Stand").click()
    assert table.next_sent(3).body == {"do": "press", "button": "stand"}
    page.get_by_role("button", name="Pull the scanner").click()
    assert table.next_sent(4).body == {"do": "unplug"}
    unplugged = {"name": "scanner", "plugged": False, "busy": False}
    table.show("/events", "world", world(service, scanner=unplugged))
    expect(page.get_by_text("scanner unplugged")).to_be_visible()
    page.get_by_role("button", name="Garbage").click()
    assert table.next_sent(5).body == {"do": "garbage"}
    page.get_by_role("button", name="Plug the scanner in").click()
    assert table.next_sent(6).body == {"do": "plug"}


@pytest.mark.long
def test_the_keys_of_a_table_with_a_camera_are_the_cameras(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    """A table that reads by camera offers what may happen to a camera, and speaks of no scanner."""
    keys = [{"do": do, "text": do.capitalize()} for do in ("hand", "blur", "dark")]
    camera = {"name": "camera", "plugged": True, "busy": False}
    page = at_table(open_tab, table, world(service, scanner=camera, troubles=keys))
    acts = page.locator(".side")
    expect(acts).not_to_contain_text("scanner")
    expect(page.get_by_role("button", name="Pull the camera")).to_be_visible()
    for number, (name, do) in enumerate((("Hand", "hand"), ("Blur", "blur"), ("Dark", "dark")), 1):
        page.get_by_role("button", name=name).click()
        assert table.next_sent(number).body == {"do": do}


def test_faults_and_the_pace_are_asked_for(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, world(service))
    wanted = [
        ("Garbage", {"do": "garbage"}), ("Double read", {"do": "double"}),
        ("Missed code", {"do": "miss_code"}), ("Push back", {"do": "push_back"}),
        ("Pause", {"do": "pause"}),
    ]  # fmt: skip
    for count, (name, body) in enumerate(wanted, start=1):
        page.get_by_role("button", name=name).click()
        assert table.next_sent(count).body == body
    page.locator('[data-speed="4"]').click()
    assert table.next_sent(6).body == {"do": "speed", "speed": 4}


def test_what_cannot_be_done_says_why(
    open_tab: OpenTab, table: PageServer, service: PageServer, complaint: object
) -> None:
    assert callable(complaint)
    page = at_table(open_tab, table, world(service))
    table.answers(400, {"done": False, "why": "a card is on its way already: wait for it"})
    page.get_by_role("button", name="Garbage").click()
    expect(page.get_by_role("status")).to_have_text("a card is on its way already: wait for it")
    complaint("400")


@pytest.mark.long
def test_the_dealer_display_stands_beside_the_table(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    page = at_table(open_tab, table, world(service))
    display = page.frame_locator("#display")
    expect(display.locator("#place")).to_be_attached()


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_the_page_does_not_scroll(
    open_tab: OpenTab, table: PageServer, service: PageServer, size: str
) -> None:
    page = at_table(open_tab, table, in_play(world(service, log=["A line."] * 12)), size=size)
    width, height = SIZES[size]
    root = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert root == [width, height]
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert box["y"] + box["height"] <= height


@pytest.mark.long
def test_any_number_of_seats_lies_on_the_felt(
    open_tab: OpenTab, table: PageServer, service: PageServer
) -> None:
    picture = in_play(world(service))
    page = at_table(open_tab, table, picture)
    for seats in range(1, 8):
        table.show("/events", "world", picture | {"seats": picture["seats"][:seats]})
        expect(page.locator(".spot")).to_have_count(seats)
        cloth = page.locator(".cloth").bounding_box()
        assert cloth
        for ring in page.locator(".ring").all():
            box = ring.bounding_box()
            assert box
            assert cloth["x"] <= box["x"]
            assert box["x"] + box["width"] <= cloth["x"] + cloth["width"]


@pytest.mark.long
def test_a_stopped_world_is_told(open_tab: OpenTab, table: PageServer, service: PageServer) -> None:
    page = at_table(open_tab, table, world(service))
    table.cut_streams()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()
