"""Who else is at the table of a day: the guard of the lights, and people with roles and PINs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

from controller.table.irregularities.holds import Resolution
from controller.table.irregularities.procedures import HOUSE, procedures
from controller.table.roles import Needs, Role
from controller.table.views.english import say
from sim_hw.table.display_reader import Command, Display
from tests.support.people import add_person

FLOOR: Final = {"name": "fay", "pin": "floor-1111"}
DEALER: Final = {"name": "dan", "pin": "dealer-2222"}
#: Of the floor as well, but never at the table: wrong PINs lock a name, and a right one that was
#: being judged at a kill counts as wrong, too. Were they guessed of one name, she could not come.
AWAY: Final = {"name": "flo", "pin": "floor-3333"}
WRONG: Final = {"name": "flo", "pin": "floor-3334"}
#: Who asks for what takes the floor, and is not it: nobody, the dealer, a dealer who guesses.
PRETENDERS: Final[tuple[tuple[Mapping[str, str], ...], ...]] = ((), (DEALER,), (WRONG,))
_HOUSE: Final = procedures(HOUSE)
#: What a correction would change.
_EDITS: Final[Command] = {"edits": [{"at": 0, "do": "remove"}]}
_REASONS: Final = {say(row.title): reason for reason, row in _HOUSE.rows.items()}


class DayForm(Enum):
    """What a day has besides world and service; the value is its name on the command line."""

    PLAIN = "plain"
    GUARD = "guard"
    PEOPLE = "people"
    BOTH = "both"

    @property
    def guarded(self) -> bool:
        """Whether the guard has the pins of the lights."""
        return self in (DayForm.GUARD, DayForm.BOTH)

    @property
    def roles(self) -> bool:
        """Whether the table knows people."""
        return self in (DayForm.PEOPLE, DayForm.BOTH)


def seat_people(config: Path) -> None:
    """Give a table its people: somebody of the floor, one who is away, and a dealer."""
    beside = config.with_name("people.toml")
    add_person(beside, FLOOR["name"], Role.FLOOR, FLOOR["pin"])
    add_person(beside, AWAY["name"], Role.FLOOR, AWAY["pin"])
    add_person(beside, DEALER["name"], Role.DEALER, DEALER["pin"])
    with config.open("a", encoding="utf-8") as file:
        file.write(f'\n[people]\nfile = "{beside.name}"\n')


def vouched(command: Command, *people: Mapping[str, str]) -> Any:
    """A resolution of a hold, with a reason and those who stand for it."""
    return {**command, "people": list(people), "reason": "after a kill"}


def locked(display: Display) -> list[Command]:
    """The resolutions of the open holds that the dealer may not choose alone."""
    known = {each.value for each in Resolution}
    return [
        {**key.command, **_EDITS} if key.command["do"] == "correct" else key.command
        for hold in display.holds
        for name, key in hold.resolutions.items()
        if name in known
        and _HOUSE.needs(_REASONS[hold.title], Resolution(name)) is not Needs.DEALER
    ]
