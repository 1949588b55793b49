"""The people of a table: names, roles and PINs, in a file that the service alone may read.

A PIN (or the text on a badge) is kept as an scrypt hash (RFC 7914) with a salt of its own, in a
small profile: 16 MB and some 50 ms on a PC. Wrong tries lock a name for a while, and are counted.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import os
import secrets
import stat
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.table.roles import Person, Role

PIN_MIN, PIN_MAX = 4, 64
NAME_MAX: Final = 40
#: So many wrong tries in a row lock a name for so long.
TRIES: Final = 5
LOCKED_S: Final = 60.0
_SALT_BYTES: Final = 16
_N, _R, _P = 2**14, 8, 1
#: What a PIN for an unknown name is held against, so that it takes as long.
_NOBODY: Final = f"{base64.b64encode(bytes(_SALT_BYTES)).decode()}$"


class PeopleError(ValueError):
    """The file of people cannot be used; the text says what to change."""


class NotProven(Exception):
    """A name and PIN that do not fit, or too many wrong tries. The text is for who tried."""


def hashed(pin: str, salt: bytes | None = None) -> str:
    """What is kept of a PIN: salt and scrypt hash. Raises `PeopleError` for one too short."""
    if not PIN_MIN <= len(pin) <= PIN_MAX or not pin.isprintable():
        raise PeopleError(f"a PIN has {PIN_MIN} to {PIN_MAX} characters")
    salt = salt or secrets.token_bytes(_SALT_BYTES)
    made = hashlib.scrypt(pin.encode(), salt=salt, n=_N, r=_R, p=_P, maxmem=2**26)
    return f"{base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def fits(pin: str, kept: str) -> bool:
    """Whether a PIN is the one that was hashed."""
    salt, _, known = kept.partition("$")
    try:
        again = hashed(pin, base64.b64decode(salt)).partition("$")[2]
    except PeopleError:
        return False
    return hmac.compare_digest(again, known)


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    locked_until_s: float = 0.0


@dataclass(slots=True)
class People:
    """Who is known at this table; `now_s` is a monotonic clock."""

    kept: dict[str, tuple[Role, str]] = field(repr=False)
    now_s: Callable[[], float] = time.monotonic
    _tries: dict[str, _Tries] = field(default_factory=dict, repr=False)

    async def prove(self, given: Sequence[tuple[str, str]]) -> tuple[Person, ...]:
        """The people whose names and PINs are given. Raises `NotProven`."""
        return tuple([await self._one(name, pin) for name, pin in given])

    async def _one(self, name: str, pin: str) -> Person:
        # One count for all unknown names: which names are known is nobody's business.
        tries = self._tries.setdefault(name if name in self.kept else "", _Tries())
        if self.now_s() < tries.locked_until_s:
            raise NotProven("Too many wrong PINs: wait a minute, then try again")
        role, kept = self.kept.get(name, (Role.DEALER, _NOBODY))
        right = await asyncio.to_thread(fits, pin, kept)
        if not (right and name in self.kept):
            tries.wrong += 1
            if tries.wrong >= TRIES:
                tries.wrong, tries.locked_until_s = 0, self.now_s() + LOCKED_S
            raise NotProven("Name and PIN do not fit: try again")
        tries.wrong = 0
        return Person(name, role)


def read_people(path: Path) -> People:
    """The people in `path`. Raises `PeopleError`, also where others may read the file."""
    try:
        mode = path.stat().st_mode
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PeopleError(
            f"there is no file {path}: add people with `tablectl person {path} NAME --role floor`"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PeopleError(f"{path} cannot be read: {error}") from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise PeopleError(f"others may read {path}: chmod 600 {path}")
    kept: dict[str, tuple[Role, str]] = {}
    for name, entry in told.items():
        try:
            kept[name] = (Role(entry["role"]), _checked(entry["pin"]))
        except (KeyError, TypeError, ValueError):
            roles = " or ".join(each.value for each in Role)
            raise PeopleError(
                f"{path}: [{name}] needs role ({roles}) and pin, as `tablectl person` writes them"
            ) from None
    if not any(role is Role.FLOOR for role, _ in kept.values()):
        raise PeopleError(f"{path}: nobody there is of the floor: nothing could be released")
    return People(kept)


def _checked(kept: object) -> str:
    if not isinstance(kept, str):
        raise TypeError("a hash is text")
    salt, _, known = kept.partition("$")
    if len(base64.b64decode(salt, validate=True)) != _SALT_BYTES or not known:
        raise ValueError("no hash")
    return kept


def add_person(path: Path, name: str, role: Role, pin: str) -> None:
    """Add somebody to the file, or give a new PIN or role. Raises `PeopleError`."""
    if not 0 < len(name) <= NAME_MAX or not name.replace("-", "").replace("_", "").isalnum():
        raise PeopleError(f"a name has 1 to {NAME_MAX} letters, digits, - or _")
    kept = hashed(pin)
    told: dict[str, dict[str, str]] = {}
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        pass
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise PeopleError(f"{path} cannot be read: {error}") from error
    told[name] = {"role": role.value, "pin": kept}
    text = "# Written by `tablectl person`: who may do what at this table. PINs are hashed.\n"
    for each, entry in told.items():
        text += f'\n["{each}"]\nrole = "{entry["role"]}"\npin = "{entry["pin"]}"\n'
    beside = path.with_name(path.name + ".new")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        beside.replace(path)
    except OSError as error:
        raise PeopleError(f"{path} cannot be written: {error.strerror}") from error
