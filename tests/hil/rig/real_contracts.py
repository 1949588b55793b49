"""The device contracts at a real table: what the rig is on its lines follows from the table's file.

The service's own configuration says what the table has and how it is spoken to; the rig's says on
which line it is heard. What the rig has no line or relay for is skipped, in words.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest

from controller.assembly.card_reader import source
from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.config.device_sections import DeviceSections
from drivers.settings.scanner import ScannerSettings
from tests.hil.bench_file import BenchFile
from tests.hil.dealt.table_scanner import PLAYED, kind_of
from tests.hil.rig.contract_hands import RigHands
from tests.hil.rig.contract_sections import ANSWERS
from tests.hil.rig.rig_client import RigClient
from tests.hil.rig.rig_line import LINES, SERIAL, SH1106, SPOT_BY_I2C, RigLine

#: Whose codes the rig says.
_CODE_BOOK: Final = "tablectl-1"
#: What a rig plays on a serial line that is not the scanner's, and needs one called so.
_ON_A_LINE_OF_ITS_OWN: Final = ("pole_display", "bet_spots", "dmx")
_ENDS: Final = {"cr": b"\r", "lf": b"\n", "crlf": b"\r\n", "etx": b"\x03", "idle": b""}


@asynccontextmanager
async def real_table(
    bench: BenchFile, rig: RigClient, device_name: str
) -> AsyncIterator[tuple[Config, RigHands]]:
    """The table's configuration, and the rig's hands on this device of its."""
    if bench.table.at:
        pytest.skip("the contracts open the devices themselves: run them at the table (at = [])")
    config = load(bench.beside(next(iter(bench.table.configs.values()))))
    if device_name not in {source(config.devices, config.drivers), *config.devices.configured}:
        pytest.skip(f"this table has no [{device_name}]")
    device = played(config.devices, device_name)
    own = device_name if device_name in _ON_A_LINE_OF_ITS_OWN else ""
    needed = _needs(config.devices, device_name, own or LINES.get(device, SERIAL))
    if missing := sorted(needed - rig.lines.keys()):
        pytest.skip(f"the rig has no line {missing[0]!r} to [{device_name}]")
    scanner, oled = config.devices.scanner, config.devices.oled
    line = RigLine(
        rig, device, own=own, around=None if scanner is None else around(scanner),
        rows=64 if oled is None else oled.height,
    )  # fmt: skip
    hands = RigHands(rig, config.devices, line)
    await hands.ready(device_name)
    if device not in ANSWERS:
        yield config, hands
        return
    async with line.listening():
        yield config, hands


def played(devices: DeviceSections, device_name: str) -> str:
    """The name under which the rig plays a device: a scanner's is that of what it speaks."""
    spots, scanner = devices.bet_spots, devices.scanner
    if device_name == "bet_spots" and spots is not None and spots.interface != "serial":
        if spots.interface == "spi":
            pytest.skip("what stands at SPI for a reader of bet spots is in the simulation only")
        return SPOT_BY_I2C
    if device_name == "oled" and devices.oled is not None:
        if devices.oled.address != 0x3C:
            pytest.skip("the rig's board at the bus answers at 0x3c")
        return SH1106 if devices.oled.chip == "sh1106" else device_name
    if device_name not in ("scanner", "shoe") or scanner is None:
        return device_name
    if scanner.codes != _CODE_BOOK:
        pytest.skip(f"the rig says codes of {_CODE_BOOK}")
    return PLAYED[kind_of(scanner)]


def around(scanner: ScannerSettings) -> tuple[bytes, bytes]:
    """What a scanner of text puts before and after each code."""
    return scanner.prefix.encode(), scanner.suffix.encode() + _ENDS[scanner.terminator]


def _needs(devices: DeviceSections, device_name: str, line: str) -> set[str]:
    """The lines of the rig without which the contract of a device cannot be looked at."""
    if device_name in ("leds", "i2c_leds", "buttons", "i2c_buttons", "buzzer"):
        return set()  # pins, named as the bench's README has them
    needs = {"panel", "photodiode"} if device_name in ("camera", "shoe") else set()
    if devices.beam is not None and device_name in ("scanner", "camera", "shoe"):
        needs.add("beam")
    return needs if device_name == "camera" else {*needs, line}
