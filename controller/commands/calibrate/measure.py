"""Measures one device of a table, by the calibration script of its kind."""

from __future__ import annotations

import argparse
import dataclasses

from calibration.devices.beam import calibrate_beam
from calibration.devices.buttons import calibrate_buttons
from calibration.devices.codes import calibrate_codes
from calibration.devices.contacts import Contacts
from calibration.devices.leds import Lamps, calibrate_leds
from calibration.devices.scans import ScanListener
from calibration.guide import Guide, NotGoodEnough
from controller.assembly.certificates import SECTIONS
from controller.commands.calibrate.found import FOLDER, Found
from controller.config.configuration import Config
from drivers.builtin.readers import resolved
from drivers.io.pins import pin_factory
from drivers.settings.panel import (
    DEFAULT_CALL,
    DEFAULT_NEXT,
    DEFAULT_SPOTS,
    DEFAULT_STAND,
    DEFAULT_STUCK_S,
    ButtonSettings,
)
from drivers.settings.shoe import DEFAULT_BEAM


async def measure(guide: Guide, arguments: argparse.Namespace, config: Config) -> Found:
    """Measure a device. Raises what its script raises."""
    kind = arguments.kind
    section = SECTIONS[kind]
    devices = config.devices
    if section in ("camera", "scanner") and devices.section(section) is None:
        raise NotGoodEnough(f"there is no [{section}] in {arguments.config}: write one first")
    if kind == "camera":
        # OpenCV and the networks are loaded for a camera only, and may be missing without one.
        from controller.commands.calibrate.camera import measure_camera

        camera = devices.camera
        lit = camera is not None and camera.strobe is not None
        factory = pin_factory(allow_simulated=arguments.allow_simulated) if lit else None
        return await measure_camera(guide, config, factory)
    if kind == "codes":
        return await _codes(guide, config, arguments.serial_digits)
    factory = pin_factory(allow_simulated=arguments.allow_simulated)
    if kind == "leds":
        pins = arguments.pins or _led_pins(config)
        lamps = Lamps(pins, factory)
        return Found(*await calibrate_leds(guide, lamps, pins, config.table.seats))
    if kind == "buttons":
        pins = arguments.pins or _button_pins(devices.buttons)
        stuck_s = devices.buttons.stuck_s if devices.buttons else DEFAULT_STUCK_S
        contacts = Contacts(pins, factory)
        return Found(*await calibrate_buttons(guide, pins, contacts, stuck_s=stuck_s))
    before = devices.beam
    pins = arguments.pins or (before.pin if before else DEFAULT_BEAM,)
    contacts = Contacts(pins, factory)
    if devices.scanner:
        listener = ScanListener(resolved(devices.scanner, config.base))
        async with listener.listening() as scans:
            settings, measured = await calibrate_beam(guide, pins, contacts, scans)
    else:
        settings, measured = await calibrate_beam(guide, pins, contacts)
    if before is not None:
        settings = dataclasses.replace(settings, stuck_ms=before.stuck_ms)
    return Found(settings, measured)


async def _codes(guide: Guide, config: Config, serial_digits: int) -> Found:
    scanner = config.devices.scanner
    assert scanner is not None, "who asked for it looked"
    scans = ScanListener(resolved(scanner, config.base))
    book, measured = await calibrate_codes(guide, scans, config.game.pack, serial_digits)
    name = f"{FOLDER}/codes.toml"
    return Found(dataclasses.replace(scanner, codes=name), measured, ((name, book.as_toml()),))


def _led_pins(config: Config) -> tuple[int, ...]:
    leds = config.devices.leds
    spots = leds.spots if leds else DEFAULT_SPOTS[: config.table.seats]
    return tuple(pin for spot in spots for pin in spot)


def _button_pins(buttons: ButtonSettings | None) -> tuple[int, ...]:
    if buttons is None:
        return DEFAULT_NEXT, DEFAULT_STAND, DEFAULT_CALL
    pins = (buttons.next, buttons.stand, buttons.hit, buttons.repeat, buttons.call)
    return tuple(pin for pin in pins if pin is not None)
