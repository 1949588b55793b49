"""All days together: one that is missing or forged is noticed; spans, restores, the archive."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
from controller.record.days.gaming_day import rows_of
from controller.record.days.retention import KNOWN, Retention, archive_days, remove_days
from controller.record.files.chain_store import Beginning, ChainReader
from controller.record.files.database import READ_ONLY, is_there, wal_path
from controller.record.files.day_files import day_files, openings_path, signature_path
from controller.record.files.day_writer import ChainWriter, make_day
from controller.record.files.head_anchor import Position, genesis
from controller.record.files.signing import public_key_path, read_public_key
from controller.record.files.span import beginning_after
from controller.record.journal import Journal, JournalDamaged, JournalError
from controller.record.reading.round_report import report
from controller.record.reading.rounds import rounds
from controller.record.reading.verify import verify
from controller.table import inputs as i
from controller.table.evolve.carry_over import carry_over, difference, digest
from controller.table.facts import DayClosed
from tests.record.conftest import PutRecord
from tests.record.days.dealt_days import ROUNDS, dealt, recovered, with_another_bet, write
from tests.support.dealt.days import commits
from tests.support.dealt.journals import newest


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_day_that_was_deleted_is_noticed(
    gone: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pit = dealt(days=3)
    write(folder, pit.records)
    day = day_files(folder)[gone]
    day.path.unlink()
    if gone == 2:
        with pytest.raises(JournalDamaged, match=f"the gaming day {day.label} is gone"):
            recovered(folder)
    if gone == 0:  # what begins later says where
        found = verify(folder)
        assert found.problems == []
        assert found.after.seq > 0
        assert main(["verify", str(folder)]) == 1
        assert "no record says that they were removed" in capsys.readouterr().out
        assert main(["verify", str(folder), "--from", "2023-11-15"]) == 0
    else:
        found = verify(folder)
        assert not found.good
        assert "is gone" in found.problems[0] or "and are gone" in found.problems[0]


def test_days_without_rounds_that_were_removed_are_not_missed(folder: Path) -> None:
    """Where a removal was put on record may be gone by now, too."""
    pit = dealt(days=1)
    for gone in ("", "", "2023-11-14", "2023-11-15", "2023-11-16"):
        assert pit.close_day().refused == ""
        if gone:
            pit.give(i.RemoveDays(((gone, True),)))
    write(folder, pit.records)
    for day in day_files(folder)[:3]:
        day.path.unlink()
    found = verify(folder)
    assert (found.problems, found.days[0], found.missing_before) == ([], "2023-11-17", False)


def test_a_forged_signature_is_found(folder: Path, tmp_path: Path) -> None:
    pit = dealt()
    write(folder, pit.records)
    first = day_files(folder)[0].path
    key = read_public_key(public_key_path(folder))
    assert verify(folder, public_key=key).problems == []
    other = "00" * 31 + "01"
    assert "another key" in verify(folder, public_key=other).problems[0]
    text = signature_path(first).read_text()
    at = text.index('"signature":"') + 14
    signature_path(first).chmod(0o600)
    signature_path(first).write_text(text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :])
    assert "its signature does not hold" in verify(folder).problems[0]


def test_spans_are_verified_replayed_exported_and_backed_up(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pit = dealt(days=3)
    write(folder, pit.records)
    second = "2023-11-15"
    assert main(["verify", str(folder), "--day", second]) == 0
    out = capsys.readouterr().out
    closed = [r.seq for r in pit.records if isinstance(r.fact, DayClosed)]
    assert f"day {second}, beginning after record {closed[0]}" in out
    assert "not the end of the record" in out
    assert [each.number for each in rounds(folder, second, second)] == [4, 5, 6]
    assert main(["export", str(folder), "--from", second]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(pit.records) - closed[0]
    backup(folder, tmp_path / "backup", second, second)
    found = verify(tmp_path / "backup")
    assert (found.problems, found.days, found.head.seq) == ([], [second], closed[1])
    for number in range(1, 3 * ROUNDS + 1):
        assert report(folder, number).replay.number == number
    assert main(["verify", str(folder), "--day", "2024-01-01"]) == 1
    assert "no such gaming day" in capsys.readouterr().err


def test_a_closed_day_that_is_restored_keeps_its_signature(
    folder: Path, tmp_path: Path, put_record: PutRecord
) -> None:
    put_record(folder, 3)
    key = read_public_key(public_key_path(folder))
    backup(folder, tmp_path / "backup", last="2023-11-15")
    restore([tmp_path / "backup"], tmp_path / "restored")
    found = verify(tmp_path / "restored", public_key=key)
    assert (found.problems, found.signed) == ([], ["2023-11-14", "2023-11-15"])
    state = recovered(tmp_path / "restored")  # the table goes on
    assert state.day is not None
    assert state.day.label == "2023-11-16"


@pytest.mark.long
def test_all_days_come_back_from_a_backup_and_from_the_second_copy(
    folder: Path, tmp_path: Path
) -> None:
    pit = dealt(days=3)
    copy = tmp_path / "copy"
    with closing(Journal(folder, copy)) as journal:
        for commit in commits(pit.records):
            journal.write(commit)
    backup(folder, tmp_path / "backup")
    labels = [day.label for day in day_files(folder)]
    for source in (copy, tmp_path / "backup"):
        assert verify(source).problems == []
        shutil.rmtree(folder)
        written = restore([source], folder)
        assert list(written.days) == labels
        assert difference(carry_over(recovered(folder)), carry_over(pit.state)) == ""
        write(folder, pit.records)
        assert verify(folder).problems == []


def test_a_restore_of_the_newest_day_keeps_the_days_before_it(folder: Path, tmp_path: Path) -> None:
    pit = dealt(days=3)
    write(folder, pit.records)
    backup(folder, tmp_path / "backup", "2023-11-16")
    content = newest(folder).read_bytes()
    newest(folder).write_bytes(content[: len(content) // 2])
    written = restore([tmp_path / "backup"], folder)
    assert list(written.days) == ["2023-11-14", "2023-11-15", "2023-11-16"]
    assert verify(folder).problems == []
    assert verify(folder).head.seq == len(pit.records)


def test_closed_days_go_to_the_archive(folder: Path, tmp_path: Path, put_record: PutRecord) -> None:
    put_record(folder, 4)
    archive = tmp_path / "archive"
    due = archive_days(folder, Retention(1, archive))
    assert due == (("2023-11-14", True), ("2023-11-15", True))
    assert len(day_files(folder)) == 4, "nothing goes before it is on record"
    remove_days(folder, [label for label, _ in due])
    assert [day.label for day in day_files(folder)] == ["2023-11-16", "2023-11-17"]
    assert [day.label for day in day_files(archive)] == ["2023-11-14", "2023-11-15", "2023-11-16"]
    found = verify(archive)
    assert (found.problems, found.anchored, len(found.signed)) == ([], False, 3)
    assert verify(folder).problems == []


def test_a_day_that_cannot_be_archived_keeps_all_after_it(
    folder: Path, tmp_path: Path, put_record: PutRecord, caplog: pytest.LogCaptureFixture
) -> None:
    """A record from which a later day went would have a gap, and be called damaged."""
    put_record(folder, 4)
    archive = tmp_path / "archive"
    archive_days(folder, Retention(0, archive))
    first = day_files(archive)[0].path
    whole = first.read_bytes()
    first.chmod(0o600)
    first.write_bytes(whole[:-1] + b"?")
    assert archive_days(folder, Retention(1, archive)) == ()
    assert f"{first} is not what {day_files(folder)[0].path} is" in caplog.text
    assert "gaming day 2023-11-14 is not archived, it stays" in caplog.text
    first.write_bytes(whole)
    due = archive_days(folder, Retention(1, archive))
    assert due == (("2023-11-14", True), ("2023-11-15", True))


def test_what_a_closed_day_has_in_its_log_is_archived_too(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A second copy that somebody read as its day closed, and that stands for its record now."""
    monkeypatch.setattr("controller.record.files.database.BUSY_TIMEOUT_S", 0.0)
    records, archive = dealt().records, tmp_path / "archive"
    at = next(n for n, r in enumerate(records) if isinstance(r.fact, DayClosed))
    with closing(Journal(folder)) as journal:
        for commit in commits(records[:at]):
            journal.write(commit)
        with closing(ChainReader(newest(folder))) as reading:
            reading.hold_still()
            next(reading.rows())
            for commit in commits(records[at:]):
                journal.write(commit)
            journal.close()
    day, after = day_files(folder)
    assert is_there(wal_path(day.path))
    for each in (openings_path(day.path), day.path):
        each.chmod(READ_ONLY)
    for _ in range(2):
        assert archive_days(folder, Retention(0, archive)) == ()
        assert "is not archived" not in caplog.text
        for archived in day_files(archive):
            with closing(ChainReader(archived.path, ends=beginning_after(after))) as reader:
                assert [row.seq for row in reader.rows()] == [r.seq for r in records[: at + 1]]
    wal_path(archive / day.path.name).unlink()
    archive_days(folder, Retention(0, archive))
    assert "is not archived" in caplog.text, "without its log the archived day lacks records"


