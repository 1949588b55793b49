"""The people of a demo's pit: who deals where, known to the pit and to the tables' worlds alike."""

from __future__ import annotations

import json
import re
from itertools import cycle
from pathlib import Path

import pytest

from controller.access.sent_files import own_key
from controller.commands.demo.pit import faults_text
from controller.commands.demo.pit_people import (
    DEALERS,
    FLOOR,
    SHIFT_S,
    DemoTable,
    dealers_together,
    make_people,
    people_file,
    words_of,
)
from controller.commands.pit.user_links import add_user
from controller.people import pin_hash
from controller.people.pin_hash import hashed_pin, pin_matches
from controller.people.sealing import table_public
from controller.pit.accounts.factors.one_time import made_secret_key
from controller.pit.accounts.on_records import names_on_records
from controller.pit.acts.key import made_key
from controller.pit.archive.storage.database import open_database
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.directories.rows import people_at, table_people
from controller.pit.server.settings import load_pit
from controller.table.roles import PersonId
from sim_hw.devices.faults import load_faults
from sim_hw.rota import Rota


def tables(count: int) -> list[DemoTable]:
    speeds = cycle((1.0, 2.0, 4.0))
    return [DemoTable(f"T{n}", next(speeds), FLOOR[(n - 1) // 6]) for n in range(1, count + 1)]


@pytest.mark.parametrize("count", [1, 3, 12, 40])
def test_every_table_has_dealers_of_its_own_group_for_half_an_hour_each(count: int) -> None:
    shared = dealers_together(tables(count))
    assert sorted(name for each in shared for name in each.tables) == sorted(
        each.name for each in tables(count)
    )
    dealers = [name for each in shared for name in each.dealers]
    assert len(set(dealers)) == len(dealers) <= len(DEALERS)
    speeds = {each.name: each.speed for each in tables(count)}
    for each in shared:
        assert len(each.dealers) == len(each.tables) + 1
        [speed] = {speeds[name] for name in each.tables}
        shift_s = Rota(0, len(each.tables), each.step_s).shift_s
        assert shift_s * speed == pytest.approx(SHIFT_S)
    assert not {*dealers} & {*FLOOR}
    assert len(set(DEALERS)) == len(DEALERS)


def test_the_pit_knows_by_pin_whom_the_worlds_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a hash costs is tests/people/test_documents.py: here some thirty are made and judged.
    monkeypatch.setattr(pin_hash, "_MEMORY_KIB", 64)
    config_file = tmp_path / "pit.toml"
    (tmp_path / "pit.password").write_text("secret")
    keys = "".join(
        f'T{n} = "{table_public(own_key(tmp_path / f"T{n}.key"))}"\n' for n in range(1, 4)
    )
    config_file.write_text(
        '[bus]\nservers = ["nats://127.0.0.1:4222"]\nuser = "pit"\npassword_file = "pit.password"\n'
        f"[people.tables]\n{keys}"
    )
    add_user(config_file, "you", "pit_boss,engineer")
    config = load_pit(config_file)
    first = make_people(config, tables(3), "you")
    again = make_people(config, tables(3), "you")
    assert [(each.name, each.id) for each in again] == [(each.name, each.id) for each in first]
    assert {each.pin for each in first} & {each.pin for each in again} <= {""}
    engine = open_database(config.archive.url(config.base))
    pins = made_secret_key(config.base / config.sign_in.key_file)
    with engine.connect() as connection:
        known, names = table_people(connection), names_on_records(connection)
    for table in ("T1", "T2", "T3"):
        file = people_file(tmp_path, table)
        assert file.stat().st_mode & 0o077 == 0
        world = json.loads(file.read_text())["people"]
        lines = {each.id: each for each in people_at(table, known, pins)}
        for each in world:
            line = lines[each["id"]]
            assert (line.name, line.role) == (each["name"], each["role"])
            assert pin_matches(each["pin"], line.pin)
            assert names[PersonId(each["id"])] == each["name"]
        # Two dealers here, the floor, a pit boss and whoever tries it; nobody of another table.
        assert len(lines) == 5
    keeper = DirectoryKeeper(
        engine, config.people, made_key(tmp_path / "acts.key"), pins, lambda: 1_800_000_000_000
    )
    assert all(keeper.document(table) for table in ("T1", "T2", "T3"))
    engine.dispose()
    said = "\n".join(words_of(again))
    assert all(each.pin in said for each in again)
    assert (tmp_path / "people.txt").read_text() == said + "\n"
    assert (tmp_path / "people.txt").stat().st_mode & 0o077 == 0
    for each in again:
        if each.pin:
            assert re.fullmatch(r"\d{6}", each.pin)
            hashed_pin(each.pin)


def test_what_goes_wrong_at_a_table_can_be_read_by_its_world(tmp_path: Path) -> None:
    """A table whose faults could not be read was never heard."""
    for kind in ("miss_code", "unplug", "power_cut"):
        file = tmp_path / f"{kind}.toml"
        file.write_text(faults_text(kind))
        found = load_faults(file)
        assert found
        assert {each.kind.value for each in found} == {kind}
