"""What the doctor says of the computer, from files of /sys and /proc and answers of programs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.assembly.wiring import load
from controller.commands.doctor import board, devices, disk, header, installation
from controller.commands.doctor.board import KIOSK_PROGRAMS
from controller.commands.doctor.finding import CheckFinding, CheckVerdict
from controller.commands.doctor.machine import Machine
from tests.commands.doctor.conftest import put

PI4, PI5 = "Raspberry Pi 4 Model B Rev 1.5", "Raspberry Pi 5 Model B Rev 1.0"
MODEL = "sys/firmware/devicetree/base/model"
PANEL = """
[leds]
spots = [[14, 15, 16], [18, 19, 26]]
[buttons]
next = 2
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH: a machine has the programs that lie in it."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def look(table: Path, root: Path, *, synchronised: bool = True) -> dict[str, CheckFinding]:
    found = board.findings(load(table), Machine(root), lambda: synchronised)
    return {each.id: each for each in found}


def verdicts(found: Iterable[CheckFinding]) -> set[CheckVerdict]:
    return {each.verdict for each in found}


def test_of_a_machine_that_has_nothing_only_the_clock_is_said(
    table: Path, root: Path, programs: Path
) -> None:
    found = look(table, root)
    assert set(found) == {"clock"}
    assert found["clock"].verdict is CheckVerdict.GOOD


@pytest.mark.parametrize(
    ("name", "says", "source"),
    [
        ("timedatectl", "echo 2.debian.pool.ntp.org", "2.debian.pool.ntp.org"),
        ("chronyc", "echo C0248F97,time.example,2,1700000000.1,0.0", "time.example"),
        ("chronyc", "exit 1", "a time source"),
    ],
)
def test_the_time_source_is_named(
    name: str, says: str, source: str, table: Path, root: Path, programs: Path
) -> None:
    program(programs, name, says)
    assert look(table, root)["clock"].what == f"clock, in step with {source}"


def test_a_clock_that_nothing_keeps_is_worst_for_a_new_table(
    table: Path, root: Path, programs: Path
) -> None:
    table.write_text(table.read_text().replace("trust_clock = true", ""))
    assert look(table, root, synchronised=False)["clock"].verdict is CheckVerdict.BAD
    put(table.parent, "record/2026-11-22.day", "")
    found = look(table, root, synchronised=False)["clock"]
    assert found.verdict is CheckVerdict.NOTE
    assert "timedatectl set-ntp true" in found.mend


@pytest.mark.parametrize(
    ("throttled", "verdict", "why"),
    [
        ("0x0", CheckVerdict.GOOD, ""),
        ("0x50005", CheckVerdict.BAD, "Too little voltage now, throttled now"),
        ("0x80000", CheckVerdict.BAD, "Too hot since the start"),
        ("error", CheckVerdict.NOT_CHECKED, "The firmware says error"),
    ],
)
def test_the_firmware_is_asked_for_the_voltage(
    throttled: str, verdict: CheckVerdict, why: str, table: Path, root: Path, programs: Path
) -> None:
    program(programs, "vcgencmd", f'[ "$1" = get_throttled ] && echo "throttled={throttled}"')
    found = look(table, root)["power"]
    assert found.verdict is verdict
    assert found.why.startswith(why)


def test_without_the_firmware_s_program_the_kernel_s_sensor_is_read(
    table: Path, root: Path, programs: Path
) -> None:
    put(root, MODEL, PI5)
    assert look(table, root)["power"].verdict is CheckVerdict.NOTE
    sensor = put(root, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert look(table, root)["power"].verdict is CheckVerdict.GOOD
    sensor.write_text("1\n")
    assert look(table, root)["power"].verdict is CheckVerdict.BAD


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("51000", CheckVerdict.GOOD),
        ("84100", CheckVerdict.BAD),
        ("", CheckVerdict.NOT_CHECKED),
    ],
)
def test_heat(said: str, verdict: CheckVerdict, table: Path, root: Path, programs: Path) -> None:
    put(root, "sys/class/thermal/thermal_zone0/temp", said)
    assert look(table, root)["heat"].verdict is verdict


@pytest.mark.parametrize(
    ("files", "verdict"),
    [
        ({"date": "03/2024"}, CheckVerdict.GOOD),
        ({"life_time": "0x02 0x03", "pre_eol_info": "0x01"}, CheckVerdict.GOOD),
        ({"life_time": "0x02 0x0b"}, CheckVerdict.BAD),
        ({"life_time": "0x01 0x01", "pre_eol_info": "0x03"}, CheckVerdict.BAD),
        ({"life_time": "nonsense", "pre_eol_info": "?"}, CheckVerdict.GOOD),
    ],
)
def test_the_life_of_a_card(
    files: dict[str, str], verdict: CheckVerdict, table: Path, root: Path, programs: Path
) -> None:
    for name, text in files.items():
        put(root, f"sys/block/mmcblk0/device/{name}", text)
    found = look(table, root)["card.life"]
    assert found.verdict is verdict
    assert ("does not say" in found.what) == ("0x0" not in files.get("life_time", ""))


