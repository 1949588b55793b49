"""What a table can be built of, as a table of drivers/README.md: `python -m tests.drivers.matrix`.

Nothing is written here that the code can tell: the file of a driver is that of what it makes, the
doctor's checks are those that it makes of the configuration on which the contracts are shown.
"""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from gpiozero.pins.mock import MockFactory

from controller.assembly.wiring import configured, load
from controller.commands.doctor import devices
from controller.commands.doctor.finding import CheckVerdict
from controller.commands.doctor.machine import Machine
from controller.config.configuration import Config
from drivers.driver import Driver, DriverContext, DriverRole
from drivers.shoe.exit_beam import ExitBeam
from drivers.shoe.fused_shoe import FusedShoe
from drivers.shoe.scanners.protocols import framing_of, set_up_of
from tests.contracts.conftest import section
from tests.contracts.simulated_table import simulated_table
from tests.hil.rig.contract_sections import ON_THE_LINE

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "drivers/README.md"
BEGINS, ENDS = "<!-- python -m tests.drivers.matrix -->\n", "<!-- to here -->\n"
#: Pins are simulated at gpiozero's own border, below every driver that is on them.
PINS: Final = "sim_hw/devices/pin_factory.py"
_WIRE: Final = "sim_hw/devices/wire"


class MatrixKind(NamedTuple):
    """A device: in words, the contract that it is under, what of its section chooses it, its fake,
    and its page.
    """

    words: str
    contract: str
    chosen: str
    fake: str
    page: str = "panel"


_SCANNERS: Final = "shoe/scanners"
KINDS: Final = (
    MatrixKind("scanner, plain text", "scanner", "", "sim_hw/devices/scanner.py", _SCANNERS),
    MatrixKind("scanner and exit beam", "scanner with beam", "`[beam]`", PINS, "shoe"),
    MatrixKind("scanner between STX and ETX", "scanner with STX and ETX",
               '`prefix = "\\u0002"`, `terminator = "etx"`', "sim_hw/devices/scanner.py",
               _SCANNERS),
    MatrixKind("scanner with prefix and suffix", "scanner with prefix and suffix",
               "`prefix`, `suffix`", "sim_hw/devices/scanner.py", _SCANNERS),
    MatrixKind("Zebra, Honeywell by SSI", "scanner by SSI", '`protocol = "ssi"`', f"{_WIRE}/ssi.py",
               _SCANNERS),
    MatrixKind("the same, triggered by the beam", "scanner by SSI and beam", '`trigger = "beam"`',
               f"{_WIRE}/ssi.py", _SCANNERS),
    MatrixKind("Grow GM65, GM72", "scanner GM65", '`protocol = "gm65"`', f"{_WIRE}/gm65.py",
               _SCANNERS),
    MatrixKind("Newland", "scanner by Newland", '`protocol = "newland"`', f"{_WIRE}/newland.py",
               _SCANNERS),
    MatrixKind("Datalogic with ACK and NAK", "scanner by Datalogic", '`protocol = "datalogic"`',
               f"{_WIRE}/datalogic.py", _SCANNERS),
    MatrixKind("scanner that types", "scanner that types", '`protocol = "keyboard"`',
               f"{_WIRE}/keyboard.py", _SCANNERS),
    MatrixKind("scanner by HID POS", "scanner by HID POS", '`protocol = "hid-pos"`',
               f"{_WIRE}/hid_pos.py", _SCANNERS),
    MatrixKind("USB camera, ribbon, MJPEG stream", "camera", "", "sim_hw/devices/camera.py",
               "shoe"),
    MatrixKind("scanner and camera together", "shoe", "", "sim_hw/devices/camera.py", "shoe"),
    MatrixKind("three lamps a spot on header pins", "leds", "", PINS),
    MatrixKind("WS2812", "strip", '`order = "grb"`', "tests/drivers/panel/strip_bus.py"),
    MatrixKind("SK6812 with white", "strip of SK6812", '`order = "grbw"`',
               "tests/drivers/panel/strip_bus.py"),
    MatrixKind("lamps on PCA9685", "i2c_leds", '`chip = "pca9685"`', f"{_WIRE}/i2c.py"),
    MatrixKind("lamps on MCP23017", "i2c_leds on MCP23017", '`chip = "mcp23017"`',
               f"{_WIRE}/i2c.py"),
    MatrixKind("DMX fixtures by E1.31", "sacn", "", f"{_WIRE}/sacn.py"),
    MatrixKind("DMX fixtures by USB, ENTTEC DMX USB Pro", "dmx", "", f"{_WIRE}/dmx_usb.py"),
    MatrixKind("buttons on header pins", "buttons", "", PINS),
    MatrixKind("buttons on MCP23017", "i2c_buttons", "", f"{_WIRE}/i2c.py"),
    MatrixKind("USB keypad", "keypad", "", f"{_WIRE}/usb_keyboard.py"),
    MatrixKind("foot pedal", "pedal", "", f"{_WIRE}/usb_keyboard.py"),
    MatrixKind("Stream Deck, all but Studio and + XL", "stream_deck", "",
               f"{_WIRE}/stream_deck.py"),
    MatrixKind("pole display by ESC/POS", "pole_display", "", f"{_WIRE}/pole_display.py"),
    MatrixKind("OLED, SSD1306", "oled", '`chip = "ssd1306"`', f"{_WIRE}/oled.py"),
    MatrixKind("OLED, SH1106", "oled on SH1106", '`chip = "sh1106"`', f"{_WIRE}/sh1106.py"),
    MatrixKind("active buzzer on a header pin", "buzzer", "", PINS),
    MatrixKind("RFID under the spots, PN532", "bet_spots", "", f"{_WIRE}/pn532.py", "spots"),
    MatrixKind("PN532 on SPI", "bet_spots by SPI", '`interface = "spi"`',
               f"{_WIRE}/pn532_bus.py", "spots"),
    MatrixKind("RFID under the spots, RC522", "bet_spots on RC522", '`chip = "rc522"`',
               f"{_WIRE}/rc522.py", "spots"),
    MatrixKind("PN532 on I2C", "bet_spots by I2C", '`interface = "i2c"`',
               f"{_WIRE}/pn532_bus.py", "spots"),
)  # fmt: skip
#: The display of the dealer is a browser under a unit of its own, and no driver.
KIOSK: Final = (
    "| HDMI display of the dealer | none: `make install KIOSK=1`"
    " | [`tablectl-kiosk.service`](../systemd/units/tablectl-kiosk.service)"
    " | [`page_shot.py`](../tests/hil/results/page_shot.py) | `kiosk`"
    " | [`test_kiosk.py`](../tests/hil/suites/test_kiosk.py), rig too"
    " | [systemd](../systemd/README.md) |"
)


