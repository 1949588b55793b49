"""One closed day is put back in its place, and no other day can be put there."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.record.copies.backup import BackupRefused, backup
from controller.record.copies.restore import restore
from controller.record.copies.restore_day import restore_day
from controller.record.days.retention import Retention, archive_days, remove_days
from controller.record.files.chain_store import ChainReader
from controller.record.files.database import FORMAT, JournalBusy, RecordNewer
from controller.record.files.day_files import day_files, openings_path, signature_path
from controller.record.files.signing import public_key_path, read_public_key
from controller.record.journal import Journal
from controller.record.reading.verify import verify
from tests.record.conftest import PutRecord
from tests.record.days.dealt_days import dealt, write
from tests.support.dealt.days import commits
from tests.support.forms import quick_first

SECOND = "2023-11-15"


@pytest.fixture
def days(folder: Path, put_record: PutRecord) -> list[Path]:
    """A record of three days; their files."""
    put_record(folder, 3)
    return [each.path for each in day_files(folder)]


def spoil(path: Path) -> None:
    content = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(content[: len(content) // 2])
    path.chmod(0o400)


def holds(folder: Path) -> None:
    found = verify(folder, public_key=read_public_key(public_key_path(folder)))
    assert found.problems == []
    assert found.signed == ["2023-11-14", SECOND]


def test_a_day_that_was_spoilt_comes_back_from_a_backup_and_all_else_stays(
    folder: Path, days: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup(folder, tmp_path / "backup", SECOND, SECOND)
    spoil(days[1])
    before = {each: each.read_bytes() for each in folder.iterdir() if SECOND not in each.name}
    assert not verify(folder).good
    asked = ["restore", "--day", SECOND, str(tmp_path / "backup"), str(folder)]
    assert main([*asked, "--readable"]) == 2
    assert main(asked) == 0
    kept = tmp_path / "record.replaced-1"
    said = capsys.readouterr().out
    assert said == f"{folder}: gaming day {SECOND} restored\nWhat was there is kept: {kept}\n"
    holds(folder)
    assert {each: each.read_bytes() for each in before} == before
    for each in (days[1], openings_path(days[1])):
        assert each.stat().st_mode & 0o777 == 0o400
    assert sorted(each.name for each in kept.iterdir()) == [
        each.name for each in (days[1], openings_path(days[1]), signature_path(days[1]))
    ]
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith(".")) == []
    write(folder, [])  # the table goes on


@pytest.mark.parametrize("gone", ["day", "openings", "signature"])
def test_whatever_of_a_day_is_lost_comes_back_from_an_archive(
    gone: str, folder: Path, days: list[Path], tmp_path: Path
) -> None:
    archive_days(folder, Retention(0, tmp_path / "archive"))
    path = days[1]
    lost = {"day": path, "openings": openings_path(path), "signature": signature_path(path)}[gone]
    lost.unlink()
    restore_day([tmp_path / "archive"], folder, SECOND)
    holds(folder)
    with pytest.raises(BackupRefused, match="is whole: there is nothing to restore"):
        restore_day([tmp_path / "archive"], folder, SECOND)


def archived_again(folder: Path, archive: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Both closed days are found in the archive, of which the first goes."""
    assert verify(folder).problems == []  # a reader leaves logs beside a file that was restored
    assert archive_days(folder, Retention(1, archive)) == (("2023-11-14", True),)
    assert caplog.text == ""
    remove_days(folder, ["2023-11-14"])
    assert verify(folder).problems == []
    assert verify(archive).problems == []


