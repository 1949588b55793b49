"""The setup of a table, and what starts, reloads or wakes it."""

from __future__ import annotations

from dataclasses import field
from typing import Final, Literal

from controller.rules.cards import IndexStyle
from controller.rules.frozen import frozen
from controller.table.alarms import AlarmTimes
from controller.table.inputs.bounds import PersonIdText
from controller.table.inputs.windows import WindowTimes
from controller.table.roles import PersonId

#: How a shoe that is over is added up: not at all, by the number of cards left, or card by card.
Method = Literal["off", "count", "scan"]


@frozen
class SetByPit:
    """A house option that the pit has set, and what the configuration says of it instead."""

    name: str
    value: int | str | bool
    configured: int | str | bool


@frozen
class Setup:
    """What the configuration says a table is.

    `options` holds every house option by name; `currency` (ISO 4217) is what amounts are in.
    `roles`: people are known by name and PIN, and what matters takes the floor. `reconcile`: how a
    shoe is to be added up before the next pack. `procedures` names the profile by which
    irregularities are met, `own_procedures` are the house's own rows beside it (`procedures.Own`).
    `blind_counts`: people count cards before they see how many there should be. `index` is
    the style in which the cards print their ranks: pages and texts name cards in it. `pit_acts` are
    the acts that the house allows the pit, by name; `set_by_pit` the options that it has set, which
    stand in `options` too. `chips` are the chips of the rack, in minor units, the smallest first;
    none: the table keeps no account of them. `buy_ins`: what players buy is put on slips too.
    `windows`: how long players at a distance have; None:
    there are none.
    """

    table: str
    game: str
    seats: int
    options: tuple[tuple[str, int | str | bool], ...]
    draw_means_hit: bool
    currency: str = "EUR"
    roles: bool = False
    reconcile: Method = "off"
    procedures: str = "house"
    own_procedures: tuple[tuple[str, str, str], ...] = ()
    blind_counts: bool = True
    index: IndexStyle = IndexStyle.FINNISH
    pit_acts: tuple[str, ...] = ()
    set_by_pit: tuple[SetByPit, ...] = ()
    chips: tuple[int, ...] = ()
    windows: WindowTimes | None = None
    buy_ins: bool = False


@frozen
class ChangeDealer:
    """Another dealer takes over, between rounds.

    `person` is the id in the directory; empty: whoever proves who they are with this command, or
    somebody unknown where nobody does.
    """

    person: PersonIdText
    do: Literal["change_dealer"] = "change_dealer"


@frozen
class CloseDay:
    """The floor closes the gaming day, between rounds."""

    do: Literal["close_day"] = "close_day"


@frozen
class Start:
    """The service has started on this record.

    `card_sources` name the devices that read cards; `simulated` marks a table whose devices are
    not real, on every page and in the record. `alarms`: when an alarm calls whom; no rule of the
    game, so it may change at any start. `print_key` commits to the key of commands' digests.
    """

    setup: Setup
    software: str
    card_sources: tuple[str, ...]
    simulated: bool = False
    alarms: AlarmTimes = field(default_factory=AlarmTimes)
    print_key: str = ""


@frozen
class Reload:
    """The configuration was read anew while the service runs: it is taken between rounds."""

    setup: Setup
    alarms: AlarmTimes


@frozen
class TimerFired:
    """The timer that the table asked for has fired; the stamp has the time."""


@frozen
class DayCheck:
    """The planned end of the day has come, or two hours more; the stamp has the calendar."""


@frozen
class RemoveDays:
    """Closed days that the house does not keep beside the table, each with whether it is archived.

    Their files are taken away once it is on record.
    """

    days: tuple[tuple[str, bool], ...]


#: In place of a person: a name that nobody has.
UNKNOWN_PERSON: Final = PersonId("")


@frozen
class PinReport:
    """How many wrong PINs were entered for a person since the last report.

    `locked_s` is how long the person's PIN is not accepted; 0: it is. Many tries are one report.
    """

    person: PersonId
    wrong: int
    locked_s: int = 0
