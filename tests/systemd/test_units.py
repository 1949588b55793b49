"""The units as they are installed, judged by systemd's own tools."""

import re
import tomllib
from pathlib import Path

import pytest

from controller.access.token import MIN_CHARS
from controller.assembly.web import WEB_STOP_S
from controller.assembly.wiring import load
from controller.commands.terminal.status import EXIT_CONFIG
from controller.record.journal import BUSY_TIMEOUT_S
from controller.service.recorder import SLOW_COMMIT_S
from controller.web.server.descriptors import OWN
from controller.web.settings import WebSettings
from drivers.panel.guard import EXIT_CONFIG as GUARD_EXIT
from drivers.panel.guard_protocol import BEAT_S, SILENT_S
from drivers.panel.guarded import VARIABLE
from drivers.settings import panel, shoe
from systemd.releases.update.command import EXIT_NOT_COMPARED, EXIT_REFUSED
from systemd.releases.update.machine import STANDBY
from systemd.releases.update.sandbox import STANDBY_SANDBOX
from tests.systemd.staged import EXPOSURE_MAX_TENTHS, HARDENED, ROOT, run, tool, whole_unit

UNITS = (
    "tablectl.service", "tablectl-kiosk.service", "tablectl-guard.service", "tablectl-pit.service",
)  # fmt: skip
#: Root's: what goes back from an update at boot, and what compares the software once a day.
ROOTS = ("tablectl-update.service", "tablectl-compare.service", "tablectl-compare.timer")
#: The longest that a disk may stand still and be no fault: the table shows SAFE and goes on.
DISK_STALL_S = 5.0
HELD_WITHIN_S = 3.0


def _unit(machine: Path, name: str) -> dict[str, list[str]]:
    """Every setting of a unit with its values in order."""
    settings: dict[str, list[str]] = {}
    for line in whole_unit(machine, name).splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            settings.setdefault(key, []).append(value)
    return settings


@pytest.mark.parametrize("name", [*UNITS, *ROOTS])
def test_systemd_finds_nothing_to_say_about_the_unit(machine: Path, name: str) -> None:
    said = run(tool("systemd-analyze"), f"--root={machine}", "verify", name)
    assert (said.returncode, said.stderr) == (0, "")


def test_a_misspelt_setting_would_be_found(machine: Path) -> None:
    unit = machine / "etc/systemd/system/misspelt.service"
    right = (machine / "etc/systemd/system/tablectl.service").read_text()
    unit.write_text(right.replace("WatchdogSec=", "WatchdogSecs="))
    said = run(tool("systemd-analyze"), f"--root={machine}", "verify", unit.name)
    assert "WatchdogSecs" in said.stderr


def test_the_units_call_no_program_that_a_small_debian_lacks(machine: Path) -> None:
    """`/bin/kill` is of procps, which nobody has to install: `systemctl reload tablectl` failed."""
    everywhere = {"/bin/sh", "/usr/bin/env"}
    ours = ("/opt/tablectl/current/", "/usr/local/sbin/tablectl-update")
    for name in (*UNITS, *ROOTS):
        for key, values in _unit(machine, name).items():
            for program in (each.split()[0] for each in values if key.startswith("Exec")):
                assert program.startswith(ours) or program in everywhere, f"{name}: {program}"


def test_the_units_themselves_allow_no_device(machine: Path) -> None:
    for name in HARDENED:
        unit = (machine / "etc/systemd/system" / name).read_text()
        assert "DevicePolicy=closed" in unit
        assert "DeviceAllow=" not in unit
        assert "SupplementaryGroups=" not in unit


def test_every_rule_holds_as_soon_as_it_is_installed() -> None:
    rules = (ROOT / "systemd/udev/99-tablectl.rules").read_text()
    triggered = re.findall(r"--subsystem-match=([\w-]+)", (ROOT / "systemd/install").read_text())
    assert set(triggered) == set(re.findall(r'^SUBSYSTEM=="([\w-]+)"', rules, re.MULTILINE))


#: Besides: the screen and what touches it, the network of a page, and the namespaces of a browser's
#: own sandbox.
KIOSK_MAX_TENTHS = 23


