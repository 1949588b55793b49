"""Reads a configuration and holds it against what a table needs: readers, wiring, calendar, web."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from controller.assembly import card_reader as readers
from controller.assembly import conformance, outside_drivers
from controller.config.configuration import Config
from controller.config.device_sections import DeviceSections
from controller.config.load import check_config, read_config
from controller.config.parts import Parts
from controller.config.problems import Problem
from controller.config.sections import DRIVERS, AdmittedDriver
from controller.service.timekeeping.calendar import Calendar, CalendarError
from controller.table.gaming_day import Schedule
from controller.web.settings import address_problems
from drivers.door import BUILT_IN, DriverRefused, admitted, built_in
from drivers.driver import Driver, NeedRefused, UsedPin


def load(path: Path) -> Config:
    """The configuration at `path`, device sections and wiring checked. Raises `ConfigError`.

    Where root asks and there is a service, drivers of others are loaded by the service's user, and
    stand-ins of them are in the configuration.
    """
    source, raw = read_config(path)
    user = outside_drivers.wanted(raw)
    if user is None:
        return check_config(
            raw, path, source, CHECKS, lambda name, driver: admit(name, driver, path.parent)
        )
    found = outside_drivers.described(path, user)
    # Who answers may be the driver itself: it speaks for what the file admits, and for no section
    # of ours, whose keys would be left out below.
    stand_ins = {name: each for name, each in found.items() if name in raw[DRIVERS]}
    # Their keys were checked by the drivers themselves.
    raw |= {name: {} for name in stand_ins if name in raw}
    return check_config(raw, path, source, CHECKS, lambda name, _: _described(name, stand_ins))


def _described(name: str, stand_ins: Mapping[str, Driver]) -> Driver:
    if name not in stand_ins:
        raise DriverRefused("it was not described: the file was changed meanwhile, try again")
    return stand_ins[name]


def admit(name: str, driver: AdmittedDriver, base: Path) -> Driver:
    """The driver that the configuration admits, by its record where it names one.

    Raises `DriverRefused`, `RecordRefused`.
    """
    if driver.conformance is not None:
        conformance.check(base / driver.conformance, name, driver)
    return admitted(name, driver.version, driver.digest)


def driver_of(section: str, others: Mapping[str, Driver]) -> Driver:
    """The driver of a section that is configured, ours or an admitted one."""
    return built_in(section) if section in BUILT_IN else others[section]


def configured(devices: DeviceSections, others: Mapping[str, Driver]) -> dict[str, Driver]:
    """The driver of every section that is there: ours in their own order, then the others."""
    names = [*(each for each in BUILT_IN if each in devices.configured), *sorted(devices.others)]
    return {name: driver_of(name, others) for name in names}


def used_pins(devices: DeviceSections, others: Mapping[str, Driver]) -> Iterator[UsedPin]:
    """Every header pin that is used, each with the place in the file as its key."""
    for name, driver in configured(devices, others).items():
        for each in driver.pins(devices.section(name)):
            used = UsedPin(*each)
            yield used._replace(key=f"{name}.{used.key}")


def _needs(parts: Parts) -> Iterator[Problem]:
    """A driver that asks the unit for what no driver may have."""
    for name, driver in configured(parts.devices, parts.drivers).items():
        try:
            driver.needs(parts.devices.section(name))
        except NeedRefused as error:
            yield Problem(name, f"its driver asks for too much: {error}")


def _wiring(parts: Parts) -> Iterator[Problem]:
    """Lights without a seat, pins and nodes that are used twice, a hidden card without a beam."""
    if parts.table:
        yield from _lights(parts, parts.table.seats)
    if parts.game is not None and parts.game.hides and "beam" not in parts.named:
        yield Problem(
            "beam",
            f"missing. {parts.game.title} deals cards face down: only an exit beam"
            " tells that one left which was not read",
        )
    used: dict[int, UsedPin] = {}
    for each in used_pins(parts.devices, parts.drivers):
        first = used.setdefault(each.pin, each)
        # Several chips are on one bus.
        if first is not each and not (first.of_a_bus and each.of_a_bus):
            yield Problem(each.key, f"{each.whose}pin {each.pin} is already used by {first.key}")
    yield from _nodes_twice(parts)


def _nodes_twice(parts: Parts) -> Iterator[Problem]:
    """A device node, or a chip of a bus, that two devices are to have, by whatever name."""
    taken: dict[str, str] = {}
    for name, driver in configured(parts.devices, parts.drivers).items():
        for key, node in driver.nodes(parts.devices.section(name)):
            here = f"{name}.{key}"
            first = taken.setdefault(os.path.realpath(parts.base / node), here)
            if first != here:
                yield Problem(here, f"{node} is already taken by {first}: each needs its own")


def _lights(parts: Parts, seats: int) -> Iterator[Problem]:
    for name, driver in configured(parts.devices, parts.drivers).items():
        spots = driver.spots(parts.devices.section(name))
        if spots and spots != seats:
            yield Problem(
                f"{name}.spots",
                f"{spots} lights for {seats} seats:"
                + (" give one [red, green, blue] for each seat" if name == "leds" else
                   " give each seat one"),
            )  # fmt: skip


def _calendar(parts: Parts) -> Iterator[Problem]:
    """A time of day or a zone that there is not."""
    if parts.record is not None:
        try:
            Calendar(Schedule(parts.record.day_ends, parts.record.zone))
        except CalendarError as error:
            key, _, text = str(error).partition(": ")
            yield Problem(f"record.{key}", text)


def _addresses(parts: Parts) -> Iterator[Problem]:
    """Names and origins that are none."""
    if parts.web is not None:
        web = parts.web
        for name, text in address_problems(web.hosts, web.origins, web.frame_ancestors):
            yield Problem(f"web.{name}", text)


#: What a configuration is held against before it may run a table.
CHECKS: Final = (_wiring, _needs, readers.problems, _calendar, _addresses)
