"""Writes the directory of people to its file. Only the command line does: a table reads it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import tomlkit

from controller.access.directory import Directory, PeopleError

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
    beside = path.with_name(path.name + ".new")
    try:
        found = (path if path.exists() else path.parent).stat()
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                # Changed by root, it stays readable for the service, which owns it or its folder.
                os.fchown(file.fileno(), found.st_uid, found.st_gid)
        beside.replace(path)
    except OSError as error:
        raise PeopleError(f"{path} cannot be written: {error.strerror}") from error