def test_an_archive_that_cannot_be_written_keeps_the_days(
    folder: Path, tmp_path: Path, put_record: PutRecord
) -> None:
    (tmp_path / "archive").write_text("in the way")
    put_record(folder, 3)
    with pytest.raises(OSError, match="archive"):
        archive_days(folder, Retention(1, tmp_path / "archive", delete=True))
    assert len(day_files(folder)) == 3


def test_days_do_not_go_into_the_empty_place_of_an_archive_that_is_not_mounted(
    folder: Path, tmp_path: Path, put_record: PutRecord
) -> None:
    """There they would be hidden as soon as it is, and taken away from the record."""
    put_record(folder, 3)
    archive, asked = tmp_path / "archive", Retention(1, tmp_path / "archive")
    assert archive_days(folder, asked) == (("2023-11-14", True),)
    away = archive.rename(tmp_path / "not mounted")
    archive.mkdir()
    with pytest.raises(JournalError, match=r"is its disk mounted\?"):
        archive_days(folder, asked)
    assert list(archive.iterdir()) == []
    another = tmp_path / "another"
    assert archive_days(folder, Retention(1, another)) == (("2023-11-14", True),)
    archive.rmdir()
    away.rename(archive)
    for each in day_files(archive):  # fetched by the house: it is the same archive
        each.path.unlink()
    assert archive_days(folder, asked) == (("2023-11-14", True),)
    # A new disk in its place, as the text says.
    archive.rename(away)
    (folder / KNOWN).unlink()
    assert archive_days(folder, asked) == (("2023-11-14", True),)
    assert [day.label for day in day_files(archive)] == ["2023-11-14", "2023-11-15"]


