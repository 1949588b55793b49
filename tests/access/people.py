"""People in a file, and the command that writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.__main__ import main
from controller.access.read_directory import read_directory
from controller.table.roles import Person
from tests.support.people import DAY


def person(file: Path, name: str) -> Person:
    entry = read_directory(file).find(name)
    role = entry.role(DAY)
    assert role is not None
    return Person(entry.id, role)


def command(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main(["person", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err
