"""Somebody who owns the disk, but not the table's key, changes what lies there: it is noticed."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.copies.backup import backup
from controller.record.copies.replica import Replica
from controller.record.copies.restore import restore
from controller.record.days.retention import Retention, archive_days
from controller.record.files.chain_store import ChainReader, open_newest
from controller.record.files.database import wal_path
from controller.record.files.day_files import day_files, files_of, signature_path
from controller.record.files.day_writer import is_closed
from controller.record.files.head_anchor import anchor_path
from controller.record.files.signing import (
    default_key_path,
    ensure_key,
    public_key_path,
    read_public_key,
)
from controller.record.journal import Journal, JournalError
from controller.record.reading.verify import verify
from controller.table.facts import DayClosed, Record
from tests.record.days.dealt_days import dealt, recovered, write
from tests.support.dealt.days import commits
from tests.support.dealt.journals import newest
from tests.support.forms import long_only, quick_first


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "record"


def unsign(folder: Path) -> None:
    """Days as they are before they are tidied up."""
    for day in day_files(folder):
        signature_path(day.path).unlink(missing_ok=True)
        for each in files_of(day.path):
            if each.exists():
                each.chmod(0o600)


def cut_after(day: Path, seq: int) -> None:
    mode = day.stat().st_mode
    day.chmod(0o600)
    with closing(sqlite3.connect(day)) as base:
        base.execute("DELETE FROM records WHERE seq > ?", (seq,))
        base.commit()
    day.chmod(mode)


def test_a_closed_day_without_a_signature_is_no_proof_for_who_has_the_key(folder: Path) -> None:
    write(folder, dealt(days=3).records)
    key = read_public_key(public_key_path(folder))
    unsign(folder)
    found = verify(folder)
    assert (found.problems, found.unsigned) == ([], ["2023-11-14", "2023-11-15"])
    problems = verify(folder, public_key=key).problems
    assert [each.partition(": ")[0][-14:] for each in problems] == [
        "2023-11-14.day", "2023-11-15.day",
    ]  # fmt: skip
    assert all("is not signed" in each for each in problems)


def test_an_older_day_is_never_signed_late(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Or a table would put its name under whatever was laid there while it was off."""
    pit = dealt(days=3)
    write(folder, pit.records[:-1])
    unsign(folder)
    write(folder, pit.records)
    older, newer, _ = (day.path for day in day_files(folder))
    assert not signature_path(older).exists()
    assert signature_path(newer).exists()
    assert "gaming day 2023-11-14 lost its signature" in caplog.text


def test_a_day_that_lost_its_end_is_not_signed_and_keeps_its_log(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The power fails as the next day is open, and the closed day's log is spoilt."""
    pit = dealt()
    left = tmp_path / "left"

    def cut(what: str) -> None:
        if what == "day has its name":
            shutil.copytree(folder, left)

    write(folder, pit.records, cut)
    first = day_files(left)[0].path
    log = bytearray(wal_path(first).read_bytes())
    log[-600] ^= 1
    wal_path(first).write_bytes(log)
    write(left, pit.records)
    assert "gaming day 2023-11-14 is not signed, it is damaged" in caplog.text
    assert not signature_path(first).exists()
    assert wal_path(first).read_bytes() == log
    assert not verify(left).good


def test_a_day_in_an_archive_that_was_cut_is_noticed(folder: Path, tmp_path: Path) -> None:
    write(folder, dealt().records)
    archive = tmp_path / "archive"
    archive.mkdir()
    for each in files_of(day_files(folder)[0].path):
        if each.exists():
            shutil.copy2(each, archive)
    assert verify(archive).problems == []
    cut_after(newest(archive), 40)
    assert "its last records are gone" in verify(archive).problems[0]


@pytest.mark.parametrize("whole_day", [False, True])
def test_a_record_without_its_anchor_is_no_archive(whole_day: bool, folder: Path) -> None:
    pit = dealt()
    write(folder, pit.records)
    if whole_day:
        for each in files_of(newest(folder)):
            each.unlink(missing_ok=True)
    else:
        cut_after(newest(folder), len(pit.records) - 5)
    anchor_path(folder).unlink()
    assert "its head anchor is missing" in verify(folder).problems[0]


@pytest.mark.long
def test_a_backup_of_a_closed_day_has_its_signature(folder: Path, tmp_path: Path) -> None:
    write(folder, dealt(days=3).records)
    key = read_public_key(public_key_path(folder))
    backup(folder, tmp_path / "backup", "2023-11-15", "2023-11-15")
    found = verify(tmp_path / "backup", public_key=key)
    assert (found.problems, found.signed) == ([], ["2023-11-15"])


def test_a_signature_that_is_no_text_does_not_hold(folder: Path) -> None:
    write(folder, dealt().records)
    signature = signature_path(day_files(folder)[0].path)
    content = bytearray(signature.read_bytes())
    content[10] |= 0x80
    signature.write_bytes(content)
    assert "its signature cannot be read" in verify(folder).problems[0]


def shorter(text: str) -> str:
    return text[:62]


def changed(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def of_another_table(text: str) -> str:
    with tempfile.TemporaryDirectory() as other:
        ensure_key(Path(other), Path(other, "key"))
        return Path(other, "key").read_text()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        long_only(shorter, "cannot be read"),
        (changed, "cannot be read"),
        long_only(of_another_table, "do not belong together"),
    ],
)
def test_a_key_that_was_changed_is_noticed_at_the_start_and_signs_nothing(
    spoil: Callable[[str], str], said: str, folder: Path
) -> None:
    """It was noticed as the day closed: in the middle of the night, the table stopped."""
    pit = dealt()
    at = next(n for n, r in enumerate(pit.records) if isinstance(r.fact, DayClosed))
    write(folder, pit.records[: at - 2])
    default_key_path(folder).write_text(spoil(default_key_path(folder).read_text()))
    with pytest.raises(JournalError, match=said):
        write(folder, pit.records[: at - 1])
    assert not signature_path(day_files(folder)[0].path).exists()
    # What the text advises: without the keys the table makes new ones, and goes on.
    default_key_path(folder).unlink()
    public_key_path(folder).unlink()
    write(folder, pit.records)
    assert verify(folder, public_key=read_public_key(public_key_path(folder))).problems == []


