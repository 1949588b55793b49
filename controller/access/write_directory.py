"""Writes the directory of people to its file. Only the command line does: a table reads it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.access.directory import Directory, PeopleError
from controller.access.durable_file import put_in_place

_HEADER: Final = (
    "Written by `tablectl person`: who the ids on record are. PINs are hashed.",
    "Keep it private, and apart from copies of the record.",
)
#: A change takes milliseconds; nobody waits longer for another's.
WAIT_S: Final = 10.0
_AGAIN_S: Final = 0.05


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """While the directory in `path` is read, changed and written: others wait for it.

    Without it, of two people who are added at once one would be lost. Raises `PeopleError`, also
    where somebody else has it for longer than `WAIT_S`.
    """
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise PeopleError(f"{path.parent} cannot be opened: {error.strerror}") from error
    try:
        # The folder and no file of its own: the directory's file is another one after each change.
        _lock(folder, path)
        yield
    finally:
        os.close(folder)


def _lock(folder: int, path: Path) -> None:
    """Lock the open folder of `path`. Raises `PeopleError`."""
    give_up_s = time.monotonic() + WAIT_S
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Whoever may read the folder can hold it, for as long as they like.
            if time.monotonic() >= give_up_s:
                raise PeopleError(
                    f"{path} was not changed: another program has held {path.parent} for "
                    f"{WAIT_S:g} seconds. `fuser -v {path.parent}` says which: end that, then do "
                    "this again"
                ) from None
            time.sleep(_AGAIN_S)
        except OSError as error:
            raise PeopleError(f"{path.parent} cannot be locked: {error.strerror}") from error
        else:
            return


def write_directory(path: Path, directory: Directory) -> None:
    """Put the directory in place of what was in `path`, whole or not at all. `PeopleError`."""
    import tomlkit  # a table that writes none does without

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
