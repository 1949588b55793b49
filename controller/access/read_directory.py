"""Reads the directory of people from its file, which nobody else may read."""

from __future__ import annotations

import datetime
import stat
import tomllib
from pathlib import Path
from typing import Any

from controller.access.directory import ID_BYTES, Directory, PeopleError, PersonEntry, RoleTerm
from controller.access.pins import checked_hash
from controller.access.private_file import read_private
from controller.table.roles import PersonId, Role


def read_directory(path: Path) -> Directory:
    """The directory in `path`. Raises `PeopleError`, also where others may read the file."""
    try:
        content, mode = read_private(path)
        raw: dict[str, Any] = tomllib.loads(content.decode())
    except FileNotFoundError:
        raise PeopleError(
            f"there is no file {path}: add people with `tablectl person add {path} NAME"
            " --role floor`"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PeopleError(f"{path} cannot be read: {error}") from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise PeopleError(f"others may read {path}: chmod 600 {path}")
    try:
        return Directory([_entry(PersonId(each), section) for each, section in raw.items()])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise PeopleError(
            f"{path} is not as `tablectl person` writes it ({error}): put a copy of it back"
        ) from None


def _entry(person: PersonId, section: dict[str, Any]) -> PersonEntry:
    if len(bytes.fromhex(person)) != ID_BYTES or person != person.lower():
        raise ValueError(f"[{person}] is no id")
    unknown = section.keys() - {"name", "pin", "expires", "roles"}
    if unknown:
        raise ValueError(f"[{person}] has an unknown key {min(unknown)!r}")
    history = tuple(
        RoleTerm(Role(each["role"]), _day(each["since"]), _day(each["until"]))
        if "until" in each
        else RoleTerm(Role(each["role"]), _day(each["since"]))
        for each in section["roles"]
    )
    if not history:
        raise ValueError(f"[{person}] has no role")
    pin = section.get("pin", "")
    expires = section.get("expires")
    return PersonEntry(
        person, str(section.get("name", "")), history, checked_hash(pin) if pin else "",
        None if expires is None else _day(expires),
    )  # fmt: skip


def _day(value: object) -> datetime.date:
    if type(value) is not datetime.date:
        raise TypeError(f"{value!r} is no day")
    return value
