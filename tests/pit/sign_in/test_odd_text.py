"""What no keyboard types is refused at the door, and what people type stands in no log."""

from __future__ import annotations

import logging

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import PASSWORD, KnownAccounts
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "path",
    [
        "/rounds?table=%00", "/rounds?dealer=a%00b", "/audit?words=%00", "/audit?%00=1",
        "/reports/money.csv?table=%00", "/tables/T%001/chips", "/rounds/%00/1",
        "/api/v1/rounds/%00/1", "/sign-in?next=%00", "/nowhere/%00",
    ],
)  # fmt: skip
async def test_an_address_has_no_nul(known: KnownAccounts, app: FastAPI, path: str) -> None:
    """PostgreSQL has it in no text: it looked as if the database were away, to a stranger too."""
    boss = known.add("Aino", PitRole.PIT_BOSS, PitRole.AUDITOR)
    for browser in (Browser(app, known.enters(boss).session), Browser(app)):
        assert (await browser.get(path)).status_code == 400


async def test_a_form_has_no_nul(known: KnownAccounts, app: FastAPI) -> None:
    boss = Browser(app, known.enters(known.add("Aino", PitRole.PIT_BOSS)).session)
    assert (await Browser(app).post("/sign-in", name="A\0", password=PASSWORD)).status_code == 400
    assert (await Browser(app).post("/sign-in", name="Aino", password="\0")).status_code == 400
    assert (await boss.post("/handover", note="all is\0well")).status_code == 400
    assert (await boss.post("/handover", note="all is well")).status_code == 303


async def test_a_database_that_fails_brings_nothing_that_was_typed_into_the_log(
    known: KnownAccounts, app: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    """Who types the password where the name belongs had it there, with the statement."""
    caplog.set_level(logging.DEBUG)
    with known.engine.begin() as connection:
        connection.execute(text("DROP TABLE users"))
    answer = await Browser(app).post("/sign-in", name="my secret otters", password=PASSWORD)
    assert answer.status_code == 503
    assert "does not answer: no such table: users" in caplog.text
    assert "otters" not in caplog.text
