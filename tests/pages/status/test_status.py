"""The status page: quiet when all is well, and every recalled round can be walked through."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Page, Route, expect

from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import BACK
from tests.pages.pictures.moments import MOMENTS, moment, status_view
from tests.pages.pictures.pit import (
    NINE_O_CLOCK_MS,
    Picture,
    PicturedTable,
    as_json,
    fullest,
    seven_seats,
)
from tests.support.forms import long_only, quick_first

ALARM = "rgb(229, 50, 45)"
HELD = "rgb(255, 122, 112)"


@cache
def replays(pit: PicturedTable, seq: int) -> dict[int, Picture]:
    """What can be replayed of a table at that record."""
    assert pit.state.seq == seq
    return pit.replays()


def show(service: PageServer, pit: PicturedTable, **also: object) -> None:
    service.show("/events/status", "status", pit.status_view() | also)
    for number, replayed in replays(pit, pit.state.seq).items():
        service.stage.documents[f"/api/v1/rounds/{number}"] = replayed


def at_status(open_tab: OpenTab, service: PageServer, pit: PicturedTable, **how: str) -> Page:
    show(service, pit)
    page = open_tab(f"{service.url}/", **how)
    expect(page.locator("#live")).to_have_text("Live")
    return page


@pytest.fixture(scope="module")
def evening() -> PicturedTable:
    """Twelve rounds are over and a thirteenth is in play."""
    return seven_seats().next().play_out().rounds(11).repeat().next().draw(18)


def used_colours(page: Page) -> set[str]:
    """Every colour of text and borders on the page."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('body *:not(svg, svg *)')].filter(e => e.checkVisibility())"
        ".flatMap(e => [getComputedStyle(e).color, getComputedStyle(e).borderInlineStartColor])"
    )
    return set(found)


