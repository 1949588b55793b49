"""A device node, or a chip of a bus, that two sections name: refused with both keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.assembly.wiring import load
from controller.config.problems import ConfigError

TABLE = """\
[table]
name = "t"
game = "21-24-27"
seats = 3
[record]
folder = "record"
[web]
token_file = "token"
[scanner]
port = "/dev/tablectl-scanner"
"""


@pytest.mark.parametrize(
    ("sections", "says"),
    [
        (
            (
                '[keypad]\ndevice = "/dev/input/a"\nnext = "A"\n'
                '[pedal]\ndevice = "/dev/input/a"\nnext = "B"\n'
            ),
            "pedal.device: /dev/input/a is already taken by keypad.device",
        ),
        (
            '[pole_display]\nport = "/dev/tablectl-scanner"\n',
            "pole_display.port: /dev/tablectl-scanner is already taken by scanner.port",
        ),
        (
            '[dmx]\nport = "/dev/tablectl-scanner"\nspots = 3\n',
            "dmx.port: /dev/tablectl-scanner is already taken by scanner.port",
        ),
        (
            '[bet_spots]\nports = ["", "/dev/tablectl-scanner"]\n',
            "bet_spots.ports: /dev/tablectl-scanner is already taken by scanner.port",
        ),
        (
            ('[strip]\nspots = 3\n[bet_spots]\ninterface = "spi"\nports = ["/dev/spidev0.1"]\n'),
            r"bet_spots.ports: /dev/spidev0 \(data line\) is already taken by strip.device",
        ),
        (
            (
                "[i2c_buttons]\nnext = 8\n"
                '[i2c_leds]\nchip = "mcp23017"\naddresses = [0x20]\nspots = 3\n'
            ),
            "i2c_buttons.address: /dev/i2c-1 at 0x20 is already taken by i2c_leds.addresses",
        ),
    ],
)
def test_two_devices_cannot_have_one_node(tmp_path: Path, sections: str, says: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE + sections)
    with pytest.raises(ConfigError, match=says):
        load(path)


def test_two_names_of_one_node_are_one_node(tmp_path: Path) -> None:
    (tmp_path / "node").touch()
    for name in ("by-id", "by-path"):
        (tmp_path / name).symlink_to(tmp_path / "node")
    path = tmp_path / "table.toml"
    scanner = TABLE.replace("/dev/tablectl-scanner", f"{tmp_path}/by-id")
    path.write_text(f'{scanner}[pole_display]\nport = "{tmp_path}/by-path"\n')
    with pytest.raises(ConfigError, match=r"by-path is already taken by scanner\.port"):
        load(path)


def test_several_chips_are_on_one_bus(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        TABLE + "[i2c_buttons]\nnext = 8\n[i2c_leds]\naddresses = [0x40]\nspots = 3\n[oled]\n"
    )
    assert load(path).devices.oled is not None


def test_readers_at_the_selects_of_a_bus_and_a_strip_on_another_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    ports = '["/dev/spidev1.0", "/dev/spidev1.1", "/dev/spidev1.2"]'
    spots = f'[bet_spots]\ninterface = "spi"\nports = {ports}\n'
    path.write_text(TABLE + "[strip]\nspots = 3\n" + spots)
    devices = load(path).devices
    assert devices.bet_spots is not None
    assert len(devices.bet_spots.wired) == 3


def test_a_lamp_on_a_pin_of_the_readers_bus_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    spots = '[bet_spots]\ninterface = "i2c"\nports = ["/dev/i2c-1"]\n'
    path.write_text(TABLE + "[buttons]\nnext = 2\n" + spots)
    with pytest.raises(ConfigError, match=r"its bus: pin 2 is already used by buttons\.next"):
        load(path)
