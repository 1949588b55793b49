"""What is refused to whoever is known stands on the audit, and a flood of it makes few rows."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.refusals import MOST_COUNTED, MOST_ROWS, SeldomRows
from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import OWN, PAGE, Browser

pytestmark = pytest.mark.anyio
HOUR_MS = 3_600_000


def refused(known: KnownAccounts) -> list[tuple[str, str, str, str]]:
    """Who was refused what, from where, the first one first."""
    with known.engine.connect() as connection:
        rows = newest_rows(connection, 1_000)
        assert first_wrong_row(connection) is None
    return [
        (each.who, each.act, each.about, each.address)
        for each in reversed(rows) if each.act.startswith("refused")
    ]  # fmt: skip


@pytest.fixture
def viewer(known: KnownAccounts, app: FastAPI) -> Browser:
    return Browser(app, known.enters(known.add("Aino", PitRole.VIEWER)).session)


async def test_who_is_refused_for_a_role_is_on_the_audit_with_what_was_asked_for(
    known: KnownAccounts, viewer: Browser
) -> None:
    assert (await viewer.get("/users?secret=typed")).status_code == 403
    assert (await viewer.http.get("/api/v1/records")).status_code == 403
    assert (await viewer.post("/tables/T1-typed", do="close")).status_code == 403
    assert (await viewer.get("/alerts")).status_code == 200
    assert refused(known) == [
        ("Aino", "refused_role", "GET /users", "192.0.2.7"),
        ("Aino", "refused_role", "GET /api/v1/records", "192.0.2.7"),
        ("Aino", "refused_role", "POST /tables/{table}", "192.0.2.7"),
    ]


async def test_a_machine_that_asks_for_what_is_peoples_is_on_it_too(
    known: KnownAccounts, app: FastAPI
) -> None:
    token = {"Authorization": f"Bearer {known.machine('reports')}"}
    for path in ("/users", "/nothing/that/was/typed"):
        assert (await Browser(app).http.get(path, headers=token)).status_code == 403
    assert [each[::2] for each in refused(known)] == [
        ("reports", "GET /users"), ("reports", "an address that is none"),
    ]  # fmt: skip


async def test_a_page_of_another_site_that_writes_for_somebody_is_on_it(
    known: KnownAccounts, viewer: Browser
) -> None:
    headers = {**OWN, **PAGE, "Origin": "https://elsewhere.example"}
    answer = await viewer.http.post("/sessions/end", headers=headers, data={"session": "1"})
    assert answer.status_code == 403
    assert refused(known) == [("Aino", "refused_page", "POST /sessions/end", "192.0.2.7")]


async def test_the_same_again_and_again_makes_few_rows_and_says_how_often(
    known: KnownAccounts, app: FastAPI
) -> None:
    token, browser = {"Authorization": f"Bearer {known.machine('reports')}"}, Browser(app)
    for _ in range(101):
        assert (await browser.http.get("/users", headers=token)).status_code == 403
    assert [each[2] for each in refused(known)] == [
        "GET /users", "GET /users (10 times within an hour)",
        "GET /users (100 times within an hour)",
    ]  # fmt: skip
    known.clock.now_ms += HOUR_MS
    await browser.http.get("/users", headers=token)
    assert [each[2] for each in refused(known)][3:] == ["GET /users"]


async def test_tokens_that_are_none_are_on_it_and_are_told_so(
    known: KnownAccounts, app: FastAPI
) -> None:
    for each in range(12):
        token = {"Authorization": f"Bearer guess-{each}"}
        answer = await Browser(app).http.get("/metrics", headers=token)
        assert (answer.status_code, answer.headers["www-authenticate"][:6]) == (401, "Bearer")
        assert answer.json()["detail"] == "This token is none of the pit's"
    assert refused(known) == [
        ("", "refused_token", "unknown token", "192.0.2.7"),
        ("", "refused_token", "unknown token (10 times within an hour)", "192.0.2.7"),
    ]


def test_many_things_of_one_who_asks_make_thirty_rows_an_hour_at_most() -> None:
    rows = SeldomRows()
    found = [rows.due("7", f"GET /{each}", 5) for each in range(500)]
    assert sum(map(bool, found)) == MOST_ROWS
    assert rows.due("8", "GET /", 5) == 1, "another one has a count of his own"
    assert rows.due("7", "GET /0", HOUR_MS) == 1


def test_a_flood_of_addresses_keeps_no_more_than_so_many() -> None:
    rows = SeldomRows()
    found = [rows.due("", f"address {each}", 5) for each in range(50 * MOST_COUNTED)]
    assert len(rows._counted) == MOST_COUNTED + 1
    assert sum(map(bool, found)) < MOST_ROWS + 10
