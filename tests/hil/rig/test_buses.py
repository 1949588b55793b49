"""The buses of a simulated table: what our drivers put on them, as the rig has it at its end."""

from __future__ import annotations

import asyncio
import os
import tty
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from controller.commands.demo.wiring import SPOTS
from controller.devices.lights import OFF, RED, WHITE
from drivers.io import spi
from drivers.panel.lights.i2c_lamps import I2cLamps
from drivers.panel.lights.strip import StripLamps
from drivers.settings.i2c import I2cLedSettings
from drivers.settings.panel import StripSettings
from sim_hw.devices.spot_lamps import DARK, LampColour
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import LOOK_AGAIN_S, until
from tests.hil.dealt.heard_lamps import Picture, PixelEar
from tests.hil.dealt.table_lights import MCP23017, PCA9685
from tests.hil.rig import buses
from tests.hil.rig.wired_chips import LAMPS_AT, PORTS_AT
from tests.support.processes.wired_program import FarBus

pytestmark = pytest.mark.anyio


async def test_a_strip_whose_board_nobody_reads_yet_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The table starts before the bench listens: what it was sent meanwhile is said later."""
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    far, near = os.openpty()
    tty.setraw(near)
    os.set_blocking(far, False)
    (tmp_path / "strip-tap").symlink_to(os.ttyname(near))
    running = asyncio.create_task(buses.strip(tmp_path, 3))
    try:
        await until((tmp_path / buses.BUS).exists)
        settings = StripSettings(str(tmp_path / buses.BUS), spots=10, pixels=4)
        lamps, ear = StripLamps(settings), PixelEar(settings)
        lamps.open()
        shown: list[Picture] = []
        for turn in range(40):  # more than the line has room for
            for spot in range(10):
                lamps.put(spot, OFF, RED if turn % 2 else WHITE)
            lamps.flush()
            await asyncio.sleep(0)
        lamps.close()
        while len(shown) < 43:
            try:
                shown += ear.hears(os.read(far, 4_096))[0]
            except BlockingIOError:
                await asyncio.sleep(LOOK_AGAIN_S)
        white, red = (LampColour(*each) for each in (WHITE, RED))
        assert shown[2:42] == [(white,) * 10, (red,) * 10] * 20
        assert shown[42] == (DARK,) * 10
    finally:
        running.cancel()
        await asyncio.wait([running])
        for end in (far, near):
            os.close(end)
    assert capfd.readouterr().out == "ready\n"


@pytest.mark.parametrize(("chip", "address"), [(PCA9685, LAMPS_AT), (MCP23017, PORTS_AT)])
async def test_lamps_on_chips_are_at_the_rigs_wires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chip: str, address: int
) -> None:
    pins = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", pins)
    for name in ("oled-tap", "i2c"):
        (tmp_path / name).touch()
    running = asyncio.create_task(buses.chips(tmp_path, chip))
    try:
        await until((tmp_path / buses.CHIPS).exists)
        bus = FarBus(str(tmp_path / buses.CHIPS))
        with_kernel(monkeypatch, Kernel(bus=bus))
        lamps = I2cLamps(
            I2cLedSettings(chip, str(tmp_path / "i2c"), (address,), spots=4)  # type: ignore[arg-type]
        )
        await asyncio.to_thread(lamps.open)
        for spot, colour in enumerate((RED, OFF, WHITE, OFF)):
            lamps.put(spot, OFF, colour)
        await asyncio.to_thread(lamps.flush)
        lit = [tuple(bool(pins.pin(each).state) for each in spot) for spot in SPOTS[:4]]
        assert lit == [RED, OFF, WHITE, OFF]
        await asyncio.to_thread(lamps.close)
        assert not any(pins.pin(each).state for spot in SPOTS[:4] for each in spot)
        bus.close()
    finally:
        running.cancel()
        await asyncio.wait([running])
        pins.reset()


def test_lights_that_are_on_no_bus_are_refused(tmp_path: Path) -> None:
    assert buses.main([str(tmp_path), "pins", "0"]) == 2
