"""Passkeys in a browser with an authenticator of its own: added, used once an answer, removed."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Request, expect
from sqlalchemy import update

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.factors.passkeys import Passkeys
from controller.pit.accounts.schema import USERS
from controller.pit.wall.settings import WallSettings
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.authenticator import authenticator
from tests.pages.pit_pages.pit_server import PitServer
from tests.pit.accounts.known import HERE
from tests.support.patience import PATIENCE_S


def test_a_passkey_is_added_signs_in_once_an_answer_and_is_removed(open_tab: OpenTab) -> None:
    page = open_tab("about:blank")
    with PitServer(WallSettings()) as pit, authenticator(page):
        answers: list[str] = []

        def hear(request: Request) -> None:
            if request.url.endswith("/sign-in/passkey"):
                answers.append(request.post_data or "")

        page.on("request", hear)
        by_name = pit.url.replace("127.0.0.1", "localhost")
        pit.sign_in(page, "localhost")
        page.goto(f"{by_name}/sessions")
        page.get_by_role("button", name="Add a passkey").click()
        remove = page.get_by_role("button", name="Remove the passkey")
        expect(remove).to_have_count(1)
        page.get_by_role("button", name="Sign out").click()
        page.goto(f"{by_name}/sessions")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.wait_for_url(f"{by_name}/sessions")
        made = {each.how for each in pit.known.accounts.listed_sessions(pit.user)}
        assert "passkey" in made
        # What was answered once is worth nothing, here or at another pit.
        passkeys = Passkeys(pit.known.accounts)
        _, secret = passkeys.begin_sign_in(by_name)
        for tried in (secret, secret, "none", "", "a.b.c.d", _other(secret)):
            with pytest.raises(SignInRefused):
                passkeys.sign_in(by_name, tried, answers[0], HERE)
        remove.click()
        expect(remove).to_have_count(0)
        assert passkeys.listed(pit.user) == []


def test_whoever_has_no_password_proves_who_is_there_by_a_passkey_and_goes_on(
    open_tab: OpenTab,
) -> None:
    page = open_tab("about:blank")
    with PitServer(WallSettings()) as pit, authenticator(page):
        by_name = pit.url.replace("127.0.0.1", "localhost")
        pit.sign_in(page, "localhost")
        page.goto(f"{by_name}/sessions")
        page.get_by_role("button", name="Add a passkey").click()
        expect(page.get_by_role("button", name="Remove the passkey")).to_have_count(1)
        with pit.known.engine.begin() as connection:
            connection.execute(update(USERS).values(password=None))
        page.goto(f"{by_name}/prove?next=/sessions")
        expect(page.get_by_text("your passkey says who is there")).to_be_visible()
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(f"{by_name}/sessions")


def test_an_answer_that_was_heard_works_no_second_time(open_tab: OpenTab) -> None:
    """The same answer with the same cookie, while its challenge lasts."""
    page = open_tab("about:blank")
    with PitServer(WallSettings()) as pit, authenticator(page):
        answers: list[str] = []

        def hear(request: Request) -> None:
            if request.url.endswith("/sign-in/passkey"):
                answers.append(request.post_data or "")

        page.on("request", hear)
        by_name = pit.url.replace("127.0.0.1", "localhost")
        pit.sign_in(page, "localhost")
        page.goto(f"{by_name}/sessions")
        page.get_by_role("button", name="Add a passkey").click()
        expect(page.get_by_role("button", name="Remove the passkey")).to_have_count(1)
        page.get_by_role("button", name="Sign out").click()
        page.goto(f"{by_name}/sessions")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.wait_for_url(f"{by_name}/sessions")
        cookies = {each["name"]: each["value"] for each in page.context.cookies(by_name)}
        again = httpx.post(
            f"{by_name}/sign-in/passkey", content=answers[0], timeout=PATIENCE_S,
            headers={
                "Origin": by_name, "Content-Type": "application/json",
                "Cookie": f"pit-passkey={cookies['pit-passkey']}",
            },
        )  # fmt: skip
        assert again.status_code == 403
        hows = [each.how for each in pit.known.accounts.listed_sessions(pit.user)]
        assert hows.count("passkey") == 1


def _other(secret: str) -> str:
    """The same with another signature."""
    return secret[:-1] + ("0" if secret[-1] != "0" else "1")
