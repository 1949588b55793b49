"""Writes the directory of people to its file. Only the command line does: a table reads it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import tomlkit

from controller.access.directory import Directory, PeopleError
from controller.access.durable_file import put_in_place

_HEADER: Final = (
    "Written by `tablectl person`: who the ids on record are. PINs are hashed.",
    "Keep it private, and apart from copies of the record.",
)


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """While the directory in `path` is read, changed and written: others wait for it.

    Without it, of two people who are added at once one would be lost. Raises `PeopleError`.
    """
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise PeopleError(f"{path.parent} cannot be opened: {error.strerror}") from error
    try:
        # The folder and no file of its own: the directory's file is another one after each change.
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def write_directory(path: Path, directory: Directory) -> None:
    """Put the directory in place of what was in `path`, whole or not at all. `PeopleError`."""
    document = tomlkit.document()
    for line in _HEADER:
        document.add(tomlkit.comment(line))
    for entry in directory.entries.values():
        section = tomlkit.table()
        if entry.name:
            section["name"] = entry.name
        if entry.pin:
            section["pin"] = entry.pin
        if entry.expires is not None:
            section["expires"] = entry.expires
        roles = tomlkit.array()
        for each in entry.history:
            row = tomlkit.inline_table()
            row["role"], row["since"] = each.role.value, each.since
            if each.until is not None:
                row["until"] = each.until
            roles.append(row)
        section["roles"] = roles
        document[entry.id] = section
    try:
        put_in_place(path, tomlkit.dumps(document).encode())
    except OSError as error:
        raise PeopleError(f"{path} cannot be written: {error.strerror}") from error
