"""`tablectl doctor`: what `run` refuses is never "all good", and a sound table is."""

from __future__ import annotations

import errno
import json
import os
import pwd
import re
import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.certificate import Certificate, digest, write
from calibration.measure import Measurement
from controller.__main__ import main
from controller.assembly import certificates
from controller.assembly.wiring import load
from controller.commands.doctor import disk, installation
from controller.commands.doctor.as_service import sandbox
from controller.commands.doctor.finding import CheckFinding, CheckVerdict, measured
from controller.commands.doctor.machine import Machine
from tests.commands.doctor.conftest import put
from tests.drivers.outside import ScannerLine
from tests.support.processes.doors import open_to_all

ROOT = Path(__file__).resolve().parents[3]
DAY_MS = 86_400_000
PI = "Raspberry Pi 5 Model B Rev 1.0\0"
PANEL = """
[leds]
spots = [[14, 15, 16], [7, 8, 9]]
[buttons]
next = 2
"""


@pytest.fixture
def plugged(line: ScannerLine) -> Iterator[ScannerLine]:
    line.plug()
    yield line
    line.unplug()


def found(
    capsys: pytest.CaptureFixture[str], *words: object
) -> tuple[int, dict[str, dict[str, str]]]:
    """The exit status, and the findings by id."""
    status = main(["doctor", "--json", *map(str, words)])
    findings = json.loads(capsys.readouterr().out)
    for each in findings:
        asks = each["verdict"] in ("bad", "not checked", "note")
        assert bool(each["mend"]) == asks, each
        assert each["why"] or each["verdict"] == "good", each
    return status, {each["id"]: each for each in findings}


def test_a_sound_table_is_all_good(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--root", str(root), str(table)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^All good: \d+ checks$", out, re.MULTILINE)
    assert [line for line in out.splitlines() if line.startswith(("bad", "not "))] == []
    assert list((table.parent).glob(".doctor*")) == []