class MatrixRow(NamedTuple):
    """What the code has of a device."""

    kind: MatrixKind
    driver: Driver
    files: tuple[Path, ...]
    checks: tuple[str, ...]
    by_rig: bool


def row(kind: MatrixKind, folder: Path) -> MatrixRow:
    """What the code has of this device, on the configuration of its contract."""
    stream: Any = None
    if kind.contract in ("camera", "shoe"):
        stream = SimpleNamespace(url="http://127.0.0.1:1/shoe", show=lambda _: None)
    config = load(simulated_table(folder, kind.contract, stream))
    name = section(kind.contract)
    driver = configured(config.devices, config.drivers)[name]
    by_rig = kind.contract in (*ON_THE_LINE, "leds", "buttons", "buzzer")
    with_beam = kind.contract.endswith(" beam")
    files = (*_files(driver, config), *([_file(ExitBeam)] if with_beam else []))
    checks = _checks(name, driver, config, pins=with_beam)
    return MatrixRow(kind, driver, files, checks, by_rig)


def _files(driver: Driver, config: Config) -> tuple[Path, ...]:
    """Where what it makes is written, and of a scanner what it speaks."""
    settings = config.devices.section(driver.section)
    if driver.role is DriverRole.PART:
        return (_file(FusedShoe),)
    if driver.section == "scanner":
        framing = framing_of(settings)
        set_up = set_up_of(settings, framing)
        return (_file(type(framing)), *([] if set_up is None else [_file(type(set_up))]))
    pins = MockFactory(revision="c04170")
    around = DriverContext(
        config.base, config.game.pack, config.table.seats, pins, config.devices.beam
    )
    made: Any = driver.make(settings, around).device
    # Lights and buttons are one device each, over what has the lamps or the contacts.
    return (_file(type(getattr(made, "_lamps", getattr(made, "_bank", made)))),)


def _file(of: type) -> Path:
    return Path(inspect.getfile(of)).relative_to(ROOT)


def _checks(name: str, driver: Driver, config: Config, *, pins: bool) -> tuple[str, ...]:
    """The ids of what the doctor looks at for it, on a machine that has none of it."""
    with TemporaryDirectory() as nothing:
        found = [*devices.findings(config, Machine(Path(nothing)), allow_simulated=False)]
    mine = {name, *({"scanner", "camera"} if driver.role is DriverRole.PART else ())}
    if pins or any(driver.pins(config.devices.section(name))):
        mine.add("pins")
    ids = {
        each.id for each in found
        if each.id.partition(".")[0] in mine and each.verdict is not CheckVerdict.NOT_YET
    }  # fmt: skip
    return tuple(sorted(ids))


def line(row: MatrixRow) -> str:
    """The row as Markdown, seen from drivers/."""
    kind = row.kind
    chosen = f" {kind.chosen}" if kind.chosen else ""
    cells = (
        kind.words,
        f"`[{row.driver.section}]`{chosen}",
        ", ".join(f"[`{each.name}`](../{each})" for each in row.files),
        f"[`{Path(kind.fake).name}`](../{kind.fake})",
        ", ".join(f"`{each}`" for each in row.checks),
        f"{kind.contract}{', rig too' if row.by_rig else ''}",
        f"[{kind.page}]({kind.page}/README.md)",
    )
    return f"| {' | '.join(cells)} |"


@cache
def rows() -> tuple[MatrixRow, ...]:
    """Every device."""
    with TemporaryDirectory() as folder:
        return tuple(row(each, Path(folder)) for each in KINDS)


def table() -> str:
    """The table as drivers/README.md has it."""
    head = (
        "| device | section, what chooses it | driver | fake | doctor | contracts, as | page |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    return head + "\n".join([*map(line, rows()), KIOSK]) + "\n"


def write() -> None:
    """Write it into the page anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGINS)
    after = rest.partition(ENDS)[2]
    PAGE.write_text(before + BEGINS + table() + ENDS + after, encoding="utf-8")


if __name__ == "__main__":
    write()
