"""What somebody is told who cannot go on as they are, or has changed somebody."""

from __future__ import annotations

from html import unescape

import pytest
from fastapi import FastAPI

from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import PAGE, Browser

pytestmark = pytest.mark.anyio


async def test_whoever_has_no_password_is_not_asked_for_it(
    known: KnownAccounts, app: FastAPI
) -> None:
    """As whoever came by a link: after ten minutes nothing could be done any more, or said why."""
    user, _ = known.people.add("Aino", frozenset({PitRole.PIT_BOSS}))
    browser = Browser(app, known.enters(user.id).session)
    page = (await browser.get("/prove?next=/handover")).text
    assert "You have no password yet" in page
    assert "user link Aino" in page
    assert 'type="password"' not in page
    bo = Browser(app, known.enters(known.add("Bo", PitRole.PIT_BOSS)).session)
    page = (await bo.get("/prove?next=/handover")).text
    assert "Password of Bo" in page
    assert "no password yet" not in page


async def test_what_was_done_with_a_user_is_said(known: KnownAccounts, app: FastAPI) -> None:
    engineer = Browser(app, known.enters(known.add("Aino", PitRole.ENGINEER)).session)
    number = known.add("<Eino>", PitRole.FLOOR)
    for act, told in (
        ("end-sessions", "<Eino> is signed out everywhere."),
        ("roles", "<Eino> has these roles from now on."),
        ("close", "the account is closed."),
        ("reopen", "<Eino> may sign in again."),
        ("close", "the account is closed."),
        ("erase", f"user {number} is who that was"),
    ):
        done = await engineer.post(f"/users/{act}", user=str(number), role="cage")
        assert done.status_code == 303
        page = (await engineer.get(done.headers["location"])).text
        status = unescape(page.partition('role="status">')[2].partition("</div>")[0])
        assert told in status, act
    for nothing in ("/users?done=close&user=99", "/users?done=magic&user=1", "/users?done=close"):
        page = (await engineer.get(nothing)).text
        assert 'role="status"></div>' in page
    for site, says in (("same-origin", True), ("cross-site", False), ("none", False)):
        fetched = {**PAGE, "Sec-Fetch-Site": site}
        page = (await engineer.get(f"/users?done=reopen&user={number}", fetched)).text
        assert ("may sign in again." in page) == says, site


async def test_a_session_that_ended_while_a_form_was_open_leads_back_to_it(
    known: KnownAccounts, app: FastAPI
) -> None:
    number = known.add("Aino", PitRole.PIT_BOSS, PitRole.ENGINEER)
    browser = Browser(app, known.enters(number).session)
    known.people.end_sessions(number)
    for path, page in (
        ("/handover", "/handover"), ("/tables/T1", "/tables/T1"),
        ("/tables/T1/settings", "/tables/T1"), ("/users/add", "/users"), ("/sign-out", "/"),
    ):  # fmt: skip
        answer = await browser.post(path, note="what was typed")
        assert answer.headers["location"] == f"/sign-in?next={page}&ended=1"
