"""Writes the directory of people to its file. Only the command line does: a table reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import tomlkit

from controller.access.directory import Directory, PeopleError
from controller.access.durable_file import put_in_place

_HEADER: Final = (
    "Written by `tablectl person`: who the ids on record are. PINs are hashed.",
    "Keep it private, and apart from copies of the record.",
)


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
