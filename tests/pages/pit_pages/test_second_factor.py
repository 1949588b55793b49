"""An app for codes, in a browser: set up, then asked for after the password; or a passkey."""

from __future__ import annotations

import base64

from playwright.sync_api import expect

from controller.pit.accounts.factors.one_time import STEP_S, code_at
from controller.pit.wall.settings import WallSettings
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.authenticator import authenticator
from tests.pages.pit_pages.pit_server import PitServer, now_ms
from tests.pit.accounts.known import PASSWORD


def test_an_app_is_set_up_and_asked_for_and_a_passkey_is_enough(open_tab: OpenTab) -> None:
    page = open_tab("about:blank")
    with PitServer(WallSettings()) as pit, authenticator(page):
        by_name = pit.url.replace("127.0.0.1", "localhost")
        pit.sign_in(page, "localhost")
        page.goto(f"{by_name}/sessions")
        page.get_by_role("button", name="Add a passkey").click()
        expect(page.get_by_role("button", name="Remove the passkey")).to_have_count(1)
        page.get_by_role("link", name="Set up an app").click()
        picture = page.get_by_role("img", name="A picture for the app")
        expect(picture).to_be_visible()
        assert int(picture.evaluate("each => each.naturalWidth")) > 100
        page.get_by_text("Type it in its place").click()
        secret = base64.b32decode(page.locator("details code").inner_text().replace(" ", ""))
        page.get_by_label("Code", exact=True).fill(code_at(secret, now_ms()))
        page.get_by_role("button", name="Go on").click()
        expect(page.locator(".codes li")).to_have_count(10)
        recovery = page.locator(".codes code").first.inner_text()
        page.get_by_role("link", name="I have them").click()
        expect(page.get_by_text("10 left")).to_be_visible()
        # The step after is early by a telephone's clock, and not the one that is used up.
        for typed in (recovery, code_at(secret, now_ms() + STEP_S * 1_000), ""):
            page.get_by_role("button", name="Sign out").click()
            page.goto(f"{by_name}/users")
            page.get_by_label("Name").fill("Aino")
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in", exact=True).click()
            expect(page.get_by_role("heading", name="Aino, one step more")).to_be_visible()
            if typed:
                page.get_by_label("Code that your app shows").fill(typed)
                page.get_by_role("button", name="Sign in", exact=True).click()
            else:
                page.get_by_role("button", name="Use a passkey").click()
            page.wait_for_url(f"{by_name}/users")
            expect(page.get_by_role("cell", name="app, passkey, 9 recovery codes")).to_be_visible()
        hows = [each.how for each in pit.known.accounts.listed_sessions(pit.user)]
        assert hows[0] == "passkey"
