"""The door for drivers: nothing outside the tree is loaded unless it is named, whole and right."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

from calibration.certificate import digest as seal
from controller.__main__ import main
from controller.assembly import card_reader
from controller.assembly.conformance import CONTRACTS
from controller.assembly.devices import build_devices, wants_pins
from controller.assembly.wiring import load, used_pins
from controller.config.configuration import Config
from controller.config.device_sections import DEVICES
from controller.config.problems import ConfigError
from controller.devices.scene import Light
from controller.service.loop import Service
from controller.table.inputs import Start
from drivers import door
from drivers.door import BUILT_IN, built_in, digest_of
from drivers.driver import DriverRole
from drivers.supervision.apart import ApartInput, ApartOutput
from tests.drivers.door.outside_package import CODE, ENTRY_POINTS, VERSION, install
from tests.drivers.outside import picture, showing, until

TABLE = """\
[table]
name = "T1"
game = "21-24-27"
seats = 2
[record]
folder = "record"
[web]
token_file = "token"
"""
SCANNER = '[scanner]\nport = "scanner"\n'
LAMPS = '[acme_lamps]\nfile = "lamps"\nspots = 2\n'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that Python looks in, with the package of somebody else."""
    site = tmp_path / "site"
    install(site)
    monkeypatch.syspath_prepend(site)
    yield site
    restart()


def restart() -> None:
    """Nothing of the package is loaded any more, as in another process."""
    for name in [each for each in sys.modules if each.startswith("acme_table")]:
        del sys.modules[name]
    door._HELD.clear()


def digest() -> str:
    return digest_of(distribution("acme-table"), "acme_table.devices")


def admission(name: str = "acme_lamps", version: str = VERSION, **other: str) -> str:
    return (
        f'[drivers.{name}]\nversion = "{version}"\ndigest = "{other.get("digest") or digest()}"\n'
    )


def config(tmp_path: Path, *parts: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text("".join((TABLE, *parts)))
    return path


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as error:
        load(path)
    assert "acme_table.devices" not in sys.modules, "refused before a line of it ran"
    return str(error.value)


def outputs(config: Config) -> list[str]:
    service = Service(Start(config.setup, "door", ()), config.record.folder)
    supervisor = build_devices(config, service, allow_simulated=True).supervisor
    return [each.name for each in supervisor._outputs]


def test_ours_come_through_the_same_door() -> None:
    assert BUILT_IN.keys() == DEVICES.keys()
    for name, settings in DEVICES.items():
        driver = built_in(name)
        assert (driver.section, driver.settings) == (name, settings)


def test_a_record_of_conformance_that_is_named_must_be_of_this_driver(
    site: Path, tmp_path: Path
) -> None:
    contracts = [{"name": each, "outcome": "kept"} for each in CONTRACTS[DriverRole.OUTPUT]]
    content = {
        "version": 1, "driver": "acme_lamps", "package_version": VERSION, "digest": digest(),
        "good": True, "role": "OUTPUT", "contracts": contracts,
    }  # fmt: skip
    record = tmp_path / "acme.json"
    path = config(tmp_path, SCANNER, admission(), 'conformance = "acme.json"\n', LAMPS)
    assert "acme.json cannot be read" in refused(path)
    record.write_text(
        json.dumps({**content, "good": False, "seal": seal({**content, "good": False})})
    )
    assert "every contract must be kept" in refused(path)
    record.write_text(json.dumps({**content, "seal": seal(content)}))
    assert outputs(load(path)) == ["acme_lamps"]


def test_an_admitted_driver_is_configured_checked_and_made(site: Path, tmp_path: Path) -> None:
    found = load(config(tmp_path, SCANNER, admission(), LAMPS))
    assert found.devices.section("acme_lamps").gain == 5
    assert not wants_pins(found)
    assert outputs(found) == ["acme_lamps"]


@pytest.mark.parametrize(
    ("lamps", "says"),
    [
        (LAMPS + "gain = 12\n", "line 17, acme_lamps.gain: gain is 12: choose 1 to 9"),
        (LAMPS + "colour = 1\n", "acme_lamps.colour: unknown key. Known here: file, spots, gain"),
        (LAMPS.replace("spots = 2", 'spots = "two"'), "acme_lamps.spots"),
        (LAMPS.replace("spots = 2", "spots = 3"), "3 lights for 2 seats"),
        (LAMPS.replace('file = "lamps"\n', ""), "acme_lamps.file: missing"),
    ],
)
def test_its_settings_are_typed_and_named_with_their_line(
    lamps: str, says: str, site: Path, tmp_path: Path
) -> None:
    path = config(tmp_path, SCANNER, admission(), lamps)
    with pytest.raises(ConfigError) as error:
        load(path)
    assert says in str(error.value)


def test_what_is_installed_and_not_admitted_is_not_there(site: Path, tmp_path: Path) -> None:
    said = refused(config(tmp_path, SCANNER, LAMPS))
    assert "acme_lamps: unknown section" in said


def test_another_version_is_refused(site: Path, tmp_path: Path) -> None:
    said = refused(config(tmp_path, SCANNER, admission(version="1.3.9"), LAMPS))
    assert "version 1.4.0 is installed, not 1.3.9" in said
    assert "acme_lamps: unknown section" not in said


def test_a_file_that_changed_is_refused(site: Path, tmp_path: Path) -> None:
    path = config(tmp_path, SCANNER, admission(), LAMPS)
    code = site / "acme_table/devices.py"
    code.write_text(CODE.replace("gain: int = 5", "gain: int = 6"))
    said = refused(path)
    assert "its files are not those that were admitted" in said
    assert f"(digest {digest()})" in said


def test_a_file_that_is_gone_is_refused(site: Path, tmp_path: Path) -> None:
    path = config(tmp_path, SCANNER, admission(), LAMPS)
    (site / "acme_table/__init__.py").unlink()
    said = refused(path)
    # Python 3.13 names no file of a package that is gone: the others have another digest.
    assert "cannot be read" in said or "its files are not those that were admitted" in said


def test_code_that_is_not_of_the_package_is_refused(site: Path, tmp_path: Path) -> None:
    """An editable installation: its files are a path to a checkout that may change at any time."""
    record = next(site.glob("*.dist-info/RECORD"))
    path = config(tmp_path, SCANNER, admission(), LAMPS)
    record.write_text("".join(
        line for line in record.read_text().splitlines(keepends=True) if "devices.py" not in line
    ))  # fmt: skip
    assert "install it from a wheel, not editable" in refused(path)


def test_no_package_takes_the_place_of_one_of_ours(tmp_path: Path, site: Path) -> None:
    install(site, entry_points=ENTRY_POINTS.replace("acme_lamps =", "leds ="))
    said = refused(config(tmp_path, SCANNER, admission("leds")))
    assert "leds is a driver of the table itself" in said


def test_what_is_no_driver_is_refused(site: Path, tmp_path: Path) -> None:
    install(site, CODE + "\nLAMPS = 4\n")
    with pytest.raises(ConfigError, match=r"is no drivers\.driver\.Driver"):
        load(config(tmp_path, SCANNER, admission(), LAMPS))


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError"),
        ("def", "SyntaxError"),
        ("open('/nothing/of/that/name')", "FileNotFoundError"),
        ("raise RuntimeError('no bus')", "RuntimeError: no bus"),
        ("len(4)", "TypeError"),
        ("LAMPS = lamps", "NameError"),
        ("int('x')", "ValueError"),
    ],
)
def test_what_breaks_while_it_is_loaded_is_refused(
    code: str, says: str, site: Path, tmp_path: Path
) -> None:
    install(site, code)
    with pytest.raises(ConfigError, match=f"it cannot be loaded \\({says}"):
        load(config(tmp_path, SCANNER, admission(), LAMPS))


