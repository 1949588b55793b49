"""What the pit has of a person comes as a file for them: all of it, and nothing of anybody else."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from fastapi import FastAPI
from sqlalchemy import LargeBinary, MetaData, insert

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.personal.export import _OF_USER
from controller.pit.accounts.personal.named import SIGNED
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import TABLE_PEOPLE
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import PEOPLE, TABLES
from controller.table.roles import pit_person
from tests.pit.accounts.known import BEGAN_MS, KnownAccounts
from tests.pit.accounts.test_erased import NAME, lived, rows_that_say
from tests.pit.archive.databases import new_postgresql
from tests.pit.sign_in.pages_of import Browser, app_of

#: Tables with a user's number of which the file has a count, or names.
COUNTED = {"recovery_codes": "recovery_codes", "table_grants": "may_act_at"}
#: Tables in which the name stands as it signs in, in the file as `login`, `name` and `wrong_tries`.
OWN = {"users": "name", "tries": "wrong_tries"}


def played(known: KnownAccounts, number: int) -> None:
    """Records of T1 have two acts of the user by their id there, one of whoever is next to them."""
    values: dict[str, Any] = {each.name: 0 for each in TABLES.c} | dict.fromkeys(
        ("software", "game", "day", "dealer"), ""
    )
    values |= {"id": 1, "name": "T1", "identity": b"", "hash": b""}
    mine, other = "0e17aaaa", "0e17bbbb"
    with known.engine.begin() as connection:
        connection.execute(insert(TABLES).values(values))
        connection.execute(
            insert(TABLE_PEOPLE).values(user_id=number, person=mine, pin=b"sealed", pin_ms=BEGAN_MS)
        )
        for seq, who in enumerate((mine, mine, other, pit_person(number), "00aa"), start=1):
            row = {"table_id": 1, "seq": seq, "place": 0, "person": who, "role": "floor"}
            connection.execute(insert(PEOPLE).values(**row, act="DealerChanged", at_ms=seq))


def is_whole(known: KnownAccounts) -> None:
    number = lived(known)
    played(known, number)
    found = known.people.export(number)
    text = json.dumps(_plain(found), ensure_ascii=False)
    assert (found.name, found.roles, found.has_password) == (NAME, ("engineer",), True)

    # Wherever the database has the name, the file says what for.
    said = {each["in"] for each in found.signed}
    assert set(rows_that_say(known.engine, NAME)) - said - set(OWN) == {"table_ids"}
    assert found.kept["at_tables_before"] == [{"name": "T1", "person": "00aa", "called": NAME}]
    assert all(getattr(found, name) for name in OWN.values())
    shown = [each["text"] for each in found.signed if each["as"] == "shown"]
    assert any(f"{NAME} has it in hand" in each for each in shown)

    # Whatever it keeps by a user's number is in it, or counted.
    tables = MetaData()
    tables.reflect(known.engine)
    by_number = {each.name for each in tables.sorted_tables if "user_id" in each.c}
    kept = {columns[0].table.name for columns in _OF_USER.values()}
    assert by_number == kept | set(COUNTED)
    assert {each.table for each in SIGNED} - said == {"issued_directories"}, "nobody accepted one"

    # No secret and no hash of one: the columns that are bytes, and the password.
    chosen = [column for columns in _OF_USER.values() for column in columns]
    assert not any(isinstance(each.type, LargeBinary) for each in chosen)
    assert "argon2" not in text
    assert found.kept["sessions"][0]["address"] == "192.0.2.7"

    # What they did, and what was done with them: nobody else is named, nor where they sat.
    acts = [(each["who"], each["act"], each["about"]) for each in found.audit]
    assert (NAME, "signed_in", "password") in acts
    assert ("command line", "closed_user", NAME) in acts
    assert not [each for each in found.audit if "Fia" in each["who"] + each["about"]]
    assert {each["address"] for each in found.audit if each["who"] != NAME} == {""}
    with known.engine.connect() as connection:
        every = newest_rows(connection, 100)
    assert len(acts) == len([each for each in every if NAME in each.who + each.about]) - 1
    assert every[0].act == AuditAct.EXPORTED_USER.value
    assert every[0].about == NAME

    times = {each["person"]: (each["times"], each["last_ms"]) for each in found.acts}
    assert times == {"0e17aaaa": (2, 2), pit_person(number): (1, 4), "00aa": (1, 5)}

    known.people.erase(number)
    after = json.dumps(_plain(known.people.export(number)), ensure_ascii=False)
    assert NAME not in after


def _plain(found: object) -> Any:
    return msgspec.to_builtins(found)


def test_a_person_gets_all_that_the_pit_has_of_them(known: KnownAccounts) -> None:
    is_whole(known)


@pytest.mark.long
def test_of_postgresql_too() -> None:
    known = KnownAccounts(open_database(new_postgresql()))
    is_whole(known)
    known.engine.dispose()


@pytest.mark.anyio
async def test_one_takes_ones_own_and_an_engineer_that_of_others(known: KnownAccounts) -> None:
    app: FastAPI = app_of(known)
    number = known.add("Bo", PitRole.DEALER)
    bo = Browser(app, known.sign_in("Bo").session)
    assert "What the pit has of you" in (await bo.get("/sessions")).text
    file = await bo.post("/sessions/export")
    assert file.headers["content-disposition"] == f'attachment; filename="user-{number}.json"'
    assert file.json()["name"] == "Bo"
    assert (await bo.post("/users/export", user="1")).status_code == 403

    engineer = Browser(app, known.enters(known.add("Aino", PitRole.ENGINEER)).session)
    assert "What the pit has of Bo" in (await engineer.get("/users")).text
    assert (await engineer.post("/users/export", user=str(number))).json()["name"] == "Bo"
    assert (await engineer.post("/users/export", user="77")).status_code == 422
    with known.engine.connect() as connection:
        rows = newest_rows(connection, 100)
    took = [(each.who, each.about) for each in rows if each.act == AuditAct.EXPORTED_USER.value]
    assert took == [("Aino", "Bo"), ("Bo", "Bo")]
