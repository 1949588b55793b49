"""The directory of people: who an id on record is, and what they may do, in a file beside it.

The record holds ids and never names, so a person can be erased from here while the record stays
whole: past records then show the id alone. An id is never given to anybody else.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Final

from controller.access.pins import hashed
from controller.rules.frozen import frozen
from controller.table.roles import PersonId, Role

NAME_MAX: Final = 40
ID_BYTES: Final = 4


def local_day() -> datetime.date:
    """The calendar day here and now."""
    return datetime.datetime.now().astimezone().date()


class PeopleError(ValueError):
    """The directory cannot be used or changed; the text says what to do."""


@frozen
class RoleTerm:
    """A time in which somebody had a role; `until` is the first day without it, None: still."""

    role: Role
    since: datetime.date
    until: datetime.date | None = None


@frozen
class PersonEntry:
    """One person. `history` has the roles, oldest first; the last is today's while it has no end.

    `pin` is the salted hash, empty where the person may not prove anything any more. `name` is
    empty once erased. `expires` is the first day on which the PIN is not accepted.
    """

    id: PersonId
    name: str
    history: tuple[RoleTerm, ...]
    pin: str = field(default="", repr=False)
    expires: datetime.date | None = None

    def role(self, today: datetime.date) -> Role | None:
        """What the person is at this table on that day; None: nothing (any more)."""
        if not self.pin or (self.expires is not None and self.expires <= today):
            return None
        last = self.history[-1]
        return last.role if last.until is None else None


class Directory:
    """The people of one file, by id."""

    def __init__(self, entries: Iterable[PersonEntry] = ()) -> None:
        self.entries: Final[dict[PersonId, PersonEntry]] = {each.id: each for each in entries}

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names that are known, by id."""
        return {each.id: each.name for each in self.entries.values() if each.name}

    def named(self, name: str) -> PersonEntry | None:
        """The person of that name."""
        return next((each for each in self.entries.values() if each.name == name), None)

    def find(self, who: str) -> PersonEntry:
        """The person of that id or name. Raises `PeopleError`."""
        found = self.entries.get(PersonId(who)) or (self.named(who) if who else None)
        if found is None:
            raise PeopleError(f"there is nobody called {who}: `tablectl person list` shows who is")
        return found

    def add(self, name: str, role: Role, pin: str, today: datetime.date) -> PersonEntry:
        """Add somebody, or give a new role or PIN. Raises `PeopleError`, `PinError`."""
        if not 0 < len(name) <= NAME_MAX or not name.replace("-", "").replace("_", "").isalnum():
            raise PeopleError(f"a name has 1 to {NAME_MAX} letters, digits, - or _")
        old = self.named(name)
        if old is None:
            new = PersonEntry(self._new_id(), name, (RoleTerm(role, today),), hashed(pin))
        else:
            history = old.history
            if history[-1].role is not role or history[-1].until is not None:
                history = (*_ended(history, today), RoleTerm(role, today))
            new = replace(old, history=history, pin=hashed(pin), expires=None)
        self.entries[new.id] = new
        return new

    def remove(self, who: str, today: datetime.date) -> PersonEntry:
        """End somebody's role and PIN from now on; the name stays. Raises `PeopleError`."""
        old = self.find(who)
        return self._put(replace(old, pin="", expires=None, history=_ended(old.history, today)))

    def expire(self, who: str, day: datetime.date) -> PersonEntry:
        """Let somebody's PIN end: `day` is the first without it. Raises `PeopleError`."""
        old = self.find(who)
        if not old.pin:
            raise PeopleError(f"{old.name or old.id} has no PIN that could expire")
        return self._put(replace(old, expires=day))

    def erase(self, who: str, today: datetime.date) -> PersonEntry:
        """Forget who somebody is: no name, no PIN; id and roles stay. Raises `PeopleError`."""
        old = self.remove(who, today)
        return self._put(replace(old, name=""))

    def _put(self, entry: PersonEntry) -> PersonEntry:
        self.entries[entry.id] = entry
        return entry

    def _new_id(self) -> PersonId:
        while (made := PersonId(secrets.token_hex(ID_BYTES))) in self.entries:
            pass
        return made


def _ended(history: tuple[RoleTerm, ...], today: datetime.date) -> tuple[RoleTerm, ...]:
    last = history[-1]
    return history if last.until is not None else (*history[:-1], replace(last, until=today))
