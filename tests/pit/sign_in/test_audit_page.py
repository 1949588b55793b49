"""The page of the audit: what is looked for, what is wrong with it, and the file of what fits."""

from __future__ import annotations

import csv
import html
import io
import re

import pytest
from fastapi import FastAPI
from sqlalchemy import create_engine

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import newest_rows, record_act
from controller.pit.accounts.roles import PitRole
from controller.pit.sign_in import audit_routes
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import Browser

pytestmark = pytest.mark.anyio


async def auditor(known: KnownAccounts, app: FastAPI) -> Browser:
    number = known.add("Aino", PitRole.AUDITOR)
    known.add("Olli", PitRole.FLOOR)
    with known.engine.begin() as connection:
        record_act(connection, 0, "Olli", AuditAct.ASKS_TABLE, "=T1, close table", "192.0.2.8")
    return Browser(app, known.enters(number).session)


async def test_it_says_what_fits_in_words(known: KnownAccounts, app: FastAPI) -> None:
    browser = await auditor(known, app)
    page = (await browser.get("/audit?user=olli&act=asks_table")).text
    assert "asked a table" in page
    assert "=T1, close table" in page
    assert '<td data-name="Did">signed in</td>' not in page
    assert 'href="/audit.csv?user=olli&amp;act=asks_table"' in page
    assert "No row fits" in (await browser.get("/audit?words=nowhere")).text


async def test_older_rows_are_of_the_same_search(
    known: KnownAccounts, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_routes, "MOST_SHOWN", 2)
    browser = await auditor(known, app)
    page = (await browser.get("/audit?user=Olli")).text
    older = re.search(r'href="(/audit\?[^"]*)">Older rows', page)
    assert older is not None
    numbers = re.findall(r'<th scope="row">(\d+)</th>', page)
    behind = (await browser.get(html.unescape(older[1]))).text
    assert "user=Olli" in older[1]
    assert max(map(int, re.findall(r'<th scope="row">(\d+)</th>', behind))) < min(map(int, numbers))


async def test_what_cannot_be_looked_for_is_said(known: KnownAccounts, app: FastAPI) -> None:
    browser = await auditor(known, app)
    for asked, said in (
        ("from=yesterday", "write it like 2026-11-26"),
        ("from=2026-11-26&to=2026-11-25", "to is before from"),
        ("act=flew", "is no act of the audit"),
    ):
        for address in ("/audit", "/audit.csv"):
            answer = await browser.get(f"{address}?{asked}")
            assert answer.status_code == 422, asked
            assert said in answer.text


async def test_the_file_has_all_that_fits_and_is_itself_on_the_audit(
    known: KnownAccounts, app: FastAPI
) -> None:
    browser = await auditor(known, app)
    answer = await browser.get("/audit.csv?user=olli")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    asked = next(each for each in lines if each["act"] == "asks_table")
    # A spreadsheet takes no text for a formula.
    assert asked["about"] == "'=T1, close table"
    assert asked["at"] == "1970-01-01T00:00:00.000+00:00"
    assert {each["who"] for each in lines} >= {"Olli", "command line"}
    assert "Aino" not in {each["who"] for each in lines}
    with known.engine.connect() as connection:
        newest = newest_rows(connection, 1)[0]
    assert (newest.who, newest.act, newest.about) == ("Aino", "saved_audit", "user olli")


async def test_a_row_that_was_changed_is_said_within_the_hour(
    known: KnownAccounts, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await auditor(known, app)
    assert "Every row follows" in (await browser.get("/audit")).text
    bare = create_engine(known.engine.url)
    with bare.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER audit_stays_update")
        connection.exec_driver_sql("UPDATE audit SET about = 'nothing' WHERE seq = 2")
    bare.dispose()
    monkeypatch.setattr(audit_routes, "WHOLE_S", -1.0)
    assert "Row 2 does not follow" in (await browser.get("/audit")).text
