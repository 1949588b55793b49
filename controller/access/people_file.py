"""The people of a table's own file, read again whenever it changed: whom PINs are held against."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from controller.access.directory import Directory, PeopleError
from controller.access.pins import NOBODY
from controller.access.read_directory import read_directory
from controller.table.roles import PersonId, Role


class PeopleSource(Protocol):
    """Where a table's people are known from."""

    @property
    def nobody(self) -> str:
        """The hash that a PIN is held against for a name that nobody has."""

    @property
    def path(self) -> Path:
        """A file of it, with the names at least."""

    @property
    def known(self) -> Directory:
        """The directory as it was read last."""

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names in that, by id."""

    def check(self, today: datetime.date) -> None:
        """Raises `PeopleError` where a table could not begin with it."""

    def read(self) -> Directory:
        """The directory as it is now. Blocks. Raises `PeopleError`."""


class PeopleFile:
    """The directory in a file. Whoever is removed from it is out at the next try."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[int, int, int] | None = None
        self._directory = Directory()
        self._names: Mapping[PersonId, str] = {}

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def known(self) -> Directory:
        """The directory as it was read last."""
        return self._directory

    @property
    def nobody(self) -> str:
        """The hash that a PIN is held against for a name that nobody has."""
        return NOBODY

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names in that, by id."""
        return self._names

    def check(self, today: datetime.date) -> None:
        """Raises `PeopleError`, also where nobody is of the floor."""
        roles = [each.role(today) for each in self.read().entries.values()]
        if Role.FLOOR not in roles:
            raise PeopleError(
                f"{self._path}: nobody there is of the floor: nothing could be released"
            )

    def read(self) -> Directory:
        """The directory, read anew where its file changed. Raises `PeopleError`."""
        try:
            found = os.stat(self._path)
            state = (found.st_mtime_ns, found.st_ino, found.st_size)
        except OSError:
            state = None
        if state is None or state != self._read:
            self._directory = read_directory(self._path)
            self._names = self._directory.names
            self._read = state
        return self._directory
