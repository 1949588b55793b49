"""Root does not run the drivers of others: the service's user does, and root takes data from it."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.assembly import outside_drivers
from controller.assembly.wiring import load
from controller.commands.drivers import units
from controller.commands.terminal.status import EXIT_CONFIG
from controller.config.problems import ConfigError
from controller.record.build import ROOT
from drivers.door import digest_of
from drivers.driver import Driver
from tests.drivers.door.outside_package import CODE, VERSION, install
from tests.drivers.door.test_door import LAMPS, SCANNER, TABLE, restart
from tests.support.forms import quick_first

NOBODY = pwd.getpwnam("nobody")
#: Whoever loads it leaves word of whom it runs as.
SPY = """
with open(f"{folder}/loaded/{{os.getpid()}}", "w") as spy:
    spy.write(str(os.geteuid()))
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become the service's user")


@cache
def python_of_nobody() -> str | None:
    """The interpreter of these tests, or where it lies in root's own folder, the system's."""
    path = f"{ROOT}:{sysconfig.get_path('purelib')}"
    for each in (sys.executable, f"/usr/bin/python3.{sys.version_info[1]}"):
        with suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(
                [each, "-P", "-c", "import controller, pydantic"], check=True, cwd="/",
                user=NOBODY.pw_uid, group=NOBODY.pw_gid, extra_groups=[],
                env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
            return each
    return None


class MachineOfRoot:
    """A machine with a table's configuration and somebody's package, which all may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = folder / "site"
        self.root = folder / "root"
        self.config = folder / "table.toml"
        (folder / "loaded").mkdir()
        (folder / "loaded").chmod(0o777)

    def bring(self, code: str) -> None:
        """The package with that code, admitted as it is."""
        install(self.site, CODE + SPY.format(folder=self.folder) + code)
        (info,) = self.site.glob("*.dist-info")
        digest = digest_of(Distribution.at(info), "acme_table.devices")
        admission = f'[drivers.acme_lamps]\nversion = "{VERSION}"\ndigest = "{digest}"\n'
        self.config.write_text(TABLE + SCANNER + admission + LAMPS)

    def loaded_by(self) -> dict[int, int]:
        """Who loaded the package: user by process."""
        return {int(each.name): int(each.read_text()) for each in self.folder.glob("loaded/*")}

    def let_nobody_run_python(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With this package beside the program."""
        found = python_of_nobody()
        if found is None:
            pytest.skip("nobody may read this checkout, or run no Python here")
        monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{self.site}:{sysconfig.get_path('purelib')}")
        monkeypatch.setattr(sys, "executable", found)

    def install_units(self) -> int:
        return main(["drivers", "--install", str(self.root), str(self.config)])


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[MachineOfRoot]:
    """In a folder that is open to other users than a test's own."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-test-"))
    folder.chmod(0o755)
    made = MachineOfRoot(folder)
    monkeypatch.syspath_prepend(made.site)
    if os.geteuid() == 0:
        made.let_nobody_run_python(monkeypatch)
    monkeypatch.setattr(outside_drivers, "USER", NOBODY.pw_name)
    yield made
    restart()
    shutil.rmtree(folder)


@as_root
def test_the_units_are_written_by_root_and_its_driver_is_asked_by_the_services_user(
    machine: MachineOfRoot, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.bring("print('hello')\nos.write(1, b'')\n")
    assert machine.install_units() == 0, capsys.readouterr().err
    drop_in = machine.root / "etc/systemd/system/tablectl-guard.service.d/10-drivers.conf"
    assert "DeviceAllow=/dev/acme0 rw" in drop_in.read_text()
    assert "SupplementaryGroups=acme" in drop_in.read_text()
    assert set(machine.loaded_by().values()) == {NOBODY.pw_uid}
    assert main(["drivers", str(machine.config)]) == 0
    said = capsys.readouterr().out
    assert "[acme_lamps]  shows or sounds; admitted, conformance not shown" in said
    assert "needs: /dev/acme0, acme, AF_CAN" in said
    assert set(machine.loaded_by().values()) == {NOBODY.pw_uid}


@as_root
def test_the_doctor_of_root_does_not_load_it(
    machine: MachineOfRoot, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.bring("")
    main(["doctor", "--json", str(machine.config)])
    found = {each["id"]: each for each in json.loads(capsys.readouterr().out)}
    assert found["acme_lamps.device"]["what"] == "acme_lamps, /dev/acme0"
    assert set(machine.loaded_by().values()) == {NOBODY.pw_uid}


@as_root
def test_what_is_wrong_is_said_with_whose_eyes_saw_it(
    machine: MachineOfRoot, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.bring("")
    machine.config.write_text(machine.config.read_text() + "gain = 12\n")
    assert machine.install_units() == EXIT_CONFIG
    said = capsys.readouterr().err
    assert "as user nobody, who runs the table" in said
    assert "acme_lamps.gain: gain is 12: choose 1 to 9" in said
    machine.config.chmod(0o600)
    assert machine.install_units() == EXIT_CONFIG
    assert "as user nobody" in capsys.readouterr().err
    assert not machine.root.exists()


def _answers(**needs: list[str]) -> str:
    said = {"drivers": {"acme_lamps": {"role": "OUTPUT", "needs": needs}}}
    return f"os.write(1, {json.dumps(said).encode()!r})\nos._exit(0)\n"


def _speaks_for(section: str) -> str:
    said = {"drivers": {each: {"role": "OUTPUT"} for each in ("acme_lamps", section)}}
    return f"os.write(1, {json.dumps(said).encode()!r})\nos._exit(0)\n"


LIES = {
    "memory": _answers(device_nodes=["/dev/mem"]),
    "a line of its own": _answers(groups=["acme\nUser=root"]),
    "a network": _answers(addresses=["0.0.0.0/0"]),
    "a key that is none": _answers(capabilities=["CAP_SYS_ADMIN"]),
    "more than a device has": _answers(device_nodes=[f"/dev/acme{n}" for n in range(65)]),
    "no JSON": "os.write(1, b'{')\nos._exit(0)\n",
    "another form": "os.write(1, b'[]')\nos._exit(0)\n",
    "another driver": "os.write(1, b'{\"drivers\": {}}')\nos._exit(0)\n",
    "nothing": "os._exit(1)\n",
    "without an end": "while True:\n    os.write(1, bytes(1 << 16))\n",
    "never": "import time\ntime.sleep(1_000)\n",
}


#: One that asks for more than a driver has, one that answers nobody.
QUICK_LIES = ("memory", "never")


@as_root
@pytest.mark.parametrize("lie", quick_first(LIES, QUICK_LIES))
def test_whatever_a_driver_answers_root_writes_no_more_than_a_driver_may_have(
    machine: MachineOfRoot,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lie: str,
) -> None:
    """The process that loads it is the driver's own as well: it may answer for the program."""
    if lie == "never":
        monkeypatch.setattr(outside_drivers, "TIMEOUT_S", 3.0)
    machine.bring(LIES[lie])
    assert machine.install_units() == EXIT_CONFIG
    assert str(machine.config) in capsys.readouterr().err
    assert not machine.root.exists()
    for process, user in machine.loaded_by().items():
        assert user == NOBODY.pw_uid
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@as_root
@pytest.mark.parametrize("section", quick_first(("bus", "scanner", "drivers"), ("drivers",)))
def test_a_driver_speaks_for_no_section_but_its_own(machine: MachineOfRoot, section: str) -> None:
    """Else root's doctor and units would be of a configuration without its keys."""
    machine.bring(_speaks_for(section))
    bus = '[bus]\nservers = ["nats://127.0.0.1:4222"]\n'
    machine.config.write_text(machine.config.read_text() + bus)
    found = load(machine.config)
    assert found.bus is not None
    assert list(found.bus.servers) == ["nats://127.0.0.1:4222"]
    assert found.devices.scanner is not None
    assert found.devices.scanner.port == Path("scanner")
    assert set(found.drivers) == {"acme_lamps"}


@as_root
@pytest.mark.parametrize("section", quick_first(("bus", "scanner", "options"), ("bus",)))
def test_what_root_is_told_takes_the_place_of_no_section_of_the_table(
    machine: MachineOfRoot, section: str
) -> None:
    machine.bring(_speaks_for(section))
    text = machine.config.read_text()
    admission = f'[drivers.{section}]\nversion = "{VERSION}"\ndigest = "sha256:{64 * "0"}"\n'
    machine.config.write_text(text + admission)
    with pytest.raises(ConfigError, match=f"{section} is a .* of the table itself"):
        load(machine.config)


@as_root
def test_drivers_that_are_no_section_are_no_reason_to_ask_anybody(machine: MachineOfRoot) -> None:
    machine.bring("")
    machine.config.write_text('drivers = "acme_lamps"\n' + TABLE + SCANNER + LAMPS)
    with pytest.raises(ConfigError, match=r"drivers: write version and digest below") as refused:
        load(machine.config)
    assert "as user" not in str(refused.value)


def test_without_a_service_whoever_asks_is_whoever_runs_it(
    machine: MachineOfRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_drivers, "USER", "nobody-of-that-name")
    machine.bring("")
    assert load(machine.config).devices.section("acme_lamps").spots == 2
    assert machine.loaded_by() == {os.getpid(): os.geteuid()}


def test_a_stand_in_says_of_units_and_pins_what_the_driver_does(
    machine: MachineOfRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_drivers, "USER", "nobody-of-that-name")
    machine.bring("")
    real = load(machine.config)
    said = outside_drivers.describe(load, machine.config)
    monkeypatch.setattr(outside_drivers, "wanted", lambda raw: NOBODY)
    monkeypatch.setattr(outside_drivers, "_ask", lambda path, user: said.encode())
    stand_in = load(machine.config)
    assert units.files(stand_in) == units.files(real)

    def told(driver: Driver) -> list[object]:
        section = stand_in.devices if driver.settings is outside_drivers.SettingsElsewhere else None
        settings = (section or real.devices).section("acme_lamps")
        return [
            driver.role, driver.needs(settings), driver.spots(settings),
            list(driver.pins(settings)), list(driver.nodes(settings)),
        ]  # fmt: skip

    assert told(stand_in.drivers["acme_lamps"]) == told(real.drivers["acme_lamps"])
    monkeypatch.setattr(outside_drivers, "_ask", lambda path, user: b'{"wrong": "a\\u001b[2Jb"}')
    with pytest.raises(ConfigError, match=r"a\?\[2Jb"):
        load(machine.config)
