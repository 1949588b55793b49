"""Who may do what while something is wrong: people, their roles, and what needs which.

An alarm that the dealer can clear is no alarm (field notes 6): what matters takes a second role or
two people, a reason, and leaves a record. A table whose configuration names no people has no
roles: whoever has the display may do all of it, and the record says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.table.holds import Reason, Way


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
    """Whose word it takes; the value is how it is asked for."""

    DEALER = "the dealer"
    FLOOR = "the floor"
    TWO = "the floor and a second person"


#: What takes more than the dealer, whatever the hold; and where a hold is stricter or laxer.
_WAYS: Final = {
    Way.NO_CARD: Needs.FLOOR,
    Way.SET_ASIDE: Needs.FLOOR,
    Way.AGREES: Needs.FLOOR,
    Way.RELEASE: Needs.FLOOR,
    Way.SQUARED: Needs.FLOOR,
    Way.VOID: Needs.FLOOR,
    Way.COUNT_AGAIN: Needs.FLOOR,
    Way.PACK_OUT: Needs.FLOOR,
    Way.NEW_SHOE: Needs.TWO,
}
_HOLDS: Final = {
    (Reason.BURN_UNREAD, Way.SET_ASIDE): Needs.DEALER,
    (Reason.IMPOSSIBLE, Way.ENTER_CARD): Needs.FLOOR,
    (Reason.FLOOR, Way.ENTER_CARD): Needs.FLOOR,
    (Reason.FLOOR, Way.FACE_DOWN): Needs.FLOOR,
}
#: A correction of the record.
CORRECTION: Final = Needs.FLOOR


def needs(reason: Reason, way: Way) -> Needs:
    """Whose word a way on from a hold takes."""
    return _HOLDS.get((reason, way)) or _WAYS.get(way, Needs.DEALER)


def lacking(wanted: Needs, people: Sequence[Person]) -> str | None:
    """What is still missing for something that takes `wanted`, None if nothing is."""
    names = {each.name for each in people}
    floor = any(each.role is Role.FLOOR for each in people)
    if wanted is Needs.DEALER or (floor and (wanted is Needs.FLOOR or len(names) > 1)):
        return None
    if wanted is Needs.TWO and floor:
        return "This takes a second person too: another name and PIN"
    return f"This takes {wanted.value}: name and PIN"
