"""A table's felt in the pit, live and replayed from the archive: what lies there, what may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import pytest
from playwright.sync_api import Page, expect

from controller.devices.felt_view import CardView
from controller.pit.house_time import HouseTime
from controller.pit.wall.settings import WallSettings
from controller.record.reading.felts import FeltAfter, told
from controller.table import facts as f
from controller.table.views.public import public
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer
from tests.pages.pit_pages.played_status import hear, status_body
from tests.pit.archive.books.archived import Archived
from tests.records.dealing import two_days
from tests.support.dealt.days import CalendarPit
from tests.support.forms import quick_first

#: No browser is there.
KATHMANDU: Final = HouseTime("Asia/Kathmandu")
SIZES: Final = [(390, 844), (1280, 800), (3840, 2160)]
#: The names of the cards that lie at each seat and in the middle, as they are read out.
LYING: Final = """() => [...document.querySelectorAll('.middle .fan, .seats .fan')].map(
  (fan) => [...fan.querySelectorAll('svg.card')].map((card) => card.getAttribute('aria-label')))"""


@pytest.fixture(scope="module")
def table() -> CalendarPit:
    return two_days("blackjack")


@pytest.fixture
def pit(table: CalendarPit) -> Iterator[PitServer]:
    with PitServer(WallSettings(offline_s=3_600), house=KATHMANDU) as server:
        archive = Archived(server.known.engine)
        archive.add("T1", table.records)
        archive.keep()
        server.do(lambda wall: hear(status_body(table), wall))
        yield server


def opened(open_tab: OpenTab, pit: PitServer, size: tuple[int, int], path: str) -> Page:
    page = open_tab("about:blank")
    pit.sign_in(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(pit.url + path)
    expect(page.locator("#felt")).to_be_visible()
    return page


def wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def backs(cards: list[list[str]]) -> int:
    return sum(name == "face-down card" for hand in cards for name in hand)


def down(cards: tuple[CardView, ...]) -> int:
    return sum(not each.code for each in cards)


@pytest.mark.parametrize("size", quick_first(SIZES, [(390, 844)]))
def test_a_table_is_seen_live_from_the_pit(
    open_tab: OpenTab, pit: PitServer, table: CalendarPit, size: tuple[int, int]
) -> None:
    shown = public(table.state)
    assert shown.dealer is not None
    hands = [shown.dealer, *(each for each in shown.hands if each.cards)]
    page = opened(open_tab, pit, size, "/tables/T1/live")
    expect(page.locator("#live")).to_have_text("Live")
    expect(page.locator("#waits")).to_have_text(shown.waiting_for)
    lying = page.evaluate(LYING)
    assert [len(each) for each in lying] == [len(each.cards) for each in hands if each.cards]
    assert backs(lying) == sum(down(each.cards) for each in hands)
    expect(page.locator(".seat")).to_have_count(shown.seats)
    expect(page.locator("#rounds li")).to_have_count(len(shown.rounds))
    expect(page.get_by_role("heading", name="Last rounds (Asia/Kathmandu)")).to_be_visible()
    began = KATHMANDU.second(shown.rounds[0].started_ms)[len("2026-11-26 12:") :]
    expect(page.locator("#rounds li").first).to_contain_text(began)
    assert unreadable(page) == []
    assert wide(page) <= 0, "nothing has to be scrolled sideways"
    page.get_by_role("link", name="Round 1, replay", exact=True).click()
    expect(page.locator("#place")).to_contain_text("1 of")


def test_what_is_not_live_is_not_called_so(
    open_tab: OpenTab, pit: PitServer, table: CalendarPit
) -> None:
    page = opened(open_tab, pit, (1280, 800), "/tables/T1/live")
    expect(page.locator("#live")).to_have_text("Live")
    with pit.silent():
        expect(page.locator("#live")).to_have_text("Not live")
        expect(page.locator("#felt")).to_have_attribute("data-old", "")
    expect(page.locator("#live")).to_have_text("Live")
    # What a newer table says otherwise is drawn, in words where it cannot be.
    shown = msgspec.json.decode(status_body(table))
    shown["status"] |= {"waiting_for": "Shuffle", "hands": [], "dealer": None}
    pit.do(lambda wall: hear(msgspec.json.encode(shown), wall))
    expect(page.locator("#waits")).to_have_text("Shuffle")
    expect(page.locator(".felt .card")).to_have_count(0)
    # After another record, as a table would: of the same one nothing new is told for a minute.
    shown["seq"] = shown["status"]["seq"] = shown["seq"] + 1
    shown["status"]["dealer"] = {"cards": "of another form"}
    pit.do(lambda wall: hear(msgspec.json.encode(shown), wall))
    expect(page.locator("#no-felt")).to_contain_text("cannot be drawn")
    for old in ("#felt", "#below", "#rule", "#last"):
        expect(page.locator(old)).to_be_hidden()
    pit.do(lambda wall: hear(status_body(table), wall))
    for name in ("#felt", "#below", "#rule", "#last"):
        expect(page.locator(name)).to_be_visible()


def felts_of(table: CalendarPit, number: int) -> tuple[FeltAfter, ...]:
    at = next(
        at for at, each in enumerate(table.records)
        if isinstance(each.fact, f.BetsClosed) and each.fact.number == number
    )  # fmt: skip
    return told(table.records[at:], number).felts


@pytest.mark.parametrize("size", quick_first(SIZES, [(390, 844)]))
def test_a_round_is_walked_through_as_its_felt_lay(
    open_tab: OpenTab, pit: PitServer, table: CalendarPit, size: tuple[int, int]
) -> None:
    """Round 2 was corrected twice: what was paid is seen, and what it was in truth."""
    felts = felts_of(table, 2)
    page = opened(open_tab, pit, size, "/rounds/T1/2")
    asked = 0
    for at, felt in enumerate(felts):
        expect(page.locator("#place")).to_have_text(f"Record {felt.seq}, {at + 1} of {len(felts)}")
        hands = [each for each in (felt.dealer, *felt.hands) if each.cards]
        lying = page.evaluate(LYING)
        assert [len(each) for each in lying] == [len(each.cards) for each in hands]
        assert backs(lying) == sum(down(each.cards) for each in hands)
        asked += backs(lying)
        if felt.text:
            expect(page.locator("#said")).to_contain_text(felt.text)
        now = page.locator("tr[data-now]").first
        expect(now).to_have_attribute("data-seq", str(felt.seq))
        if at + 1 < len(felts):
            page.keyboard.press("ArrowRight")
    assert asked > 0, "a hole card lay there"
    expect(page.locator("#said")).to_contain_text("corrected")
    expect(page.locator("#on")).to_be_disabled()
    assert unreadable(page) == []
    assert wide(page) <= 0, "nothing has to be scrolled sideways"
    page.keyboard.press("Home")
    expect(page.locator("#on")).to_be_disabled()
    page.locator("#replay").focus()
    page.keyboard.press("Home")
    expect(page.locator("#back")).to_be_disabled()
    page.get_by_role("button", name=f"Show the felt after record {felts[1].seq}").first.click()
    expect(page.locator("#place")).to_contain_text(f"Record {felts[1].seq}, 2 of")