def test_a_carry_over_that_was_changed_is_found_by_verify(folder: Path) -> None:
    pit = dealt()
    at = next(n for n, r in enumerate(pit.records) if isinstance(r.fact, DayClosed))
    closed = pit.records[at].fact
    assert isinstance(closed, DayClosed)
    forged = pit.records[at]._replace(fact=replace(closed, digest="0" * 64))
    with closing(Journal(folder)) as journal:
        journal.write(pit.records[:at])
        with pytest.raises(JournalError, match="names another carry-over"):
            journal.write([forged, pit.records[at + 1]])


def test_a_forged_carry_over_is_found_though_chain_and_digest_agree(folder: Path) -> None:
    """Somebody who owns the disk writes both days anew, with other bets placed than there were."""
    pit = dealt()
    at = next(n for n, r in enumerate(pit.records) if isinstance(r.fact, DayClosed))
    closed = pit.records[at]
    assert isinstance(closed.fact, DayClosed)
    opened, carried = with_another_bet(pit.records[at + 1])
    closed = closed._replace(fact=replace(closed.fact, digest=digest(carried)))
    folder.mkdir()
    first = Beginning(bytes(32), "2023-11-14", genesis(bytes(32)))
    with closing(ChainWriter(folder, first, first.after)) as writer:
        writer.add(rows_of([*pit.records[:at], closed], first.after))
        head = writer.head
    second = Beginning(bytes(32), "2023-11-15", head)
    rows = rows_of([opened], head)
    make_day(folder, second, rows)
    ChainWriter(folder, second, Position(rows[-1].seq, rows[-1].hash)).close()
    problems = verify(folder).problems
    assert any("than the records of the day before come to" in each for each in problems), problems
