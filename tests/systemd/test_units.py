"""The units as they are installed, judged by systemd's own tools."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from controller.access.token import MIN_CHARS
from controller.assembly.web import WEB_STOP_S
from controller.assembly.wiring import load
from controller.commands.drivers import units
from controller.commands.terminal.status import EXIT_CONFIG
from controller.record.journal import BUSY_TIMEOUT_S
from controller.service.recorder import SLOW_COMMIT_S
from controller.web.server.descriptors import OWN
from controller.web.settings import WebSettings
from drivers.door import BUILT_IN
from drivers.panel.guard import EXIT_CONFIG as GUARD_EXIT
from drivers.panel.guard_protocol import BEAT_S, SILENT_S
from drivers.panel.guarded import VARIABLE
from drivers.settings import panel, shoe

ROOT = Path(__file__).resolve().parents[2]
UNITS = (
    "tablectl.service", "tablectl-kiosk.service", "tablectl-guard.service", "tablectl-pit.service",
)  # fmt: skip
#: Root's: what goes back from an update at boot, and what compares the software once a day.
ROOTS = ("tablectl-update.service", "tablectl-compare.service", "tablectl-compare.timer")
HARDENED = ("tablectl.service", "tablectl-guard.service")
EXPOSURE_MAX_TENTHS = 15
PROGRAMS = (
    "opt/tablectl/current/env/bin/tablectl",
    "opt/tablectl/current/env/bin/tablectl-guard",
    "usr/bin/cage",
    "bin/kill",
)
TOOL_TIMEOUT_S = 60
#: The longest that a disk may stand still and be no fault: the table shows SAFE and goes on.
DISK_STALL_S = 5.0
HELD_WITHIN_S = 3.0


def _run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TOOL_TIMEOUT_S,
        check=False,
    )


def _tool(name: str) -> str:
    """The path of one of systemd's tools; without it the test is skipped, but never under CI."""
    path = shutil.which(name)
    if path is None and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed; `make setup` installs it with the package systemd")
    assert path is not None, f"{name} is missing: install the Debian package systemd"
    return path


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine's root folder with the table installed and the distribution's units beside it."""
    _tool("systemd-analyze")
    root = tmp_path_factory.mktemp("machine")
    installed = _run(ROOT / "systemd/install", DESTDIR=str(root), KIOSK="1", PIT="1")
    assert installed.returncode == 0, installed.stderr
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    for program in PROGRAMS:
        (root / program).parent.mkdir(parents=True, exist_ok=True)
        (root / program).write_text("#!/bin/sh\n")
        (root / program).chmod(0o755)
    return root


def _whole(machine: Path, name: str) -> str:
    """A unit and its drop-ins, as systemd reads them one after the other."""
    units = machine / "etc/systemd/system"
    drop_ins = sorted((units / f"{name}.d").glob("*.conf"))
    return "\n".join(each.read_text() for each in (units / name, *drop_ins))


def _unit(machine: Path, name: str) -> dict[str, list[str]]:
    """Every setting of a unit with its values in order."""
    settings: dict[str, list[str]] = {}
    for line in _whole(machine, name).splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            settings.setdefault(key, []).append(value)
    return settings


@pytest.mark.parametrize("name", [*UNITS, *ROOTS])
def test_systemd_finds_nothing_to_say_about_the_unit(machine: Path, name: str) -> None:
    said = _run(_tool("systemd-analyze"), f"--root={machine}", "verify", name)
    assert (said.returncode, said.stderr) == (0, "")


def test_a_misspelt_setting_would_be_found(machine: Path) -> None:
    unit = machine / "etc/systemd/system/misspelt.service"
    right = (machine / "etc/systemd/system/tablectl.service").read_text()
    unit.write_text(right.replace("WatchdogSec=", "WatchdogSecs="))
    said = _run(_tool("systemd-analyze"), f"--root={machine}", "verify", unit.name)
    assert "WatchdogSecs" in said.stderr


#: Everything that a driver of ours can need, more than any table has at once.
ALL_NEEDS = """\
[table]
name = "T1"
game = "21-24-27"
seats = 1
[record]
folder = "record"
[web]
token_file = "token"
[scanner]
port = "/dev/tablectl-scanner"
[camera]
source = "{source}"
[shoe]
needs = "both"
[beam]
pin = 5
[leds]
spots = [[6, 7, 8]]
[buttons]
next = 2
[buzzer]
pin = 26
"""


#: Every device that is not on a header pin.
OFF_THE_HEADER = """
[table]
name = "T1"
game = "21-24-27"
seats = 2