def test_it_says_what_is_waited_for_and_who_must_act(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    picture = evening.status_view()
    page = at_status(open_tab, service, evening)
    expect(page.locator("#waiting-for")).to_have_text(picture["waiting_for"])
    expect(page.locator("#who")).to_have_text(picture["who"])
    expect(page.get_by_text("Who deals")).to_be_hidden()  # nobody has said
    expect(page.locator("#played")).to_have_text("12")
    expect(page.locator("#shoe")).to_contain_text(f"{picture['shoe']['gone']} of 324 gone")


def test_it_says_who_deals(open_tab: OpenTab, service: PageServer, evening: PicturedTable) -> None:
    page = at_status(open_tab, service, evening)
    show(service, evening, deals="Aino Virtanen")
    expect(page.get_by_text("Who deals")).to_be_visible()
    expect(page.locator("#deals")).to_have_text("Aino Virtanen")


def test_it_is_quiet_when_all_is_well_and_has_one_colour_for_trouble(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    page = at_status(open_tab, service, evening)
    assert not {ALARM, HELD} & used_colours(page)
    show(service, fullest().unplug())
    expect(page.locator("#waiting-for")).to_contain_text("Recount")
    assert {ALARM, HELD} <= used_colours(page)
    expect(page.locator('#devices [data-up="false"]')).to_contain_text("stopped by itself")


def test_the_time_since_ticks(open_tab: OpenTab, service: PageServer) -> None:
    pit = fullest()
    show(service, pit)
    page = open_tab("about:blank")
    shown_ms = pit.state.clock.since_ms + 65_000
    service.stage.ahead_ms += shown_ms - service.stage.now_ms
    page.clock.install(time=shown_ms / 1000)
    page.goto(f"{service.url}/")
    expect(page.locator("#since")).to_have_text(re.compile(r"1 min 0\d s"))
    page.clock.fast_forward(60_000)
    expect(page.locator("#since")).to_have_text(re.compile(r"2 min 0\d s"))


#: The clock of a browser that was never set right.
A_DAY_MS = 86_400_000


@pytest.mark.parametrize("ahead_ms", quick_first([A_DAY_MS, -A_DAY_MS], [A_DAY_MS]))
def test_how_long_is_by_the_tables_clock(
    open_tab: OpenTab, service: PageServer, ahead_ms: int
) -> None:
    """What waits for an hour is not shown as new, nor as old, for the browser's own clock."""
    service.stage.ahead_ms = ahead_ms
    pit = fullest().unplug()
    since_ms = service.stage.now_ms - 3_600_000
    alarms = [each | {"since_ms": since_ms} for each in pit.status_view()["alarms"]]
    assert alarms
    show(service, pit, since_ms=since_ms, alarms=alarms)
    page = open_tab(f"{service.url}/")
    expect(page.locator("#since")).to_have_text(re.compile("^1 h 0"))
    expect(page.locator("#alarms .since").first).to_have_text(re.compile("^1 h 0"))
    # Within an alert the seconds would be read out one by one.
    expect(page.locator("#alarms .since").first).to_have_role("timer")


def test_a_lock_out_that_is_over_is_no_trouble_any_more(
    open_tab: OpenTab, service: PageServer
) -> None:
    now_ms = service.stage.now_ms
    noted = {"who": "Aino", "wrong": 5, "at_ms": now_ms, "locked_until_ms": now_ms + 3_600_000}
    show(service, fullest(), wrong_pins=[noted])
    page = open_tab("about:blank")
    page.clock.install()
    page.goto(f"{service.url}/")
    line = page.locator("#pins li")
    expect(line).to_have_attribute("data-up", "false")
    page.clock.fast_forward(3_700_000)
    expect(line).to_have_attribute("data-up", "true")
    expect(line).to_contain_text("locked until")


@pytest.mark.long
def test_times_are_the_viewers(open_tab: OpenTab, service: PageServer) -> None:
    pit = PicturedTable(started_ms=NINE_O_CLOCK_MS)
    shown = []
    for zone in ("Europe/Helsinki", "America/New_York"):
        page = at_status(open_tab, service, pit, zone=zone)
        shown.append(page.locator("#since-at").inner_text())
    assert shown == ["at 11:53:21", "at 04:53:21"]


@pytest.mark.long
def test_the_last_ten_rounds_and_the_one_in_play_are_listed(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    page = at_status(open_tab, service, evening)
    rows = page.locator("#rounds tbody tr[data-round]")
    expect(rows).to_have_count(11)
    expect(rows.first).to_contain_text("in play")
    expect(rows.nth(1).locator("th")).to_have_text("12")


def test_a_round_is_replayed_step_by_step(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    replayed = evening.replays()[11]
    page = at_status(open_tab, service, evening)
    page.get_by_role("button", name="Replay round 11").click()
    panel = page.get_by_role("region", name="Replay of a round")
    for number, step in enumerate(replayed["steps"], start=1):
        expect(panel.get_by_role("status")).to_have_text(
            f"Step {number} of {len(replayed['steps'])}"
        )
        expect(panel.locator("h4")).to_have_text(step["text"])
        lying = step["dealer"]["cards"] + [each for hand in step["hands"] for each in hand["cards"]]
        expect(panel.get_by_role("img")).to_have_count(len(lying))
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(panel.get_by_role("status")).to_have_text(re.compile("^Step 1 of"))
    expect(panel.get_by_role("button", name="Back")).to_be_disabled()
    panel.get_by_role("button", name="On").click()
    expect(panel.get_by_role("status")).to_have_text(re.compile("^Step 2 of"))
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Replay round 11")).to_be_focused()


def test_a_round_that_is_gone_says_so(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable, complaint: object
) -> None:
    assert callable(complaint)
    page = at_status(open_tab, service, evening)
    del service.stage.documents["/api/v1/rounds/5"]
    page.get_by_role("button", name="Replay round 5").click()
    expect(page.locator("#replay")).to_contain_text("Only the last ten rounds can be replayed")
    complaint("404")


def test_an_unused_table_says_what_will_be_here(open_tab: OpenTab, service: PageServer) -> None:
    page = at_status(open_tab, service, PicturedTable())
    expect(page.locator("#rounds")).to_contain_text("No round has been played yet")
    expect(page.locator("#felt")).to_contain_text("No bets and no cards")
    expect(page.locator("#pace")).to_have_text("\N{EN DASH}")


def test_a_simulated_table_is_marked(open_tab: OpenTab, service: PageServer) -> None:
    page = at_status(open_tab, service, fullest())
    expect(page.locator("#simulated")).to_be_hidden()
    show(service, fullest(), simulated=True)
    expect(page.locator("#simulated")).to_be_visible()


@pytest.mark.long
def test_a_lost_line_says_from_when_the_page_is(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    page = at_status(open_tab, service, evening)
    service.cut_streams()
    expect(page.locator("#live")).to_have_text(re.compile(r"Not live: as it was at \d\d:\d\d:\d\d"))
    expect(page.locator("#live")).to_have_text("Live")


@pytest.mark.long
def test_it_can_be_read_and_fits_a_tablet(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    pictures: list[PicturedTable] = [evening, fullest().unplug(), PicturedTable()]
    page = at_status(open_tab, service, evening)
    for pit in pictures:
        show(service, pit)
        expected: Picture = pit.status_view()
        expect(page.locator("#waiting-for")).to_have_text(expected["waiting_for"])
        for width, height in ((1280, 720), (768, 1024)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert unreadable(page) == []


def show_moment(service: PageServer, name: str) -> None:
    state = moment(name).state
    service.show("/events/status", "status", status_view(moment(name)))
    for each in public(state).rounds:
        past = find_round(state, each.number)
        assert past
        service.stage.documents[f"/api/v1/rounds/{each.number}"] = as_json(replay(past))


@pytest.mark.long
def test_every_game_fits_the_page_and_can_be_read(open_tab: OpenTab, service: PageServer) -> None:
    show_moment(service, next(iter(MOMENTS)))
    page = open_tab(f"{service.url}/")
    for name in MOMENTS:
        show_moment(service, name)
        title = moment(name).state.game.title
        expect(page.locator("#game")).to_contain_text(title)
        expect(page.locator("#waiting-for")).to_have_text(moment(name).display.headline)
        for width, height in ((1280, 720), (768, 1024)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert unreadable(page) == [], name


@pytest.mark.long
def test_the_felt_tells_split_hands_side_bets_and_the_operator(
    open_tab: OpenTab, service: PageServer
) -> None:
    show_moment(service, "fourteen_insured")
    page = open_tab(f"{service.url}/")
    felt = page.locator("#felt")
    expect(felt.locator("thead")).to_contain_text("Box")
    heads = felt.locator("tbody th")
    expect(heads.nth(0)).to_have_text("Operator")
    expect(heads.nth(1)).to_have_text("1, side bet")
    expect(heads.nth(3)).to_have_text("1, hand 2")


@pytest.mark.long
def test_the_pot_who_deals_and_who_won_are_listed(open_tab: OpenTab, service: PageServer) -> None:
    show_moment(service, "from_the_pot")
    page = open_tab(f"{service.url}/")
    expect(page.locator("#felt .pot-sum")).to_have_text("430.00")
    expect(page.locator("#felt tbody th").last).to_have_text("7, deals")
    outcomes = page.locator("#rounds .outcomes")
    expect(outcomes.nth(1)).to_have_text("won +85.00")
    expect(outcomes.nth(3)).to_have_text("won +85.00")
    expect(page.locator("#rounds thead")).not_to_contain_text("net")


def test_several_hands_of_a_seat_are_told_apart(open_tab: OpenTab, service: PageServer) -> None:
    pit = MOMENTS["split_hands"]()
    pit.deal("Kc Jc")
    for codes in ("", "9c"):
        pit.deal(codes)
        while pit.display.keys[0].label == "Done":
            pit.press("next")
    service.show("/events/status", "status", status_view(pit))
    page = open_tab(f"{service.url}/")
    cell = page.locator("#rounds .outcomes").first
    expect(cell.locator("p")).to_have_count(2)


@pytest.mark.parametrize(("name", "turned"), [("hidden_card", False), long_only("insured", True)])
def test_a_replay_shows_backs_until_they_are_turned(
    open_tab: OpenTab, service: PageServer, name: str, turned: bool
) -> None:
    show_moment(service, name)
    page = open_tab(f"{service.url}/")
    page.get_by_role("button", name="Replay round 1").click()
    panel = page.get_by_role("region", name="Replay of a round")
    expect(panel.locator("tbody th").first).to_have_text("Operator")
    page.keyboard.press("End")
    backs = panel.get_by_role("img", name=BACK)
    expect(backs).to_have_count(0 if turned else 1)
    while panel.get_by_role("button", name="Back").is_enabled():
        if re.search("face down", panel.locator("h4").inner_text()):
            break
        page.keyboard.press("ArrowLeft")
    expect(backs).to_have_count(1)


def test_wrong_pins_and_a_lock_out_are_said(open_tab: OpenTab, service: PageServer) -> None:
    pit = PicturedTable().opened()
    locked = {
        "who": "Eino",
        "wrong": 5,
        "at_ms": pit.now_ms,
        "locked_until_ms": pit.now_ms + 60_000,
    }
    unknown = {"who": "", "wrong": 1, "at_ms": pit.now_ms, "locked_until_ms": None}
    show(service, pit)
    page = open_tab(f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    expect(page.locator("#pins-panel")).to_be_hidden()
    show(service, pit, wrong_pins=[locked, unknown])
    shown = page.locator("#pins li")
    expect(shown).to_have_count(2)
    expect(shown.first).to_contain_text("Eino5 wrong PINs, locked until ")
    expect(shown.last).to_contain_text("Unknown names1 wrong PIN, last at ")
    assert unreadable(page) == []


def test_which_directory_of_people_is_in_force_and_how_late_it_may_be(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = PicturedTable().opened()
    page = at_status(open_tab, service, pit)
    expect(page.locator("#directory-panel")).to_be_hidden()
    there = {
        "serial": 12, "issued_ms": pit.now_ms, "good_until_ms": 4_000_000_000_000, "people": 1,
        "by": "6f0c2a1b", "away_since_ms": None, "by_file": False,
    }  # fmt: skip
    delay, row = page.locator("#directory-delay"), page.locator("#directory li")
    show(service, pit, directory=there)
    expect(row).to_contain_text("Directory 12")
    expect(row).to_contain_text("1 person, signed by the key 6f0c2a1b")
    expect(row).to_have_attribute("data-up", "true")
    expect(delay).to_contain_text("out here within seconds")
    show(service, pit, directory=there | {"away_since_ms": pit.now_ms})
    expect(row).to_have_attribute("data-up", "false")
    expect(delay).to_contain_text("Not heard from the pit since ")
    expect(delay).to_contain_text("can act here until the line is back")
    show(service, pit, directory=there | {"by_file": True})
    expect(delay).to_contain_text("It is brought as a file")
    show(service, pit, directory=there | {"good_until_ms": 1_000})
    expect(row).to_have_attribute("data-up", "false")
    assert unreadable(page) == []


def test_of_two_rounds_the_one_that_was_asked_for_last_is_replayed(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    page = at_status(open_tab, service, evening)
    slow: list[Route] = []

    def keep(route: Route) -> None:
        slow.append(route)

    page.route("**/api/v1/rounds/11", keep)
    page.get_by_role("button", name="Replay round 11").click()
    page.get_by_role("button", name="Replay round 12").click()
    title = page.get_by_role("region", name="Replay of a round").locator("h3")
    expect(title).to_contain_text("Round 12")
    with page.expect_response("**/api/v1/rounds/11") as late:
        slow[0].fulfill(json=evening.replays()[11])
    late.value.finished()
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(title).to_contain_text("Round 12")
    page.unroute("**/api/v1/rounds/11")


def test_whoever_uses_the_keyboard_stays_where_they_are_while_the_table_plays(
    open_tab: OpenTab, service: PageServer, evening: PicturedTable
) -> None:
    page = at_status(open_tab, service, evening)
    key = page.get_by_role("button", name="Replay round 12")
    key.focus()
    later = evening.status_view()
    later["rounds"][0] |= {"number": 14}
    show(service, evening, rounds=later["rounds"])
    expect(page.get_by_role("button", name="Replay round 14")).to_be_visible()
    expect(key).to_be_focused()
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="Replay of a round")
    expect(panel).to_be_focused()
    later["rounds"][0] |= {"number": 15}
    show(service, evening, rounds=later["rounds"])
    expect(page.get_by_role("button", name="Replay round 15")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(key).to_be_focused()
