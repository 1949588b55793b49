"""Directories made from users, sent, in force: a change, a pit that was away or put back, PINs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, select
from sqlalchemy.exc import OperationalError

from controller.people.pin_hash import hashed_pin, pin_matches
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import TABLE_PEOPLE
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.storage.schema import METADATA
from controller.pit.directories import rows
from controller.pit.directories.schema import ISSUED
from controller.pit.directories.steps import AGAIN_MS
from tests.pit.accounts.known import KnownAccounts
from tests.pit.directories.at_tables import PitOfTables

pytestmark = pytest.mark.anyio
DAY_MS = 86_400_000
PIN = hashed_pin("471108")


def add(pit: PitOfTables, name: str, role: PitRole, *tables: str, pin: str = PIN) -> int:
    """A user who may act at tables, and has set a PIN."""
    user, _ = pit.known.people.add(name, frozenset({role}))
    with pit.known.engine.begin() as connection:
        rows.set_tables(connection, user.id, frozenset(tables))
        if pin:
            rows.set_pin(connection, user.id, pit.pins.sealed(pin.encode(), user.id), 1)
    return user.id


def open_findings(pit: PitOfTables) -> list[tuple[str, str]]:
    with pit.known.engine.connect() as connection:
        return [(e.table, e.kind) for e in findings(connection, only_open=True, most=99)]


async def test_each_table_is_told_of_its_own_people_alone(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path, "T1", "T2", "T3")
    add(pit, "Aino", PitRole.DEALER, "T1")
    add(pit, "Eino", PitRole.FLOOR, "T1", "T2")
    add(pit, "Bossy", PitRole.PIT_BOSS, rows.EVERYWHERE)
    add(pit, "Vilma", PitRole.VIEWER, "T1")
    add(pit, "Newby", PitRole.FLOOR, "T1", pin="")
    await pit.look()
    assert {name: sorted(each.who) for name, each in pit.tables.items()} == {
        "T1": ["Aino", "Bossy", "Eino"], "T2": ["Bossy", "Eino"], "T3": ["Bossy"],
    }  # fmt: skip
    assert pit.tables["T1"].people is not None
    roles = {each.name: each.role for each in pit.tables["T1"].people.people}
    assert roles == {"Aino": "dealer", "Eino": "floor", "Bossy": "floor"}
    assert all(pin_matches("471108", each.pin) for each in pit.tables["T1"].people.people)
    assert {pit.standing(name) for name in pit.tables} == {"IN_FORCE"}


@pytest.mark.parametrize("how", ["close", "tables", "roles", "pin"])
async def test_whatever_takes_somebody_out_makes_a_new_one_by_itself(
    known: KnownAccounts, tmp_path: Path, how: str
) -> None:
    pit = PitOfTables(known, tmp_path)
    aino = add(pit, "Aino", PitRole.DEALER, "T1")
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    assert pit.tables["T1"].who == ["Aino", "Eino"] or len(pit.tables["T1"].who) == 2
    with known.engine.begin() as connection:
        if how == "tables":
            rows.set_tables(connection, aino, frozenset({"T2"}))
        elif how == "pin":
            rows.set_pin(connection, aino, None, 2)
    if how == "close":
        known.people.close(aino)
    elif how == "roles":
        known.people.set_roles(aino, frozenset({PitRole.CAGE}))
    await pit.look()
    assert pit.tables["T1"].who == ["Eino"]
    [found] = pit.keeper.standings()
    assert found.newest is not None
    assert (found.newest.serial, found.standing.name, found.people) == (2, "IN_FORCE", ("Eino",))


async def test_nothing_is_made_while_nothing_changes_and_a_new_one_in_time(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    for _ in range(3):
        known.clock.now_ms += DAY_MS
        await pit.look()
    assert len(pit.sent) == 1
    known.clock.now_ms += 5 * DAY_MS
    await pit.look()
    assert len(pit.sent) == 2
    assert pit.tables["T1"].people is not None
    assert pit.tables["T1"].people.head.serial == 2


async def test_a_table_that_is_away_is_sent_it_again_and_the_page_says_what_it_has(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    table = pit.tables["T1"]
    add(pit, "Aino", PitRole.DEALER, "T1")
    pit.is_connected = False
    await pit.look()
    [found] = pit.keeper.standings()
    assert found.newest is not None
    assert found.in_force is not None
    assert (found.standing.name, found.newest.serial, found.in_force.serial) == ("SENT", 2, 1)
    pit.is_connected = True
    await pit.look()
    assert len(table.who) == 2
    assert pit.standing() == "IN_FORCE"
    # What the broker took and the table has not: again, from time to time.
    sent = len(pit.sent)
    add(pit, "Olli", PitRole.DEALER, "T1")
    await pit.keeper.look(pit.send)
    await pit.keeper.look(pit.send)
    assert len(pit.sent) == sent + 1
    known.clock.now_ms += AGAIN_MS
    await pit.keeper.look(pit.send)
    assert pit.sent[-1] == pit.sent[-2], "the same bytes"
    assert not table.refused
    # The clock was a day ahead, and is set right.
    known.clock.now_ms -= DAY_MS
    await pit.keeper.look(pit.send)
    assert len(pit.sent) == sent + 3


async def test_what_the_broker_does_not_keep_is_sent_again_though_the_table_has_it(
    known: KnownAccounts, tmp_path: Path
) -> None:
    """A broker that was wiped passes on what it keeps nowhere."""
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")

    async def heard_alone(name: str, body: bytes) -> bool:
        await pit.send(name, body)
        return False

    await pit.keeper.look(heard_alone)
    pit.tables["T1"].archive(pit.store)
    assert pit.standing() == "IN_FORCE"
    await pit.keeper.look(pit.send)
    assert pit.sent == [pit.sent[0]] * 2
    await pit.keeper.look(pit.send)
    assert len(pit.sent) == 2, "now it is kept"


async def test_a_pit_that_was_put_back_is_a_finding_until_somebody_has_looked(
    known: KnownAccounts, tmp_path: Path
) -> None:
    """The backup knows nothing of a dismissal: it would let him in again."""
    pit = PitOfTables(known, tmp_path)
    eino = add(pit, "Eino", PitRole.FLOOR, "T1")
    add(pit, "Bossy", PitRole.PIT_BOSS, "T1")
    await pit.look()
    with known.engine.connect() as connection:
        kept = [dict(each) for each in connection.execute(select(ISSUED)).mappings()]
    known.people.close(eino)
    await pit.look()
    table = pit.tables["T1"]
    assert table.who == ["Bossy"]
    # Put back: users and what was made as before; the archive is filled again from the table.
    known.people.reopen(eino)
    with known.engine.begin() as connection:
        connection.execute(ISSUED.delete())
        connection.execute(ISSUED.insert(), kept)
    pit.keeper = pit.new_keeper()
    for _ in range(2):
        known.clock.now_ms += DAY_MS
        await pit.look()
    assert table.who == ["Bossy"], "nobody is in again"
    assert pit.standing() == "OF_ANOTHER_PIT"
    assert open_findings(pit) == [("T1", "directory")]
    # Started again it is the same finding, counted once.
    pit.keeper = pit.new_keeper()
    await pit.look()
    assert open_findings(pit) == [("T1", "directory")]
    known.people.close(eino)
    assert table.people is not None
    mark = table.people.mark
    with known.engine.begin() as connection:
        assert not pit.keeper.accept(connection, "T1", mark.serial, "00" * 32, "Aino")
        assert pit.keeper.accept(connection, "T1", mark.serial, mark.digest, "Aino")
        assert not pit.keeper.accept(connection, "T1", mark.serial, mark.digest, "Aino")
    await pit.look()
    assert table.who == ["Bossy"]
    assert table.people.head.serial == mark.serial + 1
    assert (pit.standing(), open_findings(pit)) == ("IN_FORCE", [])


async def test_one_that_was_put_back_and_made_others_meanwhile_gets_none_of_them_in(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path)
    eino = add(pit, "Eino", PitRole.FLOOR, "T1")
    add(pit, "Bossy", PitRole.PIT_BOSS, "T1")
    await pit.look()
    table = pit.tables["T1"]
    known.people.close(eino)
    await pit.keeper.look(pit.send)  # in force at the table, and not archived yet
    assert table.who == ["Bossy"]
    with known.engine.begin() as connection:
        connection.execute(ISSUED.delete().where(ISSUED.c.serial == 2))
    known.people.reopen(eino)
    for name in ("Aino", "Olli", "Ulla"):
        add(pit, name, PitRole.DEALER, "T1")
        await pit.keeper.look(pit.send)
    assert table.who == ["Bossy"]
    assert "people-of-another-history" in table.refused
    table.archive(pit.store)
    await pit.keeper.look(pit.send)
    assert pit.standing() == "OF_ANOTHER_PIT"


async def test_nothing_that_could_be_guessed_at_lies_in_the_database(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    content = _all_in(known.engine, tmp_path)
    assert b"Eino" in content
    salt_and_hash = PIN.rpartition("p=1$")[2]
    for secret in ("argon2id$v=19$m=19456", *salt_and_hash.split("$")):
        assert secret.encode() not in content
    assert all(b"argon2id" not in each for each in pit.sent)


def _all_in(engine: Engine, folder: Path) -> bytes:
    """Every value of every row, and the file of SQLite with what was there before."""
    with engine.connect() as connection:
        rows_ = [
            each for table in METADATA.sorted_tables for each in connection.execute(select(table))
        ]
    engine.dispose()
    values = (value for row in rows_ for value in row if value is not None)
    found = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"\n".join((*found, *(each.read_bytes() for each in folder.glob("pit.db*"))))


async def test_pins_under_another_key_take_nobody_out(known: KnownAccounts, tmp_path: Path) -> None:
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    pit.pins = AppSecrets(bytes(32))
    pit.keeper = pit.new_keeper()
    await pit.look()
    assert pit.standing() == "PINS"
    assert pit.tables["T1"].who == ["Eino"]
    with known.engine.begin() as connection:
        connection.execute(TABLE_PEOPLE.update().values(pin=b"short"))
    await pit.look()
    assert pit.standing() == "PINS"


async def test_who_could_act_when_is_known_by_id_and_role(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    aino = add(pit, "Aino", PitRole.DEALER, "T1")
    await pit.look()
    known.people.close(aino)
    await pit.look()
    with known.engine.connect() as connection:
        found = rows.rosters(connection, "T1", 10)
        assert rows.all_in_force(connection)["T1"].serial == 3
    assert [(each.serial, len(each.people)) for each in found] == [(3, 1), (2, 2), (1, 1)]
    assert all(each.in_force_ms for each in found)
    assert {role for each in found for _, role in each.people} == {"floor", "dealer"}
    assert "Aino" not in json.dumps([each.people for each in found])
    # The id of somebody who comes again is the same, and nobody else's.
    known.people.reopen(aino)
    await pit.look()
    with known.engine.connect() as connection:
        assert rows.rosters(connection, "T1", 1)[0].people == found[1].people


async def test_what_the_database_did_not_take_of_a_finding_is_written_the_next_time(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = PitOfTables(known, tmp_path)
    add(pit, "Eino", PitRole.FLOOR, "T1")
    await pit.look()
    fails = ["INSERT INTO findings"]

    def disk_is_full(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if fails and statement.startswith(fails[0]):
            fails.pop()
            raise OperationalError(statement, {}, Exception("disk full"))

    event.listen(known.engine, "before_cursor_execute", disk_is_full)
    with known.engine.begin() as connection:
        made = [dict(each) for each in connection.execute(select(ISSUED)).mappings()]
        connection.execute(ISSUED.delete())
    with pytest.raises(OperationalError):
        await pit.look()
    assert open_findings(pit) == []
    await pit.look()
    assert open_findings(pit) == [("T1", "directory")]
    fails.append("UPDATE findings")
    with known.engine.begin() as connection:
        connection.execute(ISSUED.insert(), made)
    with pytest.raises(OperationalError):
        await pit.look()
    assert open_findings(pit) == [("T1", "directory")]
    await pit.look()
    assert open_findings(pit) == []
