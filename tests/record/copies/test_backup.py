"""Backups while the table runs, and the way back: the longest history, nothing newer lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.record.files.day_files import openings_path
from controller.record.journal import Journal
from controller.record.reading.verify import verify
from controller.table.facts import Record
from tests.support.dealt.journals import newest, records, write_journal

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: object) -> tuple[int, str]:
        status = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return status, out + err

    return command


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record"


@pytest.fixture
def backup_folder(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere" / "backup"


DAY = records(3, 200)


def read(path: Path) -> list[Record]:
    with closing(Journal(path)) as journal:
        return list(journal.newest_day.records())


def same(read: list[Record], written: list[Record]) -> bool:
    return [repr(each) for each in read] == [repr(each) for each in written]


def test_a_backup_of_a_running_table_is_a_whole_journal(
    path: Path, backup_folder: Path, run: Run
) -> None:
    with closing(Journal(path)) as journal:
        assert list(journal.newest_day.records()) == []
        for record in DAY[:120]:
            journal.write([record])
        status, said = run("backup", path, backup_folder)
        assert status == 0, said
        journal.write(DAY[120:])
    assert same(
        read(backup_folder), DAY[:120]
    )  # with openings: a journal refuses to be read without
    assert same(read(path), DAY)
    for each in backup_folder.iterdir():
        if each.name not in ("key.pub", "lock"):
            assert stat.S_IMODE(each.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup_folder.stat().st_mode) == 0o700
    assert not (backup_folder / "key").exists()


def test_a_backup_is_never_written_over_another(path: Path, backup_folder: Path, run: Run) -> None:
    write_journal(path, DAY)
    assert run("backup", path, backup_folder)[0] == 0
    before = newest(backup_folder).read_bytes()
    status, said = run("backup", path, backup_folder)
    assert status == 1
    assert "give every backup a name of its own" in said
    assert newest(backup_folder).read_bytes() == before


def test_damage_is_not_backed_up(path: Path, backup_folder: Path, run: Run) -> None:
    write_journal(path, DAY)
    flip(newest(path), at=len(newest(path).read_bytes()) // 2)
    status, _ = run("backup", path, backup_folder)
    assert status == 1
    assert not backup_folder.parent.exists() or not list(backup_folder.parent.iterdir())


def test_a_lost_journal_is_restored_from_the_longer_of_backup_and_copy(
    path: Path, backup_folder: Path, tmp_path: Path, run: Run
) -> None:
    copy = tmp_path / "copy"
    write_journal(backup_folder.parent.parent / "kept", DAY[:80])
    write_journal(copy, DAY[:150])
    status, said = run("restore", tmp_path / "kept", copy, path)
    assert status == 0, said
    assert "up to record 150 restored" in said
    assert same(read(path), DAY[:150])


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0x10
    path.write_bytes(content)


def test_a_damaged_journal_is_replaced_and_kept(path: Path, backup_folder: Path, run: Run) -> None:
    write_journal(path, DAY[:120])
    assert run("backup", path, backup_folder)[0] == 0
    write_journal(path, DAY[120:])
    with closing(Journal(path)):  # the service that found the damage has left a log behind
        pass
    flip(newest(path), at=newest(path).read_bytes().index(b"HandSettled"))
    damaged = newest(path).read_bytes()
    status, said = run("restore", backup_folder, path)
    assert status == 0, said
    assert same(read(path), DAY[:120])
    replaced = newest(path.with_name("record.replaced-1"))
    assert replaced.read_bytes() == damaged
    assert openings_path(replaced).exists()
    assert not path.with_name(".record.part").exists()


def test_a_newer_history_is_never_replaced(path: Path, backup_folder: Path, run: Run) -> None:
    write_journal(path, DAY[:120])
    assert run("backup", path, backup_folder)[0] == 0
    write_journal(path, DAY[120:])
    status, said = run("restore", backup_folder, path)
    assert status == 1
    assert "what is newer would be lost" in said
    assert same(read(path), DAY)


def test_what_can_be_read_of_a_damaged_journal_can_be_gone_on_with(path: Path, run: Run) -> None:
    write_journal(path, DAY[:199])
    flip(newest(path), at=newest(path).read_bytes().rindex(DAY[150].cause.encode()))
    status, said = run("restore", path, path)
    assert status == 1
    assert "--readable" in said
    status, said = run("restore", "--readable", path, path)
    assert status == 0
    assert "up to record 150 restored" in said
    assert "record 151 is not what was written" in said
    assert same(read(path), DAY[:150])
    assert not verify(path.with_name("record.replaced-1")).good


def test_lost_openings_are_made_known_as_lost(path: Path, run: Run) -> None:
    write_journal(path, DAY)
    openings_path(newest(path)).unlink()
    status, said = run("restore", path, path)
    assert status == 1
    assert "the opening of" in said
    assert run("restore", "--readable", path, path)[0] == 0
    assert len(read(path)) == len(DAY)


def test_nothing_is_restored_under_a_running_table(
    path: Path, backup_folder: Path, run: Run
) -> None:
    write_journal(path, DAY)
    assert run("backup", path, backup_folder)[0] == 0
    with closing(Journal(path)):
        status, said = run("restore", backup_folder, path)
    assert status == 1
    assert "another service has the record" in said


def test_a_broken_backup_is_refused(path: Path, backup_folder: Path, run: Run) -> None:
    write_journal(path, DAY[:50])
    backup_folder.parent.mkdir()
    write_journal(backup_folder, DAY)
    flip(newest(backup_folder), at=newest(backup_folder).read_bytes().index(b"HandSettled"))
    status, said = run("restore", backup_folder, path)
    assert status == 1
    assert "damaged" in said
    assert same(read(path), DAY[:50])


def test_another_table_s_history_is_refused(path: Path, backup_folder: Path, run: Run) -> None:
    write_journal(path, DAY[:50])
    backup_folder.parent.mkdir()
    write_journal(backup_folder, records(4, 100))
    status, said = run("restore", backup_folder, path)
    assert status == 1
    assert "another history" in said
    copy = backup_folder.with_name("copy")
    write_journal(copy, DAY[:60])
    status, said = run("restore", backup_folder, copy, path.with_name("new"))
    assert status == 1
    assert "different histories" in said


def test_an_empty_source_is_refused(path: Path, backup_folder: Path, run: Run) -> None:
    assert run("restore", backup_folder, path)[0] == 1
    assert [each.name for each in path.iterdir()] == ["lock"]


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone gives files away")
@pytest.mark.parametrize("is_there", [True, False])
def test_what_root_restores_is_the_services(
    path: Path, tmp_path: Path, is_there: bool, run: Run
) -> None:
    """`sudo tablectl restore`: the service, which is not root, starts on it."""
    write_journal(tmp_path / "kept", DAY[:80])
    os.chown(tmp_path, 4_711, 4_712)
    if is_there:
        write_journal(path, DAY[:20])
        path.chmod(0o750)
        for each in (path, *path.iterdir()):
            os.chown(each, 4_711, 4_712)
    assert run("restore", tmp_path / "kept", path)[0] == 0
    assert newest(path).exists()
    for each in (path, *path.iterdir()):
        assert (each.stat().st_uid, each.stat().st_gid) == (4_711, 4_712), each
    if is_there:
        assert stat.S_IMODE(path.stat().st_mode) == 0o750
    status, _ = run("restore", tmp_path / "none", tmp_path / "other")
    assert status == 1
    for each in (tmp_path / "other", tmp_path / "other/lock"):
        assert each.stat().st_uid == 4_711, "what was refused leaves nothing of root's either"
