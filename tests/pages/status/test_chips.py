"""The page of the chips: slips are signed, a shift says what it won and what is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from controller.languages.languages import language
from controller.table import inputs as i
from controller.table.roles import PersonId
from controller.table.views.chips_view import chips_view
from controller.table.views.public import public
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import CHIPS, PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import as_json
from tests.support.forms import quick_first
from tests.support.pit import Pit, setup
from tests.table.money.cage import (
    AINO,
    FIA,
    buy_in,
    chips,
    fill,
    lost_round,
    rack_table,
    sign,
)

NAMES: dict[PersonId, str] = {FIA.id: "Fia", AINO.id: "Aino"}
TOKEN = "the-token"


def shift() -> Pit:
    """A first shift in which a five went astray, and a second one that goes on, with a box."""
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    fill(pit, 4)
    sign(pit, i.ChangeBox("A7"))
    lost_round(pit)
    sign(pit, i.CloseRack(chips(30, 35, 30), roll=True, box="A8"))
    sign(pit, i.CountBox(5, 0))
    fill(pit, 2)
    return pit


def at_chips(open_tab: OpenTab, service: PageServer, pit: Pit) -> Page:
    service.stage.documents[CHIPS] = as_json(chips_view(pit.state, NAMES))
    page = open_tab(f"{service.url}/chips#token={TOKEN}")
    expect(page.locator("#title")).to_contain_text("Chips of")
    return page


def signed(page: Page) -> None:
    for group, (name, pin) in enumerate((("Fia", "4711"), ("Aino", "1234"))):
        page.get_by_label("Name").nth(group).fill(name)
        page.get_by_label("PIN").nth(group).fill(pin)


def test_a_fill_is_counted_signed_and_sent_once(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = at_chips(open_tab, service, shift())
    page.get_by_role("button", name="Fill", exact=True).click()
    page.get_by_label("The slip says").fill("20.00")
    page.get_by_label("Pieces of 5.00").fill("four")
    signed(page)
    send = page.get_by_role("button", name="Sign the fill")
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("Pieces of 5.00: a whole number")
    assert not service.stage.sent
    page.get_by_label("Pieces of 5.00").fill("4")
    expect(page.locator(".pieces .sum output")).to_have_text("20.00")
    service.answers(503, {"accepted": False, "seq": -1, "refused": "No answer yet", "code": ""})
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("nobody knows whether it is on record")
    # Only the very same may be sent again, under the same key.
    expect(page.get_by_label("The slip says")).to_be_disabled()
    complaint("503")
    service.answers(200, {"accepted": True, "seq": 9})
    signed(page)
    send.click()
    expect(page.locator(".slip-dialog")).to_be_hidden()
    expect(page.locator("#said")).to_have_text("Fill: signed, and on record.")
    first, again = service.next_sent(1), service.next_sent(2)
    assert first.headers["idempotency-key"] == again.headers["idempotency-key"]
    assert again.body == first.body
    assert again.body == {
        "do": "sign_slip", "kind": "fill", "amount": 2_000, "view_seq": None,
        "chips": [{"chip": 500, "pieces": 4}],
        "people": [{"name": "Fia", "pin": "4711"}, {"name": "Aino", "pin": "1234"}],
    }  # fmt: skip


#: As people type an amount: with either mark, in threes or not; what may be two things is none.
TYPED = {
    "25": 2_500, "25.5": 2_550, "12,50": 1_250, "1,25": 125, "1250,50": 125_050, "25.": 2_500,
    "1,250.50": 125_050, "1.250,50": 125_050, "1 250,50": 125_050, "1\u00a0250": 125_000,
    "1,250": 125_000, "1.250": None, "1,25,50": None, "1,250,50": None, "12.345.6": None,
    "abc": None, "": None, "-5": None, "9999999999": None,
}  # fmt: skip


def test_an_amount_is_what_its_writer_means(open_tab: OpenTab, service: PageServer) -> None:
    """A comma before hundredths was passed over: a box of 1,25 was counted as 125.00."""
    page = at_chips(open_tab, service, shift())
    ask = (
        "async (texts) => texts.map((await import('/static/parts/entry/amount_pad.js')).minorUnits)"
    )
    assert dict(zip(TYPED, page.evaluate(ask, list(TYPED)), strict=True)) == TYPED
    service.stage.language = language("fi")
    page.goto("about:blank")
    page.goto(f"{service.url}/chips#token={TOKEN}")
    in_finnish = TYPED | {"1,250": None, "1.250": 125_000}
    assert dict(zip(TYPED, page.evaluate(ask, list(TYPED)), strict=True)) == in_finnish


def test_what_is_no_amount_is_not_said_to_be_empty(open_tab: OpenTab, service: PageServer) -> None:
    page = at_chips(open_tab, service, shift())
    page.get_by_role("button", name="Fill", exact=True).click()
    page.get_by_label("Pieces of 5.00").fill("4")
    signed(page)
    for typed in ("99999999999", "twenty"):
        page.get_by_label("The slip says").fill(typed)
        page.get_by_role("button", name="Sign the fill").click()
        expect(page.get_by_role("alert")).to_contain_text(
            f"{typed} is no amount: write it as 25 or 12.50."
        )
    assert not service.stage.sent


def test_an_answer_that_comes_late_takes_no_other_slip_away(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_chips(open_tab, service, shift())
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    page.route("**/api/v1/commands", keep)
    page.get_by_role("button", name="Fill", exact=True).click()
    page.get_by_label("The slip says").fill("20.00")
    page.get_by_label("Pieces of 5.00").fill("4")
    signed(page)
    page.get_by_role("button", name="Sign the fill").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Credit", exact=True).click()
    page.get_by_label("The slip says").fill("15.00")
    late[0].fulfill(json={"accepted": True, "seq": 9})
    expect(page.locator("#said")).to_have_text("Fill: signed, and on record.")
    expect(page.get_by_label("The slip says")).to_have_value("15.00")
    page.unroute("**/api/v1/commands")


def test_an_answer_that_is_overtaken_shows_nothing_old(
    open_tab: OpenTab, service: PageServer
) -> None:
    """The page asks by itself, and once a slip is signed: the first answer may come last."""
    pit = rack_table()
    closed = as_json(chips_view(pit.state, NAMES))
    page = at_chips(open_tab, service, pit)
    expect(page.locator("#rack")).to_contain_text("The rack is closed")
    late: list[Route] = []

    def keep_the_first(route: Route) -> None:
        if late:
            route.fallback()
        else:
            late.append(route)

    page.route("**/api/v1/chips", keep_the_first)
    while not late:
        page.evaluate("new Promise((done) => setTimeout(done, 100))")
    page.get_by_role("button", name="Opener").click()
    for each in page.locator(".pieces input").all():
        each.fill("30")
    signed(page)
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    service.stage.documents[CHIPS] = as_json(chips_view(pit.state, NAMES))
    page.get_by_role("button", name="Sign the opener").click()
    expect(page.locator("#rack")).to_contain_text("The rack is open")
    page.evaluate(
        """() => {
          globalThis.said = [];
          const rack = document.getElementById('rack');
          new MutationObserver(() => said.push(rack.textContent))
            .observe(rack, { childList: true });
        }"""
    )
    # Its next question is asked once this answer has been taken.
    with page.expect_response("**/api/v1/chips") as old:
        late[0].fulfill(json=closed)
    with page.expect_response("**/api/v1/chips"):
        old.value.finished()
    assert not [each for each in page.evaluate("said") if "closed" in each]
    page.unroute("**/api/v1/chips")


def test_a_closer_counts_every_chip_and_a_refusal_stands_in_the_form(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    page = at_chips(open_tab, service, shift())
    page.get_by_role("button", name="Closer").click()
    page.get_by_label("Pieces of 1.00").fill("30")
    signed(page)
    send = page.get_by_role("button", name="Sign the closer")
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("pieces of 5.00, 0 where there is none")
    for chip, many in (("5.00", "37"), ("25.00", "0")):
        page.get_by_label(f"Pieces of {chip}", exact=True).fill(many)
    page.get_by_label("The next shift goes on with this count").check()
    service.answers(409, {"accepted": False, "seq": 9, "refused": "The PIN is wrong", "code": "x"})
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("The PIN is wrong")
    complaint("409")
    expect(page.get_by_label("Pieces of 5.00", exact=True)).to_have_value("37")
    assert service.next_sent().body["roll"] is True
    assert [each["pieces"] for each in service.next_sent().body["chips"]] == [30, 37, 0]


@pytest.mark.parametrize("size", quick_first([(390, 844), (1280, 800), (800, 480)], [(390, 844)]))
def test_a_shift_says_what_it_won_and_what_is_missing(
    open_tab: OpenTab, service: PageServer, size: tuple[int, int]
) -> None:
    page = at_chips(open_tab, service, shift())
    page.set_viewport_size({"width": size[0], "height": size[1]})
    newest, first = page.locator(".shift").all()
    expect(newest).to_contain_text("The closer of the shift")
    expect(first.locator(".off td")).to_contain_text("▲")
    expect(first.locator(".off td")).to_contain_text("5.00")
    expect(first).to_contain_text("5.00 less in chips than the rounds say")
    expect(first.locator(".slips li").first).to_contain_text("Fia and Aino")
    expect(page.get_by_role("button", name="Count box A7")).to_have_count(0)
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.evaluate("globalThis.print = () => {}")
    first.locator(".slips li").nth(1).get_by_role("button", name="Print").click()
    page.emulate_media(media="print")
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("heading", name="Fill, slip 2")).to_be_visible()
    expect(sheet).to_contain_text("Signed by PIN: Fia, Aino")
    expect(page.locator("#shifts")).to_be_hidden()
    page.emulate_media(media="screen")


def test_the_status_page_says_whether_the_chips_agree_with_the_rounds(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = shift()
    service.stage.documents[CHIPS] = as_json(chips_view(pit.state, NAMES))
    view = as_json(public(pit.state)) | {"simulated": False, "notice": []}
    service.show("/events/status", "status", view)
    page = open_tab(f"{service.url}/#token={TOKEN}")
    panel = page.locator("#chips-panel")
    expect(panel).to_contain_text("The rack is open.")
    expect(panel).to_contain_text("Shift 1 won 5.00 by its chips, 10.00 by its rounds.")
    expect(panel.locator(".loses")).to_contain_text("5.00 between them")


def test_a_table_without_chips_says_where_they_are_named(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_chips(open_tab, service, Pit(setup(3)))
    expect(page.locator("#rack")).to_have_text("This table keeps no account of its chips")
    expect(page.locator("#acts button")).to_have_count(0)


def test_a_buy_in_is_signed_where_the_house_puts_them_on_slips(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = rack_table(buy_ins=True)
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    page = at_chips(open_tab, service, pit)
    waits = page.get_by_role("button", name="Buy-in (once a drop box is there)")
    expect(waits).to_be_disabled()
    sign(pit, i.ChangeBox("A7"))
    buy_in(pit, 4, seat=2)
    page = at_chips(open_tab, service, pit)
    expect(page.locator(".slips")).to_contain_text("Buy-in at seat 2, cash into drop box A7")
    expect(page.locator(".win")).to_contain_text("Bought in, of the drop20.00")
    page.get_by_role("button", name="Buy-in", exact=True).click()
    page.get_by_label("Cash for the drop box").fill("10.00")
    page.get_by_label("Bought by").select_option("3")
    page.get_by_label("Pieces of 5.00").fill("2")
    assert unreadable(page) == []
    signed(page)
    service.answers(200, {"accepted": True, "seq": 9})
    page.get_by_role("button", name="Sign the buy-in").click()
    expect(page.locator("#said")).to_have_text("Buy-in: signed, and on record.")
    sent = service.next_sent().body
    assert {name: sent[name] for name in ("do", "amount", "seat", "chips")} == {
        "do": "buy_in", "amount": 1_000, "seat": 3, "chips": [{"chip": 500, "pieces": 2}],
    }  # fmt: skip
    # Of a house that does not put them on slips nothing of it is shown.
    page = at_chips(open_tab, service, shift())
    expect(page.get_by_role("button", name="Fill", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Buy-in")).to_have_count(0)
    expect(page.locator(".win").first).not_to_contain_text("Bought in")
