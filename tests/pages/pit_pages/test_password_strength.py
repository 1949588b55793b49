"""How good a password is stands beside it while it is typed, in words and as a meter."""

from __future__ import annotations

from playwright.sync_api import expect

from controller.pit.accounts.codes import Purpose
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer
from tests.pages.pit_pages.test_wall import pit
from tests.pit.accounts.known import PASSWORD

__all__ = ["pit"]


def test_a_password_is_judged_while_it_is_typed(open_tab: OpenTab, pit: PitServer) -> None:
    page = open_tab("about:blank")
    page.goto(f"{pit.url}/set-up/{pit.known.people.link(pit.user, Purpose.SET_UP)}")
    field = page.get_by_label("Password", exact=True)
    meter = page.get_by_label("Strength of the password")
    expect(meter).to_be_hidden()
    field.fill("passwordpassword")
    expect(page.locator("#strength")).to_contain_text("Use three or four words")
    assert int(meter.evaluate("each => each.value")) < 3
    field.fill(PASSWORD)
    expect(page.locator("#strength")).to_have_text("Very good")
    assert int(meter.evaluate("each => each.value")) == 4
    field.fill("")
    expect(meter).to_be_hidden()


def test_whoever_types_a_password_may_look_at_it(open_tab: OpenTab, pit: PitServer) -> None:
    page = open_tab("about:blank")
    page.goto(f"{pit.url}/sign-in")
    field = page.get_by_label("Password", exact=True)
    button = page.get_by_role("button", name="Show what is typed")
    for pressed, kind in (("true", "text"), ("false", "password"), ("true", "text")):
        button.click()
        expect(button).to_have_attribute("aria-pressed", pressed)
        expect(field).to_have_attribute("type", kind)
    page.evaluate("document.forms[0].dispatchEvent(new SubmitEvent('submit'))")
    expect(field).to_have_attribute("type", "password")
