"""Roles of the pit, and who somebody is once signed in. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final


class PitRole(Enum):
    """What somebody is in the pit; the value is its name in the database and in commands."""

    VIEWER = "viewer"
    DEALER = "dealer"
    FLOOR = "floor"
    PIT_BOSS = "pit_boss"
    CAGE = "cage"
    AUDITOR = "auditor"
    ENGINEER = "engineer"
    MACHINE = "machine"

    @property
    def words(self) -> str:
        """Its name as people read it."""
        return self.value.replace("_", " ")


#: Roles of people: whoever has one signs in by a browser. A machine sends a token.
OF_PEOPLE: Final = frozenset(PitRole) - {PitRole.MACHINE}
_KNOWN: Final = {each.value: each for each in PitRole}


@dataclass(frozen=True, slots=True)
class Identity:
    """Whoever asks: the user, the session (0: a machine's token), and when it last proved itself.

    `proved_ms` is the wall time at which a password, passkey or code was last given, here or at the
    provider `issuer`; an empty one: a user of the pit's own. `newer`: see `newer_roles`.
    """

    user: int
    name: str
    roles: frozenset[PitRole]
    session: int = 0
    proved_ms: int = 0
    issuer: str = ""
    newer: tuple[str, ...] = ()


def read_roles(text: str) -> frozenset[PitRole]:
    """Roles that somebody typed or chose, with commas. Raises `ValueError`: what there is."""
    names = _names(text)
    if not names or any(each not in _KNOWN for each in names):
        raise ValueError(f"{text!r}: choose of {', '.join(_KNOWN)}")
    found = frozenset(_KNOWN[each] for each in names)
    if PitRole.MACHINE in found and len(found) > 1:
        raise ValueError("machine goes with no other role: machines send a token, people sign in")
    return found


def kept_roles(text: str) -> frozenset[PitRole]:
    """The roles of a user as the database has them, as far as this software knows them.

    Another pit of the same database may be newer: what it calls a role opens nothing here.
    """
    return frozenset(_KNOWN[each] for each in _names(text) if each in _KNOWN)


def newer_roles(text: str) -> tuple[str, ...]:
    """The names of the roles of a user, in the database, that `kept_roles` leaves out."""
    return tuple(each for each in _names(text) if each not in _KNOWN)


def _names(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def write_roles(roles: Iterable[PitRole]) -> str:
    """Roles as the database has them, in the order of `PitRole`."""
    chosen = set(roles)
    return ",".join(each.value for each in PitRole if each in chosen)
