"""The journal: durable, chained, one service at a time, never a guess about what it holds."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.codec import VERSION
from controller.record.files.chain_store import Beginning, chain
from controller.record.files.database import RecordNewer, wal_path
from controller.record.files.day_files import openings_path
from controller.record.files.day_writer import Step, make_day
from controller.record.files.head_anchor import genesis
from controller.record.files.signing import public_key_path
from controller.record.journal import Journal, JournalBusy, JournalDamaged, JournalError
from controller.rules.cards import card
from controller.table.decide.consequences.round_in_play import resumed
from controller.table.evolve.evolve import evolve
from controller.table.facts import CardBurned, Record
from controller.table.views.scene import scene
from tests.support.dealt.journals import newest
from tests.support.pit import Pit, opened


def played() -> Pit:
    pit = opened(seats=3)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh 9c Kd 9d")
    pit.press("stand")
    return pit


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record"


@pytest.fixture
def written(path: Path) -> tuple[Path, Pit]:
    pit = played()
    journal = Journal(path)
    assert list(journal.newest_day.records()) == []
    for record in pit.records:
        journal.write([record])
    journal.close()
    return path, pit


def read(path: Path) -> list[Record]:
    journal = Journal(path)
    try:
        return list(journal.newest_day.records())
    finally:
        journal.close()


def write_each(journal: Journal, records: list[Record]) -> None:
    for record in records:
        journal.write([record])


def tamper(path: Path, statement: str, *values: object) -> None:
    base = sqlite3.connect(newest(path))
    with base:
        assert base.execute(statement, values).rowcount
    base.close()


def test_what_was_written_is_read_and_gives_the_same_table(written: tuple[Path, Pit]) -> None:
    path, pit = written
    state = None
    for record in read(path):
        state = evolve(state, record)
    assert state is not None
    assert scene(resumed(state)) == scene(pit.state)
    assert state.shoe.face_up == pit.state.shoe.face_up  # the burned card's seal was opened again


def test_the_file_is_as_promised(written: tuple[Path, Pit]) -> None:
    path, _ = written
    day = newest(path)
    base = sqlite3.connect(day)
    assert base.execute("PRAGMA page_size").fetchone() == (512,)
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    base.close()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_every_file_of_a_record_is_its_owners_alone(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        journal = Journal(path)
        write_each(journal, played().records)
        made = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.iterdir()}
        del made[public_key_path(path).name]  # for everybody to check signatures with
        journal.close()
    finally:
        assert os.umask(before) == umask
    day = newest(path)
    beside = openings_path(day)
    logs = {wal_path(each).name for each in (day, beside)}
    assert {day.name, beside.name, "head", "lock"} | logs <= made.keys()
    assert set(made.values()) == {0o600}


def test_two_records_that_are_made_at_once_leave_the_process_as_it_was(tmp_path: Path) -> None:
    """The umask is the whole process's: one that changes it takes over what another one set."""
    first_in, second_in, first_made = (threading.Event() for _ in range(3))

    def first(what: str) -> None:
        if what == "openings made":
            first_in.set()
            assert second_in.wait(60)

    def second(what: str) -> None:
        if what == "openings made":
            second_in.set()
            assert first_made.wait(60)

    def make(name: str, step: Step, done: threading.Event) -> None:
        folder = tmp_path / name
        folder.mkdir()
        make_day(folder, Beginning(bytes(32), "2026-11-22", genesis(bytes(32))), step=step)
        done.set()

    before = os.umask(0o022)
    try:
        makers = [threading.Thread(target=make, args=("first", first, first_made), daemon=True)]
        makers[0].start()
        assert first_in.wait(60)
        makers.append(
            threading.Thread(target=make, args=("second", second, threading.Event()), daemon=True)
        )
        makers[1].start()
        for each in makers:
            each.join()
    finally:
        left = os.umask(before)
    assert left == 0o022
    made = [each for name in ("first", "second") for each in (tmp_path / name).iterdir()]
    assert len(made) == 4
    assert {stat.S_IMODE(each.stat().st_mode) for each in made} == {0o600}