def test_code_without_its_source_is_of_the_package(site: Path) -> None:
    record = next(site.glob("*.dist-info/RECORD"))
    for name, counts in (("__pycache__/more.cpython-313.pyc", False), ("more.pyc", True)):
        before = digest()
        (site / "acme_table" / name).parent.mkdir(exist_ok=True)
        (site / "acme_table" / name).write_bytes(b"code")
        record.write_text(f"acme_table/{name},,\n" + record.read_text())
        assert (digest() != before) is counts, name


def test_one_that_was_upgraded_is_not_taken_for_the_one_that_is_loaded(
    site: Path, tmp_path: Path
) -> None:
    load(config(tmp_path, SCANNER, admission(), LAMPS))
    # Of another size: Python tells old bytecode from new by size and second.
    install(site, CODE.replace("gain: int = 5", "gain: int = 6  # more"))
    upgraded = config(tmp_path, SCANNER, admission(), LAMPS)
    with pytest.raises(ConfigError, match="another one of it is loaded in this program"):
        load(upgraded)
    restart()
    assert load(upgraded).devices.section("acme_lamps").gain == 6


def test_a_table_has_one_reader(site: Path, tmp_path: Path) -> None:
    shoe = '[acme_shoe]\npipe = "pipe"\n'
    found = load(config(tmp_path, admission("acme_shoe"), shoe))
    service = Service(Start(found.setup, "door", ()), found.record.folder)
    supervisor = build_devices(found, service, allow_simulated=True).supervisor
    assert [each.name for each in supervisor._inputs] == ["acme_shoe"]
    with pytest.raises(ConfigError, match=r"\[scanner\] reads the cards already"):
        load(config(tmp_path, SCANNER, admission("acme_shoe"), shoe))


