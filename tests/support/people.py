"""People of a table in a test, with their PINs."""

from __future__ import annotations

import datetime
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

from controller.access import directory as directory_module
from controller.access.directory import Directory
from controller.access.pins import hashed
from controller.access.read_directory import read_directory
from controller.access.write_directory import write_directory
from controller.table.roles import PersonId, Role

DAY = datetime.date(2026, 11, 22)


@cache
def _hashed_once(_name: str, pin: str) -> str:
    """A person's PIN always has the same salt here: a hash takes 50 ms of CPU, by intention."""
    return hashed(pin)


def add_person(path: Path, name: str, role: Role, pin: str) -> PersonId:
    """Add somebody to the directory at `path`, as `tablectl person add` does; the id."""
    directory = read_directory(path) if path.exists() else Directory()
    with patch.object(directory_module, "hashed", partial(_hashed_once, name)):
        added = directory.add(name, role, pin, DAY)
    write_directory(path, directory)
    return added.id
