"""The computer beside the table: clock, power, heat, card, log, watchdog, display."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from calibration.measure import Measurement
from controller.commands.doctor.finding import (
    CheckFinding,
    bad,
    good,
    measured,
    not_checked,
    note,
)
from controller.commands.doctor.machine import KIOSK, SERVICE, Machine
from controller.config.configuration import Config

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
#: What eMMC says of its spare blocks (JESD84-B51, PRE_EOL_INFO).
SPARE_BLOCKS: Final = {"0x02": "80 % of its spare blocks are used", "0x03": "Its end is near"}
#: What shows the dealer's page, by the packages that bring it.
KIOSK_PROGRAMS: Final = {
    "cage": "usr/bin/cage", "chromium": "usr/bin/chromium", "xwayland": "usr/bin/Xwayland",
}  # fmt: skip
_HEX: Final = re.compile("0x[0-9a-f]+")
_POWER: Final = "Use the board's own power supply and a short cable; cool the board"
_NEW_CARD: Final = "tablectl backup RECORD FOLDER on another disk, then replace the card"


def findings(
    config: Config, machine: Machine, synchronised: Callable[[], bool]
) -> Iterator[CheckFinding]:
    """What there is to say of this computer; what it does not have is not asked for."""
    yield _clock(config, machine, synchronised)
    yield from computer(machine)
    yield from _watchdog(machine)
    yield from _kiosk(machine)


def computer(machine: Machine) -> Iterator[CheckFinding]:
    """Power, heat, card, file systems and log, whatever runs on it."""
    yield from _power(machine)
    yield from _heat(machine)
    yield from _card_life(machine)
    yield from _file_systems(machine)
    yield from _journal(machine)


def _clock(config: Config, machine: Machine, synchronised: Callable[[], bool]) -> CheckFinding:
    if synchronised():
        return good("clock", f"clock, in step with {_time_source(machine)}")
    if config.record.trust_clock:
        return good("clock", "clock, vouched for by the house (trust_clock)")
    mend = "sudo timedatectl set-ntp true, or trust_clock = true in [record]"
    if not any(config.record.folder.glob("*.day")):
        return bad(
            "clock", "clock", "No time source keeps it: a new table's first day is not opened",
            mend,
        )  # fmt: skip
    return note("clock", "clock", "No time source keeps it: no gaming day ends by itself", mend)


def _time_source(machine: Machine) -> str:
    """What keeps the clock, by name where it says so."""
    server = machine.said("timedatectl", "show-timesync", "--property=ServerName", "--value")
    if not server:
        fields = (machine.said("chronyc", "-c", "tracking") or "").split(",")
        server = fields[1] if len(fields) > 1 else ""
    return server or "a time source"


def _power(machine: Machine) -> Iterator[CheckFinding]:
    """Voltage and throttling, as the firmware says, or the kernel's sensor of it."""
    text = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        said = machine.said("vcgencmd", "get_throttled") or ""
        text = said.partition("=")[2]
    if text:
        yield _firmware_says(text)
        return
    for sensor in machine.files("sys/class/hwmon/hwmon*/in0_lcrit_alarm"):
        alarm = machine.text(str(sensor.relative_to(machine.root)))
        if alarm == "0":
            yield good("power", "power, enough voltage now")
        else:
            yield bad("power", "power", "Too little voltage now", _POWER)
        return
    if machine.is_raspberry_pi:
        yield note(
            "power", "power", "Neither firmware nor kernel says whether the voltage is enough",
            "sudo apt install raspi-utils",
        )  # fmt: skip


def _firmware_says(text: str) -> CheckFinding:
    try:
        bits = int(text, 16)
    except ValueError:
        return not_checked("power", "power", f"The firmware says {text}", "vcgencmd get_throttled")
    wrong = [says for bit, says in POWER_BITS.items() if bits >> bit & 1]
    if wrong:
        return bad("power", f"power, {text}", ", ".join(wrong).capitalize(), _POWER)
    return good("power", "power, enough voltage since the start")


