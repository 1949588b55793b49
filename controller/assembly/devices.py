"""Builds the devices that a configuration names, each by its driver."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

from controller.assembly import card_reader as readers
from controller.assembly.wiring import configured, used_pins
from controller.config.configuration import Config
from controller.devices.contracts import InputDevice, OutputDevice
from controller.record.disk_space import Check
from controller.service.loop import Service
from drivers.driver import Driver, DriverContext, DriverRole, Made
from drivers.io.pins import Factory, pin_factory
from drivers.panel.guarded import VARIABLE as GUARD
from drivers.panel.guarded import GuardedOutput, guard_path
from drivers.supervision.apart import ApartInput, ApartOutput
from drivers.supervision.supervise import Supervisor

log = logging.getLogger(__name__)


class DeviceRefused(Exception):
    """A driver cannot make its device of these settings; the text says what to change."""


class Devices(NamedTuple):
    """The devices of a table, and their periodic health checks, by name."""

    supervisor: Supervisor
    checks: Mapping[str, Check]


def wants_pins(config: Config) -> bool:
    """Whether any device of the table is on header pins."""
    return any(not each.of_a_bus for each in used_pins(config.devices, config.drivers))


def build_devices(config: Config, service: Service, *, allow_simulated: bool) -> Devices:
    """The devices that the configuration names, not opened yet.

    Raises `DeviceRefused`, and what a reader's own refusal raises (`card_reader`).
    """
    factory: Factory = None
    if wants_pins(config):
        factory = pin_factory(allow_simulated=allow_simulated)

    def passing(card: bool) -> None:
        supervisor.darken(card)  # lights must not flicker into a picture

    around = DriverContext(config.base, config.game.pack, config.table.seats, factory)
    reads = readers.build(config, factory, passing)
    inputs, outputs = [reads.device], list[OutputDevice]()
    # What others wrote may wait where it must not.
    apart = frozenset(config.admitted)
    checks = dict(reads.checks)
    for name, driver in configured(config.devices, config.drivers).items():
        settings = config.devices.section(name)
        if driver.role is DriverRole.OUTPUT:
            made = _output(config, driver, settings, around)
            outputs.append(cast(OutputDevice, made.device))
            checks |= made.checks
        elif driver.role is DriverRole.DISPLAY:
            made = _made(driver, settings, around)
            shows = cast(OutputDevice, made.device)
            outputs.append(ApartOutput(shows) if name in apart else shows)
            checks |= made.checks
        elif driver.role in (DriverRole.INPUT, DriverRole.SENSOR):
            made = _made(driver, settings, around)
            device = cast(InputDevice, made.device)
            inputs.append(ApartInput(device) if name in apart else device)
            checks |= made.checks
    pace = config.simulated.pace if config.simulated else 1.0
    supervisor = Supervisor(service.offer, inputs, outputs, pace, service.card_coming)
    return Devices(supervisor, checks)


def _made(driver: Driver, settings: Any, around: DriverContext) -> Made:
    """A device by its driver. Raises `DeviceRefused` where the driver cannot make it."""
    try:
        return driver.make(settings, around)
    except ValueError as error:
        raise DeviceRefused(f"{driver.section}: {error}") from None


def _output(config: Config, driver: Driver, settings: Any, around: DriverContext) -> Made:
    """An output, by way of the guard where there is one: it holds what the service leaves."""
    guard = guard_path()
    name = driver.section
    if guard is not None:
        admitted = config.admitted.get(name)
        named = None if admitted is None else admitted.model_dump(include={"version", "digest"})
        return Made(GuardedOutput(name, settings, guard, named))
    if driver.spots(settings):
        log.warning("%s is not set: lights stay as they were when this program hangs", GUARD)
    made = _made(driver, settings, around)
    if name not in config.admitted and not driver.apart:
        return made
    return replace(made, device=ApartOutput(cast(OutputDevice, made.device)))