def test_the_burned_card_is_a_commitment_and_its_opening_is_kept_apart(
    written: tuple[Path, Pit],
) -> None:
    path, _ = written
    burned = [r.fact for r in read(path) if isinstance(r.fact, CardBurned)]
    assert [fact.card.open() for fact in burned] == [card("2c")]
    assert b'"2c"' not in newest(path).read_bytes()
    openings_path(newest(path)).unlink()
    with pytest.raises(JournalDamaged, match=r"the opening of [0-9a-f]{12} is gone"):
        read(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET body = CAST(replace(body, 'Kh', 'Kd') AS BLOB) WHERE instr(body, 'Kh')",
        "UPDATE records SET hash = zeroblob(32) WHERE seq = 5",
        "DELETE FROM records WHERE seq = 5",
        "UPDATE records SET seq = 1000 WHERE seq = 5",
        "UPDATE records SET version = 1 WHERE seq = 5",
    ],
)
def test_a_change_is_noticed(written: tuple[Path, Pit], statement: str) -> None:
    path, _ = written
    tamper(path, statement)
    with pytest.raises(JournalDamaged):
        read(path)


def test_a_record_of_newer_software_is_named(written: tuple[Path, Pit]) -> None:
    path, _pit = written
    base = sqlite3.connect(newest(path))
    last = base.execute("SELECT max(seq), hash FROM records").fetchone()
    body = b"[]"
    hashed = chain(last[1], last[0] + 1, VERSION + 1, body)
    with base:
        row = (last[0] + 1, VERSION + 1, body, hashed)
        base.execute("INSERT INTO records VALUES (?, ?, ?, ?)", row)
    base.close()
    with pytest.raises(RecordNewer, match="start that, or newer"):
        read(path)


def test_a_journal_of_another_format_is_refused(written: tuple[Path, Pit]) -> None:
    path, _ = written
    base = sqlite3.connect(newest(path))
    base.execute("PRAGMA user_version=99")
    base.close()
    with pytest.raises(JournalError, match="format 99"):
        read(path)


def test_one_service_at_a_time(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(JournalBusy, match="another service has the record"):
        Journal(path)
    # Somebody takes the file for what a crash has left: both would write, and the table would stop.
    (path / "lock").unlink()
    with pytest.raises(JournalBusy, match="another service has the record"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_a_full_disk_ends_the_journal_and_loses_nothing_that_was_acknowledged(path: Path) -> None:
    pit = played()
    journal = Journal(path)
    journal.write(pit.records[:3])
    assert journal.newest_day.writer is not None
    pages = journal.newest_day.writer.base.execute("PRAGMA page_count").fetchone()[0]
    journal.newest_day.writer.base.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(JournalError, match="check the disk"):
        write_each(journal, pit.records[3:])
    last = journal.head[0]
    with pytest.raises(JournalError, match="check the disk"):
        journal.write(pit.records[last : last + 1])  # a failed commit is never tried again
    journal.close()
    assert len(read(path)) == last


def test_a_gap_in_what_is_to_be_written_is_refused(path: Path) -> None:
    pit = played()
    journal = Journal(path)
    with pytest.raises(JournalError, match="does not follow"):
        journal.write(pit.records[1:2])
    journal.close()


def test_a_day_that_is_no_database_is_noticed(written: tuple[Path, Pit]) -> None:
    path, _ = written
    newest(path).write_bytes(b"not a database at all" * 100)
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(path)


def test_a_journal_of_the_first_release_is_refused_in_one_sentence(path: Path) -> None:
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE records (seq INTEGER PRIMARY KEY, body BLOB)")
        base.execute("PRAGMA user_version=1")
    before = path.read_bytes()
    with pytest.raises(
        JournalError, match=r"is a journal of tablectl 0\.1\.0, which this software"
    ):
        Journal(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_is_no_journal_is_not_called_one(path: Path) -> None:
    path.write_text("[table]\n")
    with pytest.raises(JournalError, match="is a file, not the folder of a record"):
        Journal(path)


def test_a_table_begins_with_an_identity_of_its_own(tmp_path: Path) -> None:
    pit = played()
    heads = set()
    for name in ("one", "other"):
        journal = Journal(tmp_path / name)
        journal.write(pit.records)
        heads.add(journal.head.hash)
        journal.close()
    assert len(heads) == 2


def test_a_reading_that_is_held_is_sealed_in_the_record(path: Path) -> None:
    pit = opened(seats=3)
    pit.deal("5c")  # nobody waited for it
    journal = Journal(path)
    journal.write(pit.records)
    journal.close()
    assert not any(b"5c" in body for body in pit.bytes)
    state = None
    for record in read(path):
        state = evolve(state, record)
    assert state is not None
    assert state.holds[0].card is not None
    assert state.holds[0].card.open() is card("5c")
