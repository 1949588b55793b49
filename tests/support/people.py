"""People of a table in a test, with their PINs."""

from __future__ import annotations

import datetime
from pathlib import Path

from controller.access.directory import Directory
from controller.access.read_directory import read_directory
from controller.access.write_directory import write_directory
from controller.table.roles import PersonId, Role

DAY = datetime.date(2026, 11, 22)


def add_person(path: Path, name: str, role: Role, pin: str) -> PersonId:
    """Add somebody to the directory at `path`, as `tablectl person add` does; the id."""
    directory = read_directory(path) if path.exists() else Directory()
    added = directory.add(name, role, pin, DAY)
    write_directory(path, directory)
    return added.id