@pytest.mark.parametrize(
    ("name", "tenths"),
    [
        *((each, EXPOSURE_MAX_TENTHS) for each in HARDENED),
        ("tablectl-pit.service", EXPOSURE_MAX_TENTHS),
        *((each, EXPOSURE_MAX_TENTHS) for each in ROOTS if each.endswith(".service")),
        ("tablectl-kiosk.service", KIOSK_MAX_TENTHS),
    ],
)
def test_every_unit_is_exposed_to_little(machine: Path, name: str, tenths: int) -> None:
    said = run(
        tool("systemd-analyze"),
        "security",
        "--offline=yes",
        "--no-pager",
        f"--threshold={tenths}",
        machine / "etc/systemd/system" / name,
    )
    assert said.returncode == 0, said.stdout
    assert said.stderr == ""


def test_what_stands_by_in_an_update_may_do_what_the_boot_unit_may_and_writes_less(
    machine: Path, tmp_path: Path
) -> None:
    """It goes back as that unit does, and sets no machine up: a transient unit, of no file."""
    unit = (machine / "etc/systemd/system/tablectl-update.service").read_text()
    (section,) = re.findall(r"^\[Service\]\n(.*?)^\[", unit, re.DOTALL | re.MULTILINE)
    at_boot = {
        each
        for each in section.splitlines()
        if each and not each.startswith(("#", "Type=", "ExecStart=", "TimeoutStartSec="))
    }
    may = "CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_KILL"
    assert at_boot - set(STANDBY_SANDBOX) == {
        f"{may} CAP_SETGID CAP_SETUID",
        "ReadWritePaths=/etc /opt /run /sys/devices /usr/local /var/lib",
    }
    assert set(STANDBY_SANDBOX) - at_boot == {
        "CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_KILL CAP_SETGID CAP_SETUID",
        "ReadWritePaths=/etc /opt/tablectl /run",
    }
    own = tmp_path / STANDBY
    lines = ["[Service]", "ExecStart=/usr/local/sbin/tablectl-update --stand-by", *STANDBY_SANDBOX]
    own.write_text("\n".join(lines) + "\n")
    said = run(
        tool("systemd-analyze"), "security", "--offline=yes", "--no-pager",
        f"--threshold={EXPOSURE_MAX_TENTHS}", own,
    )  # fmt: skip
    assert (said.returncode, said.stderr) == (0, ""), said.stdout


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


def test_the_classes_that_the_unit_allows_are_known_at_boot(machine: Path) -> None:
    """systemd looks a class up when it starts the service: its module must be loaded by then."""
    allowed = {"char-ttyUSB": "usbserial", "char-ttyACM": "cdc_acm"}
    loaded = (machine / "etc/modules-load.d/tablectl.conf").read_text().splitlines()
    assert set(allowed.values()) == {each for each in loaded if not each.startswith("#")}
    unit = _unit(machine, "tablectl.service")
    assert allowed.keys() <= {each.split()[0] for each in unit["DeviceAllow"]}


def test_nothing_of_the_table_runs_as_root_but_what_changes_its_releases(machine: Path) -> None:
    for path in sorted((machine / "etc/systemd/system").glob("tablectl*.service")):
        users = _unit(machine, path.name).get("User", ["root"])
        assert users != ["root"] or path.name in ROOTS, path.name


def test_what_goes_back_does_so_before_the_table_starts(machine: Path) -> None:
    unit = _unit(machine, "tablectl-update.service")
    services = {"tablectl.service", "tablectl-guard.service", "tablectl-pit.service"}
    assert set(unit["Before"][0].split()) == services
    noted = ["|/opt/tablectl/update.json", "|/opt/tablectl/set-up-due"]
    assert unit["ConditionPathExists"] == noted, "either of them"
    program, word = unit["ExecStart"][0].split()
    assert (machine / program.lstrip("/")).read_bytes().startswith(b"#!/usr/bin/python3 -IB\n")
    assert word == "--boot"


def test_what_went_back_is_what_is_compared(machine: Path) -> None:
    unit = _unit(machine, "tablectl-compare.service")
    assert unit["After"] == ["tablectl-update.service"]
    assert unit["Restart"] == ["on-failure"], "no round begins before it went through"
    found = unit["SuccessExitStatus"]
    assert (str(EXIT_REFUSED) in found, str(EXIT_NOT_COMPARED) in found) == (True, False)


def test_the_table_may_have_more_descriptors_than_the_web_takes(machine: Path) -> None:
    unit = (machine / "etc/systemd/system/tablectl.service").read_text()
    found = re.search(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    assert found
    assert int(found[1]) >= WebSettings(token="t" * MIN_CHARS).max_connections + OWN
