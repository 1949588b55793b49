"""The gaming day: the field's accounting period, and what the calendar says of a moment. Values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from controller.rules.frozen import frozen

#: A day that is still open this long after its planned end raises an alarm.
LATE_MS: Final = 2 * 60 * 60 * 1_000
#: A wall clock that moved further than this since the last record is not believed.
JUMP_MS: Final = 36 * 60 * 60 * 1_000


class ClockDoubt(Enum):
    """Why the wall clock closes no gaming day; the value is a code on record."""

    BEHIND = "clock-behind"
    NOT_SYNCHRONISED = "clock-not-synchronised"
    JUMPED = "clock-jumped"


@frozen
class Schedule:
    """When a gaming day ends: at `day_ends` (local time, HH:MM) in the IANA time zone `zone`."""

    day_ends: str
    zone: str


@frozen
class Today:
    """What the calendar says of the moment of an input; instants in ms since the epoch, UTC.

    `label` is the ISO date of the gaming day by the calendar, `next_label` that of a day which
    would be opened now, after the one that is open, and `next_ends_ms` its planned end. `ends_ms`
    is the planned end of the day that is open, or of one labelled `label` where none is.
    `synchronised` is whether the system says that its clock follows a reference.
    """

    label: str
    ends_ms: int
    next_label: str
    next_ends_ms: int
    schedule: Schedule
    synchronised: bool = True


@frozen
class GamingDay:
    """The gaming day that is open; `first_seq` is its first record.

    `doubt` is why the clock did not close it: the floor is asked. `overdue`: it was still open two
    hours after its planned end. `closed`: `DayClosed` is on record, the next day is not open yet.
    """

    label: str
    ends_ms: int
    schedule: Schedule
    first_seq: int
    doubt: ClockDoubt | None = None
    overdue: bool = False
    closed: bool = False


class CarryOver:
    """What a gaming day takes over from the one before, by the names on record.

    Of which fields of the state they are, and why the others are not among them, is
    `evolve.carry_over`. `hidden` commits under `nonce` to the part that would tell hidden cards;
    without the openings of sealed cards that part and the nonce are empty. `form` is the plain data
    that stood on record, None where none did yet.
    """

    __slots__ = ("fields", "form", "hidden", "nonce")

    # No dataclass: its form on record is not that of its fields.
    def __init__(
        self,
        fields: Mapping[str, Any],
        hidden: str = "",
        nonce: bytes = b"",
        form: Mapping[str, Any] | None = None,
    ) -> None:
        self.fields: Final = fields
        self.hidden: Final = hidden
        self.nonce: Final = nonce
        self.form: Final = form

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CarryOver):
            return NotImplemented
        return (self.fields, self.hidden) == (other.fields, other.hidden)

    def __hash__(self) -> int:
        return hash(self.hidden)

    def __repr__(self) -> str:
        return f"<carry-over of {len(self.fields)} fields>"
