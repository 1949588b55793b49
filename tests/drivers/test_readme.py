"""The READMEs of shoe and panel cannot lie: codes, settings and wiring are those of the drivers."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

import drivers
from drivers.code_book import Code, PrintedCode
from drivers.settings.displays import OledSettings, PoleDisplaySettings, StreamDeckSettings
from drivers.settings.dmx import DmxSettings
from drivers.settings.i2c import I2cButtonSettings, I2cLedSettings
from drivers.settings.keypad import KeypadSettings
from drivers.settings.panel import (
    DEFAULT_BUZZER,
    DEFAULT_CALL,
    DEFAULT_NEXT,
    DEFAULT_SPOTS,
    DEFAULT_STAND,
    ButtonSettings,
    BuzzerSettings,
    LedSettings,
    StripSettings,
)
from drivers.settings.sacn import SacnSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import DEFAULT_BEAM, BeamSettings

FOLDER = Path(drivers.__file__).parent
README = "".join(each.read_text() for each in sorted(FOLDER.rglob("README.md")))
SECTIONS = (
    ScannerSettings, BeamSettings, LedSettings, StripSettings, ButtonSettings, BuzzerSettings,
    I2cLedSettings, I2cButtonSettings, SacnSettings, DmxSettings, KeypadSettings,
    PoleDisplaySettings, StreamDeckSettings, OledSettings,
)  # fmt: skip


def rows(*starts: str) -> list[list[str]]:
    found = [
        line for line in README.splitlines() if line.startswith(tuple(f"| {s}" for s in starts))
    ]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found]


def numbers(cell: str) -> tuple[int, ...]:
    return tuple(int(each) for each in cell.split(","))


def test_its_printed_codes_are_read_as_it_says() -> None:
    examples = [row for row in rows("`") if re.fullmatch(r"`[0-9A-Z]+`", row[0])]
    assert len(examples) == 5
    for text, name, serial in examples:
        code = PrintedCode().look_up(text.strip("`"))
        assert isinstance(code, Code)
        assert code.kind is not None
        assert (code.kind.name.lower(), code.serial) == (name.lower(), serial)


@pytest.mark.parametrize("settings", SECTIONS)
def test_it_explains_every_setting_and_its_default(settings: Any) -> None:
    for each in fields(settings):
        assert f"`{each.name}`" in README or f"`{each.name} " in README, each.name
        if type(each.default) is int:
            assert f"`{each.name}` {each.default}" in README, each.name


def test_it_names_every_file() -> None:
    for each in FOLDER.glob("*.py"):
        assert each.name == "__init__.py" or f"`{each.name}`" in README


def test_its_wiring_is_the_default_and_its_header_pins_are_right(pins: MockFactory) -> None:
    table = rows("seat", "button next", "exit beam", "buzzer")
    wired = [(numbers(gpios), numbers(header)) for _, gpios, header in table]
    assert [gpios for gpios, _ in wired] == [
        *DEFAULT_SPOTS,
        (DEFAULT_NEXT, DEFAULT_STAND, DEFAULT_CALL),
        (DEFAULT_BEAM,),
        (DEFAULT_BUZZER,),
    ]
    header_of = {info.name: number for number, info in pins.board_info.headers["J8"].pins.items()}
    for gpios, header in wired:
        assert header == tuple(header_of[f"GPIO{gpio}"] for gpio in gpios)
