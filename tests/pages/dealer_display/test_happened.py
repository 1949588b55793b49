"""The dealer display where people say what happened: found at a glance, and its resolutions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import TOKEN, at_display, keys, settled_eye, show
from tests.pages.pictures.moments import dealer_view, status_view
from tests.pages.rounds.test_corrections import record
from tests.support.forms import quick_first
from tests.support.pit import Pit, setup


def playing(*cards: str, seats: int = 5, roles: bool = False) -> Pit:
    """Two seats play; the first holds of a table with people are settled."""
    pit = Pit(replace(setup(seats), roles=roles))
    pit.shuffle()
    pit.bet(1, 1_000)
    pit.bet(2, 2_000)
    pit.no_more_bets()
    pit.deal(" ".join(cards))
    return pit


def asked() -> Pit:
    pit = playing("6h Th 9c 9d 9s 7s")
    pit.deal("2d")
    return pit


def called(what: Reason, pit: Pit) -> Pit:
    assert not pit.give(i.Happened(what)).refused
    return pit


def opens(open_tab: OpenTab, service: PageServer, pit: Pit, **how: str | None) -> Page:
    page = at_display(open_tab, service, dealer_view(pit), **how)
    settled_eye(page)
    page.get_by_role("button", name="Something happened").click()
    expect(page.get_by_role("heading", name="What happened?")).to_be_visible()
    return page


def listed(page: Page) -> list[str]:
    return [each.inner_text() for each in page.locator(".choices .key span").all()]


def test_what_may_have_happened_is_listed_likeliest_first(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = asked()
    page = opens(open_tab, service, pit)
    words = [key.label for key in pit.display.happened]
    assert listed(page) == [*words, "Correct the record"]
    page.get_by_role("button", name="Card drawn without a signal").click()
    sent = service.next_sent().body
    assert (sent["do"], sent["what"], sent["round"]) == ("happened", "not_asked", 1)
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_between_rounds_the_way_to_an_earlier_round_is_said(
    open_tab: OpenTab, service: PageServer
) -> None:
    earlier = "For an earlier round: “Replay” on the status page."
    pit = in_play = Pit(setup(5))
    pit.shuffle()
    for cards in ("Th Td 9h 8d", "Tc Ts 9c 8s"):
        pit.bet(1, 1_000)
        pit.no_more_bets()
        pit.deal(cards)
        pit.press("stand")
        in_play = pit.copied()
        pit.deal("5c")
        pit.settle_all()
        between = opens(open_tab, service, pit)
        expect(between.get_by_text(earlier)).to_have_count(pit.display.round - 1)
    expect(opens(open_tab, service, in_play).get_by_text(earlier)).to_have_count(0)


def test_another_dealer_takes_over_by_name_and_pin(open_tab: OpenTab, service: PageServer) -> None:
    pit = Pit(replace(setup(5), roles=True))
    pit.shuffle()
    page = opens(open_tab, service, pit)
    page.get_by_role("button", name="Another dealer takes over").click()
    expect(page.get_by_role("dialog")).to_contain_text("Whoever deals from now on")
    for typed in ("Aino", "4711"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["do"], sent["person"]) == ("change_dealer", "")
    assert sent["people"] == [{"name": "Aino", "pin": "4711"}]
    assert "reason" not in sent
    # In a round nobody takes over, and without people nobody can say who.
    alone = Pit(setup(5))
    alone.shuffle()
    for other in (playing("Kh", roles=True), alone):
        assert "Another dealer takes over" not in listed(opens(open_tab, service, other))


def test_who_takes_over_is_asked_on_while_bets_are_placed(
    open_tab: OpenTab, service: PageServer
) -> None:
    """With each bet the form went, and what was typed with it."""
    pit = Pit(replace(setup(5), roles=True))
    pit.shuffle()
    page = opens(open_tab, service, pit)
    page.get_by_role("button", name="Another dealer takes over").click()
    page.keyboard.type("Aino")
    pit.bet(2)
    show(service, dealer_view(pit))
    expect(page.locator("body")).to_have_attribute("data-seq", str(dealer_view(pit)["seq"]))
    expect(page.get_by_label("Name")).to_have_value("Aino")
    pit.no_more_bets()
    show(service, dealer_view(pit))
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.long
def test_the_keyboard_says_it_too(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, dealer_view(asked()))
    settled_eye(page)
    page.keyboard.press("?")
    page.keyboard.press("1")
    assert service.next_sent().body["what"] == "not_asked"


@pytest.mark.long
def test_a_dead_hand_is_named_by_its_seat(open_tab: OpenTab, service: PageServer) -> None:
    pit = called(Reason.SKIPPED, playing("Kh"))
    page = at_display(open_tab, service, dealer_view(pit))
    settled_eye(page)
    page.get_by_role("button", name="Dead hand").click()
    page.get_by_role("button", name="Seat 2").click()
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["resolution"], sent["seat"]) == ("dead_hand", 2)


def test_the_digit_of_a_seat_means_that_seat_whoever_plays(
    open_tab: OpenTab, service: PageServer
) -> None:
    """Seats 2 and 3 play, seat 1 does not: "2" is seat 2, not the second choice."""
    pit = Pit(setup(3))
    pit.shuffle()
    for seat in (2, 3):
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal("Kh")
    page = at_display(open_tab, service, dealer_view(called(Reason.SKIPPED, pit)))
    settled_eye(page)
    page.get_by_role("button", name="Dead hand").click()
    expect(page.locator("#dialog .choices .key")).to_have_text(["2Seat 2", "3Seat 3"])
    page.keyboard.press("2")
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    assert service.next_sent().body["seat"] == 2


@pytest.mark.long
def test_the_card_that_lies_ready_has_its_key(open_tab: OpenTab, service: PageServer) -> None:
    pit = Pit(setup(5))
    pit.shuffle()
    pit.bet(1)
    pit.deal("Kh")
    pit.resolve(Resolution.KEEP)
    pit.no_more_bets()
    page = at_display(open_tab, service, dealer_view(pit))
    settled_eye(page)
    expect(page.locator("#why")).to_have_text(
        "Deal the card that lies ready, then touch “Kept card dealt”."
    )
    assert any("Kept card dealt" in key for key in keys(page))
    assert "K" not in page.locator("#sentence").inner_text().replace("Kept", "")
    page.keyboard.press("Enter")
    assert service.next_sent().body["do"] == "deal_kept"


def test_a_round_without_bets_says_so(open_tab: OpenTab, service: PageServer) -> None:
    pit = Pit(setup(5))
    pit.shuffle()
    pit.deal("Kh")
    pit.resolve(Resolution.DUMMY)
    page = at_display(open_tab, service, dealer_view(pit))
    expect(page.locator("#place")).to_contain_text("No bets: dummy round")


def over() -> Pit:
    pit = playing("6h Th 9c 9d 9s 7s")
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 3h")
    return pit


@pytest.mark.long
@pytest.mark.parametrize("font", [None, "DejaVu Sans"], ids=["usual face", "widest face"])
@pytest.mark.parametrize("size", SIZES)
def test_the_list_fits_and_can_be_read(
    open_tab: OpenTab, service: PageServer, size: str, font: str | None
) -> None:
    for pit in (asked(), over()):
        page = opens(open_tab, service, pit, size=size, font=font)
        assert cut_off(page) == []
        assert unreadable(page) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "what",
    quick_first(
        (Reason.NOT_ASKED, Reason.MISREAD, Reason.PAYOUT, Reason.MISDEAL, Reason.DAMAGED),
        (Reason.MISDEAL,),
    ),
)
def test_the_resolutions_fit_and_can_be_read(
    open_tab: OpenTab, service: PageServer, size: str, what: Reason
) -> None:
    page = at_display(open_tab, service, dealer_view(called(what, asked())), size=size)
    assert cut_off(page) == []
    assert unreadable(page) == []


def test_the_pit_says_of_a_past_round_what_went_wrong(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = over()
    pit.settle_all()
    record(service, pit)
    service.show("/events/status", "status", status_view(pit))
    page = open_tab(f"{service.url}/#token={TOKEN}")
    page.get_by_role("button", name="Replay round 1").click()
    page.get_by_role("button", name="Misdeal: void it").click()
    sent = service.next_sent().body
    assert (sent["do"], sent["what"], sent["round"]) == ("happened", "misdeal", 1)
    expect(page.locator("#replay")).to_contain_text("it goes on at the dealer display")
    assert unreadable(page) == []


def test_a_void_round_says_so_in_its_replay(open_tab: OpenTab, service: PageServer) -> None:
    pit = over()
    pit.settle_all()
    pit.give(i.Happened(Reason.MISDEAL, 1))
    pit.resolve(Resolution.VOID)
    record(service, pit)
    service.show("/events/status", "status", status_view(pit))
    page = open_tab(f"{service.url}/#token={TOKEN}")
    page.get_by_role("button", name="Replay round 1").click()
    expect(page.locator("#replay")).to_contain_text("Round 1, 21-24-27, void")
    expect(page.locator(".replay-walk")).to_be_visible()
    for offered in ("Misdeal: void it", "Wrong payout", "Correct the record"):
        expect(page.get_by_role("button", name=offered)).to_have_count(0)


@pytest.mark.long
def test_the_seat_whose_player_is_asked_is_named_and_marked(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = asked()  # seat 1 drew: seat 1 goes on, and is asked about that card
    pit.press("stand")  # now seat 2 would be next
    page = at_display(open_tab, service, dealer_view(called(Reason.TAKEN_BACK, pit)))
    expect(page.locator(".tail")).to_have_text("ask seat 1", ignore_case=True)
    marked = page.locator(".seat[data-asked]")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("data-seat", "1")
    border = "node => getComputedStyle(node).borderTopColor"
    other = page.locator('.seat[data-seat="2"]')
    expect(other).to_have_attribute("data-active", "")
    assert marked.evaluate(border) != other.evaluate(border)


GROUND = "node => getComputedStyle(node).backgroundColor"


def test_the_one_next_thing_stands_out_while_an_undo_is_offered(
    open_tab: OpenTab, service: PageServer
) -> None:
    """A glance finds "No more bets" by its ground; where a card is next, no key has one."""
    pit = Pit(setup(5))
    pit.shuffle()
    pit.bet(1, 1_000)
    plain = dealer_view(pit)
    pit.deal("Kh")
    pit.resolve(Resolution.NO_CARD)
    page = at_display(open_tab, service, plain)
    filled = page.get_by_role("button", name="No more bets").evaluate(GROUND)
    show(service, dealer_view(pit))
    undo = page.get_by_role("button", name="Undo: no card left")
    expect(undo).to_be_visible()
    assert page.get_by_role("button", name="No more bets").evaluate(GROUND) == filled
    assert undo.evaluate(GROUND) != filled
    pit = playing("6h")
    pit.doubt()
    pit.resolve(Resolution.ENTER_CARD, "2c")
    show(service, dealer_view(pit))
    expect(page.locator(".keys-none")).to_have_text("No key is needed: draw the card.")
    assert page.get_by_role("button", name="Undo: card entered").evaluate(GROUND) != filled
    assert cut_off(page) == []


def test_what_undo_undoes_is_on_its_key_and_kept_cards_are_said_to_lie_ready(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = Pit(setup(5))
    pit.shuffle()
    pit.bet(1, 1_000)
    pit.deal("Kh")
    pit.resolve(Resolution.KEEP)
    page = at_display(open_tab, service, dealer_view(pit))
    expect(page.get_by_role("button", name="Undo: card kept")).to_be_visible()
    expect(page.locator("#why")).to_contain_text("lies ready, to be dealt first")
