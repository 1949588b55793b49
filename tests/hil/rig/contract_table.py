"""The device contracts at a bench: a rig as the third pair of hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import gpiozero
import pytest

from controller.assembly.wiring import load
from controller.config.configuration import Config
from drivers.io import spi
from drivers.panel.lights import dmx, sacn
from drivers.spots.bus_link import ADDRESS
from sim_hw.devices.wire.hid_pos import DESCRIPTOR
from sim_hw.devices.wire.pn532_bus import I2cPn532, SpiPn532
from sim_hw.devices.wire.rc522 import Rc522
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import LOOK_AGAIN_S
from tests.drivers.panel.strip_bus import StripBus
from tests.hil.bench_file import BenchFile
from tests.hil.rig.contract_hands import RigHands
from tests.hil.rig.contract_sections import ANSWERS, ON_THE_LINE, SCANNER, TABLE
from tests.hil.rig.real_contracts import real_table
from tests.hil.rig.rig_client import RigClient
from tests.hil.rig.rig_line import RC522, SPOT_BUSES, RigLine
from tests.hil.rig.spot_board import SpotBoard, ToldTags
from tests.hil.rig.taps import STRIP_BOARD, StripTap, Tap
from tests.hil.rig.wired_chips import WiredChips
from tests.hil.stands.simulated import SimulatedRig
from tests.support.patience import PATIENCE_S


@asynccontextmanager
async def rig_table(
    bench: BenchFile, rig: RigClient, simulated: SimulatedRig | None, device_name: str,
    folder: Path, monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[Config, RigHands]]:  # fmt: skip
    """The table's configuration for this device, and the rig's hands on it."""
    if simulated is None:
        async with real_table(bench, rig, device_name) as real:
            yield real
        return
    if device_name not in (*ON_THE_LINE, "leds", "buttons", "buzzer"):
        pytest.skip(f"the rig has no line to [{device_name}]")
    for name, value in simulated.environment.items():
        monkeypatch.setenv(name, value)
    path = folder / "table.toml"
    more = ON_THE_LINE.get(device_name, SCANNER)
    path.write_text(TABLE + more.format(folder=simulated.folder, url=simulated.camera))
    (simulated.folder / "i2c").touch()
    factory = simulated.pin_factory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    chips = WiredChips(factory, device_name, simulated.folder / "oled-tap")
    monkeypatch.setattr(sacn, "PORT", simulated.fixtures)
    monkeypatch.setattr(dmx, "ANSWERS_S", PATIENCE_S)
    boards = ExitStack()
    selects: dict[str, SpiPn532 | Rc522] = {}
    if device_name in SPOT_BUSES:
        board = SpotBoard(simulated.folder / "scanner")
        boards.callback(board.close)
        selects[str(simulated.folder / "i2c")] = SpiPn532(board)
        chips.chips[ADDRESS] = I2cPn532(board)
    elif device_name == RC522:
        told = ToldTags(simulated.folder / "scanner")
        boards.callback(told.close)
        selects[str(simulated.folder / "i2c")] = Rc522(told.lying)
    with_kernel(monkeypatch, Kernel(descriptor=DESCRIPTOR, bus=chips, selects=selects))
    try:
        config = load(path)
        line = RigLine(rig, device_name)
        hands = RigHands(rig, config.devices, line)
        await hands.ready(device_name)
        async with AsyncExitStack() as stack:
            if (strip := config.devices.strip) is not None:
                heard = _strip_heard(simulated.folder, len(strip.order), monkeypatch)
                await stack.enter_async_context(heard)
            if device_name == "stream_deck":
                # What was sent to the deck before and has not come through is lost, mid-picture.
                await hands.pull_plug(device_name)
                await hands.push_plug(device_name)
            if device_name in ANSWERS:
                await stack.enter_async_context(line.listening())
            yield config, hands
    finally:
        boards.close()
        chips.close()
        factory.close()


@asynccontextmanager
async def _strip_heard(
    folder: Path, channels: int, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[None]:
    """The far end of the strip's bus, a pipe that has nothing to set up, with the rig's board."""
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    bus, tap = StripBus(folder / "strip-bus"), Tap(folder / "strip-tap", STRIP_BOARD)
    board = StripTap(bus, tap, channels)

    async def listens() -> None:
        while True:
            board.look()
            await asyncio.sleep(LOOK_AGAIN_S)

    task = asyncio.create_task(listens())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        tap.close()
        bus.close()
        bus.path.unlink()