[record]
folder = "record"

[web]
token_file = "token"

[scanner]
port = "/dev/tablectl-scanner-keys"
protocol = "keyboard"

[strip]
spots = 2

[i2c_leds]
addresses = [0x40]
spots = 2

[sacn]
universe = 7
host = "192.168.7.20"
spots = 2

[i2c_buttons]
next = 0

[keypad]
device = "/dev/input/by-id/usb-keypad-event-kbd"
next = "KPENTER"

[pedal]
device = "/dev/input/by-id/usb-pedal-event-kbd"
next = "B"

[stream_deck]
device = "/dev/tablectl-deck"
next = 1

[pole_display]
port = "/dev/serial/by-id/usb-pole"

[oled]

[bet_spots]
ports = ["/dev/serial/by-id/usb-spot-1", "/dev/serial/by-id/usb-spot-2"]

[bus]
servers = ["tls://192.168.7.30:4222", "tls://192.168.7.31:4222"]
"""


def test_the_units_of_every_driver_of_ours_are_judged_here() -> None:
    judged = tomllib.loads(ALL_NEEDS).keys() | tomllib.loads(OFF_THE_HEADER).keys()
    assert judged >= BUILT_IN.keys(), "add the driver's section to one of these configurations"


def test_what_is_off_the_header_is_allowed_to_whom_it_concerns(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(OFF_THE_HEADER)
    made = units.files(load(config))
    table, guard = (
        set(made[f"{units.UNITS}/{name}.service.d/{units.DROP_IN}"].splitlines())
        for name in ("tablectl", "tablectl-guard")
    )
    lights = {"DeviceAllow=char-i2c rw", "DeviceAllow=char-spi rw"}
    hands = {"DeviceAllow=char-input rw", "DeviceAllow=char-hidraw rw"}
    assert lights | hands <= table
    assert "IPAddressAllow=192.168.7.20 192.168.7.30 192.168.7.31" in table, "lights and bus"
    assert lights | {"PrivateNetwork=no", "RestrictAddressFamilies=AF_INET"} <= guard
    assert "IPAddressAllow=192.168.7.20" in guard, "it has nothing to do with the bus"
    assert not hands & guard, "the guard holds lights alone"
    assert {"i2c-dev", "spidev", "evdev", "usbhid"} <= set(made[units.MODULES].splitlines())


@pytest.mark.parametrize("name", HARDENED)
def test_devices_off_the_header_expose_the_table_to_little(
    machine: Path, tmp_path: Path, name: str
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(OFF_THE_HEADER)
    _exposed_to_little(machine, tmp_path, config, name)


@pytest.mark.parametrize("source", ["/dev/video0", "csi", "http://127.0.0.1:1/x"])
@pytest.mark.parametrize("name", HARDENED)
def test_whatever_drivers_are_configured_the_table_is_exposed_to_little(
    machine: Path, tmp_path: Path, name: str, source: str
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(ALL_NEEDS.format(source=source))
    _exposed_to_little(machine, tmp_path, config, name)


def _exposed_to_little(machine: Path, tmp_path: Path, config: Path, name: str) -> None:
    root = tmp_path / "root"
    shutil.copytree(machine / "etc/systemd/system", root / "etc/systemd/system", symlinks=True)
    units.write(root, load(config))
    whole = tmp_path / name
    whole.write_text(_whole(root, name))
    said = _run(
        _tool("systemd-analyze"), "security", "--offline=yes", "--no-pager",
        f"--threshold={EXPOSURE_MAX_TENTHS}", whole,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout
    assert said.stderr == ""


def test_the_units_themselves_allow_no_device(machine: Path) -> None:
    for name in HARDENED:
        unit = (machine / "etc/systemd/system" / name).read_text()
        assert "DevicePolicy=closed" in unit
        assert "DeviceAllow=" not in unit
        assert "SupplementaryGroups=" not in unit


def test_staged_drop_ins_are_what_the_delivered_configuration_needs(
    machine: Path, tmp_path: Path
) -> None:
    """They are delivered as files, because nothing of the program runs where files are staged."""
    made = units.files(load(machine / "etc/tablectl/table.toml"))
    again = "make them anew: tablectl drivers --install ROOT systemd/table.toml"
    for name, text in made.items():
        assert (machine / name).read_text() == text, again


def test_a_strip_is_allowed_by_its_class_and_its_module_loaded(tmp_path: Path) -> None:
    """A node that is not there yet when the unit starts is not allowed by its name."""
    config = tmp_path / "table.toml"
    lights = '[strip]\ndevice = "/dev/spidev0.0"\nspots = 1\n'
    start, end = ALL_NEEDS.index("[leds]"), ALL_NEEDS.index("[buttons]")
    config.write_text((ALL_NEEDS[:start] + lights + ALL_NEEDS[end:]).format(source="/dev/video0"))
    made = units.files(load(config))
    for name in HARDENED:
        text = made[f"{units.UNITS}/{name}.d/{units.DROP_IN}"]
        assert {"DeviceAllow=char-spi rw", "DeviceAllow=/dev/spidev0.0 rw"} <= set(text.split("\n"))
    assert "spidev" in made[units.MODULES].splitlines()


def test_every_rule_holds_as_soon_as_it_is_installed() -> None:
    rules = (ROOT / "systemd/99-tablectl.rules").read_text()
    triggered = re.findall(r"--subsystem-match=([\w-]+)", (ROOT / "systemd/install").read_text())
    assert set(triggered) == set(re.findall(r'^SUBSYSTEM=="([\w-]+)"', rules, re.MULTILINE))


@pytest.mark.parametrize("name", [*HARDENED, "tablectl-compare.service", "tablectl-pit.service"])
def test_the_table_is_exposed_to_little(machine: Path, name: str) -> None:
    said = _run(
        _tool("systemd-analyze"),
        "security",
        "--offline=yes",
        "--no-pager",
        f"--threshold={EXPOSURE_MAX_TENTHS}",
        machine / "etc/systemd/system" / name,
    )
    assert said.returncode == 0, said.stdout
    assert said.stderr == ""


def test_the_watchdog_outlasts_every_bounded_stall(machine: Path) -> None:
    """A sign of life is asked of the loop and the record's worker; no device and no page is."""
    (watchdog,) = _unit(machine, "tablectl.service")["WatchdogSec"]
    # As `sd_watchdog_enabled` advises, at the latest; the service gives one in each third.
    sign_of_life_s = float(watchdog) / 2
    stalls_s = {
        "another program has the record": BUSY_TIMEOUT_S,
        "a commit that is slow": SLOW_COMMIT_S,
        "a disk that stands still": DISK_STALL_S,
        "pages that are let go": WEB_STOP_S,
        "a guard that does not answer": SILENT_S,
        "a stop of the process that the lights tell": SILENT_S,
    }
    for stall, longest_s in stalls_s.items():
        assert sign_of_life_s + longest_s < float(watchdog), stall


