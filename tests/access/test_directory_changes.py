"""The directory of people, changed by several at once."""

from __future__ import annotations

import datetime
import fcntl
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.access import write_directory
from controller.access.directory import Directory
from controller.access.read_directory import read_directory
from controller.commands.access import person
from controller.commands.terminal.status import EXIT_USAGE


def test_two_changes_at_once_are_both_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(path: Path) -> Directory:
        found = read_directory(path)
        time.sleep(0.05)  # whoever changes it meanwhile would be lost
        return found

    monkeypatch.setattr(person, "read_directory", slowly)
    day = "2027-04-01"
    names = [each.name for each in read_directory(file).entries.values()]
    asked = [["person", "expire", str(file), name, day] for name in names]
    with ThreadPoolExecutor(len(asked)) as pool:
        assert not any(pool.map(main, asked))
    kept = read_directory(file).entries.values()
    assert len(names) > 1
    assert [each.expires for each in kept] == [datetime.date.fromisoformat(day)] * len(names)


def test_a_folder_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "none" / "people.toml"
    assert main(["person", "expire", str(nowhere), "aino", "2027-04-01"]) != 0
    assert str(nowhere.parent) in capsys.readouterr().err


def test_a_folder_that_somebody_holds_for_long_is_said(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever may read it can: who adds somebody waited for ever, without a word."""
    monkeypatch.setattr(write_directory, "WAIT_S", 0.1)
    before = file.read_bytes()
    asked = ["person", "expire", str(file), "aino", "2027-04-01"]
    holder = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(holder, fcntl.LOCK_SH)
        assert main(asked) == EXIT_USAGE
    finally:
        os.close(holder)
    said = capsys.readouterr().err
    assert f"{file} was not changed: another program has held {file.parent} for 0.1 seconds" in said
    assert file.read_bytes() == before
    assert main(asked) == 0
