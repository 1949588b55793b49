"""What somebody is told who cannot go on as they are, or has changed somebody."""

from __future__ import annotations

import re
from html import unescape

import pytest
from fastapi import FastAPI

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import HERE, KnownAccounts
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


async def test_people_are_told_what_was_done_with_their_account(
    known: KnownAccounts, app: FastAPI
) -> None:
    """Whoever changes it may be somebody else, and the pit sends no mail."""
    engineer = known.add("Aino", PitRole.ENGINEER)
    eino, other = known.add("Eino", PitRole.FLOOR), known.add("Bo", PitRole.FLOOR)
    by_engineer = Browser(app, known.enters(engineer).session)
    for each in (eino, other):
        done = await by_engineer.post("/users/roles", user=str(each), role="cage")
        assert done.status_code == 303
    with pytest.raises(SignInRefused):
        known.sign_in("Eino", "otters quietly juggle")
    await by_engineer.post("/users/link", user=str(eino), purpose="set-up")
    page = unescape((await Browser(app, known.enters(eino).session).get("/sessions")).text)
    told = page.partition("What was done with your account")[2].partition("<h2>")[0]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", each)[1:] for each in told.split("<tr>")[2:]]
    assert ["Aino", "made a link to set a password", "Eino", ""] in rows
    assert ["Aino", "set roles", "Eino: cage", ""] in rows, "by whom, and from where is theirs"
    assert ["nobody", "sign in refused", HERE.address] in [
        [who, did, address] for who, did, _, address in rows
    ]
    assert "Bo" not in told
    known.clock.now_ms += 91 * 86_400_000
    later = (await Browser(app, known.sign_in("Bo").session).get("/sessions")).text
    assert "Nothing, in the last ninety days" in later


async def test_whoever_sets_a_password_reads_what_is_kept_of_them(
    known: KnownAccounts, app: FastAPI
) -> None:
    _, code = known.people.add("Eino", frozenset({PitRole.FLOOR}))
    page = unescape((await Browser(app).get(f"/set-up/{code}")).text)
    for kept in ("name and roles", "which browser", "which address", "an audit", "erases"):
        assert kept in page.partition("What the pit keeps of you")[2], kept
