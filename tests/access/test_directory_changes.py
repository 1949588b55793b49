"""The directory of people, changed by several at once."""

from __future__ import annotations

import datetime
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.access.directory import Directory
from controller.access.read_directory import read_directory
from controller.commands.access import person


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