def test_a_hung_service_shows_held_long_before_the_watchdog_ends_it(machine: Path) -> None:
    guard, table = (
        float(_unit(machine, f"{name}.service")["WatchdogSec"][0])
        for name in ("tablectl-guard", "tablectl")
    )
    assert BEAT_S * 2 < SILENT_S
    assert SILENT_S + 1 <= HELD_WITHIN_S < guard < table


def test_what_ends_the_table_does_not_end_the_guard(machine: Path) -> None:
    guard, table = (_unit(machine, f"{name}.service") for name in ("tablectl-guard", "tablectl"))
    assert table["Wants"] == table["After"] == ["tablectl-guard.service"]
    ties = {"Requires", "BindsTo", "PartOf", "Requisite", "Conflicts", "Slice"}
    assert not ties & (guard.keys() | table.keys())
    assert guard["User"] == table["User"], "the socket is for that user alone"


def test_the_table_finds_the_guard_where_it_listens(machine: Path) -> None:
    guard, table = (_unit(machine, f"{name}.service") for name in ("tablectl-guard", "tablectl"))
    path = Path(guard["ExecStart"][0].split()[-1])
    assert path.parent == Path("/run") / guard["RuntimeDirectory"][0]
    assert f"{VARIABLE}={path}" in table["Environment"]
    assert guard["ExecStart"][0].split()[0].endswith("/env/bin/tablectl-guard")
    assert "GPIOZERO_PIN_FACTORY=lgpio" in guard["Environment"]
    assert guard["DeviceAllow"] == ["char-gpiochip rw"]
    assert str(GUARD_EXIT) in guard["RestartPreventExitStatus"][0].split()


