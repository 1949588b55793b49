"""The page of people at tables, and everybody's own PIN."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from controller.people.pin_hash import hashed_pin, pin_matches
from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import TABLE_IDS, TABLE_PEOPLE
from controller.pit.directories import rows
from controller.pit.directories.schema import ISSUED
from controller.pit.server.app import create_pit_app
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.accounts.known import KnownAccounts
from tests.pit.directories.at_tables import PitOfTables
from tests.pit.sign_in.pages_of import NOTHING, ORIGIN, Browser

pytestmark = pytest.mark.anyio


@pytest.fixture
def pit(known: KnownAccounts, tmp_path: Path) -> PitOfTables:
    return PitOfTables(known, tmp_path, "T1", "T2")


@pytest.fixture
def app(known: KnownAccounts, pit: PitOfTables) -> FastAPI:
    wall = Wall(WallSettings(), known.clock)
    return create_pit_app(
        wall, lambda: NOTHING, known.accounts, 10, ORIGIN, secret_key=pit.pins,
        directories=pit.keeper,
    )  # fmt: skip


def signed_in(known: KnownAccounts, app: FastAPI, name: str, role: PitRole) -> tuple[Browser, int]:
    number = known.add(name, role)
    return Browser(app, known.enters(number).session), number


async def test_an_engineer_says_at_which_tables_and_a_person_sets_the_pin(
    known: KnownAccounts, app: FastAPI, pit: PitOfTables
) -> None:
    engineer, _ = signed_in(known, app, "Aino", PitRole.ENGINEER)
    floor, eino = signed_in(known, app, "Eino", PitRole.FLOOR)
    page = await engineer.get("/people")
    assert "nobody of the floor has a PIN there yet" in page.text
    done = await engineer.post("/people/tables", user=str(eino), tables="T1")
    assert (done.status_code, done.headers["location"]) == (303, "/people")
    assert "You have none yet" in (await floor.get("/pin")).text
    for pin, again, said in (
        ("12345", "12345", "6 to 64"), ("111111", "111111", "tried first"),
        ("471108", "471109", "differ"),
    ):  # fmt: skip
        refused = await floor.post("/pin", pin=pin, again=again)
        assert (refused.status_code, said in refused.text) == (422, True), pin
    assert (
        "once their directory has come"
        in (await floor.post("/pin", pin="471108", again="471108")).text
    )
    await pit.look()
    assert (pit.tables["T1"].who, pit.tables["T2"].who) == (["Eino"], [])
    assert pit.tables["T1"].people is not None
    assert pin_matches("471108", pit.tables["T1"].people.people[0].pin)
    page = await engineer.get("/people")
    assert "in force" in page.text
    assert "0.0 s after it was made" in page.text
    shown = await engineer.get("/people/T1")
    assert f"{pit.tables['T1'].people.people[0].id} floor" in shown.text
    for text in (page.text, shown.text):
        assert "argon2" not in text
        assert "471108" not in text
    with known.engine.connect() as connection:
        acts = {(row.who, row.act, row.about) for row in newest_rows(connection, 100)}
    assert {("Aino", "set_tables", "Eino: T1"), ("Eino", "set_pin", "Eino")} <= acts
    assert not any("471108" in word for row in acts for word in row)


async def test_what_cannot_be_is_refused_in_words(
    known: KnownAccounts, app: FastAPI, pit: PitOfTables
) -> None:
    engineer, _ = signed_in(known, app, "Aino", PitRole.ENGINEER)
    _, eino = signed_in(known, app, "Eino " + "x" * 40, PitRole.FLOOR)
    machine = known.people.add("prometheus", frozenset({PitRole.MACHINE}))[0].id
    for user, tables, said in (
        (eino, "T1, T9", "No table T9"), (eino, "T1", "40 characters"),
        (machine, "T1", "A machine acts at no table"), (9_999, "T1", "no such user"),
    ):  # fmt: skip
        refused = await engineer.post("/people/tables", user=str(user), tables=tables)
        assert (refused.status_code, said in refused.text) == (422, True), said
    assert (await engineer.get("/people/T9")).status_code == 404
    viewer, _ = signed_in(known, app, "Vilma", PitRole.VIEWER)
    assert "Your roles have none at tables" in (await viewer.get("/pin")).text
    assert (await viewer.post("/pin", pin="471108", again="471108")).status_code == 422
    with known.engine.connect() as connection:
        assert not connection.execute(select(TABLE_PEOPLE)).all()


async def test_an_old_sign_in_is_asked_again_before_a_pin_is_set(
    known: KnownAccounts, app: FastAPI
) -> None:
    floor, _ = signed_in(known, app, "Eino", PitRole.FLOOR)
    known.clock.now_ms += 11 * 60_000
    asked = await floor.post("/pin", pin="471108", again="471108")
    assert asked.status_code == 303
    assert asked.headers["location"].startswith("/prove")


async def test_a_directory_that_was_not_made_here_is_accepted_by_an_engineer_alone(
    known: KnownAccounts, app: FastAPI, pit: PitOfTables
) -> None:
    engineer, _ = signed_in(known, app, "Aino", PitRole.ENGINEER)
    boss, number = signed_in(known, app, "Bossy", PitRole.PIT_BOSS)
    with known.engine.begin() as connection:
        rows.set_tables(connection, number, frozenset({"T1"}))
        sealed = pit.pins.sealed(hashed_pin("471108").encode(), number)
        rows.set_pin(connection, number, sealed, 1)
    await pit.look()
    assert pit.tables["T1"].people is not None
    mark = pit.tables["T1"].people.mark
    with known.engine.begin() as connection:
        connection.execute(ISSUED.delete())
    await pit.look()
    assert "did not make what is in force" in (await boss.get("/people")).text
    # Only whoever may do it is shown the way.
    assert "/people/accept" in (await engineer.get("/people")).text
    assert "/people/accept" not in (await boss.get("/people")).text
    serial = str(mark.serial)

    async def accept(who: Browser, digest: str) -> httpx.Response:
        return await who.post("/people/accept", table="T1", serial=serial, digest=digest)

    assert (await accept(boss, mark.digest)).status_code == 403
    wrong = await accept(engineer, "00" * 32)
    assert (wrong.status_code, "look again" in wrong.text) == (409, True)
    assert (await accept(engineer, mark.digest)).status_code == 303
    await pit.look()
    assert pit.standing() == "IN_FORCE"
    assert pit.tables["T1"].people.head.serial == mark.serial + 1
    assert "accepted by Aino" in (await engineer.get("/people/T1")).text


async def test_the_page_says_by_which_id_a_table_has_somebody_on_record(
    known: KnownAccounts, app: FastAPI
) -> None:
    engineer, _ = signed_in(known, app, "Aino", PitRole.ENGINEER)
    _, eino = signed_in(known, app, "Eino", PitRole.FLOOR)
    with known.engine.begin() as connection:
        rows.set_tables(connection, eino, frozenset({"T1", "T2"}))
        usual = rows.person_of(connection, eino)
        for table, person in (("T1", usual), ("T2", "0badbeef")):
            there = {"name": table, "person": person, "user_id": eino, "called": "eino"}
            connection.execute(TABLE_IDS.insert().values(there))
    assert f">{usual}, at T2 0badbeef</td>" in (await engineer.get("/people")).text
