"""Header pins of a Raspberry Pi that the system itself has taken: a console, buses, overlays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from controller.assembly.wiring import used_pins
from controller.commands.doctor.finding import CheckFinding, bad
from controller.commands.doctor.machine import Machine
from controller.config.configuration import Config

BOOT: Final = ("boot/firmware", "boot")
#: Pins that a parameter of the base device tree gives to a bus (`dtparam=`).
PARAMETERS: Final = {
    "i2c": ("i2c", (2, 3)), "i2c_arm": ("i2c", (2, 3)), "i2c1": ("i2c", (2, 3)),
    "spi": ("spi", (7, 8, 9, 10, 11)), "i2s": ("i2s", (18, 19, 20, 21)),
    "uart0": ("uart", (14, 15)),
}  # fmt: skip
#: Pins that an overlay takes where its line names none (the firmware's overlays/README).
OVERLAYS: Final = {
    "w1-gpio": ("1-wire", (4,)), "gpio-fan": ("fan", (12,)), "gpio-shutdown": ("shutdown", (3,)),
    "gpio-poweroff": ("poweroff", (26,)), "gpio-ir": ("infrared", (18,)), "pwm": ("pwm", (18,)),
    "pwm-2chan": ("pwm", (18, 19)), "uart0": ("uart", (14, 15)), "i2c1": ("i2c", (2, 3)),
    "spi0-0cs": ("spi", (9, 10, 11)), "spi0-1cs": ("spi", (8, 9, 10, 11)),
    "spi0-2cs": ("spi", (7, 8, 9, 10, 11)), "spi1-1cs": ("spi1", (18, 19, 20, 21)),
    "spi1-2cs": ("spi1", (17, 18, 19, 20, 21)), "spi1-3cs": ("spi1", (16, 17, 18, 19, 20, 21)),
}  # fmt: skip
#: Overlays of sound cards sit on the pins of I2S.
_SOUND: Final = ("hifiberry", "iqaudio", "i2s-", "justboom", "allo-", "audioinjector")
_ON: Final = ("", "on", "1", "true", "yes")


class TakenPins(NamedTuple):
    """Header pins that a line of config.txt gives to something else; `what` is part of an id."""

    what: str
    pins: frozenset[int]
    line: str


def findings(config: Config, machine: Machine) -> Iterator[CheckFinding]:
    """What has pins that lamps or buttons use; nothing on another computer than a Raspberry Pi."""
    model = machine.text("sys/firmware/devicetree/base/model") or ""
    if not model.startswith("Raspberry Pi"):
        return
    used = _header_pins(config)
    yield from _console(machine, used)
    yield from _taken(machine, used, model)


def boot_files() -> tuple[Path, ...]:
    """The files of the boot partition that are looked at, for the bundle."""
    return tuple(Path(folder, name) for folder in BOOT for name in ("config.txt", "cmdline.txt"))


def taken_pins(text: str, model: str) -> Iterator[TakenPins]:
    """What the lines of a config.txt take on a board of that model."""
    applies = True
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            applies = _is_of(line.strip("[]"), model)
        elif applies and line:
            key, _, value = line.partition("=")
            if key in ("dtparam", "device_tree_param"):
                yield from _of_parameters(line, value)
            elif key in ("dtoverlay", "device_tree_overlay"):
                yield from _of_overlay(line, value)
            elif key == "enable_uart" and value == "1":
                yield TakenPins("uart", frozenset((14, 15)), line)


def _is_of(section: str, model: str) -> bool:
    """Whether a conditional section of config.txt is of this board; one we do not know is not."""
    if section == "all":
        return True
    # "pi4" is also the section of "Raspberry Pi 400" and of no compute module.
    named = re.fullmatch(r"pi(\d)\+?", section)
    return named is not None and model.startswith(f"Raspberry Pi {named[1]}")


def _of_parameters(line: str, value: str) -> Iterator[TakenPins]:
    for each in value.split(","):
        name, _, setting = each.partition("=")
        if name in PARAMETERS and setting in _ON:
            what, pins = PARAMETERS[name]
            yield TakenPins(what, frozenset(pins), line)


def _of_overlay(line: str, value: str) -> Iterator[TakenPins]:
    name, *parameters = value.split(",")
    what, pins = OVERLAYS.get(name, (name, ()))
    if name.startswith(_SOUND):
        what, pins = "i2s", (18, 19, 20, 21)
    named = [
        int(number)
        for key, _, number in (each.partition("=") for each in parameters)
        if key in ("pin", "gpiopin", "gpio_pin", "pin2", "interrupt") and number.isdigit()
    ]
    if found := frozenset(named or pins):
        yield TakenPins(what, found, line)


def _header_pins(config: Config) -> set[int]:
    """The pins of our lamps and buttons; those of a bus are the bus's own, which has to be on."""
    used = used_pins(config.devices, config.drivers)
    return {each.pin for each in used if not each.of_a_bus}


def _console(machine: Machine, used: set[int]) -> Iterator[CheckFinding]:
    """A console on the pins of a lamp types into it, and whoever has the lamp is root's shell.

    The firmware puts the port's own name for `serial0`; ttyAMA10 is the Pi 5's debug connector,
    which is on no header pin.
    """
    line = machine.text("proc/cmdline") or ""
    found = re.search(r"console=(serial0|ttyAMA0|ttyS0)\b", line)
    if found and used & {14, 15}:
        yield bad(
            "pins.console", f"pins 14 and 15, console on {found[1]}",
            "The system's console has pins that [leds] or [buttons] use",
            "sudo raspi-config nonint do_serial_cons 1, and start the machine again",
        )  # fmt: skip


def _taken(machine: Machine, used: set[int], model: str) -> Iterator[CheckFinding]:
    for folder in BOOT:
        text = machine.text(f"{folder}/config.txt")
        if text is not None:
            for each in taken_pins(text, model):
                if both := used & each.pins:
                    yield _on_used(f"/{folder}/config.txt", each, both)
            return


def _on_used(path: str, taken: TakenPins, both: set[int]) -> CheckFinding:
    numbers = ", ".join(map(str, sorted(both)))
    return bad(
        f"pins.{taken.what}", f"pins {numbers}, {taken.what} is switched on",
        f"{path} says {taken.line}",
        f"sudo sed -i 's|^{taken.line}|#&|' {path}, and start the machine again",
    )  # fmt: skip
