"""The devices that a configuration names: there, of the right kind, and open to the service."""

from __future__ import annotations

import os
import re
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from calibration.devices import lights_guard
from controller.assembly.card_reader import CAMERA, SCANNER
from controller.assembly.devices import wants_pins
from controller.assembly.wiring import configured, driver_of
from controller.commands.doctor import camera
from controller.commands.doctor.finding import (
    CheckFinding,
    bad,
    good,
    measured,
    not_yet,
)
from controller.commands.doctor.machine import GUARD, SERVICE, Machine
from controller.commands.drivers.scanner_rule import RULES
from controller.config.configuration import Config
from drivers.driver import Driver, DriverContext, DriverRole, SystemNeeds
from drivers.io.pins import PinFactoryError, pin_factory

#: The kinds of terminal lines that a scanner can be behind, as the kernel lists its drivers.
LINES: Final = ("serial", "pty:slave")
#: A driver of terminal lines: its major number, minor numbers, and kind.
_TTY_DRIVER: Final = re.compile(r".*\s(\d+)\s+(\d+(?:-\d+)?)\s+(\S+)", re.ASCII)
#: Where what is plugged in is found, by the subsystem that a rule names.
PLUGGED: Final = {
    "tty": "sys/class/tty/tty[AU]*/device", "input": "sys/class/input/event*/device",
    "hidraw": "sys/class/hidraw/hidraw*/device",
}  # fmt: skip
#: Nodes behind which there is nothing.
NOTHING: Final = ("/dev/null", "/dev/zero", "/dev/full")
#: The kernel's kinds of devices whose requests no other kind understands.
KINDS: Final = frozenset({"input", "hidraw", "i2c", "spi", "video4linux"})
#: A row of /proc/devices: a major number and its kind.
_CLASS: Final = re.compile(r"^\s*(\d+) (\S+)$", re.MULTILINE)
#: The buses that raspi-config switches on, by how the names of their nodes begin.
BUSES: Final = {"spidev": "spi", "i2c-": "i2c"}
_SUBSYSTEM: Final = re.compile(rf'SUBSYSTEM=="({"|".join(PLUGGED)})"')
_ATTRIBUTE: Final = re.compile(r'ATTRS\{(\w+)\}=="([^"]*)"')


def findings(config: Config, machine: Machine, *, allow_simulated: bool) -> Iterator[CheckFinding]:
    """The findings of every device that is configured."""
    devices = config.devices
    nodes = _Nodes(machine, allow_simulated=allow_simulated)
    if devices.scanner and devices.scanner.is_line:
        yield scanner(config.base / devices.scanner.port, machine)
    elif devices.scanner:
        needs = driver_of(SCANNER, config.drivers).needs(devices.scanner)
        yield nodes.look("scanner.port", SCANNER, config.base / devices.scanner.port, needs)
    if devices.camera and devices.camera.source.startswith("/dev/"):
        needs = driver_of(CAMERA, config.drivers).needs(devices.camera)
        yield nodes.look("camera.device", CAMERA, Path(devices.camera.source), needs)
    elif devices.camera:
        yield from camera.findings(devices.camera, config.base, machine)
    for name, driver in configured(devices, config.drivers).items():
        needs = driver.needs(devices.section(name))
        for nth, node in enumerate(needs.device_nodes, start=1):
            # An id is of one thing: the second of several nodes has its number.
            id_ = f"{name}.device" if nth == 1 else f"{name}.device.{nth}"
            yield nodes.look(id_, name, Path(node), needs)
        for address in needs.addresses:
            yield _route(name, address)
        if driver.role not in (DriverRole.READER, DriverRole.PART):
            yield from _refused(name, driver, config)
    if wants_pins(config):
        yield pins(allow_simulated)
    drivers = configured(devices, config.drivers).values()
    if any(each.role is DriverRole.OUTPUT for each in drivers):
        yield from _guard(machine)


def scanner(port: Path, machine: Machine) -> CheckFinding:
    """Whether the scanner's port is a serial line that this user may open. It is not opened."""
    what = f"scanner, {port}"
    try:
        status = port.stat()
    except OSError as error:
        return _absent("scanner.port", what, port, error, machine, "correct `port` in [scanner]")
    if not _is_line(status, machine):
        return bad("scanner.port", what, "It is no serial port", "correct `port` in [scanner]")
    if not os.access(port, os.R_OK | os.W_OK):
        return bad(
            "scanner.port", what, "The service's user may not open it",
            "add it to the port's group: sudo usermod -aG dialout tablectl",
        )  # fmt: skip
    return good("scanner.port", what)


def _absent(
    id_: str, what: str, path: Path, error: OSError, machine: Machine, correct: str
) -> CheckFinding:
    """Of a device that is not there: perhaps it is plugged in, and no rule names it."""
    if plugged := _plugged_but_not_named(path, machine):
        return bad(
            id_, what, f"{error.strerror}, but {plugged} is plugged in, for which there is no rule",
            f"sudo tablectl drivers --scanner {plugged}, where that is the scanner",
        )  # fmt: skip
    return bad(id_, what, str(error.strerror), f"plug it in, or {correct}")


def _is_line(status: os.stat_result, machine: Machine) -> bool:
    """Whether a file is a serial line, by its number and the kernel's list of drivers."""
    if not stat.S_ISCHR(status.st_mode):
        return False
    major, minor = os.major(status.st_rdev), os.minor(status.st_rdev)
    for row in (machine.text("proc/tty/drivers") or "").splitlines():
        if (found := _TTY_DRIVER.fullmatch(row.strip())) and int(found[1]) == major:
            first, _, last = found[2].partition("-")
            if int(first) <= minor <= int(last or first):
                return found[3] in LINES
    return False


