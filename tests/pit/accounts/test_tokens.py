"""A machine's token ends, on a day that is known before."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import USERS
from controller.pit.accounts.users import login_of
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import Browser, app_of

DAY_MS = 86_400_000


def number_of(known: KnownAccounts, name: str) -> int:
    with known.engine.connect() as connection:
        found = connection.scalar(select(USERS.c.id).where(USERS.c.login == login_of(name)))
    assert found is not None
    return int(found)


def test_a_token_works_for_a_year_and_another_one_for_a_year_from_then(
    known: KnownAccounts,
) -> None:
    token = known.machine()
    known.clock.now_ms += 365 * DAY_MS - 1
    assert known.accounts.machine(token) is not None
    known.clock.now_ms += 1
    assert known.accounts.machine(token) is None
    number = number_of(known, "prometheus")
    other = known.people.link(number, Purpose.SET_UP)
    assert known.accounts.machine(other) is not None
    assert known.people.token_ends() == {number: known.clock.now_ms + 365 * DAY_MS}


def test_a_clock_that_is_put_back_makes_no_token_last_longer(known: KnownAccounts) -> None:
    known.clock.now_ms += 30 * DAY_MS
    token = known.machine()
    known.clock.now_ms -= 59_000
    assert known.accounts.machine(token) is not None
    known.clock.now_ms -= DAY_MS
    assert known.accounts.machine(token) is None


@pytest.mark.anyio
async def test_a_token_that_has_ended_is_told_so_and_the_page_of_users_says_when(
    known: KnownAccounts,
) -> None:
    app = app_of(known)
    token = {"Authorization": f"Bearer {known.machine('reports')}"}
    assert (await Browser(app).http.get("/metrics", headers=token)).status_code == 200
    engineer = known.add("Aino", PitRole.ENGINEER)
    page = await Browser(app, known.enters(engineer).session).get("/users")
    assert "token until 2026-10-09 08:53" in page.text
    known.clock.now_ms += 365 * DAY_MS
    answer = await Browser(app).http.get("/metrics", headers=token)
    assert answer.status_code == 401
    assert "has ended: an engineer makes another" in answer.json()["detail"]
    page = await Browser(app, known.enters(engineer).session).get("/users")
    assert "token ended 2026-10-09 08:53" in page.text
    with known.engine.connect() as connection:
        rows = [(each.who, each.about) for each in newest_rows(connection, 9)
                if each.act == "refused_token"]  # fmt: skip
    assert rows == [("reports", "reports")]


@pytest.mark.anyio
async def test_a_new_token_is_shown_with_the_day_of_its_end(known: KnownAccounts) -> None:
    browser = Browser(app_of(known), known.enters(known.add("Aino", PitRole.ENGINEER)).session)
    page = await browser.post("/users/add", name="reports", role="machine")
    assert "works until 2026-10-09 08:53 (UTC)" in page.text
