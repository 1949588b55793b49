"""Signing in by the house's provider in a browser, from another site and back; and out of it."""

from __future__ import annotations

import base64
import ssl
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from controller.pit.accounts.factors.one_time import code_at
from controller.pit.sign_in.oidc.fetch import Fetch
from controller.pit.sign_in.oidc.provider import Provider
from controller.pit.sign_in.oidc.settings import OidcSection
from controller.pit.wall.settings import WallSettings
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer, now_ms
from tests.pit.sign_in.oidc.provider_server import CLIENT, SECRET, ProviderServer, served
from tests.support.forms import long_only

ROLES: dict[str, tuple[str, ...]] = {"floor": ("floor",), "engineers": ("engineer",)}


def signs_in(page: Page, asked: str, ends_at: str) -> None:
    page.goto(asked)
    page.get_by_role("link", name="Sign in with Casino Helsinki").click()
    page.get_by_role("button", name="I am Aino").click()
    page.wait_for_url(ends_at)


@pytest.mark.parametrize("width", [390, long_only(1280), long_only(3840)])
def test_the_button_stands_above_the_form_at_every_size(
    open_tab: OpenTab, complaint: Callable[[str], None], width: int
) -> None:
    page = open_tab("about:blank")
    page.set_viewport_size({"width": width, "height": 900 if width < 3840 else 2160})
    section = OidcSection("Casino Helsinki", "http://127.0.0.1:1", CLIENT, roles=ROLES)
    provider = Provider(section, "", Fetch(ssl.create_default_context()), lambda: 0)
    with PitServer(WallSettings(), provider=provider) as pit:
        page.goto(f"{pit.url}/sign-in?next=/users")
        button = page.get_by_role("link", name="Sign in with Casino Helsinki")
        expect(button).to_be_in_viewport()
        place, field = button.bounding_box(), page.get_by_label("Name").bounding_box()
        assert place is not None
        assert field is not None
        assert place["y"] + place["height"] <= field["y"]
        assert place["height"] >= 44, "a finger finds it"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # The provider is away: the same page says so, and the pit's own people go on.
        button.click()
        expect(page.get_by_role("alert")).to_contain_text("does not answer as it should")
        page.get_by_label("Name").fill("Aino")
        expect(button).to_be_visible()
        complaint("503")


def test_somebody_signs_in_by_the_provider_and_out_of_it(open_tab: OpenTab) -> None:
    page = open_tab("about:blank")
    said: list[str] = []
    page.on("console", lambda each: said.append(each.text))
    with served(ProviderServer("")) as there:
        section = OidcSection("Casino Helsinki", there.issuer, CLIENT, roles=ROLES)
        provider = Provider(
            section, SECRET, Fetch(ssl.create_default_context(), 60), lambda: int(time.time())
        )
        there.claims["sub"] = "a-9"
        with PitServer(WallSettings(), provider=provider) as pit:
            # By another name than the provider's: to the browser these are two sites.
            here = pit.url.replace("127.0.0.1", "localhost")
            there.back = f"{here}/sign-in/provider/back"
            signs_in(page, f"{here}/alerts", f"{here}/alerts")
            page.goto(f"{here}/sessions")
            by = page.locator('td[data-name="By"]')
            expect(by).to_have_text("Casino Helsinki")
            expect(page.get_by_role("button", name="Set another password")).to_have_count(0)
            browsers = {each["name"] for each in page.context.cookies(here)}
            assert browsers == {"pit-session", "pit-browser"}
            page.get_by_role("button", name="Sign out").click()
            page.get_by_role("link", name="sign out there too").click()
            page.wait_for_url(f"{there.issuer}/out?*")
            expect(page.get_by_text(f"{here}/sign-in", exact=True)).to_be_visible()
            # An engineer sets up an app besides; the browser is the one that is known.
            there.claims["groups"] = ["engineers"]
            signs_in(page, f"{here}/users", f"{here}/sign-in/second?next=/users")
            page.get_by_text("Type it in its place").click()
            typed = page.locator("details code").inner_text().replace(" ", "")
            code = code_at(base64.b32decode(typed), now_ms())
            page.get_by_label("Code", exact=True).fill(code)
            page.get_by_role("button", name="Go on").click()
            page.get_by_role("link", name="I have them").click()
            page.wait_for_url(f"{here}/users")
            expect(page.get_by_role("cell", name="none: Casino Helsinki")).to_be_visible()
            assert [each for each in said if "Content Security Policy" in each] == []
            known = [each.how for each in pit.known.accounts.listed_sessions()]
            assert known[0] == "Casino Helsinki and app"
