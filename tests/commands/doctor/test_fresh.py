"""A fresh installation on a Raspberry Pi with its scanner plugged in: nothing is complained of."""

from __future__ import annotations

import argparse
import os
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.assembly.wiring import load
from controller.commands.doctor import as_service, command, installation
from controller.commands.doctor.finding import CheckFinding, good
from controller.commands.doctor.machine import Machine
from tests.commands.doctor.conftest import put
from tests.commands.doctor.test_doctor import ROOT, found
from tests.drivers.outside import ScannerLine

#: As Raspberry Pi OS is delivered, but for the buses and the console that our wiring needs off.
DELIVERED = {
    "sys/firmware/devicetree/base/model": "Raspberry Pi 5 Model B Rev 1.0\0",
    "proc/cmdline": "coherent_pool=1M console=ttyAMA10,115200 console=tty1 root=PARTUUID=1-02",
    "boot/firmware/config.txt": (ROOT / "tests/commands/doctor/pi_os_config.txt").read_text(),
    "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
    "sys/class/thermal/thermal_zone0/temp": "48250\n",
    "sys/block/mmcblk0/device/date": "08/2025\n",
    "sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
    "sys/class/watchdog/watchdog0/identity": "Broadcom BCM2835 Watchdog timer",
    "sys/module/cdc_acm/refcnt": "0",
    "sys/module/usbserial/refcnt": "0",
    "var/log/journal/0a/system.journal": "x",
}
#: systemd before the first start: enabled, nothing active, the watchdog as it is delivered.
SYSTEMCTL = """#!/bin/sh
case "$*" in
*UnitFileState*) echo enabled;; *LoadState*) echo loaded;;
*ActiveState*) echo inactive;; *RuntimeWatchdog*) echo 1min;;
esac
"""


@pytest.fixture
def fresh(
    root: Path, tmp_path: Path, line: ScannerLine, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The configuration of a machine on which `make install` ran, and nothing since."""
    done = subprocess.run(
        ROOT / "systemd/install", check=False, capture_output=True, text=True,
        env={**os.environ, "DESTDIR": str(root), "SCANNER_USB": "0c2e:0b61"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    put(root, "etc/tablectl/api-token", "x" * 43).chmod(0o600)
    for path, text in DELIVERED.items():
        put(root, path, text)
    (root / "run/systemd/system").mkdir(parents=True)
    put(tmp_path, "programs/systemctl", SYSTEMCTL).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/programs:{os.environ['PATH']}")
    for name, value in (("GPIOZERO_PIN_FACTORY", "mock"), ("TABLECTL_GUARD", "/run/none/socket")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(command, "clock_synchronised", lambda: True)
    for module in (installation, as_service):
        monkeypatch.setattr(module, "USER", pwd.getpwuid(os.geteuid()).pw_name)
    monkeypatch.setattr("os.geteuid", lambda: 0)

    def ask(config: Path, machine: Machine, *_: str) -> list[CheckFinding]:
        # The process of the service's part is for `test_as_service`.
        simulated = argparse.Namespace(allow_simulated=True)
        part = command._as_whoever_runs(simulated, load(config), machine)
        return [good("service.part", "in its sandbox"), *part]

    monkeypatch.setattr(as_service, "ask", ask)
    config = root / "etc/tablectl/table.toml"
    text = config.read_text().replace("/dev/tablectl-scanner", str(line.link))
    config.write_text(text.replace("/var/lib/", f"{root}/var/lib/"))
    (root / "var/lib").mkdir()
    line.plug()
    yield config
    line.unplug()


def test_nothing_is_complained_of(
    fresh: Path, root: Path, line: ScannerLine, capsys: pytest.CaptureFixture[str]
) -> None:
    status, findings = found(capsys, "--root", root, "--allow-simulated", fresh)
    by = {each["verdict"]: {id_ for id_, its in findings.items() if its["verdict"] ==
                            each["verdict"]} for each in findings.values()}  # fmt: skip
    assert status == 0, [
        each for each in findings.values() if each["verdict"] in ("bad", "not checked")
    ]
    assert by.keys() == {"good", "note", "not yet"}
    assert by["note"] == {"record.copy"}, "where the second copy goes is for the house to say"
    assert {"guard"} <= by["not yet"]
    assert {"power", "heat", "card.life", "journal", "watchdog", "service.modules"} <= by["good"]


def test_it_is_read_in_one_screen(
    fresh: Path, root: Path, line: ScannerLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--root", str(root), "--allow-simulated", str(fresh)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert lines[-1].startswith("All good: ")
    verdicts = ("good", "note", "not yet", "  ")
    assert all(each.startswith(verdicts) for each in lines[1:-1])


def test_a_table_that_was_dealt_on_and_is_off_is_said(
    fresh: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a calibration that was killed leaves it: nobody started the table again."""
    put(root, "var/lib/tablectl/record/2026-11-22.day", "")
    _, findings = found(capsys, "--root", root, "--allow-simulated", fresh)
    assert findings["service.running"]["verdict"] == "note"
    assert "sudo systemctl start tablectl" in findings["service.running"]["mend"]
    assert findings["record.state"]["verdict"] == "bad", "and what is no day is no record"


@pytest.mark.parametrize(
    ("shows", "says"),
    [
        ("*ActiveState*) echo failed;; *Result*) echo start-limit-hit;;", "(start-limit-hit)"),
        ("*SubState*) echo auto-restart;; *NRestarts*) echo 3;;", "3 times"),
    ],
)
def test_a_service_that_systemd_gave_up_is_not_all_good(
    shows: str, says: str, fresh: Path, root: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Whatever ended it: not everything that ends a program can be looked at from here."""
    program = tmp_path / "programs/systemctl"
    program.write_text(SYSTEMCTL.replace('case "$*" in\n', f'case "$*" in\n{shows}\n'))
    status, findings = found(capsys, "--root", root, "--allow-simulated", fresh)
    assert status == 1
    assert findings["service.running"]["verdict"] == "bad"
    assert says in findings["service.running"]["why"]
    assert "journalctl -u tablectl" in findings["service.running"]["mend"]