@pytest.mark.parametrize("label", ["2023-11-14", SECOND])
def test_a_day_that_was_restored_is_archived_as_before(
    label: str,
    folder: Path,
    days: list[Path],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It was written anew: the same records, in a file of another layout."""
    archive = tmp_path / "archive"
    archive_days(folder, Retention(0, archive))
    path = folder / f"{label}.day"
    archived = (archive / path.name).read_bytes()
    for each in (path, openings_path(path)):
        spoil(each)
    restore_day([archive], folder, label)
    assert path.read_bytes() != archived
    assert openings_path(path).read_bytes() != openings_path(archive / path.name).read_bytes()
    archived_again(folder, archive, caplog)


def test_days_of_a_record_that_was_restored_whole_are_archived_as_before(
    folder: Path, days: list[Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = tmp_path / "archive"
    archive_days(folder, Retention(0, archive))
    backup(folder, tmp_path / "backup")
    shutil.rmtree(folder)
    restore([tmp_path / "backup"], folder)
    archived_again(folder, archive, caplog)


def changed(openings: Path, how: str) -> None:
    """Do something to one opening of a day."""
    openings.chmod(0o600)
    with closing(sqlite3.connect(openings, isolation_level=None)) as base:
        base.execute(how)
    openings.chmod(0o400)


ONE = "WHERE digest = (SELECT max(digest) FROM openings)"
LOST = f"UPDATE openings SET nonce = x'', code = '', serial = '' {ONE}"


@pytest.mark.parametrize(
    ("whose", "how", "goes"),
    [
        # Written right before the power failed: no record of it follows, and no restore takes it.
        ("archive", "INSERT INTO openings VALUES ('00', x'00', 'AS', '')", True),
        ("record", LOST, True),
        ("archive", LOST, False),
        ("archive", f"DELETE FROM openings {ONE}", False),
    ],
)
def test_an_archive_that_lacks_an_opening_of_a_day_is_not_taken_for_it(
    whose: str, how: str, goes: bool, folder: Path, days: list[Path], tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    archive_days(folder, Retention(0, archive))
    changed(openings_path({"archive": archive, "record": folder}[whose] / days[0].name), how)
    assert archive_days(folder, Retention(1, archive)) == ((("2023-11-14", True),) if goes else ())


def test_a_day_of_another_history_is_not_taken_for_one_that_was_restored(
    folder: Path, days: list[Path], tmp_path: Path
) -> None:
    archive, other = tmp_path / "archive", tmp_path / "other"
    archive_days(folder, Retention(0, archive))
    write(other, dealt(days=3, seed=6).records)
    kept = archive / days[0].name
    kept.chmod(0o600)
    shutil.copyfile(other / days[0].name, kept)
    assert archive_days(folder, Retention(1, archive)) == ()


def test_a_day_that_the_second_copy_has_unsigned_gets_the_signature_that_is_there(
    folder: Path, tmp_path: Path
) -> None:
    with closing(Journal(folder, tmp_path / "copy")) as journal:
        for commit in commits(dealt(days=3).records):
            journal.write(commit)
    copied = next(each for each in day_files(tmp_path / "copy") if each.label == SECOND)
    signature_path(copied.path).unlink(missing_ok=True)
    spoil(folder / copied.path.name)
    restore_day([tmp_path / "copy"], folder, SECOND)
    holds(folder)


def test_the_first_source_that_has_it_whole_is_taken_and_the_others_are_named(
    folder: Path, days: list[Path], tmp_path: Path
) -> None:
    for name in ("one", "two"):
        backup(folder, tmp_path / name, SECOND, SECOND)
    other, elsewhere = tmp_path / "other", tmp_path / "elsewhere"
    write(other, dealt(days=3, seed=6).records)
    with closing(Journal(elsewhere, draw=lambda size: b"2" * size)) as journal:
        for commit in commits(dealt(days=3).records):
            journal.write(commit)
    spoil(tmp_path / "one" / days[1].name)
    spoil(days[1])
    left = sorted(each.name for each in folder.iterdir())
    for source, why in (
        ("one", "one/2023-11-15.day: "),
        ("other", "other/2023-11-15.day: the day after it does not begin where this one ends"),
        ("elsewhere", "elsewhere/2023-11-15.day is of another table"),
        ("none", "none has no such day"),
    ):
        with pytest.raises(BackupRefused, match=f"no source has .* whole, .*: {tmp_path}/{why}"):
            restore_day([tmp_path / source], folder, SECOND)
        assert sorted(each.name for each in folder.iterdir()) == left
    restore_day([tmp_path / "none", tmp_path / "one", other, tmp_path / "two"], folder, SECOND)
    holds(folder)


def test_of_two_days_in_a_row_that_are_gone_the_newest_comes_back_first(
    folder: Path, days: list[Path], tmp_path: Path
) -> None:
    """The day after the two says how the newer one ends, and that one the older."""
    backup(folder, tmp_path / "backup")
    for path in days[:2]:
        path.unlink()
    with pytest.raises(BackupRefused, match="several in a row are gone, restore the newest"):
        restore_day([tmp_path / "backup"], folder, "2023-11-14")
    for label in (SECOND, "2023-11-14"):
        restore_day([tmp_path / "backup"], folder, label)
    holds(folder)


def test_a_day_whose_spoilt_header_looks_like_that_of_a_newer_build_is_replaced(
    folder: Path, days: list[Path], tmp_path: Path
) -> None:
    backup(folder, tmp_path / "backup", SECOND, SECOND)
    days[1].chmod(0o600)
    with closing(sqlite3.connect(days[1], isolation_level=None)) as base:
        base.execute(f"PRAGMA user_version={FORMAT + 1}")
        base.execute("DROP TABLE beginning")
    with pytest.raises(RecordNewer):
        ChainReader(days[1])
    restore_day([tmp_path / "backup"], folder, SECOND)
    holds(folder)


@pytest.mark.parametrize("cut", quick_first((1, 2, 3, 4, 5), (1, 4)))
def test_a_restore_that_was_cut_is_done_again_though_the_source_has_no_signature(
    cut: int, folder: Path, days: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(folder, tmp_path / "copy", SECOND, SECOND)
    signature_path(tmp_path / "copy" / days[1].name).unlink()
    spoil(days[1])
    left, move = cut, os.replace

    def moved(path: Path, to: Path) -> None:
        nonlocal left
        if folder in (path.parent, to.parent):
            left -= 1
            if not left:
                raise KeyboardInterrupt
        move(path, to)

    with monkeypatch.context() as m:
        m.setattr(os, "replace", moved)
        with pytest.raises(KeyboardInterrupt):
            restore_day([tmp_path / "copy"], folder, SECOND)
    restore_day([tmp_path / "copy"], folder, SECOND)
    holds(folder)


def test_a_day_that_another_key_signed_is_not_taken(
    folder: Path, days: list[Path], tmp_path: Path
) -> None:
    copy = tmp_path / "backup"
    backup(folder, copy, SECOND, SECOND)
    other = tmp_path / "elsewhere" / "record"
    other.parent.mkdir()
    write(other, dealt(days=3).records, lambda _: None)  # not laid: signed by a key of its own
    forged = signature_path(copy / days[1].name)
    forged.chmod(0o600)
    shutil.copyfile(signature_path(other / days[1].name), forged)
    spoil(days[1])
    with pytest.raises(BackupRefused, match="another key"):
        restore_day([copy], folder, SECOND)


def test_the_newest_day_and_what_a_service_has_are_left_alone(
    folder: Path, days: list[Path], tmp_path: Path
) -> None:
    backup(folder, tmp_path / "backup")
    with pytest.raises(BackupRefused, match="restore the newest day first"):
        restore_day([tmp_path / "backup"], folder, "2023-11-16")
    with pytest.raises(BackupRefused, match="there is no record at"):
        restore_day([tmp_path / "backup"], tmp_path / "nothing", SECOND)
    assert not (tmp_path / "nothing").exists()
    with closing(Journal(folder)), pytest.raises(JournalBusy):
        restore_day([tmp_path / "backup"], folder, SECOND)
