"""Closed days beside a running table: damage is reported as soon as it shows; play goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.__main__ import main
from controller.record.copies.backup import backup
from controller.record.days.closed_days import ClosedDays
from controller.record.files.chain_store import ChainReader
from controller.record.files.day_files import day_files, openings_path, signature_path
from controller.record.files.signing import default_key_path, public_key_path
from controller.record.journal import Journal, JournalError
from controller.rules.messages import Message
from controller.table.queries.device_failures import trouble
from controller.table.views.english import say
from tests.record.conftest import PutRecord
from tests.record.days.dealt_days import dealt, recovered
from tests.record.files.test_forgery import cut_after
from tests.support.forms import quick_first


@pytest.fixture
def folder(folder: Path, put_record: PutRecord) -> Path:
    put_record(folder, 4)
    return folder


def found(folder: Path) -> Message | None:
    return ClosedDays(folder)()


@pytest.mark.long
def test_closed_days_that_hold_are_no_trouble(folder: Path) -> None:
    assert found(folder) is None


def test_a_closed_day_that_lost_its_end_is_reported_and_play_goes_on(folder: Path) -> None:
    look = ClosedDays(folder)
    assert look() is None
    cut_after(day_files(folder)[1].path, 100)
    problem = look()
    assert problem is not None
    assert problem.code == "closed-day-damaged"
    assert "aming day 2023-11-15 is damaged" in say(problem)
    assert str(folder) in say(problem)
    assert str(folder) not in say(trouble("closed days", problem).sentence)
    assert recovered(folder) is not None


def test_a_day_that_could_not_be_read_is_looked_at_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(path: Path) -> ChainReader:
        raise JournalError(f"{path} cannot be copied to be read")

    cut_after(day_files(folder)[1].path, 100)
    look = ClosedDays(folder)
    with monkeypatch.context() as away:
        away.setattr("controller.record.days.closed_days.ChainReader", unreadable)
        assert look() is None
    problem = look()
    assert problem is not None
    assert problem.code == "closed-day-damaged"


def test_pages_that_were_spoilt_are_reported(folder: Path) -> None:
    path = day_files(folder)[0].path
    path.chmod(0o600)
    content = bytearray(path.read_bytes())
    content[512 * 20 : 512 * 24] = bytes(512 * 4)
    path.write_bytes(content)
    problem = found(folder)
    assert problem is not None
    assert problem.code == "closed-day-damaged"


@pytest.mark.parametrize("forged", quick_first([False, True], [True]), ids=["gone", "forged"])
def test_a_signature_that_is_gone_or_does_not_hold_is_reported(forged: bool, folder: Path) -> None:
    path = signature_path(day_files(folder)[0].path)
    text = path.read_text()
    path.unlink()
    if forged:
        other = signature_path(day_files(folder)[1].path).read_text()
        path.write_text(other)
    problem = found(folder)
    assert problem is not None
    assert problem.code == ("closed-day-damaged" if forged else "closed-day-not-signed")
    path.write_text(text)
    assert found(folder) is None


# -- the key that signs them --


@pytest.mark.long
def test_the_key_lies_outside_of_the_record_and_in_no_backup(folder: Path, tmp_path: Path) -> None:
    key = default_key_path(folder)
    assert key == tmp_path / "record.key"
    secret = key.read_bytes().strip()
    assert key.stat().st_mode & 0o777 == 0o600
    backup(folder, tmp_path / "backup")
    for place in (folder, tmp_path / "backup"):
        held = [each for each in place.rglob("*") if each.is_file()]
        assert any(openings_path(day.path) in held for day in day_files(place))
        assert not any(secret in each.read_bytes() for each in held)
    assert public_key_path(tmp_path / "backup").exists()


def test_a_key_that_would_lie_in_the_record_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "record"
    with pytest.raises(JournalError, match="name a place outside"):
        Journal(folder, key=folder / "table.key")


def test_the_key_may_lie_on_another_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, key = tmp_path / "record", tmp_path / "keys" / "table.key"
    pit = dealt(days=2)
    journal = Journal(folder, key=key)
    journal.write(pit.records[:60])
    journal.close()
    assert key.exists()
    assert not default_key_path(folder).exists()
    assert main(["verify", str(folder), "--key", str(public_key_path(folder))]) == 0
