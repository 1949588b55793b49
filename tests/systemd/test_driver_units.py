"""What the drivers of a configuration need of the units: drop-ins, devices, modules, exposure."""

import shutil
import tomllib
from pathlib import Path

import pytest

from controller.assembly.wiring import load
from controller.commands.drivers import units
from drivers.door import BUILT_IN
from tests.systemd.staged import EXPOSURE_MAX_TENTHS, HARDENED, run, tool, whole_unit

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

[dmx]
port = "/dev/serial/by-id/usb-dmx"
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
    serial = {"DeviceAllow=char-ttyUSB rw", "DeviceAllow=/dev/serial/by-id/usb-dmx rw"}
    assert serial <= guard, "it holds the lights of a DMX interface"
    assert not hands & guard, "the guard holds lights alone"
    assert {"i2c-dev", "spidev", "evdev", "usbhid"} <= set(made[units.MODULES].splitlines())


@pytest.mark.parametrize(("interface", "class_"), [("spi", "char-spi"), ("i2c", "char-i2c")])
def test_readers_on_a_bus_need_that_bus_and_no_serial_line(
    tmp_path: Path, interface: str, class_: str
) -> None:
    node = "/dev/spidev1.0" if interface == "spi" else "/dev/i2c-9"
    config = tmp_path / "table.toml"
    spots = f'[bet_spots]\ninterface = "{interface}"\nports = ["{node}"]\n'
    head = OFF_THE_HEADER.partition("[strip]")[0]
    config.write_text(head + spots)
    unit = units.files(load(config))[f"{units.UNITS}/tablectl.service.d/{units.DROP_IN}"]
    assert f"DeviceAllow={class_} rw" in unit
    assert f"DeviceAllow={node} rw" in unit
    assert "char-ttyUSB" not in unit


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
    whole.write_text(whole_unit(root, name))
    said = run(
        tool("systemd-analyze"), "security", "--offline=yes", "--no-pager",
        f"--threshold={EXPOSURE_MAX_TENTHS}", whole,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout
    assert said.stderr == ""


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
