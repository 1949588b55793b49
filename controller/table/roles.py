"""Who may do what while something is wrong: people, their roles, and what needs which.

An alarm that the dealer can clear is no alarm (DECISIONS.md, 10): what matters takes a second role
or two people, a reason, and leaves a record. A table whose configuration names no people has no
roles: whoever has the display may do all of it, and the record says so. What needs whom is in
`irregularities`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from controller.rules.messages import Message, message


class Role(Enum):
    """What a person is at this table."""

    DEALER = "dealer"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who proved by a PIN who they are."""

    name: str
    role: Role


class Needs(Enum):
    """Whose word it takes."""

    DEALER = "dealer"
    FLOOR = "floor"
    TWO = "two"


def lacking(wanted: Needs, people: Sequence[Person]) -> Message | None:
    """What is still missing for something that takes `wanted`, None if nothing is."""
    names = {each.name for each in people}
    floor = any(each.role is Role.FLOOR for each in people)
    if wanted is Needs.DEALER or (floor and (wanted is Needs.FLOOR or len(names) > 1)):
        return None
    if wanted is Needs.FLOOR:
        return message("needs-the-floor")
    return message("needs-a-second-person") if floor else message("needs-the-floor-and-a-second")