def test_a_wrong_configuration_is_not_tried_again(machine: Path) -> None:
    unit = _unit(machine, "tablectl.service")
    assert unit["Restart"] == ["on-failure"]
    assert str(EXIT_CONFIG) in unit["RestartPreventExitStatus"][0].split()


def test_the_table_has_the_real_pins_and_its_ports(machine: Path) -> None:
    unit = _unit(machine, "tablectl.service")
    assert "GPIOZERO_PIN_FACTORY=lgpio" in unit["Environment"]
    assert unit["PrivateDevices"] == ["no"]
    needed = ("ttyUSB", "ttyACM", "ttyAMA", "gpiochip")
    assert {f"char-{name} rw" for name in needed} == set(unit["DeviceAllow"])
    assert set(unit["SupplementaryGroups"][0].split()) == {"dialout", "gpio"}
    assert "--allow-simulated" not in unit["ExecStart"][0]


def test_unit_configuration_rules_and_display_name_the_same_things(machine: Path) -> None:
    unit, kiosk = (_unit(machine, name) for name in UNITS[:2])
    config = tomllib.loads((machine / "etc/tablectl/table.toml").read_text())
    credential, source = unit["LoadCredential"][0].split(":")
    rules = (machine / "etc/udev/rules.d/99-tablectl.rules").read_text()

    assert unit["ExecStart"] == [
        "/opt/tablectl/current/env/bin/tablectl run /etc/tablectl/table.toml"
    ]
    state, key = (Path("/var/lib", each) for each in unit["StateDirectory"][0].split())
    assert Path(config["record"]["folder"]).parent == state
    assert Path(config["record"]["key_file"]).parent == key
    assert config["web"]["token_file"] == f"/run/credentials/tablectl.service/{credential}"
    assert kiosk["LoadCredential"] == [f"{credential}:{source}"]
    assert kiosk["Environment"] == [f"TABLECTL_PORT={config['web']['port']}"]
    scanner = Path(config["scanner"]["port"]).relative_to("/dev")
    assert f'SYMLINK+="{scanner}"' in rules


def test_the_delivered_configuration_has_the_default_wiring(machine: Path) -> None:
    config = load(machine / "etc/tablectl/table.toml")
    devices = config.devices
    assert devices.beam
    assert devices.leds
    assert devices.buzzer
    assert devices.buttons
    assert devices.beam.pin == shoe.DEFAULT_BEAM
    assert devices.leds.spots == panel.DEFAULT_SPOTS
    assert devices.buzzer.pin == panel.DEFAULT_BUZZER
    buttons = devices.buttons
    assert (buttons.next, buttons.stand, buttons.call) == (
        panel.DEFAULT_NEXT,
        panel.DEFAULT_STAND,
        panel.DEFAULT_CALL,
    )


