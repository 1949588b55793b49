"""People of tables that kept their own are moved to the pit: everybody stays who they are."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from controller.__main__ import main
from controller.access.directory import Directory
from controller.access.write_directory import write_directory
from controller.commands.pit.user_links import people_in
from controller.people.pin_hash import hashed_pin
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.factors.one_time import made_secret_key
from controller.pit.accounts.on_records import ids_called, names_on_records
from controller.pit.accounts.people import COMMAND_LINE, People
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import TABLE_IDS, USERS
from controller.pit.archive.storage.database import open_database
from controller.pit.directories import rows
from controller.pit.directories.changes import AtTables
from controller.pit.server.settings import load_pit
from controller.table.roles import Role

TODAY = datetime.date(2026, 11, 28)
KEY = "ab" * 32


class HouseOfTables:
    """A pit's configuration, and tables that each have a file of their own people."""

    def __init__(self, folder: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.config = folder / "pit.toml"
        (folder / "pit.password").write_text("secret")
        self.config.write_text(
            '[bus]\nservers = ["nats://127.0.0.1:4222"]\nuser = "pit"\n'
            f'password_file = "pit.password"\n[archive]\ndatabase = "{database}"\n'
            f'[people.tables]\nT1 = "{KEY}"\nT2 = "{KEY}"\n'
        )
        config = load_pit(self.config)
        self.engine = open_database(config.archive.url(config.base))
        self.users = People(Accounts(self.engine, lambda: 1_000), COMMAND_LINE)
        self.pins = made_secret_key(config.base / config.sign_in.key_file)

    def table(self, name: str, **people: Role) -> Directory:
        """A table's own people; `write` once more puts a change into its file."""
        directory = Directory()
        for person, role in people.items():
            directory.add(person, role, "4711", TODAY)
        self.write(name, directory)
        return directory

    def write(self, name: str, directory: Directory) -> None:
        write_directory(self.file(name), directory)

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.people.toml"

    def move(self, table: str, *more: str) -> tuple[int, str]:
        """The exit status, and what was said."""
        status = main(
            ["pit", str(self.config), "move-people", str(self.file(table)), "--table", table, *more]
        )
        out, err = self._capsys.readouterr()
        return status, out + err

    def at(self, table: str) -> dict[str, str]:
        """Names of those who may act at a table once they have a PIN, by id."""
        with self.engine.connect() as connection:
            people = rows.table_people(connection)
        return {
            each.id_at(table): each.name
            for each in people
            if table in each.tables or rows.EVERYWHERE in each.tables
        }

    def names(self) -> dict[str, str]:
        with self.engine.connect() as connection:
            return {str(each): name for each, name in names_on_records(connection).items()}

    def everything(self) -> list[tuple[object, ...]]:
        """All that moving could have changed, but the audit."""
        with self.engine.connect() as connection:
            found = [tuple(each) for each in connection.execute(select(USERS))]
            found += [tuple(each) for each in connection.execute(select(TABLE_IDS))]
            return found + [(each,) for each in rows.table_people(connection)]

    def audited(self) -> list[str]:
        with self.engine.connect() as connection:
            assert first_wrong_row(connection) is None
            found = newest_rows(connection, 50)
        return [each.about for each in reversed(found) if each.act == "moved_person"]


@pytest.fixture
def house(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> Iterator[HouseOfTables]:
    made = HouseOfTables(tmp_path, database, capsys)
    yield made
    made.engine.dispose()


def id_of(directory: Directory, name: str) -> str:
    entry = directory.named(name)
    assert entry is not None
    return entry.id


def test_whoever_an_id_is_on_a_tables_record_they_stay_at_each_table(house: HouseOfTables) -> None:
    one = house.table("T1", aino=Role.DEALER, eino=Role.FLOOR)
    two = house.table("T2", aino=Role.DEALER, olli=Role.DEALER)
    assert house.move("T1")[0] == house.move("T2")[0] == 0
    assert house.at("T1") == {id_of(one, "aino"): "aino", id_of(one, "eino"): "eino"}
    assert house.at("T2") == {id_of(two, "aino"): "aino", id_of(two, "olli"): "olli"}
    names = house.names()
    assert names[id_of(one, "aino")] == names[id_of(two, "aino")] == "aino"
    with house.engine.connect() as connection:
        found = {*ids_called(connection, "Aino")}
    assert found == {id_of(one, "aino"), id_of(two, "aino")}
    # And that is how the tables' directories name them, once there are PINs.
    for user in house.users.listed():
        sealed = house.pins.sealed(hashed_pin("471108").encode(), user.id)
        AtTables(house.users.accounts, COMMAND_LINE).set_pin(user.id, sealed)
    for table, own in (("T1", one), ("T2", two)):
        with house.engine.connect() as connection:
            lines = rows.people_at(table, rows.table_people(connection), house.pins)
        assert {each.id: (each.name, each.role) for each in lines} == {
            entry.id: (entry.name, entry.history[-1].role.value) for entry in own.entries.values()
        }
    assert len(house.audited()) == 4


def test_a_dry_run_says_all_of_it_and_changes_nothing(house: HouseOfTables) -> None:
    own = house.table("T1", aino=Role.DEALER, eino=Role.FLOOR)
    house.users.add("Eino", frozenset({PitRole.PIT_BOSS}))
    before = house.everything()
    status, said = house.move("T1", "--dry-run")
    assert status == 0
    assert f"{id_of(own, 'aino')}  aino, dealer: a new user here" in said
    assert f"{id_of(own, 'eino')}  eino, floor as Eino: the user of that name here" in said
    assert "1 new, 1 known here" in said
    assert "PINs stay behind" in said
    assert "nothing is changed" in said
    assert house.everything() == before
    assert house.audited() == []
    assert "4711" not in said
    really = house.move("T1")[1]
    assert said.startswith(really.rstrip())


def test_it_is_done_once_and_lets_nobody_in_again_later(house: HouseOfTables) -> None:
    own = house.table("T1", aino=Role.DEALER, eino=Role.FLOOR)
    house.move("T1")
    [aino] = [each.id for each in house.users.listed() if each.name == "aino"]
    AtTables(house.users.accounts, COMMAND_LINE).set_tables(aino, frozenset())
    before, audited = house.everything(), house.audited()
    status, said = house.move("T1")
    assert (status, said.count("moved before")) == (0, 2)
    assert (house.everything(), house.audited()) == (before, audited)
    # Whoever came to the file meanwhile is moved by the next run.
    own.add("ulla", Role.DEALER, "4711", TODAY)
    house.write("T1", own)
    assert "ulla, dealer: a new user here" in house.move("T1")[1]
    assert {*house.at("T1").values()} == {"eino", "ulla"}


def test_whoever_left_keeps_the_id_and_gets_no_account(house: HouseOfTables) -> None:
    own = house.table("T1", aino=Role.DEALER, eino=Role.FLOOR, olli=Role.DEALER)
    gone, forgotten = id_of(own, "aino"), id_of(own, "olli")
    own.remove("aino", TODAY)
    own.erase("olli", TODAY)
    house.write("T1", own)
    assert house.move("T1")[0] == 0
    assert [each.name for each in house.users.listed()] == ["eino"]
    names = house.names()
    assert names[gone] == "aino"
    assert forgotten not in names
    with house.engine.connect() as connection:
        kept = {row.person: row.user_id for row in connection.execute(select(TABLE_IDS))}
        assert ids_called(connection, "aino") == (gone,)
    assert kept == {gone: None, forgotten: None, id_of(own, "eino"): kept[id_of(own, "eino")]}


def test_whose_account_is_closed_is_let_in_nowhere(house: HouseOfTables) -> None:
    house.table("T1", aino=Role.DEALER)
    user, _ = house.users.add("aino", frozenset({PitRole.DEALER}))
    house.users.close(user.id)
    assert "has left here" in house.move("T1")[1]
    house.users.reopen(user.id)
    assert house.at("T1") == {}


def test_conflicts_are_refused_in_words_all_at_once(house: HouseOfTables) -> None:
    one = house.table("T1", aino=Role.DEALER, eino=Role.FLOOR)
    house.move("T1")
    # One id with another name, another role than here, and a machine's name.
    house.users.add("prometheus", frozenset({PitRole.MACHINE}))
    two = house.table("T2", eino=Role.DEALER, prometheus=Role.DEALER, olli=Role.DEALER)
    text = house.file("T2").read_text().replace(id_of(two, "olli"), id_of(one, "aino"))
    house.file("T2").write_text(text)
    before, audited = house.everything(), house.audited()
    status, said = house.move("T2", "--as", "nobody=Somebody")
    assert status != 0
    assert "nothing is moved" in said
    assert f"{id_of(one, 'aino')} is aino in this pit, and olli at T2: one id, two names" in said
    assert "eino is dealer at T2, and floor here, at every table" in said
    assert "prometheus is a machine in this pit" in said
    assert "nobody called nobody" in said
    assert house.everything() == before
    assert house.audited() == audited


def test_an_id_whose_name_changed_since_is_refused(house: HouseOfTables) -> None:
    house.table("T1", aino=Role.DEALER)
    house.move("T1")
    text = house.file("T1").read_text().replace("aino", "olli")
    house.file("T1").write_text(text)
    status, said = house.move("T1")
    assert status != 0
    assert "an id is never given to anybody else" in said


def test_two_people_of_one_name_are_told_apart_by_another_name_here(house: HouseOfTables) -> None:
    one = house.table("T1", aino=Role.DEALER)
    two = house.table("T2", aino=Role.DEALER, aino_l=Role.DEALER)
    house.move("T1")
    refused = house.move("T2", "--as", "aino_l=aino")[1]
    assert "two people at the table" in refused
    assert house.move("T2", "--as", "aino=Aino-Lahti", "--as", "aino_l=aino")[0] == 0
    assert house.at("T1") == {id_of(one, "aino"): "aino"}
    assert house.at("T2") == {id_of(two, "aino"): "Aino-Lahti", id_of(two, "aino_l"): "aino"}


def test_a_new_id_is_never_one_that_somebody_had(
    house: HouseOfTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = house.table("T1", aino=Role.DEALER)
    taken = id_of(own, "aino")
    own.remove("aino", TODAY)
    house.write("T1", own)
    house.move("T1")
    made = iter((taken, "0badcafe"))
    monkeypatch.setattr("controller.pit.directories.rows.secrets.token_hex", lambda _: next(made))
    user, _ = house.users.add("Olli", frozenset({PitRole.DEALER}))
    AtTables(house.users.accounts, COMMAND_LINE).set_tables(user.id, frozenset({"T1"}))
    assert house.at("T1") == {"0badcafe": "Olli"}


def test_what_cannot_be_read_or_is_no_table_of_this_pit_is_said(house: HouseOfTables) -> None:
    house.table("T9", aino=Role.DEALER)
    assert "T9 does not stand in [people.tables]" in house.move("T9")[1]
    assert "there is no file" in house.move("T1")[1]
    house.table("T1", aino=Role.DEALER)
    house.file("T1").chmod(0o644)
    assert "others may read" in house.move("T1")[1]
    with pytest.raises(SystemExit):
        house.move("T1", "--as", "aino")
    with people_in(load_pit(house.config)) as users:
        assert users.listed() == []