def _plugged_but_not_named(port: Path, machine: Machine) -> str:
    """The numbers of a USB device that is plugged in and that the rule of this name does not take.

    As `tablectl drivers --scanner` wants them; empty where there is none, or no rule of that name.
    """
    rules = [
        line for line in (machine.text(RULES) or "").splitlines()
        if f'SYMLINK+="{port.name}"' in line and not line.startswith("#")
    ]  # fmt: skip
    subsystems = [found[1] for each in rules if (found := _SUBSYSTEM.search(each))]
    for device in (each for name in subsystems for each in machine.files(PLUGGED[name])):
        numbers = _numbers_above(device.resolve())
        if numbers and not any(_takes(rule, numbers) for rule in rules):
            pinned = any("ATTRS{serial}" in each for each in rules)
            return ":".join(filter(None, numbers if pinned else numbers[:2]))
    return ""


def _numbers_above(device: Path) -> tuple[str, str, str] | None:
    """Vendor, product and serial number of the USB device that this is part of; None for none."""
    for above in device.parents:
        vendor, product = (_number(above / name) for name in ("idVendor", "idProduct"))
        if vendor and product:
            return vendor, product, _number(above / "serial")
    return None


def _number(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _takes(rule: str, numbers: tuple[str, str, str]) -> bool:
    """Whether a rule takes a device of these numbers."""
    names = ("idVendor", "idProduct", "serial")
    asked = dict(_ATTRIBUTE.findall(rule))
    return all(asked.get(name, its) == its for name, its in zip(names, numbers, strict=True))


class _Nodes:
    """Device nodes, held against what their drivers say of them."""

    def __init__(self, machine: Machine, *, allow_simulated: bool) -> None:
        self._machine = machine
        text = (machine.text("proc/devices") or "").partition("Block devices")[0]
        self._majors = {} if allow_simulated else {
            int(major): name for major, name in _CLASS.findall(text)
        }  # fmt: skip

    def look(self, id_: str, name: str, path: Path, needs: SystemNeeds) -> CheckFinding:
        """Whether a node is there, is of its driver's kind, and may be opened. It is not opened."""
        what = f"{name}, {path}"
        try:
            status = path.stat()
        except OSError as error:
            if bus := next((each for each in BUSES if path.name.startswith(each)), ""):
                mend = f"sudo raspi-config nonint do_{BUSES[bus]} 0, or correct [{name}]"
                return bad(id_, what, str(error.strerror), mend)
            return _absent(id_, what, path, error, self._machine, f"correct [{name}]")
        if not stat.S_ISCHR(status.st_mode) or str(path.resolve()) in NOTHING:
            return bad(id_, what, "It is no such device", f"correct [{name}]")
        if strange := self._of_another_kind(status, needs):
            return bad(id_, what, strange, f"correct [{name}]")
        if not os.access(path, os.R_OK | os.W_OK):
            group = next(iter(needs.groups), "root")
            return bad(
                id_, what, "The service's user may not open it",
                f"sudo usermod -aG {group} tablectl",
            )  # fmt: skip
        return good(id_, what)

    def _of_another_kind(self, status: os.stat_result, needs: SystemNeeds) -> str:
        """What the node is, where it is none that its driver can use; else empty."""
        wanted = KINDS & {each.removeprefix("char-") for each in needs.device_classes}
        found = self._majors.get(os.major(status.st_rdev), "")
        if not wanted or not found or found in wanted:
            return ""
        return f"It is a device of the kind {found}, not {' or '.join(sorted(wanted))}"


def _route(name: str, address: str) -> CheckFinding:
    """Whether this machine knows a way to an address. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))
        except OSError as error:
            return bad(
                f"{name}.network", f"{name}, {address}", str(error.strerror),
                f"connect the network, or correct [{name}]",
            )  # fmt: skip
    return good(f"{name}.network", f"{name}, {address}, a way leads there")


def _refused(name: str, driver: Driver, config: Config) -> Iterator[CheckFinding]:
    """What `run` would refuse to make of the settings."""
    around = DriverContext(config.base, config.game.pack, config.table.seats)
    try:
        driver.make(config.devices.section(name), around)
    except ValueError as error:
        yield bad(f"{name}.driver", name, str(error), f"correct [{name}]")


def pins(allow_simulated: bool) -> CheckFinding:
    """Whether the pins can be driven by the factory that is chosen."""
    name = f"pins, GPIOZERO_PIN_FACTORY={os.environ.get('GPIOZERO_PIN_FACTORY', '')}"
    try:
        pin_factory(allow_simulated=allow_simulated)
    except PinFactoryError as error:
        return bad("pins", name, error.why, error.mend)
    return good("pins", name)


def _guard(machine: Machine) -> Iterator[CheckFinding]:
    """The guard of the lights: its unit, and whether it answers. The table's start starts it."""
    unit = lights_guard.unit()
    running = machine.shown(SERVICE, "ActiveState") == "active"
    if unit is not None and not unit.good and not running and not _failed(machine):
        yield not_yet("guard", f"guard, {GUARD}", "The table's start starts it")
        return
    if unit is not None:
        yield measured("guard.unit", unit)
    yield measured("guard.answer", lights_guard.answer(lights_guard.guard_socket()))


def _failed(machine: Machine) -> bool:
    return machine.shown(GUARD, "ActiveState") == "failed"
