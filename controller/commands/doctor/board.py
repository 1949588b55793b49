"""The computer beside the table: clock, power, heat, card, log, console, buses, watchdog."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from calibration.measure import Measurement
from controller.assembly.wiring import used_pins
from controller.commands.doctor.finding import CheckFinding, bad, good, measured, note
from controller.commands.doctor.machine import KIOSK, SERVICE, Machine
from controller.config.sections import Config

#: Bits of `get_throttled` of the Raspberry Pi firmware, now and since the machine was started.
POWER_BITS: Final = {
    0: "too little voltage now", 2: "throttled now", 3: "too hot now",
    16: "too little voltage since the start", 18: "throttled since the start",
    19: "too hot since the start",
}  # fmt: skip
HOT_AT_MOST_C: Final = 80.0
JOURNAL_AT_MOST_MB: Final = 1_000.0
#: eMMC and some SD cards say how much of their life is used, in tenths (JESD84-B51).
LIFE_AT_MOST_TENTHS: Final = 8.0
#: What takes header pins away from us: a line of config.txt, and the pins.
BUSES: Final = {
    "i2c": (r"^dtparam=(?:.*,)?i2c(?:_arm)?=on", (2, 3)),
    "spi": (r"^dtparam=(?:.*,)?spi=on", (7, 8, 9, 10, 11)),
    "uart": (r"^enable_uart=1", (14, 15)),
    "1-wire": (r"^dtoverlay=w1-gpio", (4,)),
}


def findings(
    config: Config, machine: Machine, synchronised: Callable[[], bool]
) -> Iterator[CheckFinding]:
    """What there is to say of this computer; what it does not have is not asked for."""
    yield _clock(config, synchronised)
    yield from _power(machine)
    yield from _heat(machine)
    yield from _card_life(machine)
    yield from _journal(machine)
    if (machine.text("sys/firmware/devicetree/base/model") or "").startswith("Raspberry Pi"):
        used = _header_pins(config)
        yield from _console(machine, used)
        yield from _buses(machine, used)
    yield from _watchdog(machine)
    yield from _kiosk(machine)


def _header_pins(config: Config) -> set[int]:
    """The pins of our lamps and buttons; those of a bus are the bus's own, which has to be on."""
    used = used_pins(config.devices, config.drivers)
    return {each.pin for each in used if not each.of_a_bus}


def _clock(config: Config, synchronised: Callable[[], bool]) -> CheckFinding:
    if synchronised():
        return good("clock", "clock, in step with a time source")
    if config.record.trust_clock:
        return good("clock", "clock, vouched for by the house (trust_clock)")
    return note(
        "clock", "clock", "No time source keeps it: no gaming day ends by itself",
        "timedatectl set-ntp true, or trust_clock = true in [record]",
    )  # fmt: skip


def _power(machine: Machine) -> Iterator[CheckFinding]:
    text = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        said = machine.said("vcgencmd", "get_throttled") or ""
        text = said.partition("=")[2] or None
    if text is None:
        return
    bits = int(text, 16)
    wrong = [says for bit, says in POWER_BITS.items() if bits >> bit & 1]
    if wrong:
        yield bad(
            "power", f"power, {text}", ", ".join(wrong).capitalize(),
            "use the board's own power supply and a short cable; cool the board",
        )  # fmt: skip
    else:
        yield good("power", "power, enough voltage since the start")


def _heat(machine: Machine) -> Iterator[CheckFinding]:
    text = machine.text("sys/class/thermal/thermal_zone0/temp")
    if text is not None:
        yield measured("heat", Measurement(
            "heat, processor", int(text) / 1000, "°C", at_most=HOT_AT_MOST_C,
            remedy="Cool the board: it slows down at this",
        ))  # fmt: skip


def _card_life(machine: Machine) -> Iterator[CheckFinding]:
    for file in machine.files("sys/block/mmcblk*/device/life_time"):
        used = max((int(each, 16) for each in file.read_text().split()), default=0)
        if used:
            yield measured("card.life", Measurement(
                f"card, life used, {file.parts[-3]}", float(used), "tenths",
                at_most=LIFE_AT_MOST_TENTHS, remedy="Replace the card: back the record up first",
            ))  # fmt: skip


def _journal(machine: Machine) -> Iterator[CheckFinding]:
    files = machine.files("var/log/journal/*/*.journal")
    if files:
        size = sum(each.stat().st_size for each in files) / 1e6
        yield measured("journal", Measurement(
            "system's log, on disk", round(size), "MB", at_most=JOURNAL_AT_MOST_MB,
            remedy="Set SystemMaxUse=500M in /etc/systemd/journald.conf, journalctl --vacuum-size",
        ))  # fmt: skip


def _boot(machine: Machine, name: str) -> tuple[str, str] | None:
    for folder in ("boot/firmware", "boot"):
        text = machine.text(f"{folder}/{name}")
        if text is not None:
            return f"/{folder}/{name}", text
    return None


def _console(machine: Machine, used: set[int]) -> Iterator[CheckFinding]:
    """A console on the pins of a lamp types into it, and whoever has the lamp is root's shell."""
    found = re.search(r"console=((?:serial|ttyAMA|ttyS)\d)", machine.text("proc/cmdline") or "")
    if found and used & {14, 15}:
        yield bad(
            "pins.console", f"pins 14 and 15, console on {found[1]}",
            "The system's console has pins that [leds] or [buttons] use",
            "sudo raspi-config nonint do_serial_cons 1, and start the machine again",
        )  # fmt: skip


def _buses(machine: Machine, used: set[int]) -> Iterator[CheckFinding]:
    boot = _boot(machine, "config.txt")
    if boot is None:
        return
    path, text = boot
    for bus, (line, pins) in BUSES.items():
        if (on := re.search(line, text, re.MULTILINE)) and (both := used & set(pins)):
            numbers = ", ".join(map(str, sorted(both)))
            yield bad(
                f"pins.{bus}", f"pins {numbers}, {bus} is switched on",
                f"{path} says {on[0]}", f"switch {bus} off with raspi-config, Interface Options",
            )  # fmt: skip


def _watchdog(machine: Machine) -> Iterator[CheckFinding]:
    if not machine.files("sys/class/watchdog/watchdog*"):
        return
    every = machine.said("systemctl", "show", "--property=RuntimeWatchdogUSec", "--value")
    if every in (None, "", "0", "infinity"):
        yield note(
            "watchdog", "watchdog of the board",
            "It is off: lights stay as they were when the whole machine hangs",
            "RuntimeWatchdogSec=15 in /etc/systemd/system.conf.d/watchdog.conf",
        )  # fmt: skip
    else:
        yield good("watchdog", f"watchdog of the board, {every}")


def _kiosk(machine: Machine) -> Iterator[CheckFinding]:
    if not machine.installed(KIOSK) or machine.shown(SERVICE, "ActiveState") != "active":
        return
    state = machine.shown(KIOSK, "ActiveState")
    if state == "active":
        yield good("kiosk", f"display, {KIOSK}")
    else:
        yield bad(
            "kiosk", f"display, {KIOSK} ({state})", "The dealer sees nothing",
            "systemctl enable --now tablectl-kiosk",
        )  # fmt: skip


def boot_files() -> tuple[Path, ...]:
    """The files of the boot partition that were looked at, for the bundle."""
    return tuple(Path(folder, name) for folder in ("boot/firmware", "boot")
                 for name in ("config.txt", "cmdline.txt"))  # fmt: skip
