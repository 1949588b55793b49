"""Who may do what while something is wrong: people, their roles, and what needs which.

An alarm that the dealer can clear is no alarm (DECISIONS.md, 10): what matters takes a second role
or two people, a reason, and leaves a record. A table whose configuration names no people has no
roles: whoever has the display may do all of it, and the record says so. What needs whom is in
`irregularities`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final, NewType

from controller.rules.frozen import frozen
from controller.rules.messages import Message, message

PersonId = NewType("PersonId", str)
"""Who somebody is on record: eight hexadecimal digits. The name stands in the directory alone."""

#: Hexadecimal digits of an id.
ID_CHARS: Final = 8

#: How the id of a user of the pit begins.
_OF_PIT: Final = "pit-"
#: How that of a player at a distance begins, before the game server's own id.
_OF_PLAYER: Final = "player-"
#: No names: whoever is shown is shown by id.
NOBODY_NAMED: Final[Mapping[PersonId, str]] = MappingProxyType({})


class Role(Enum):
    """What a person is at this table."""

    DEALER = "dealer"
    FLOOR = "floor"


@frozen
class Person:
    """Somebody identified by name and PIN, in the role that they had then."""

    id: PersonId
    role: Role


def pit_person(user: int) -> PersonId:
    """Who a user of the pit is on record: no id of a table's own directory looks like it."""
    return PersonId(f"{_OF_PIT}{user}")


def pit_user(person: PersonId) -> str:
    """The number of a user of the pit; empty for people of the table's own directory."""
    return person.removeprefix(_OF_PIT) if person.startswith(_OF_PIT) else ""


def player_person(player: str) -> PersonId:
    """By what a player at a distance is named for what is shown; never on record."""
    return PersonId(f"{_OF_PLAYER}{player}")


def is_person_id(text: str) -> bool:
    """Whether it is of the form of an id, so that no name goes on record in its place."""
    return len(text) == ID_CHARS and not text.strip("0123456789abcdef")


def called(person: PersonId, names: Mapping[PersonId, str]) -> str:
    """How somebody is shown: by the name in the directory, or by id where it holds none."""
    if user := pit_user(person):
        return f"user {user} of the pit"
    return names.get(person) or f"person {person}"


class Needs(Enum):
    """Who has to vouch for something: the dealer, the floor, or the floor and one more."""

    DEALER = "dealer"
    FLOOR = "floor"
    TWO = "two"


def lacking(wanted: Needs, people: Sequence[Person]) -> Message | None:
    """Who is still missing for something that needs `wanted`; None if nobody is."""
    different = {each.id for each in people}
    floor = any(each.role is Role.FLOOR for each in people)
    if wanted is Needs.DEALER or (floor and (wanted is Needs.FLOOR or len(different) > 1)):
        return None
    if wanted is Needs.FLOOR:
        return message("needs-the-floor")
    return message("needs-a-second-person") if floor else message("needs-the-floor-and-a-second")


def who_falls_short(
    refused: Message, people: Sequence[Person], names: Mapping[PersonId, str]
) -> Message:
    """A refusal for want of the floor, for those whose right PINs were not enough: by name."""
    if refused.code != "needs-the-floor" or not people:
        return refused
    return message("dealer-is-not-the-floor", person=called(people[0].id, names))
