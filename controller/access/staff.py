"""Proves by name and PIN who stands for a command. Wrong tries lock a name, and are counted."""

from __future__ import annotations

import asyncio
import datetime
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.access.directory import Directory, PeopleError, local_day
from controller.access.pins import NOBODY, matches
from controller.access.read_directory import read_directory
from controller.table.roles import Person, PersonId, Role

#: So many wrong tries in a row lock a name for so long.
TRIES: Final = 5
LOCKED_S: Final = 60.0


class NotProven(Exception):
    """A name and PIN that do not fit, or too many wrong tries. The text is for who tried."""


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    locked_until_s: float = 0.0


class Staff:
    """The people of a table, as their file has them at the moment.

    Whoever is removed from it is out at the next try, not at the next start. `now_s` is a
    monotonic clock, `today` the calendar day here.
    """

    def __init__(
        self,
        path: Path,
        now_s: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime.date] = local_day,
    ) -> None:
        """Read the directory at `path`. Raises `PeopleError`, also where nobody is of the floor."""
        self._path = path
        self._now_s = now_s
        self._today = today
        self._tries: dict[str, _Tries] = {}
        self._read: tuple[int, int, int] | None = None
        self._directory = Directory()
        self._names: Mapping[PersonId, str] = {}
        self._reread()
        roles = [each.role(today()) for each in self._directory.entries.values()]
        if Role.FLOOR not in roles:
            raise PeopleError(f"{path}: nobody there is of the floor: nothing could be released")

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names that are known, by id, as the file had them when somebody last gave a PIN."""
        return self._names

    def _reread(self) -> None:
        """Read the file anew where it changed. Raises `PeopleError`."""
        try:
            found = os.stat(self._path)
            state = (found.st_mtime_ns, found.st_ino, found.st_size)
        except OSError:
            state = None
        if state is None or state != self._read:
            self._directory = read_directory(self._path)
            self._names = self._directory.names
            self._read = state

    async def prove(self, proofs: Sequence[tuple[str, str]]) -> tuple[Person, ...]:
        """The people whose names and PINs these are. Raises `NotProven`."""
        return tuple([await self._one(name, pin) for name, pin in proofs])

    async def _one(self, name: str, pin: str) -> Person:
        try:
            await asyncio.to_thread(self._reread)
        except PeopleError as error:
            raise NotProven(f"Nobody can be known at the moment: {error}") from None
        entry = self._directory.named(name)
        role = entry.role(self._today()) if entry else None
        # One count for all unknown names: which names are known is nobody's business.
        tries = self._tries.setdefault(name if role else "", _Tries())
        if self._now_s() < tries.locked_until_s:
            raise NotProven("Too many wrong PINs: wait a minute, then try again")
        right = await asyncio.to_thread(matches, pin, entry.pin if entry and role else NOBODY)
        if not right or entry is None or role is None:
            tries.wrong += 1
            if tries.wrong >= TRIES:
                tries.wrong, tries.locked_until_s = 0, self._now_s() + LOCKED_S
            raise NotProven("Name and PIN do not fit: try again")
        tries.wrong = 0
        return Person(entry.id, role)
