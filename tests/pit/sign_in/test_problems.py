"""What a person sees in place of a problem: a page with a way on, never the JSON of machines."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from controller.pit.accounts.roles import PitRole
from controller.pit.sign_in.access import ACCESS
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio

JSON = {"Accept": "application/json"}
#: Addresses at which something is done, and that have no page: `/people/{table}` has one for all.
ACTS = [
    each.removeprefix("POST ").replace("{number:int}", "1").replace("{table}", "T1")
    for each in ACCESS
    if each.startswith("POST ")
    and f"GET {each.removeprefix('POST ')}" not in ACCESS
    and not each.startswith(("POST /api/", "POST /people/"))
]


def boss_in(app: FastAPI, known: KnownAccounts) -> Browser:
    number = known.add("Aino", PitRole.PIT_BOSS)
    return Browser(app, known.enters(number).session)


async def test_what_is_not_there_is_said_on_a_page_that_leads_on(
    app: FastAPI, known: KnownAccounts
) -> None:
    """Two people press the same key of an alert: for one of them it is over."""
    browser = boss_in(app, known)
    late = await browser.post("/alerts/answer", alert="7")
    gone = await browser.get("/nothing")
    for answer in (late, gone):
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")
        assert 'href="/"' in answer.text
        assert "Sign out" in answer.text
        assert "refresh" not in answer.text
    assert "There is no such alert, or it is over" in late.text
    again = await browser.get("/nothing", JSON)
    assert again.json() == {"detail": again.json()["detail"]}
    assert again.status_code == 404


async def test_a_form_that_is_none_is_said_on_a_page_too(
    app: FastAPI, known: KnownAccounts
) -> None:
    browser = boss_in(app, known)
    answer = await browser.post("/alerts/answer", alert="<b>seven")
    assert answer.status_code == 400
    assert "alert is no number of a form of ours" in answer.text
    assert "Sign out" in answer.text
    elsewhere = await browser.post("/alerts/answer", {"Origin": "https://evil.example"}, alert="7")
    assert elsewhere.status_code == 403
    assert "This page may not write" in elsewhere.text
    assert elsewhere.headers["content-type"].startswith("text/html")


async def test_an_acts_own_address_leads_to_the_page_above_it(
    app: FastAPI, known: KnownAccounts
) -> None:
    """A browser that is started again asks for the address that it showed last."""
    browser = boss_in(app, known)
    assert len(ACTS) > 15
    for path in ACTS:
        answer = await browser.get(path)
        assert answer.status_code == 303, path
        assert path.startswith(unquote(answer.headers["location"]))
        assert (await browser.get(path, JSON)).status_code == 405


async def test_a_page_that_is_not_to_be_had_comes_by_itself(
    app: FastAPI, known: KnownAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left open while the database is away, it stayed a line of JSON after it was back."""
    browser = boss_in(app, known)

    def away(*_: object, **__: object) -> None:
        raise OperationalError("SELECT", {}, Exception("it does not answer"))

    with monkeypatch.context() as without:
        without.setattr(known.accounts, "recognize", away)
        page = await browser.get("/records")
        sent = await browser.post("/alerts/answer", alert="7")
        machine = await browser.get("/records", JSON)
    assert [each.status_code for each in (page, sent, machine)] == [503, 503, 503]
    assert [each.headers["retry-after"] for each in (page, sent, machine)] == ["2", "2", "2"]
    assert 'http-equiv="refresh"' in page.text
    assert "refresh" not in sent.text, "nothing is sent twice by itself"
    assert "detail" in machine.json()
    with monkeypatch.context() as without:
        without.setattr(known.accounts, "listed_sessions", away)
        within = await browser.get("/sessions")
    assert within.status_code == 503
    assert 'http-equiv="refresh"' in within.text
    assert "Sign out" in within.text


async def test_alerts_say_as_of_when_they_are_and_are_read_anew(
    app: FastAPI, known: KnownAccounts
) -> None:
    """By itself the page uses no session: one that nobody sits at leads to the sign-in."""
    answer = await boss_in(app, known).get("/alerts")
    assert "As of 20" in answer.text
    assert 'http-equiv="refresh"' in answer.text
