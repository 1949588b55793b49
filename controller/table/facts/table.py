"""Facts of the table itself: its setup, the service's start, devices, refused inputs."""

from __future__ import annotations

from dataclasses import field

from controller.devices.inputs import SpotChips
from controller.rules.cards import Pack
from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Setup
from controller.table.revision import TABLE_REVISION
from controller.table.roles import PersonId


@frozen
class TableOpened:
    """The table runs by this setup from here on.

    `pack` is what its shoe holds when it is full; once `cut_after` cards are gone, the round in
    play is the shoe's last.
    """

    setup: Setup
    pack: Pack
    cut_after: int


@frozen
class ServiceStarted:
    """The service came up on this record; alarms call by the times of `alarms` from here on.

    The table's own decisions and procedures are those of revision `decisions`. `print_key` commits
    to the key of commands' digests (`Stamp.cause`), which lies with the openings; "" without one.
    """

    software: str
    card_sources: tuple[str, ...]
    simulated: bool = False
    alarms: AlarmTimes = field(default_factory=AlarmTimes)
    decisions: int = TABLE_REVISION
    print_key: str = ""


@frozen
class AlarmTimesSet:
    """The configuration was read anew: alarms that begin from here on call by these times."""

    alarms: AlarmTimes


@frozen
class DeviceUp:
    """A device works."""

    device: str


@frozen
class DeviceDown:
    """A device failed or is not there; `why` says what to do."""

    device: str
    why: Message


@frozen
class ChipsChanged:
    """Other chips lie on the bet spot of `seat` than before, by the sensor `source`."""

    source: str
    seat: int
    chips: SpotChips


@frozen
class DealerChanged:
    """Another dealer took over; `burns` cards are to be burned. `person` is empty if unknown."""

    person: PersonId
    burns: int


@frozen
class WrongPins:
    """Wrong PINs were entered for `person` (empty: a name that nobody has), and how many.

    `locked_s`: the person's PIN is not accepted for that time from here on; 0: it is. A lock-out is
    one fact, however many tries there are.
    """

    person: PersonId
    wrong: int
    locked_s: int = 0


@frozen
class Refused:
    """An input that the rules or the table's state do not allow: its name, and why."""

    what: str
    why: Message
