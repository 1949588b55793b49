"""What reads the cards of a table: a scanner, a camera or both, or a third party's reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Final, NamedTuple, cast

from controller.config.configuration import Config
from controller.config.device_sections import DeviceSections
from controller.config.parts import Parts
from controller.config.problems import Problem
from controller.devices.contracts import InputDevice
from controller.record.disk_space import Check
from drivers.builtin.readers import CAMERA_NAME, SCANNER_NAME
from drivers.code_book import CodeBookError
from drivers.door import built_in
from drivers.driver import Driver, DriverContext, DriverRole, Made
from drivers.io.pins import Factory
from drivers.own_thread import OwnThread
from drivers.settings.shoe import ShoeSettings
from drivers.supervision.apart import ApartInput

SCANNER: Final = SCANNER_NAME
CAMERA: Final = CAMERA_NAME
#: Scanner and camera together are one device: a card needs both.
SHOE: Final = "shoe"


class ReaderRefused(Exception):
    """What reads the cards cannot be used as configured; the text says what to change."""


def source(devices: DeviceSections, others: Mapping[str, Driver]) -> str:
    """The name of the device that reads the cards of a table with these devices."""
    if outside := _outside(devices, others):
        return outside[0]
    if devices.camera is None:
        return SCANNER
    return SHOE if devices.scanner else CAMERA


def _outside(devices: DeviceSections, others: Mapping[str, Driver]) -> list[str]:
    """The readers that are no part of tablectl."""
    return [name for name in sorted(devices.others) if others[name].role is DriverRole.READER]


def problems(parts: Parts) -> Iterator[Problem]:
    """Where the sections of the readers do not go together."""
    devices = parts.devices
    outside = _outside(devices, parts.drivers)
    readers = sorted(parts.named & {SCANNER, CAMERA})
    asked = [name for name, each in parts.drivers.items() if each.role is DriverRole.READER]
    if devices.scanner is None and devices.camera is None and not readers and not asked:
        yield Problem(
            SCANNER,
            "missing. A table needs something that reads cards: write [scanner], [camera] or both",
        )
    for name in outside if readers else outside[1:]:
        one = readers[0] if readers else outside[0]
        yield Problem(name, f"[{one}] reads the cards already: remove one of them")
    both = devices.scanner is not None and devices.camera is not None
    if SHOE in parts.named and not parts.named >= {SCANNER, CAMERA}:
        yield Problem(SHOE, "it is for a scanner and a camera together: remove it")
    if both and "beam" not in parts.named:
        yield Problem(
            "beam", "missing. Only an exit beam tells which code and which picture are of one card"
        )


class Readers(NamedTuple):
    """What reads the cards, and its periodic health checks, by name."""

    device: InputDevice
    checks: Mapping[str, Check]


def build(
    config: Config, factory: Factory, passing: Callable[[bool], None] = lambda _: None
) -> Readers:
    """What reads the cards, not opened yet; `passing` is called when one passes the camera.

    Raises `CodeBookError`, `ReaderRefused`.
    """
    devices = config.devices
    around = DriverContext(
        config.base, config.game.pack, config.table.seats, factory, devices.beam, passing=passing
    )
    name = source(devices, config.drivers)
    if name == SHOE:
        return _fused(config, around)
    if name not in config.drivers:
        return Readers(*_made(built_in(name), devices.section(name), around))
    # What others wrote may wait where it must not; what it calls is called on our loop.
    thread = OwnThread(name)
    theirs = replace(around, passing=partial(thread.at_home, passing))
    reads = _made(config.drivers[name], devices.section(name), theirs)
    return reads._replace(device=ApartInput(reads.device, thread))


def _made(driver: Driver, settings: object, around: DriverContext) -> Readers:
    """A reader by its driver. Raises `CodeBookError`, `ReaderRefused`."""
    if driver.section == CAMERA and (missing := camera_libraries_missing()):
        raise ReaderRefused(f"camera: {missing}, or take [camera] out of the configuration")
    try:
        made: Made = driver.make(settings, around)
    except CodeBookError:
        raise
    except ValueError as error:
        with_beam = f"{driver.section} and beam" if driver.section == SCANNER else driver.section
        raise ReaderRefused(f"{with_beam}: {error}") from None
    return Readers(cast(InputDevice, made.device), made.checks)


def _fused(config: Config, around: DriverContext) -> Readers:
    """Scanner and camera as one device; the beam is the scanner's."""
    devices = config.devices
    scanner = _made(built_in(SCANNER), devices.scanner, around)
    camera = _made(built_in(CAMERA), devices.camera, replace(around, owns_beam=False))
    from drivers.shoe.camera_shoe import CameraShoe
    from drivers.shoe.fused_shoe import FusedShoe
    from drivers.shoe.serial_shoe import SerialShoe

    assert isinstance(scanner.device, SerialShoe)
    assert isinstance(camera.device, CameraShoe)
    shoe = devices.shoe or ShoeSettings()
    fused = FusedShoe(scanner.device, camera.device, shoe.needs, shoe.patience_ms, SHOE)
    return Readers(fused, camera.checks)


def camera_libraries_missing() -> str:
    """What to install before a camera can be used; empty where it is there."""
    missing = [name for name in ("cv2", "numpy", "pyzbar") if find_spec(name) is None]
    if not missing:
        return ""
    return (
        f"{', '.join(missing)} cannot be found: install the extra `camera`"
        " (pip install 'tablectl[camera]')"
    )