def test_a_record_that_was_deleted_is_not_begun_anew_beside_its_key(
    folder: Path, tmp_path: Path
) -> None:
    """Without a second copy a deleted record was a new table, which dealt on."""
    pit = dealt()
    write(folder, pit.records)
    backup(folder, tmp_path / "good")
    shutil.rmtree(folder)
    with pytest.raises(JournalError, match="it was deleted or moved away"):
        Journal(folder)
    restore([tmp_path / "good"], folder)
    Journal(folder).close()
    shutil.rmtree(folder)
    default_key_path(folder).unlink()
    Journal(folder).close()  # a new table, as the text says


def test_a_link_that_is_led_elsewhere_begins_no_record(folder: Path, tmp_path: Path) -> None:
    """The key lay beside what the link leads to: led to an empty disk, the table was a new one."""
    pit = dealt()
    (tmp_path / "disk").mkdir()
    (tmp_path / "other").mkdir()
    folder.symlink_to(tmp_path / "disk")
    write(folder, pit.records)
    assert default_key_path(folder) == tmp_path / "record.key"
    assert default_key_path(folder).exists()
    folder.unlink()
    folder.symlink_to(tmp_path / "other")
    with pytest.raises(JournalError, match="it was deleted or moved away"):
        Journal(folder)
    folder.unlink()
    folder.symlink_to(tmp_path / "not mounted")
    with pytest.raises(JournalError, match="mount the disk"):
        Journal(folder)
    assert not (tmp_path / "not mounted").exists()
    folder.unlink()
    folder.symlink_to(folder)
    with pytest.raises(JournalError, match="put the link right"):
        Journal(folder)


