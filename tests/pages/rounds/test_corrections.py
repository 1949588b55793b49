"""The record is put right: from a replay, or from the dealer display while a round is in play."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pydantic import TypeAdapter

from controller.table import inputs as i
from controller.table.decide.consequences.corrected import likely
from controller.table.irregularities.edits import EditKind
from controller.table.views.replay import find_round, replay
from controller.web.api.command_bodies import AnyCommandBody, CommandBody
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import TOKEN, at_display, expect_picture, no_press_was_sent
from tests.pages.pictures.moments import dealer_view, moment, started, status_view
from tests.pages.pictures.pit import as_json
from tests.support.pit import Pit, opened

PIN = "4711"
_ASKED: TypeAdapter[CommandBody] = TypeAdapter(AnyCommandBody)


def playing(cards: str = "6h 9c 9d 7s", name: str = "21-24-27") -> Pit:
    pit = opened(3, name)
    pit.bet(1, 1_000)
    pit.no_more_bets()
    pit.deal(cards)
    return pit


def settled() -> Pit:
    """Seat 1 had 22 against 24, and its bet was taken."""
    pit = playing("Kh 9c 9d 7s")
    pit.press("stand")
    pit.deal("8s")
    pit.press("next")
    return pit


def record(service: PageServer, pit: Pit, number: int = 1) -> None:
    """What the table tells of the round, and of the cards that each step could have been."""
    past = find_round(pit.state, number)
    assert past
    replayed = as_json(replay(past))
    service.stage.documents[f"/api/v1/rounds/{number}"] = replayed
    for step in range(len(replayed["steps"])):
        try:
            codes = [each.code for each in likely(pit.state, number, step)]
        except ValueError:
            codes = []
        service.stage.documents[f"/api/v1/rounds/{number}/steps/{step}/likely"] = codes


def corrects(page: Page) -> None:
    """From the dealer display to the panel."""
    page.locator("#happened").click()
    page.get_by_role("button", name="Correct the record").click()


def panel(open_tab: OpenTab, service: PageServer, pit: Pit, **how: str) -> Page:
    """The correction of round 1, opened from its replay at a table that knows its people."""
    record(service, pit)
    service.show("/events/status", "status", status_view(pit) | {"roles": True})
    page = open_tab(f"{service.url}/#token={TOKEN}", **how)
    page.get_by_role("button", name="Replay round 1").click()
    page.get_by_role("button", name="Correct the record").click()
    expect(page.get_by_role("dialog")).to_contain_text("Correct round 1")
    return page


def step(page: Page, number: int) -> Locator:
    """The key of a step; bets stand before the first."""
    return page.locator(".correct-steps button").filter(has=page.locator(f"i:text-is('{number}')"))


def stand_for_it(page: Page, reason: str = "Card misread", name: str = "Eino") -> None:
    page.get_by_role("button", name="Go on: say why").click()
    page.get_by_role("button", name=reason).click()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")


def as_asked(body: dict[str, Any]) -> i.Correct:
    """The command as the API makes it of a body."""
    command = _ASKED.validate_python(body).command
    assert isinstance(command, i.Correct)
    return command


def test_a_misread_card_is_replaced_by_the_likeliest_and_the_difference_is_told(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = settled()
    page = panel(open_tab, service, pit)
    step(page, 6).click()
    cards = page.get_by_role("group", name="Likeliest").get_by_role("img")
    expect(cards.first).to_have_accessible_name("Eight of clubs")
    page.get_by_role("button", name="King of spades").click()
    expect(page.get_by_role("list", name="Changes")).to_contain_text("step 6 was 13♠")
    assert no_press_was_sent(service)
    stand_for_it(page)
    sent = service.next_sent()
    assert sent.body == {
        "do": "correct", "round": 1, "reason": "Card misread", "view_seq": pit.state.seq,
        "edits": [{"at": 5, "do": "replace", "card": "Ks"}],
        "people": [{"name": "Eino", "pin": PIN}],
    }  # fmt: skip
    assert sent.headers["authorization"] == f"Bearer {TOKEN}"
    expect(page.locator("dialog.correct")).to_be_hidden()
    assert pit.give(as_asked(sent.body)).refused == ""
    service.show("/events/status", "status", status_view(pit))
    expect(page.locator("#waiting-for")).to_have_text("Settle what is owed: pay and collect")
    expect(page.locator("#alarms")).to_contain_text("Pay seat 1 20.00")


def test_several_edits_count_by_the_list_as_those_before_left_it(
    open_tab: OpenTab, service: PageServer
) -> None:
    """The hit and its card never were; the second card was another; 25.00 lay there."""
    pit = playing("6h 9c 9d 7s 5d")
    page = panel(open_tab, service, pit)
    for number in (5, 6):
        step(page, number).click()
        page.get_by_role("button", name="Take it out").click()
    step(page, 1).click()
    page.locator("[data-code='7h']").click()
    page.get_by_role("button", name="Bet of seat 1").click()
    page.get_by_label("What lay there").fill("1.250")
    page.keyboard.press("Enter")
    expect(page.locator(".correct-how[role=alert]")).to_have_text(
        "1.250 is no amount: write it as 25 or 12.50."
    )
    page.get_by_label("What lay there").fill("25")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Changes").get_by_role("listitem")).to_have_count(4)
    stand_for_it(page)
    body = service.next_sent().body
    assert body["edits"] == [
        {"at": 1, "do": "wager", "amount": 2500}, {"at": 0, "do": "replace", "card": "7h"},
        {"at": 4, "do": "remove"}, {"at": 4, "do": "remove"},
    ]  # fmt: skip
    assert pit.give(as_asked(body)).refused == ""
    pit.expect(next="Seat 1: stand or hit?", why="Hard 16 against hard 16")


def test_a_card_that_was_not_recorded_is_put_in(open_tab: OpenTab, service: PageServer) -> None:
    pit = playing()
    page = panel(open_tab, service, pit)
    step(page, 4).click()
    page.get_by_role("button", name="Put a card in after").click()
    page.locator("[data-code='Kd']").click()
    stand_for_it(page, "Card not recorded")
    body = service.next_sent().body
    assert body["edits"] == [{"at": 4, "do": "insert", "card": "Kd"}]
    assert pit.give(as_asked(body)).refused == ""
    pit.expect(next="Take seat 1: 10.00")


def test_a_decision_was_another(open_tab: OpenTab, service: PageServer) -> None:
    pit = started("finnish-27", 3, {1: 2500})
    pit.deal("8c 5d 6h 8d")
    pit.say("surrender")
    page = panel(open_tab, service, pit)
    number = page.locator(".correct-steps li").count() - 1
    step(page, number).click()
    page.get_by_role("button", name="Stand", exact=True).click()
    stand_for_it(page, "Pressed by mistake")
    body = service.next_sent().body
    assert body["edits"] == [{"at": number - 1, "do": "replace", "action": "stand"}]


def test_a_raise_was_of_another_amount(open_tab: OpenTab, service: PageServer) -> None:
    pit = moment("vying")
    page = panel(open_tab, service, pit)
    number = page.locator(".correct-steps li").count() - 7
    step(page, number).click()
    page.get_by_label("Amount of a bet or raise").fill("50")
    page.get_by_role("button", name="Raise", exact=True).click()
    stand_for_it(page, "Pressed by mistake")
    edit = {"at": number - 1, "do": "replace", "action": "raise", "amount": 5000}
    assert service.next_sent().body["edits"] == [edit]


def test_a_refusal_stands_beside_its_step_and_no_change_is_lost(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    pit = playing()
    pit.press("stand")
    page = panel(open_tab, service, pit)
    step(page, 3).click()
    expect(page.locator("[data-code='8d'][data-unlikely]")).to_be_visible()
    page.locator("[data-code='8d']").click()
    edits = (i.EditAsked(2, EditKind.REPLACE, "8d"),)
    refused = pit.give(i.Correct(1, edits, "misread")).refused
    assert "step 5 no longer fits" in refused
    service.answers(409, {"accepted": False, "seq": 9, "refused": refused, "step": 5})
    stand_for_it(page)
    beside = page.locator(".correct-steps li").filter(has=page.locator(".correct-misfit"))
    expect(beside).to_contain_text(refused)
    expect(beside.locator("i")).to_have_text("5")
    expect(page.get_by_role("list", name="Changes")).to_contain_text("step 3 was 8♦")
    assert PIN not in page.content()
    complaint("409")
    page.get_by_role("button", name="Take it out").click()
    service.answers(200, {"accepted": True, "seq": 10})
    stand_for_it(page)
    assert pit.give(as_asked(service.next_sent(2).body)).refused == ""


@pytest.mark.long
def test_a_wrong_pin_is_told_in_the_form(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = panel(open_tab, service, playing())
    step(page, 1).click()
    page.locator("[data-code='7h']").click()
    service.answers(403, {"detail": "Name and PIN do not fit: try again"})
    stand_for_it(page)
    expect(page.locator(".authorize-problem")).to_contain_text("do not fit")
    expect(page.get_by_label("PIN or badge")).to_have_value("")
    complaint("403")


def test_changes_can_be_taken_back_and_outlive_a_closed_panel(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = panel(open_tab, service, playing())
    go_on = page.get_by_role("button", name="Go on: say why")
    expect(go_on).to_be_disabled()
    step(page, 1).click()
    page.locator("[data-code='7h']").click()
    expect(go_on).to_be_enabled()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.correct")).to_be_hidden()
    page.get_by_role("button", name="Correct the record").click()
    page.get_by_role("button", name="Take back: step 1 was 7♥").click()
    expect(go_on).to_be_disabled()
    assert no_press_was_sent(service)


def test_a_record_that_changed_meanwhile_is_looked_at_again(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = panel(open_tab, service, playing())
    step(page, 1).click()
    page.locator("[data-code='7h']").click()
    record(service, playing("5h 9c 9d 7s"))
    stand_for_it(page)
    expect(page.get_by_text("The record has changed meanwhile")).to_be_visible()
    expect(page.get_by_role("button", name="Go on: say why")).to_be_disabled()
    assert no_press_was_sent(service)


def test_without_a_token_a_replay_only_shows(open_tab: OpenTab, service: PageServer) -> None:
    pit = playing()
    record(service, pit)
    service.show("/events/status", "status", status_view(pit) | {"roles": True})
    page = open_tab(f"{service.url}/")
    page.get_by_role("button", name="Replay round 1").click()
    expect(page.locator("#replay")).to_contain_text("View only")
    expect(page.get_by_role("button", name="Correct the record")).to_have_count(0)


def test_the_dealer_display_opens_the_same_panel_while_a_round_is_in_play(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = playing()
    record(service, pit)
    page = at_display(open_tab, service, dealer_view(opened(3)))
    page.locator("#happened").click()
    expect(page.get_by_role("button", name="Correct the record")).to_be_hidden()
    page.keyboard.press("Escape")
    service.show("/events/dealer", "scene", dealer_view(pit))
    expect_picture(page, dealer_view(pit))
    corrects(page)
    step(page, 3).click()
    page.locator("[data-code='8d']").click()
    page.keyboard.press("s")
    assert no_press_was_sent(service)
    page.get_by_role("button", name="Go on: say why").click()
    page.get_by_role("button", name="Card misread").click()
    page.locator(".authorize-go").click()
    body = service.next_sent().body
    assert body["edits"] == [{"at": 2, "do": "replace", "card": "8d"}]
    assert "people" not in body
    expect(page.locator("dialog.correct")).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("font", [None, "DejaVu Sans"], ids=["usual face", "widest face"])
@pytest.mark.parametrize("size", SIZES)
def test_the_panel_fits_the_dealer_display_and_can_be_read(
    open_tab: OpenTab, service: PageServer, size: str, font: str | None
) -> None:
    pit = moment("fourteen_settling")
    record(service, pit)
    page = at_display(open_tab, service, dealer_view(pit), size=size, font=font)
    corrects(page)
    for number in (1, 2, 3, 7, 9):
        step(page, number).click()
        expect(page.locator(".correct-likely img, .correct-likely svg").first).to_be_visible()
        assert cut_off(page) == []
        assert unreadable(page) == []
        page.locator("[data-code='Kc']").click()
    page.get_by_role("button", name=re.compile("^Bet of box 3")).click()
    assert cut_off(page) == []
    assert unreadable(page) == []
    page.get_by_role("button", name="Go on: say why").click()
    assert cut_off(page) == []
    assert unreadable(page) == []


@pytest.mark.long
def test_the_panel_fits_a_tablet(open_tab: OpenTab, service: PageServer) -> None:
    page = panel(open_tab, service, settled())
    for width, height in ((1280, 720), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        step(page, 1).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert unreadable(page) == []