def _heat(machine: Machine) -> Iterator[CheckFinding]:
    text = machine.text("sys/class/thermal/thermal_zone0/temp")
    if text is not None:
        # A sensor that fails reads as nothing, or as a text.
        value = int(text) / 1000 if re.fullmatch(r"-?\d+", text) else None
        yield measured("heat", Measurement(
            "heat, processor", value, "°C", at_most=HOT_AT_MOST_C,
            remedy="Cool the board: it slows down at this",
        ))  # fmt: skip


def _card_life(machine: Machine) -> Iterator[CheckFinding]:
    """How much of its life a card says that it has used; most SD cards say nothing of it."""
    for device in machine.files("sys/block/mmcblk*/device"):
        name, at = device.parent.name, device.relative_to(machine.root)
        said = (machine.text(f"{at}/life_time") or "").split()
        used = max((int(each, 16) for each in said if _HEX.fullmatch(each)), default=0)
        spare = SPARE_BLOCKS.get(machine.text(f"{at}/pre_eol_info") or "")
        if spare is not None:
            yield bad("card.life", f"card, {name}", spare, _NEW_CARD)
        elif used:
            yield measured("card.life", Measurement(
                f"card, life used, {name}", float(used), "tenths", at_most=LIFE_AT_MOST_TENTHS,
                remedy=_NEW_CARD,
            ))  # fmt: skip
        else:
            made = machine.text(f"{at}/date")
            since = f", made {made}" if made else ""
            yield good("card.life", f"card, {name}{since}; it does not say how worn it is")


def _file_systems(machine: Machine) -> Iterator[CheckFinding]:
    """Errors that ext4 has met: a card that wears out shows them before it fails."""
    for counted in machine.files("sys/fs/ext4/*/errors_count"):
        errors = machine.text(str(counted.relative_to(machine.root)))
        if errors not in (None, "", "0"):
            device = counted.parent.name
            yield bad(
                "card.errors", f"file system on {device}", f"{errors} errors were met in it",
                f"sudo journalctl -k -g {device} says which; {_NEW_CARD}",
            )  # fmt: skip


def _journal(machine: Machine) -> Iterator[CheckFinding]:
    files = machine.files("var/log/journal/*/*.journal")
    if files:
        size = sum(each.stat().st_size for each in files) / 1e6
        yield measured("journal", Measurement(
            "system's log, on disk", round(size), "MB", at_most=JOURNAL_AT_MOST_MB,
            remedy="sudo journalctl --vacuum-size=500M, and SystemMaxUse=500M in"
            " /etc/systemd/journald.conf",
        ))  # fmt: skip


def _watchdog(machine: Machine) -> Iterator[CheckFinding]:
    if not machine.files("sys/class/watchdog/watchdog*"):
        return
    every = machine.said("systemctl", "show", "--property=RuntimeWatchdogUSec", "--value")
    if every in (None, "", "0", "infinity"):
        yield note(
            "watchdog", "watchdog of the board",
            "It is off: lights stay as they were when the whole machine hangs",
            "RuntimeWatchdogSec=15 below [Manager] in /etc/systemd/system.conf, and sudo systemctl"
            " daemon-reexec",
        )  # fmt: skip
    else:
        yield good("watchdog", f"watchdog of the board, {every}")


def _kiosk(machine: Machine) -> Iterator[CheckFinding]:
    if not machine.installed(KIOSK) or machine.shown(SERVICE, "ActiveState") != "active":
        return
    state = machine.shown(KIOSK, "ActiveState")
    absent = [each for each, file in KIOSK_PROGRAMS.items() if not machine.files(file)]
    if absent:
        # Without Xwayland cage stands there for ever, and shows nothing.
        yield bad(
            "kiosk", f"display, {KIOSK} ({state})", f"{', '.join(absent)} is not installed",
            f"sudo apt install {' '.join(absent)}; sudo systemctl restart tablectl-kiosk",
        )  # fmt: skip
    elif state == "active":
        yield good("kiosk", f"display, {KIOSK}")
    else:
        yield bad(
            "kiosk", f"display, {KIOSK} ({state})", "The dealer sees nothing",
            "sudo systemctl enable --now tablectl-kiosk",
        )  # fmt: skip