def test_a_file_system_that_met_errors(table: Path, root: Path, programs: Path) -> None:
    counted = put(root, "sys/fs/ext4/mmcblk0p2/errors_count", "0\n")
    assert "card.errors" not in look(table, root)
    counted.write_text("3\n")
    found = look(table, root)["card.errors"]
    assert (found.verdict, found.why) == (CheckVerdict.BAD, "3 errors were met in it")


def test_the_size_of_the_log(
    table: Path, root: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "var/log/journal/0a/system.journal", "x" * 900)
    put(root, "var/log/journal/0a/system@1.journal", "x" * 900)
    assert look(table, root)["journal"].verdict is CheckVerdict.GOOD
    monkeypatch.setattr(board, "JOURNAL_AT_MOST_MB", -1)
    found = look(table, root)["journal"]
    assert found.verdict is CheckVerdict.BAD
    assert "journalctl --vacuum-size=500M" in found.mend


@pytest.mark.parametrize(
    ("says", "verdict"), [("15s", "good"), ("0", "note"), ("infinity", "note"), ("", "note")]
)
def test_the_watchdog(says: str, verdict: str, table: Path, root: Path, programs: Path) -> None:
    put(root, "sys/class/watchdog/watchdog0/identity", "Broadcom")
    program(programs, "systemctl", f"echo {says}")
    assert look(table, root)["watchdog"].verdict.value == verdict


def test_a_display_that_does_not_run_while_the_table_does(
    table: Path, root: Path, programs: Path
) -> None:
    put(root, "etc/systemd/system/tablectl-kiosk.service", "")
    for each in KIOSK_PROGRAMS.values():
        put(root, each, "")
    program(programs, "systemctl", "case $2 in *kiosk*) echo failed;; *) echo active;; esac")
    found = look(table, root)["kiosk"]
    assert found.verdict is CheckVerdict.BAD
    assert found.mend == "sudo systemctl enable --now tablectl-kiosk"
    program(programs, "systemctl", "echo active")
    assert look(table, root)["kiosk"].verdict is CheckVerdict.GOOD
    program(programs, "systemctl", "echo inactive")
    assert "kiosk" not in look(table, root), "the table is off, and so may be its display"


def test_a_display_that_stands_there_and_shows_nothing(
    table: Path, root: Path, programs: Path
) -> None:
    """cage without Xwayland: systemd has it active."""
    put(root, "etc/systemd/system/tablectl-kiosk.service", "")
    for each in ("cage", "chromium"):
        put(root, KIOSK_PROGRAMS[each], "")
    program(programs, "systemctl", "echo active")
    found = look(table, root)["kiosk"]
    assert (found.verdict, found.why) == (CheckVerdict.BAD, "xwayland is not installed")
    assert found.mend.startswith("sudo apt install xwayland; ")


@pytest.mark.parametrize(
    ("lines", "pins"),
    [
        ("dtparam=audio=on\ncamera_auto_detect=1\ndtoverlay=vc4-kms-v3d\n#dtparam=spi=on", []),
        ("dtparam=i2c_arm=on,spi=on", ["i2c", "spi"]),
        ("dtparam=spi=off\n[cm5]\ndtparam=i2c_arm=on\n[all]\n[pi4]\nenable_uart=1", []),
        ("[pi5]\ndtparam=i2c_arm", ["i2c"]),
        ("dtoverlay=w1-gpio", ["1-wire"]),
        ("dtoverlay=gpio-fan,gpiopin=26,temp=60000  # quiet", ["fan"]),
        ("dtoverlay=hifiberry-dacplus", ["i2s"]),
        ("dtoverlay=something-new,gpio_pin=16", ["something-new"]),
        ("dtoverlay=disable-bt\nenable_uart=1", ["uart"]),
    ],
)
def test_what_config_txt_takes(lines: str, pins: list[str]) -> None:
    assert [each.what for each in header.taken_pins(lines, PI5)] == pins


@pytest.mark.parametrize(
    ("command_line", "boot", "ids"),
    [
        ("console=tty1 root=x", "dtparam=audio=on", set()),
        ("console=ttyAMA10,115200 console=tty1", "", set()),
        ("console=ttyS0,115200 console=tty1", "", {"pins.console"}),
        ("console=ttyAMA0,115200", "dtparam=i2c_arm=on", {"pins.console", "pins.i2c"}),
        ("", "dtoverlay=gpio-fan,gpiopin=26", {"pins.fan"}),
        ("", "dtoverlay=gpio-fan,gpiopin=13", set()),
    ],
)
def test_pins_that_are_ours_and_something_else_s(
    command_line: str, boot: str, ids: set[str], table: Path, root: Path
) -> None:
    table.write_text(table.read_text() + PANEL)
    put(root, "proc/cmdline", command_line)
    put(root, "boot/firmware/config.txt", boot)
    assert list(header.findings(load(table), Machine(root))) == [], "it is no Raspberry Pi"
    put(root, MODEL, PI5)
    found = list(header.findings(load(table), Machine(root)))
    assert {each.id for each in found} == ids
    assert all(each.mend.startswith("sudo ") for each in found)