@pytest.mark.parametrize("port", ["/dev/null", "/dev/zero", "table.toml"])
def test_what_is_no_serial_line_is_no_scanner(
    port: str, table: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (table.parent / "scanner").symlink_to(port)
    status, findings = found(capsys, "--root", root, table)
    assert status == 1
    assert findings["scanner.port"]["verdict"] == "bad"
    assert findings["scanner.port"]["why"] == "It is no serial port"


@pytest.mark.parametrize(
    ("port", "protocol", "node", "rule", "mend"),
    [
        ("tablectl-scanner", "", "tty/ttyACM0", "05e0:1701", "--scanner 0c2e:0b61"),
        ("tablectl-scanner", "", "tty/ttyUSB0", "0c2e:0b61:OTHER", "--scanner 0c2e:0b61:S-1"),
        ("tablectl-scanner", "", "tty/ttyUSB0", "0c2e:0b61", "plug it in"),
        ("tablectl-scanner-keys", "keyboard", "input/event3", "05e0:1701", "--scanner 0c2e:0b61"),
        ("tablectl-scanner-hid", "hid-pos", "hidraw/hidraw0", "05e0:1701", "--scanner 0c2e:0b61"),
        ("tablectl-scanner", "", "input/event3", "05e0:1701", "plug it in"),
    ],
)
def test_a_scanner_of_other_numbers_is_named_with_the_command(
    port: str, protocol: str, node: str, rule: str, mend: str, table: Path, root: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Plugged in, and no rule takes it: of another make, of another number, or another kind."""
    vendor, product, *serial = rule.split(":")
    rules = (ROOT / "systemd/udev/99-tablectl.rules").read_text().replace("05e0", vendor)
    pinned = "".join(
        f', ATTRS{{{name}}}=="{its}"'
        for name, its in zip(("idProduct", "serial"), (product, *serial), strict=False)
    )
    put(
        root, "etc/udev/rules.d/99-tablectl.rules",
        rules.replace(', ATTRS{idProduct}=="1701"', pinned),
    )  # fmt: skip
    usb = root / "sys/devices/usb1/1-1"
    for name, text in (("idVendor", "0c2e"), ("idProduct", "0b61"), ("serial", "S-1")):
        put(usb, name, f"{text}\n")
    (usb / "1-1:1.0").mkdir()
    (root / "sys/class" / node).mkdir(parents=True)
    (root / "sys/class" / node / "device").symlink_to(usb / "1-1:1.0")
    kind = f'\nprotocol = "{protocol}"' if protocol else ""
    table.write_text(table.read_text().replace('"scanner"', f'"/dev/{port}"{kind}'))
    _, findings = found(capsys, "--root", root, table)
    assert mend in findings["scanner.port"]["mend"]
    if asked := re.search(r"tablectl (drivers --scanner \S+),", findings["scanner.port"]["mend"]):
        assert main([*asked[1].split(), "--install", str(root)]) == 0
        capsys.readouterr()
        _, findings = found(capsys, "--root", root, table)
        assert "plug it in" in findings["scanner.port"]["mend"], "the rules take it now"


def _certify(table: Path, age_days: int) -> None:
    config = load(table)
    (table.parent / "certificates").mkdir(exist_ok=True)
    write(
        Certificate(
            "codes", digest(config.devices.scanner),
            time.time_ns() // 1_000_000 - age_days * DAY_MS, "here",
            (Measurement("read", 1, at_least=1),),
        ),
        table.parent / "certificates" / "codes.json",
    )  # fmt: skip


def _fails(table: Path, what: str) -> None:
    """Spoil one thing that `run` asks for."""
    text = table.read_text()
    if what == "token":
        (table.parent / "token").unlink()
    elif what == "open token":
        (table.parent / "token").chmod(0o644)
    elif what == "people":
        table.write_text(text + '[people]\nfile = "people.toml"\n')
        (table.parent / "people.toml").write_text("no people")
    elif what == "code book":
        table.write_text(text + 'codes = "none.toml"\n')
    else:
        table.write_text(text + '[certificates]\ncodes = "certificates/codes.json"\n')
        _certify(table, 400)


@pytest.mark.parametrize(
    ("what", "id_", "says"),
    [
        ("token", "token", "there is no token"),
        ("open token", "token", "chmod 600"),
        ("people", "people", "people.toml"),
        ("code book", "reader", "the code book"),
        ("certificate", "certificate.codes", "more than 366 days ago"),
    ],
)
def test_what_run_refuses_is_not_all_good(
    what: str, id_: str, says: str, table: Path, root: Path, plugged: ScannerLine,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    _fails(table, what)
    assert main(["run", str(table)]) == 78
    refused = capsys.readouterr().err
    status, findings = found(capsys, "--root", root, table)
    assert status == 1
    assert findings[id_]["verdict"] == "bad"
    assert says in findings[id_]["why"]
    assert says in refused
    if what == "open token":
        assert findings[id_]["mend"] == f"chmod 600 {table.parent / 'token'}"
        assert found(capsys, "--fix", "--root", root, table)[0] == 0, "closed, and not made anew"


def test_a_certificate_that_ends_soon_is_said_in_time(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(table.read_text() + '[certificates]\ncodes = "certificates/codes.json"\n')
    _certify(table, 349)
    status, findings = found(capsys, "--root", root, table)
    assert status == 0
    assert findings["certificate.codes"]["verdict"] == "note"
    assert re.search(r"\b1[67] days left", findings["certificate.codes"]["what"])
    _certify(table, 1)
    _, findings = found(capsys, "--root", root, table)
    assert findings["certificate.codes"]["verdict"] == "good"


def test_a_clock_that_is_behind_a_certificate_keeps_no_table_off_unless_something_keeps_it(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A Raspberry Pi has no clock of its own: after a power cut it begins with an old time."""
    table.write_text(table.read_text() + '[certificates]\ncodes = "certificates/codes.json"\n')
    _certify(table, -3)
    for keeps, verdict, says in ((False, "note", "behind it"), (True, "bad", "set the clock")):
        monkeypatch.setattr(certificates, "clock_synchronised", lambda keeps=keeps: keeps)
        status, findings = found(capsys, "--root", root, table)
        assert status == int(keeps)
        assert findings["certificate.codes"]["verdict"] == verdict
        assert says in findings["certificate.codes"]["why"]


def test_a_table_with_a_camera_alone_is_examined(
    table: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table.read_text().replace(
        '[scanner]\nport = "scanner"', '[camera]\nsource = "/dev/null"'
    )
    table.write_text(text + "[beam]\npin = 5\n")
    status, findings = found(capsys, "--root", root, table)
    assert status == 1
    assert findings["camera.device"]["verdict"] == "bad"
    assert findings["reader"]["verdict"] == "good"


def test_the_slowest_write_counts_and_not_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([*(each for n in range(disk.SYNCS - 1) for each in (n, n + 0.001)), 100.0, 101.5])
    monkeypatch.setattr(time, "perf_counter", lambda: next(times))
    taken = disk.worst_sync(tmp_path)
    assert taken.value == 1500
    assert not taken.good
    assert list(tmp_path.iterdir()) == []


def test_a_raspberry_pi_in_trouble_is_told_from_a_sound_one(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    table.write_text(table.read_text() + PANEL)
    put(root, "sys/firmware/devicetree/base/model", PI)
    put(root, "proc/cmdline", "console=serial0,115200 console=tty1 root=x")
    put(
        root,
        "boot/firmware/config.txt",
        "# x\ndtparam=audio=on\ndtparam=spi=on\n#dtparam=i2c_arm=on\n",
    )
    put(root, "sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    put(root, "sys/class/thermal/thermal_zone0/temp", "84100\n")
    put(root, "sys/block/mmcblk0/device/life_time", "0x02 0x0a\n")
    status, findings = found(capsys, "--root", root, "--allow-simulated", table)
    assert status == 1
    bad = {id_ for id_, each in findings.items() if each["verdict"] == "bad"}
    assert {"pins.console", "pins.spi", "power", "heat", "card.life"} <= bad
    assert "pins.i2c" not in findings
    assert "Too little voltage now, throttled now" in findings["power"]["why"]
    assert findings["pins.spi"]["what"].startswith("pins 7, 8, 9")

    put(root, "proc/cmdline", "console=tty1 root=x")
    put(root, "boot/firmware/config.txt", "#dtparam=spi=on\n")
    put(root, "sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
    put(root, "sys/class/thermal/thermal_zone0/temp", "51000\n")
    put(root, "sys/block/mmcblk0/device/life_time", "0x01 0x01\n")
    _, findings = found(capsys, "--root", root, "--allow-simulated", table)
    assert {findings[each]["verdict"] for each in ("power", "heat", "card.life")} == {"good"}
    assert not {"pins.console", "pins.spi"} & findings.keys()


def _installed(root: Path) -> None:
    for each in ("tablectl.service", "tablectl-guard.service"):
        put(root, f"etc/systemd/system/{each}", (ROOT / "systemd/units" / each).read_text())


def test_what_the_first_start_brings_is_not_complained_of(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fresh installation: the service never ran and has no folder; its token is systemd's."""
    _installed(root)
    put(root, "etc/tablectl/api-token", "x" * 43).chmod(0o600)
    config = tmp_path / "table.toml"
    shutil.copy(ROOT / "systemd/table.toml", config)
    monkeypatch.setattr(installation, "USER", "nobody-of-that-name")
    monkeypatch.setattr("controller.commands.doctor.as_service.USER", "nobody-of-that-name")
    _, findings = found(capsys, "--root", root, config)
    assert findings["token"]["verdict"] == "good"
    assert "disk.free" in findings
    assert findings["disk.sync"]["verdict"] in ("good", "not yet")
    assert findings["scanner.port"]["verdict"] == "bad"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to others")
def test_files_that_the_service_cannot_read_are_found_and_mended(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """As a calibration by root left it: the table ended with 78 and nothing said why."""
    user = pwd.getpwnam("nobody")
    monkeypatch.setattr(installation, "USER", user.pw_name)
    _installed(root)
    open_to_all(table.parent)
    table.chmod(0o600)
    machine = Machine(root)
    config = load(table)
    wrong = [each for each in installation.findings(config, table, machine) if each.verdict.stops]
    assert [each.id for each in wrong] == ["service.devices", "service.reads.table.toml"]
    for finding in wrong:
        assert finding.fix is not None
        finding.fix()
    assert oct(table.stat().st_mode & 0o777) == "0o640"
    assert table.stat().st_gid == user.pw_gid
    assert not any(each.verdict.stops for each in installation.findings(config, table, machine))


def test_modules_that_a_later_plug_needs_are_looked_for(
    table: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit looks classes of devices up at its start: one known later is refused."""
    monkeypatch.setattr(installation, "USER", pwd.getpwuid(os.geteuid()).pw_name)
    _installed(root)
    modules = ROOT / "systemd/drivers/modules-load.d/tablectl.conf"
    put(root, "etc/modules-load.d/tablectl.conf", modules.read_text())
    put(root, "sys/module/usbserial/refcnt", "0")

    def look() -> CheckFinding:
        found = installation.findings(load(table), table, Machine(root))
        (finding,) = (each for each in found if each.id == "service.modules")
        return finding

    assert look().verdict is CheckVerdict.NOTE
    assert "cdc_acm is not loaded" in look().why
    put(root, "sys/module/cdc_acm/refcnt", "0")
    assert look().verdict is CheckVerdict.GOOD


def test_it_mends_what_is_safe_and_nothing_else(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    _installed(root)
    source = put(root, "etc/tablectl/api-token", "x" * 43)
    source.chmod(0o644)
    text = table.read_text().replace('"token"', '"/run/credentials/tablectl.service/api-token"')
    table.write_text(text)
    monkeypatch.setattr("controller.commands.doctor.as_service.USER", "nobody-of-that-name")
    status, findings = found(capsys, "--root", root, table)
    assert (status, findings["token"]["mend"]) == (1, "chmod 600 /etc/tablectl/api-token")
    assert source.stat().st_mode & 0o777 == 0o644, "looking changes nothing"
    _, findings = found(capsys, "--root", root, "--fix", table)
    assert findings["token"]["verdict"] == "good"
    assert source.stat().st_mode & 0o777 == 0o600


def test_as_the_service_it_has_every_restriction_of_its_unit(root: Path) -> None:
    _installed(root)
    put(
        root,
        "etc/systemd/system/tablectl.service.d/10-ours.conf",
        "[Service]\nDeviceAllow=/dev/x rw\n",
    )
    command = sandbox(Machine(root))
    assert command[0] == "systemd-run"
    properties = {
        each.removeprefix("--property=") for each in command if each.startswith("--property")
    }
    for each in (
        "User=tablectl",
        "DevicePolicy=closed",
        "ProtectSystem=strict",
        "DeviceAllow=/dev/x rw",
    ):
        assert each in properties
    assert not any(
        each.startswith(("ExecStart", "Restart", "Watchdog", "Type=")) for each in properties
    )


def test_a_bundle_holds_what_was_listed_and_no_secret(
    table: Path,
    root: Path,
    plugged: ScannerLine,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = (table.parent / "token").read_text().strip()
    _installed(root)
    put(root, "etc/os-release", f"NAME=Debian\nOURS={secret}\nAT=rtsp://shoe:s3cr@t@10.0.0.9/x\n")
    (table.parent / "record.openings").mkdir()
    (table.parent / "people.toml").write_text('[ab12]\nname = "Aino"\npin = "hash"\n')
    target = tmp_path / "help.tar.gz"
    words = ["doctor", "--root", str(root), "--bundle", str(target), str(table)]
    assert main(words) == 2, "nobody can be asked here"
    assert not target.exists()
    capsys.readouterr()
    main([*words, "--yes"])
    listed = capsys.readouterr().out
    with tarfile.open(target) as archive:
        held = {each.name: archive.extractfile(each) for each in archive.getmembers()}
        texts = {name: file.read().decode() for name, file in held.items() if file is not None}
    assert oct(target.stat().st_mode & 0o777) == "0o600"
    for name, text in texts.items():
        assert f"  {name.removeprefix('help/')}\n" in listed, name
        assert secret not in text, name
        assert "Aino" not in text, name
    assert 'token_file = "token"' in texts["help/table.toml"], "a path is no secret"
    assert "[removed]" in texts["help/machine/etc/os-release"]
    assert "AT=rtsp://[removed]@10.0.0.9/x" in texts["help/machine/etc/os-release"]
    assert json.loads(texts["help/findings.json"])
    assert main([*words, "--yes"]) == 1, "it overwrites nothing"


def test_the_part_of_the_service_prints_findings_alone(
    table: Path, root: Path, plugged: ScannerLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--service-part", "--root", str(root), str(table)]) == 0
    ids = [each["id"] for each in json.loads(capsys.readouterr().out)]
    assert {"disk.free", "token", "reader", "scanner.port"} <= set(ids)
    table.write_text("nonsense")
    assert main(["doctor", "--service-part", str(table)]) == 0
    (only,) = json.loads(capsys.readouterr().out)
    assert (only["id"], only["verdict"]) == ("config", "bad")


def test_what_could_not_be_measured_says_why_and_the_command_that_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, user, mend in (
        (errno.ENOSPC, "tablectl", "journalctl --vacuum"),
        (errno.EACCES, "tablectl", "chown tablectl:"),
        (errno.EACCES, "tablectl-pit", "chown tablectl-pit:"),
        (errno.EROFS, "tablectl", "findmnt says how it is mounted"),
    ):

        def refuse(*_: object, number: int = number) -> int:
            raise OSError(number, os.strerror(number))

        with monkeypatch.context() as patch:
            patch.setattr(os, "open", refuse)
            finding = measured("disk.sync", disk.worst_sync(tmp_path, user))
        assert finding.verdict is CheckVerdict.NOT_CHECKED
        assert finding.why == f"{tmp_path}: {os.strerror(number)}"
        assert mend in finding.mend


def test_a_configuration_that_is_not_there_is_mended_by_writing_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    status, findings = found(capsys, path)
    assert status == 78
    assert findings["config"]["mend"] == f"tablectl init {path}"
