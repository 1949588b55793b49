"""What happened, in a browser: replay, list of rounds and logbook say what the record says."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from controller.record.reading.shift import shift_sheet
from controller.table import inputs as i
from controller.table.irregularities.holds import Resolution
from controller.table.views.logbook import line
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import as_json
from tests.support.dealt.journals import QuickPit, write_journal
from tests.support.forms import long_only, quick_first
from tests.support.pit import setup

TOKEN = "the-token"
PHONE = (390, 844)
SIZES = ((800, 480), (1280, 800), PHONE, (844, 390))


@pytest.fixture(scope="module")
def troubled() -> QuickPit:
    """Round 1 with a card entered by hand and refusals, round 2 void, round 3 without trouble."""
    pit = QuickPit(setup(3, "21-24-27"))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c")
    pit.doubt()
    hold = pit.state.holds[0].number
    pit.wait(40)
    pit.enter(i.Resolve(hold, Resolution.ENTER_CARD, "9d", "torn corner"))
    for _ in range(3):
        pit.give(i.PlaceWager(2, 1_000))
    pit.deal("7s")
    pit.press("stand")
    pit.deal("9s")
    pit.settle_all()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh")
    pit.press("call")
    pit.resolve(Resolution.VOID)
    pit.give_back()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c 9d 7s")
    pit.press("stand")
    pit.deal("9s")
    pit.settle_all()
    return pit


def at_status(open_tab: OpenTab, service: PageServer, pit: QuickPit) -> Page:
    state = pit.state
    service.show(
        "/events/status", "status", as_json(public(state)) | {"simulated": False, "notice": []}
    )
    for each in public(state).rounds:
        found = find_round(state, each.number)
        assert found is not None
        service.stage.documents[f"/api/v1/rounds/{each.number}"] = as_json(replay(found))
    page = open_tab(f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    return page


def test_rounds_wear_badges_and_are_filtered_by_them(
    open_tab: OpenTab, service: PageServer, troubled: QuickPit
) -> None:
    page = at_status(open_tab, service, troubled)
    rows = page.locator("#rounds tr[data-round]")
    expect(rows).to_have_count(3)
    noticed = page.locator("#rounds tr.noticed")
    expect(noticed).to_have_count(2)
    expect(noticed.last).to_contain_text("By hand")
    expect(noticed.last).to_contain_text("Refused 3")
    page.get_by_role("button", name="By hand").click()
    expect(rows).to_have_count(1)
    expect(rows.locator("th")).to_have_text("1")
    page.get_by_role("button", name="Void").click()
    expect(page.locator("#rounds")).to_contain_text("No such round")
    page.get_by_role("button", name="By hand").click()
    expect(rows.locator("th")).to_have_text("2")
    assert unreadable(page) == []


def test_the_replay_says_what_the_record_says(
    open_tab: OpenTab, service: PageServer, troubled: QuickPit
) -> None:
    page = at_status(open_tab, service, troubled)
    for number in (1, 2):
        page.get_by_role("button", name=f"Replay round {number}").click()
        expect(page.locator("#replay h3")).to_contain_text(f"Round {number}")
        past = find_round(troubled.state, number)
        assert past is not None
        said = [line(each, troubled.state.words).text for each in past.log]
        assert said
        assert page.locator("#replay .logged > p").all_inner_texts() == said
    assert unreadable(page) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "size", quick_first([(800, 480), (1280, 800), (1920, 1080), (390, 844)], [PHONE])
)
def test_nothing_of_it_is_cut_off(
    open_tab: OpenTab,
    service: PageServer,
    troubled: QuickPit,
    size: tuple[int, int],
) -> None:
    page = at_status(open_tab, service, troubled)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.get_by_role("button", name="Replay round 1").click()
    expect(page.locator("#replay h3")).to_contain_text("Round 1")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} px wider than the window"
    cut = page.evaluate(
        "[...document.querySelectorAll('.logged p, .badge')].filter(e => e.checkVisibility()"
        " && e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.textContent)"
    )
    assert cut == []


LOGBOOK = "**/api/v1/record/logbook*"


def at_logbook(
    open_tab: OpenTab, service: PageServer, pit: QuickPit, size: tuple[int, int]
) -> tuple[Page, list[dict[str, Any]]]:
    """The page as it opens, and the entries of a round that it is answered, the newest first."""
    past = find_round(pit.state, 1)
    assert past is not None
    lines = [as_json(line(each, pit.state.words)) for each in reversed(past.log)]
    documents = service.stage.documents
    documents["/api/v1/record/logbook"] = {"lines": lines, "more": True, "problem": ""}
    documents["/api/v1/table"] = as_json(public(pit.state)) | {"simulated": False}
    page = open_tab(f"{service.url}/logbook")
    expect(page.locator("#said")).to_contain_text("To read the record, open this page")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with page.expect_request(LOGBOOK) as asked:
        page.goto(f"{service.url}/logbook?again#token={TOKEN}")
    assert asked.value.url.endswith("/logbook?")
    assert asked.value.headers["authorization"] == f"Bearer {TOKEN}"
    return page, lines


@pytest.mark.parametrize("size", quick_first(SIZES, [PHONE]))
def test_the_logbook_opens_with_the_newest_entries_and_goes_on_to_older_ones(
    open_tab: OpenTab, service: PageServer, troubled: QuickPit, size: tuple[int, int]
) -> None:
    page, lines = at_logbook(open_tab, service, troubled, size)
    texts = [each["text"] for each in lines]
    shown = page.locator("#found td.said")
    expect(shown).to_have_text(texts)
    expect(shown.first).to_be_in_viewport()
    expect(page.locator("#said")).to_contain_text("newest first; there are older ones")
    service.stage.documents["/api/v1/record/logbook"] = {
        "lines": [lines[0] | {"text": "An older one."}], "more": False, "problem": "",
    }  # fmt: skip
    with page.expect_request(LOGBOOK) as asked:
        page.get_by_role("button", name="Older entries").click()
    assert asked.value.url.endswith(f"&before={lines[-1]['seq']}")
    expect(shown).to_have_text([*texts, "An older one."])
    expect(page.locator("#said")).to_have_text(f"{len(texts) + 1} entries, the newest first")
    expect(page.get_by_role("button", name="Older entries")).to_be_hidden()
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    ("address", "asks"),
    [
        ("round=1&record={seq}", "/logbook?round=1"),
        long_only("record={seq}", "/logbook?&before={after}"),
    ],
)
def test_an_address_leads_to_a_record_that_stands_out(
    open_tab: OpenTab, service: PageServer, troubled: QuickPit, address: str, asks: str
) -> None:
    page, lines = at_logbook(open_tab, service, troubled, (1280, 800))
    seq = lines[-2]["seq"]
    with page.expect_request(LOGBOOK) as asked:
        page.goto(f"{service.url}/logbook?{address.format(seq=seq)}#token={TOKEN}")
    assert asked.value.url.endswith(asks.format(after=seq + 10))
    wanted = page.locator("#found tr[aria-current]")
    expect(wanted).to_have_attribute("data-record", str(seq))
    expect(wanted).to_be_in_viewport()
    assert unreadable(page) == []


def test_a_record_further_back_in_its_round_is_looked_for(
    open_tab: OpenTab, service: PageServer, troubled: QuickPit
) -> None:
    page, _ = at_logbook(open_tab, service, troubled, (1280, 800))
    with page.expect_request(lambda request: "before=" in request.url):
        page.goto(f"{service.url}/logbook?round=1&record=1#token={TOKEN}")
    expect(page.locator("#found tr[aria-current]")).to_have_count(0)


@pytest.mark.parametrize("size", quick_first(SIZES, [PHONE]))
def test_the_logbook_is_filtered(
    open_tab: OpenTab, service: PageServer, troubled: QuickPit, size: tuple[int, int]
) -> None:
    """The filters stand beside the list where there is room, else one touch away."""
    page, _ = at_logbook(open_tab, service, troubled, size)
    beside = size[0] >= 1280
    expect(page.get_by_role("button", name="Show")).to_be_visible(visible=beside)
    if not beside:
        page.get_by_text("Filters", exact=True).click()
    page.get_by_label("From", exact=True).fill("14:02")
    page.get_by_label("By hand").check()
    with page.expect_request(LOGBOOK) as asked:
        page.get_by_role("button", name="Show").click()
    assert "since=14%3A02" in asked.value.url
    assert "with=entry" in asked.value.url
    assert "before=" not in asked.value.url
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("size", quick_first(SIZES, [PHONE]))
def test_the_sheet_of_a_shift_is_shown_and_printed(
    open_tab: OpenTab,
    service: PageServer,
    troubled: QuickPit,
    size: tuple[int, int],
    tmp_path: Path,
) -> None:
    write_journal(tmp_path / "record", troubled.records)
    sheet = as_json(shift_sheet(tmp_path / "record"))
    service.stage.documents["/api/v1/record/shift"] = sheet
    page = open_tab(f"{service.url}/shift#token={TOKEN}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.get_by_role("heading", name="Shift sheet of")).to_be_visible()
    rows = page.locator("#lines tr")
    expect(rows).to_have_count(len(sheet["lines"]))
    shown = [tuple(row.locator("th, td").all_inner_texts()) for row in rows.all()]
    assert shown == [tuple(each) for each in sheet["lines"]]
    page.get_by_label("From", exact=True).fill("18:00")
    with page.expect_request("**/api/v1/record/shift*") as asked:
        page.get_by_role("button", name="Show").click()
    assert "since=18%3A00" in asked.value.url
    assert asked.value.headers["authorization"] == f"Bearer {TOKEN}"
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.emulate_media(media="print")
    expect(page.get_by_text("Dealer", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.locator("#lines")).to_be_visible()


#: A desk's screen, and A4 on its side.
@pytest.mark.parametrize(
    ("size", "media"),
    [
        ((1280, 720), "screen"),
        ((1123, 794), "print"),
        long_only((1123, 794), "screen"),
        long_only((1280, 720), "print"),
    ],
)
def test_the_sheet_of_a_shift_has_the_room_that_there_is(
    open_tab: OpenTab,
    service: PageServer,
    troubled: QuickPit,
    media: Literal["screen", "print"],
    size: tuple[int, int],
    tmp_path: Path,
) -> None:
    """It lay in the narrow column of the form, a letter a line."""
    write_journal(tmp_path / "record", troubled.records)
    service.stage.documents["/api/v1/record/shift"] = as_json(shift_sheet(tmp_path / "record"))
    page = open_tab(f"{service.url}/shift#token={TOKEN}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.locator("#sheet")).to_be_visible()
    page.emulate_media(media=media)
    sheet = page.locator("#sheet").bounding_box()
    assert sheet is not None
    taken = 0.65 if media == "screen" else 0.95
    assert sheet["width"] > taken * size[0]
