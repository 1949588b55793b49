"""What could be read of a configuration file, and what of it does not go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from controller.config.bus_section import BusSection
from controller.config.device_sections import DeviceSections
from controller.config.pit_section import PitSection
from controller.config.problems import Problem
from controller.config.sections import (
    AdmittedDriver,
    CertificatesSection,
    ChipsSection,
    LogSection,
    PeopleSection,
    RecordSection,
    SimulatedSection,
    TableSection,
    WebSection,
)
from controller.config.studio_section import StudioSection
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.money import NO_HUNDREDTHS
from controller.table.alarms import AlarmTimes
from controller.table.irregularities.procedures import Own
from drivers.driver import Driver


@frozen
class Parts:
    """What could be read of a file; None: that section is missing, or wrong and named as that.

    `devices` are the sections of devices that are right, `base` is the file's folder, `game` the
    game with its house options, `named` are the sections that stand in the file, wrong ones too.
    """

    base: Path
    table: TableSection | None
    record: RecordSection | None
    web: WebSection | None
    people: PeopleSection | None
    certificates: CertificatesSection
    alarms: AlarmTimes
    log: LogSection
    simulated: SimulatedSection | None
    options: Mapping[str, int | str | bool]
    devices: DeviceSections
    game: Game | None
    own: Own
    named: frozenset[str]
    drivers: Mapping[str, Driver]
    admitted: Mapping[str, AdmittedDriver]
    bus: BusSection | None
    pit: PitSection | None
    chips: ChipsSection | None
    studio: StudioSection | None


#: Looks at what could be read of a file for what does not go together.
Check: TypeAlias = Callable[[Parts], Iterable[Problem]]


def record_problems(parts: Parts) -> Iterator[Problem]:
    """What of `[record]` would lose or expose something."""
    record = parts.record
    if record is None:
        return
    for name in ("second_copy", "archive"):
        other = getattr(record, name)
        if other is not None and other.resolve() == record.folder.resolve():
            yield Problem(f"record.{name}", "it is the record itself: name another place")
    if record.key_file and record.key_file.resolve().is_relative_to(record.folder.resolve()):
        yield Problem(
            "record.key_file", "it would lie in the record that it signs: name a place outside"
        )
    if record.keep_days and record.archive is None and not record.delete_unarchived:
        yield Problem(
            "record.keep_days",
            "closed days would be lost: name an archive, or set delete_unarchived = true",
        )


def seat_problems(parts: Parts) -> Iterator[Problem]:
    """Seats that the game does not have."""
    if parts.table is None or parts.game is None:
        return
    seats = parts.game.seats
    if parts.table.seats not in seats:
        yield Problem(
            "table.seats",
            f"{parts.game.name} has {seats.start} to {seats.stop - 1} seats,"
            f" not {parts.table.seats}",
        )


def chip_problems(parts: Parts) -> Iterator[Problem]:
    """Chips that nobody could sign for, or that the game does not pay in."""
    if "chips" in parts.named and "people" not in parts.named:
        yield Problem(
            "chips",
            "slips are signed by two people: name them in [people], or leave [chips] out",
        )
    if parts.chips is None:
        return
    chips = parts.chips.denominations
    if len(set(chips)) < len(chips):
        yield Problem("chips.denominations", "a chip is named twice: name each once")
    if parts.game is None:
        return
    smallest = parts.game.options.smallest_chip
    odd = [each for each in chips if each % smallest]
    if odd:
        yield Problem(
            "chips.denominations",
            f"{', '.join(map(str, odd))}: no multiple of options.smallest_chip ({smallest}), "
            "in minor units",
        )


def studio_problems(parts: Parts) -> Iterator[Problem]:
    """Clocks that make no sense, and answers that the game gives for nobody."""
    if parts.studio is not None:
        yield from parts.studio.problems(parts.game)


def currency_problems(parts: Parts) -> Iterator[Problem]:
    """A currency that amounts with two decimals cannot be written in."""
    if parts.table is not None and parts.table.currency in NO_HUNDREDTHS:
        yield Problem(
            "table.currency",
            f"{parts.table.currency} has no hundredths, and every amount here has two decimals: "
            "choose a currency of hundredths, such as EUR",
        )


def bus_problems(parts: Parts) -> Iterator[Problem]:
    """A name that cannot be part of a subject, where dots divide, or is the pit's own; a pit
    that is to be heard without a bus.
    """
    if "pit" in parts.named and "bus" not in parts.named:
        yield Problem("pit", "commands come over the bus: add a section [bus], or leave it out")
    if parts.bus is None or parts.table is None:
        return
    if "." in parts.table.name:
        yield Problem("table.name", "on the bus a name has no dot: use - or _ in its place")
    if parts.table.name == "pit":
        yield Problem("table.name", "on the bus that is the pit itself: choose another name")