@pytest.mark.anyio
async def test_what_others_wrote_is_kept_apart_and_calls_home(site: Path, tmp_path: Path) -> None:
    """A reader of cards says that one passes on a thread of its own: lamps are darkened on ours."""
    told: list[tuple[bool, int]] = []
    install(site, CODE.replace("around.pack))", "around.passing))").replace(
        "self._path = settings.pipe", "self._path, self.its_passing = settings.pipe, pack"
    ))  # fmt: skip
    os.mkfifo(tmp_path / "pipe")
    shoe = f'[acme_shoe]\npipe = "{tmp_path / "pipe"}"\n'
    found = load(config(tmp_path, admission("acme_shoe"), admission(), shoe, LAMPS))
    service = Service(Start(found.setup, "door", ()), found.record.folder)
    (lamps,) = build_devices(found, service, allow_simulated=True).supervisor._outputs
    assert isinstance(lamps.device, ApartOutput)

    def passing(card: bool) -> None:
        told.append((card, threading.get_ident()))

    reader = card_reader.build(found, None, passing).device
    assert isinstance(reader, ApartInput)
    await reader.open()
    reader._thread.call(lambda: reader._device.its_passing(True))  # type: ignore[attr-defined]
    await until(lambda: told == [(True, threading.get_ident())])
    await reader.close()
    await reader.end()


def test_pins_of_every_driver_are_held_against_each_other(site: Path, tmp_path: Path) -> None:
    install(site, CODE.replace(
        "    spots=lambda settings: settings.spots,",
        "    spots=lambda settings: settings.spots, pins=lambda _: [('file', 'lamp: ', 5)],",
    ))  # fmt: skip
    parts = (SCANNER, admission(), LAMPS)
    found = load(config(tmp_path, *parts))
    assert list(used_pins(found.devices, found.drivers)) == [
        ("acme_lamps.file", "lamp: ", 5, False)
    ]
    with pytest.raises(ConfigError, match=r"lamp: pin 5 is already used by beam.pin"):
        load(config(tmp_path, *parts, "[beam]\npin = 5\n"))


def test_the_list_names_what_to_write_and_loads_nothing(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["drivers"]) == 0
    out = capsys.readouterr().out
    assert "acme_table.devices" not in sys.modules
    assert "[scanner]  reads the cards; comes with tablectl" in out
    lines = [line.strip() for line in out.splitlines()]
    start = lines.index("[drivers.acme_lamps]")
    written = "\n".join(lines[start : start + 3]) + "\n"
    assert load(config(tmp_path, SCANNER, written, LAMPS)).drivers.keys() == {"acme_lamps"}


def test_what_drivers_need_goes_into_the_drop_ins(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, SCANNER, admission(), LAMPS)
    root = tmp_path / "root"
    assert main(["drivers", "--install", str(root), str(path)]) == 0
    units = root / "etc/systemd/system"
    table, guard = (
        (units / f"{name}.service.d/10-drivers.conf").read_text().splitlines()
        for name in ("tablectl", "tablectl-guard")
    )
    assert "SupplementaryGroups=acme dialout" in table
    assert {"DeviceAllow=/dev/acme0 rw", "DeviceAllow=char-ttyACM rw"} <= set(table)
    assert "RestrictAddressFamilies=AF_CAN" in table
    assert "SupplementaryGroups=acme" in guard, "the guard has the lamps"
    assert not any("tty" in line or "gpio" in line for line in (*guard,))
    modules = (root / "etc/modules-load.d/tablectl.conf").read_text().splitlines()
    assert modules[-3:] == ["acme", "cdc_acm", "usbserial"]
    capsys.readouterr()
    assert main(["drivers", "--install", str(root), str(path)]) == 0
    assert capsys.readouterr().out == "as they are\n"


@pytest.mark.anyio
async def test_the_driver_of_the_page_is_admitted_and_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What drivers/YOUR_DRIVER.md has a stranger write."""
    page = (Path(door.__file__).parent / "YOUR_DRIVER.md").read_text()
    code = page.partition("```python\n")[2].partition("```")[0]
    site = tmp_path / "site"
    install(site, code, "[tablectl.drivers]\ntower = acme_table.devices:TOWER\n")
    monkeypatch.syspath_prepend(site)
    node = tmp_path / "tower"
    node.touch()
    path = config(tmp_path, SCANNER, admission("tower"), f'[tower]\ndevice = "{node}"\n')
    loaded = load(path)
    service = Service(Start(loaded.setup, "door", ()), loaded.record.folder)
    supervisor = build_devices(loaded, service, allow_simulated=True).supervisor
    (device,) = (each.device for each in supervisor._outputs if each.name == "tower")
    async with showing(device):
        device.show(picture((Light.BET, Light.EMPTY)))
        await until(lambda: node.read_text() == "green\n")
        device.show(picture((Light.HELD, Light.HELD)))
        await until(lambda: node.read_text() == "green\nred\n")
    assert isinstance(device, ApartOutput)
    await device.end()
    assert node.read_text() == "green\nred\noff\n"
    wrong = config(tmp_path, SCANNER, admission("tower"), '[tower]\ndevice = "tower"\n')
    with pytest.raises(ConfigError, match="write its whole path"):
        load(wrong)
    restart()