def test_a_key_beside_what_a_link_leads_to_stays_in_use(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An older build made it there: another one would be no auditor's."""
    pit = dealt()
    write(tmp_path / "disk", pit.records[:-1])
    folder.symlink_to(tmp_path / "disk")
    assert default_key_path(folder) == tmp_path / "disk.key"
    write(folder, pit.records)
    assert not (tmp_path / "record.key").exists()
    assert "give the auditors" not in caplog.text


@pytest.mark.parametrize("at", quick_first([0, 63, 64, 70], [64]))
def test_a_public_key_that_was_changed_is_noticed_before_a_day_is_closed(
    at: int, folder: Path, tmp_path: Path
) -> None:
    """With no closed day nothing was held against it, and auditors were given a wrong one."""
    pit = dealt()
    first = next(n for n, r in enumerate(pit.records) if isinstance(r.fact, DayClosed))
    write(folder, pit.records[: first - 1])
    backup(folder, tmp_path / "good")
    spoilt = bytearray(public_key_path(folder).read_bytes())
    spoilt[at] ^= 1
    public_key_path(folder).write_bytes(spoilt)
    (problem,) = verify(folder).problems
    assert "is no public key of a table" in problem
    with pytest.raises(JournalError, match="put back the one that the auditors have, or remove it"):
        write(folder, pit.records)
    restore([tmp_path / "good"], folder)
    assert verify(folder).problems == []
    public_key_path(folder).unlink()
    write(folder, pit.records)
    assert verify(folder, public_key=read_public_key(public_key_path(folder))).problems == []


def test_a_second_beginning_of_a_day_is_noticed(folder: Path) -> None:
    write(folder, dealt().records)
    with closing(sqlite3.connect(newest(folder))) as base:
        base.execute("INSERT INTO beginning SELECT * FROM beginning")
        base.commit()
    assert "there is a second one" in verify(folder).problems[0]
    with pytest.raises(JournalError, match="there is a second one"):
        Journal(folder)


def test_a_key_that_is_gone_is_reported(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    pit = dealt()
    write(folder, pit.records[:-1])
    default_key_path(folder).unlink()
    write(folder, pit.records)
    assert "give the auditors the new" in caplog.text


@pytest.mark.long
@pytest.mark.parametrize("days", [1, 2])
def test_a_copy_that_goes_further_than_the_record_is_to_be_restored(
    days: int, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody put an older state of the record back: of the same day, or of the day before."""
    pit = dealt(days=2)
    write(folder, pit.records)
    copy, rolled_back = tmp_path / "copy", tmp_path / "older" / "record"
    backup(folder, copy)
    there = part_of(pit.records, days)
    with closing(open_newest(folder)) as reader:  # type: ignore[type-var]
        identity = reader.beginning.identity  # type: ignore[union-attr]
    with closing(Journal(rolled_back, draw=lambda size: identity[:size])) as journal:
        for commit in commits(there):
            journal.write(commit)
    with caplog.at_level(logging.WARNING), closing(Replica(rolled_back, copy)) as replica:
        replica.wake()
    assert f"tablectl restore {copy} {rolled_back}" in caplog.text
    assert verify(copy).head.seq == len(pit.records)


def part_of(records: list[Record], days: int) -> list[Record]:
    if days == 2:
        return records[:-3]
    at = next(n for n, r in enumerate(records) if isinstance(r.fact, DayClosed))
    return records[: at - 3]


def test_a_day_that_was_read_as_it_closed_is_archived_once_it_is_tidied_up(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.record.files.database.BUSY_TIMEOUT_S", 0.0)
    pit, archive = dealt(days=3), tmp_path / "archive"
    retention = Retention(0, archive)

    def archived() -> None:
        assert archive_days(folder, retention) == ()

    closed = [n for n, r in enumerate(pit.records) if isinstance(r.fact, DayClosed)]
    with closing(Journal(folder)) as journal:
        for commit in commits(pit.records[: closed[0]]):
            journal.write(commit)
        with closing(ChainReader(newest(folder))) as reading:
            reading.hold_still()
            next(reading.rows())
            for commit in commits(pit.records[closed[0] : closed[0] + 2]):
                journal.write(commit)
            assert not is_closed(day_files(folder)[0].path)
            archived()
            assert not archive.exists()
        for commit in commits(pit.records[closed[0] + 2 :]):
            journal.write(commit)
    archived()
    assert [day.label for day in day_files(archive)] == ["2023-11-14", "2023-11-15"]
    assert verify(archive).problems == []
    assert recovered(folder).seq == len(pit.records)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter; pytest's own ones are its user's alone."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes somebody else")
@pytest.mark.parametrize(
    "file", quick_first(["2023-11-14.day", "2023-11-14.day.signature", "head"], ["head"])
)
def test_who_may_not_read_a_file_is_not_sent_for_a_backup(file: str, open_folder: Path) -> None:
    """An auditor who is not the service's user, at a record that is whole."""
    folder = open_folder / "record"
    write(folder, dealt().records)
    folder.chmod(0o755)
    for each in folder.iterdir():
        each.chmod(0o444)
    (folder / file).chmod(0o400)
    nobody = 65534
    os.setresuid(nobody, nobody, 0)
    try:
        with pytest.raises(JournalError, match=r"Permission denied|may not be read") as raised:
            verify(folder)
    finally:
        os.setresuid(0, 0, 0)
    assert "restore" not in str(raised.value)
    assert verify(folder).problems == []