DAY_S = 86_400.0


@pytest.mark.parametrize(
    ("recorded_s", "copied_s", "disks", "verdict", "says"),
    [
        (None, None, 2, CheckVerdict.NOT_YET, "before a day is dealt"),
        (10 * DAY_S, None, 2, CheckVerdict.NOTE, "Nothing of the record"),
        (10 * DAY_S, 10 * DAY_S, 2, CheckVerdict.GOOD, ""),
        (20 * DAY_S, 10 * DAY_S, 2, CheckVerdict.NOTE, "10 days behind"),
        (10 * DAY_S, 10 * DAY_S, 1, CheckVerdict.NOTE, "same disk"),
    ],
)
def test_a_copy_is_as_old_as_it_is_behind_its_record(
    recorded_s: float | None, copied_s: float | None, disks: int, verdict: CheckVerdict, says: str,
    table: Path, root: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Not since when nothing was dealt: a table that was closed for a week lacks no copy."""
    text = table.read_text().replace("trust_clock", 'second_copy = "copy"\ntrust_clock')
    table.write_text(text)
    for folder, at_s in (("record", recorded_s), ("copy", copied_s)):
        if at_s is not None:
            day = put(table.parent, f"{folder}/2026-11-22.day", "x")
            os.utime(day, (at_s, at_s))
    if disks > 1:
        monkeypatch.setattr(disk, "device_of", lambda folder: folder.name)
    (found,) = (each for each in disk.findings(load(table), Machine(root))
                if each.id == "record.copy")  # fmt: skip
    assert found.verdict is verdict
    assert says in found.why


@pytest.mark.parametrize("is_there", [True, False])
def test_a_place_for_a_copy_that_the_service_cannot_write_to_is_not_all_good(
    is_there: bool, table: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its unit lets it write to its own folders alone: the copy never came to be."""
    text = table.read_text().replace("trust_clock", 'second_copy = "usb/copy"\ntrust_clock')
    table.write_text(text)
    closed = table.parent / ("usb/copy" if is_there else "usb")
    closed.mkdir(parents=True)
    real = os.access

    def access(path: Path, mode: int) -> bool:
        return path != closed and real(path, mode)

    monkeypatch.setattr(os, "access", access)
    (found,) = (each for each in disk.findings(load(table), Machine(root))
                if each.id == "record.copy")  # fmt: skip
    assert found.verdict is CheckVerdict.BAD
    assert str(closed) in found.why
    assert "name a folder below /mnt" in found.mend, "no unit writes to a temporary folder"


def test_a_record_beside_which_the_service_cannot_write_is_said(
    table: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> list[CheckVerdict]:
        all_ = disk.findings(load(table), Machine(root))
        return [each.verdict for each in all_ if each.id == "record.place"]

    assert found() == []
    monkeypatch.setattr(disk, "lies_alone", lambda folder: folder == load(table).record.folder)
    assert found() == [CheckVerdict.BAD]


READ = (
    "proc/cmdline", "boot/firmware/config.txt", "sys/class/thermal/thermal_zone0/temp",
    "sys/devices/platform/soc/soc:firmware/get_throttled", "sys/block/mmcblk0/device/life_time",
    "sys/block/mmcblk0/device/pre_eol_info", "sys/block/mmcblk0/device/date",
    "sys/fs/ext4/sda1/errors_count", "proc/tty/drivers", "etc/udev/rules.d/99-tablectl.rules",
    "etc/modules-load.d/tablectl.conf", "etc/systemd/system/tablectl.service",
)  # fmt: skip


def test_whatever_a_file_of_the_machine_holds_no_check_ends_in_an_error(
    table: Path, root: Path, programs: Path
) -> None:
    table.write_text(table.read_text() + PANEL)
    (table.parent / "scanner").symlink_to("/dev/null")
    put(root, MODEL, PI5)
    config, machine = load(table), Machine(root)

    @given(path=st.sampled_from(READ), text=st.text(max_size=80) | st.text("0x1 -\n=", max_size=20))
    def look_at(path: str, text: str) -> None:
        for each in READ:
            (root / each).unlink(missing_ok=True)
        put(root, path, text)
        found = [*board.findings(config, machine, lambda: True), *header.findings(config, machine)]
        found += installation.findings(config, table, machine)
        found.append(devices.scanner(table.parent / "scanner", machine))
        assert all(str(each) for each in found)

    look_at()