def test_the_rules_are_whole_and_take_the_configured_scanner(tmp_path: Path) -> None:
    installed = _run(
        ROOT / "systemd/install", DESTDIR=str(tmp_path), KIOSK="1", SCANNER_USB="0c2e:0b61"
    )
    assert installed.returncode == 0, installed.stderr
    part = re.compile(r'[A-Z_]+(\{[A-Za-z_]+\})?(==|!=|\+=|=)"[^"]*"')
    lines = [
        line
        for file in sorted((tmp_path / "etc/udev/rules.d").iterdir())
        for line in file.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert len(lines) == 9
    assert all(part.fullmatch(each) for line in lines for each in line.split(", ")), lines
    assert sum('ATTRS{idVendor}=="0c2e", ATTRS{idProduct}=="0b61"' in line for line in lines) == 3


def test_a_scanner_that_is_no_usb_number_is_refused(tmp_path: Path) -> None:
    said = _run(ROOT / "systemd/install", DESTDIR=str(tmp_path), SCANNER_USB="ttyUSB0")
    assert said.returncode == 1
    assert "Take it from lsusb" in said.stderr
    assert list(tmp_path.iterdir()) == []


def _scanner_rule(root: Path) -> str:
    rules = (root / "etc/udev/rules.d/99-tablectl.rules").read_text()
    (line,) = [each for each in rules.splitlines() if 'SYMLINK+="tablectl-scanner"' in each]
    assert rules.count('KERNEL=="gpiochip*"') == 1
    return line


def test_an_upgrade_keeps_the_scanner_that_was_found_out(tmp_path: Path) -> None:
    """Without SCANNER_USB nobody says anything about the scanner: its rule stays."""
    script = ROOT / "systemd/install"
    pinned = "0c2e:0b61:S-1234.A"
    assert _run(script, DESTDIR=str(tmp_path), SCANNER_USB=pinned).returncode == 0
    rule = _scanner_rule(tmp_path)
    assert 'ATTRS{idProduct}=="0b61", ATTRS{serial}=="S-1234.A", SYMLINK' in rule
    for _ in range(2):
        assert _run(script, DESTDIR=str(tmp_path)).returncode == 0
        assert _scanner_rule(tmp_path) == rule
    assert _run(script, DESTDIR=str(tmp_path), SCANNER_USB="05e0:1701").returncode == 0
    assert "serial" not in _scanner_rule(tmp_path)


def test_the_classes_that_the_unit_allows_are_known_at_boot(machine: Path) -> None:
    """systemd looks a class up when it starts the service: its module must be loaded by then."""
    allowed = {"char-ttyUSB": "usbserial", "char-ttyACM": "cdc_acm"}
    loaded = (machine / "etc/modules-load.d/tablectl.conf").read_text().splitlines()
    assert set(allowed.values()) == {each for each in loaded if not each.startswith("#")}
    unit = _unit(machine, "tablectl.service")
    assert allowed.keys() <= {each.split()[0] for each in unit["DeviceAllow"]}


def test_an_install_leaves_the_configuration_that_is_there(tmp_path: Path) -> None:
    config = tmp_path / "etc/tablectl/table.toml"
    config.parent.mkdir(parents=True)
    config.write_text("# ours\n")
    assert _run(ROOT / "systemd/install", DESTDIR=str(tmp_path)).returncode == 0
    assert config.read_text() == "# ours\n"


def test_the_command_is_on_path(machine: Path) -> None:
    link = machine / "usr/local/bin/tablectl"
    assert str(link.readlink()) == "/opt/tablectl/current/env/bin/tablectl"


def test_nothing_of_the_table_runs_as_root_but_what_changes_its_releases(machine: Path) -> None:
    for path in sorted((machine / "etc/systemd/system").glob("tablectl*.service")):
        users = _unit(machine, path.name).get("User", ["root"])
        assert users != ["root"] or path.name in ROOTS, path.name


def test_what_goes_back_does_so_before_the_table_starts(machine: Path) -> None:
    unit = _unit(machine, "tablectl-update.service")
    services = {"tablectl.service", "tablectl-guard.service", "tablectl-pit.service"}
    assert set(unit["Before"][0].split()) == services
    assert unit["ConditionPathExists"] == ["/opt/tablectl/update.json"]
    program, word = unit["ExecStart"][0].split()
    assert (machine / program.lstrip("/")).read_bytes().startswith(b"#!/usr/bin/python3 -IB\n")
    assert word == "--boot"


def test_what_went_back_is_what_is_compared(machine: Path) -> None:
    assert _unit(machine, "tablectl-compare.service")["After"] == ["tablectl-update.service"]


def test_the_updater_is_one_file_that_runs_without_the_checkout(machine: Path) -> None:
    said = _run(machine / "usr/local/sbin/tablectl-update", "--list", f"--root={machine}")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.endswith("current not complete\n")
    refused = _run(machine / "usr/local/sbin/tablectl-update", "/no/file", f"--root={machine}")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "refused: the keys that sign releases cannot be read" in refused.stderr


@pytest.mark.parametrize(
    ("config", "asked", "said"),
    [
        pytest.param("[scanner]\n", "", "without", marks=pytest.mark.long),
        ("[scanner]\n# [camera]\n", "", "without"),
        pytest.param("[scanner]\n", "1", "with", marks=pytest.mark.long),
        ('[camera]\nsource = "0"\n', "", "with"),
    ],
)
def test_what_a_camera_needs_is_installed_where_there_is_one(
    config: str, asked: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "etc/tablectl/table.toml"
    file.parent.mkdir(parents=True)
    file.write_text(config)
    staged = _run(ROOT / "systemd/install", DESTDIR=str(tmp_path), CAMERA=asked)
    assert staged.returncode == 0, staged.stderr
    assert f"installs it {said} what a camera needs" in staged.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="users and owners can only be made by root")
def test_the_token_is_roots_and_the_configuration_is_read_only(machine: Path) -> None:
    token = machine / "etc/tablectl/api-token"
    token.write_text("x" * 43)
    token.chmod(0o644)
    users = _run(_tool("systemd-sysusers"), f"--root={machine}")
    assert users.returncode == 0, users.stderr
    made = _run(_tool("systemd-tmpfiles"), f"--root={machine}", "--create", "tablectl.conf")
    assert (made.returncode, made.stderr) == (0, "")

    groups = (machine / "etc/group").read_text()
    ours = re.search(r"^tablectl:x:(\d+):", groups, re.MULTILINE)
    assert ours is not None
    config = machine / "etc/tablectl/table.toml"
    seen = {path: path.stat() for path in (config.parent, config, token)}
    assert [oct(stat.st_mode & 0o777) for stat in seen.values()] == ["0o750", "0o640", "0o600"]
    assert [stat.st_gid for stat in seen.values()] == [int(ours[1]), int(ours[1]), 0]
    assert {stat.st_uid for stat in seen.values()} == {0}
    assert re.search(r"^dialout:.*tablectl", groups, re.MULTILINE)
    assert re.search(r"^gpio:.*tablectl", groups, re.MULTILINE)
    assert re.search(r"^video:.*tablectl", groups, re.MULTILINE)


def test_the_table_may_have_more_descriptors_than_the_web_takes(machine: Path) -> None:
    unit = (machine / "etc/systemd/system/tablectl.service").read_text()
    found = re.search(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    assert found
    assert int(found[1]) >= WebSettings(token="t" * MIN_CHARS).max_connections + OWN
