"""Light and dark, the sound of alarms and the service's log, as somebody at the page has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.fingers import fingers_on, middle
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.browser.sounds import LISTEN, tones
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import PicturedTable, fullest, seven_seats
from tests.pages.status.test_status import show
from tests.support.forms import quick_first

#: As Safari does it: a page may sound by a finger that is lifted, in that very moment, and by none
#: that comes.
STRICT = """
globalThis.mayBegin = () => ['pointerup', 'click', 'keydown'].includes(globalThis.event?.type);
globalThis.AudioContext = class extends EventTarget {
  state = mayBegin() ? 'running' : 'suspended';
  async resume() {
    if (mayBegin()) this.state = 'running';
    this.dispatchEvent(new Event('statechange'));
  }
};"""
DARK, LIGHT = "rgb(9, 12, 14)", "rgb(233, 238, 240)"


def ground(page: Page) -> str:
    """The colour of the page's ground."""
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.mark.parametrize("trouble", quick_first(["quiet", "held"], ["held"]))
@pytest.mark.parametrize("scheme", quick_first(["light", "dark"], ["light"]))
def test_the_status_page_can_be_read_in_light_and_dark(
    open_tab: OpenTab, service: PageServer, scheme: str, trouble: str
) -> None:
    pit = seven_seats().next().play_out().rounds(2).repeat().next().draw(18)
    show(
        service,
        fullest().unplug() if trouble == "held" else pit,
        notice=["Not taken over.", "line 3"],
    )
    page = open_tab(f"{service.url}/#token=t", scheme=scheme)
    expect(page.locator("#live")).to_have_text("Live")
    notice = page.locator("#notice")
    expect(notice.locator("summary")).to_have_text("Not taken over.")
    notice.locator("summary").click()
    expect(notice.locator("pre")).to_have_text("line 3")
    assert ground(page) == (LIGHT if scheme == "light" else DARK)
    assert not unreadable(page)


def test_light_or_dark_is_chosen_and_stays_chosen(open_tab: OpenTab, service: PageServer) -> None:
    show(service, fullest())
    page = open_tab(f"{service.url}/", scheme="dark")
    assert ground(page) == DARK
    page.get_by_label("Light or dark").select_option("Light")
    assert ground(page) == LIGHT
    page.reload()
    expect(page.locator("#live")).to_have_text("Live")
    assert ground(page) == LIGHT
    page.get_by_label("Light or dark").select_option("Auto")
    assert ground(page) == DARK
    page.emulate_media(color_scheme="light")
    page.wait_for_function(
        "wanted => getComputedStyle(document.body).backgroundColor === wanted", arg=LIGHT
    )


@pytest.mark.long
@pytest.mark.parametrize("path", quick_first(["/dealer", "/players"], ["/dealer"]))
def test_displays_in_a_dark_room_stay_dark(
    open_tab: OpenTab, service: PageServer, path: str
) -> None:
    service.show("/events/dealer", "scene", fullest().dealer_view())
    service.show("/events/players", "scene", fullest().players_view())
    page = open_tab(f"{service.url}{path}", scheme="light")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert not unreadable(page)


def calm() -> PicturedTable:
    """Nothing is wrong."""
    return seven_seats()


def test_an_alarm_sounds_once_and_only_where_somebody_switched_it_on(
    open_tab: OpenTab, service: PageServer
) -> None:
    show(service, calm())
    page = open_tab("about:blank")
    page.add_init_script(LISTEN)
    page.goto(f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    show(service, fullest().unplug())
    expect(page.locator("#alarms li")).not_to_have_count(0)
    assert tones(page) == []

    show(service, calm())
    expect(page.locator("#alarms li")).to_have_count(0)
    switch = page.locator("#preferences button")
    expect(switch).to_have_text("Sound: off")
    switch.click()
    expect(switch).to_have_text("Sound: on")
    heard = len(tones(page))
    troubled = fullest().unplug()
    show(service, troubled)
    page.wait_for_function("before => globalThis.tones.length === before + 2", arg=heard)
    assert [hz for _, hz in tones(page)[heard:]] == [880, 660]
    assert all(state == "running" for state, _ in tones(page))
    # The same alarm does not sound again with each view; at the next level it does.
    view = troubled.status_view()
    service.show("/events/status", "status", view | {"played": 3})
    further = [each | {"level": each["level"] + 1} for each in view["alarms"]]
    service.show("/events/status", "status", view | {"alarms": further})
    page.wait_for_function("before => globalThis.tones.length === before + 4", arg=heard)
    acknowledged = [each | {"heard": True, "level": 3} for each in view["alarms"]]
    service.show(
        "/events/status", "status", view | {"alarms": acknowledged, "why": "seen by the floor"}
    )
    expect(page.locator("#waiting-why")).to_have_text("seen by the floor")
    assert len(tones(page)) == heard + 4
    switch.click()
    expect(switch).to_have_text("Sound: off")


@pytest.mark.long
def test_a_page_that_nobody_touched_waits_for_a_touch(
    open_tab: OpenTab, service: PageServer
) -> None:
    show(service, calm())
    page = open_tab(f"{service.url}/")
    page.evaluate("localStorage.setItem('tablectl.sound', 'on')")
    page.reload()
    switch = page.locator("#preferences button")
    expect(switch).to_have_text("Sound: touch the page")
    page.locator("#table").click()
    expect(switch).to_have_text("Sound: on")


def test_the_log_is_downloaded_with_the_floors_pin(
    open_tab: OpenTab, service: PageServer, tmp_path: Path
) -> None:
    show(service, fullest(), roles=True)
    page = open_tab(f"{service.url}/#token=secret")
    page.get_by_role("button", name="Download the log").click()
    page.get_by_label("Name").fill("eino")
    page.get_by_label("PIN or badge").fill("4711")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == "tablectl.log"
    (sent,) = service.stage.sent
    assert sent.path == "/api/v1/log"
    assert sent.headers["authorization" if "authorization" in sent.headers else "Authorization"]
    assert sent.body == {"people": [{"name": "eino", "pin": "4711"}]}
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_without_the_token_nobody_is_offered_the_log(
    open_tab: OpenTab, service: PageServer
) -> None:
    show(service, fullest())
    page = open_tab(f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    expect(page.get_by_role("button", name="Download the log")).to_have_count(0)


def test_a_finger_lets_the_page_sound_again(open_tab: OpenTab, service: PageServer) -> None:
    """A browser takes a finger for somebody who is there when it is lifted, not when it comes."""
    show(service, seven_seats())
    page = open_tab(f"{service.url}/")
    page.evaluate("localStorage.setItem('tablectl.sound', 'on')")
    page.add_init_script(STRICT)
    page.reload()
    expect(page.get_by_role("button", name="Sound: touch the page")).to_be_visible()
    with fingers_on(page) as fingers:
        fingers.tap(middle(page.locator("#waiting-for")))
        expect(page.get_by_role("button", name="Sound: on")).to_be_visible()
