"""Lights whose bus hangs: other lights, and what the guard holds, do not wait for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from drivers.io import spi
from drivers.io.device_node import DeviceNode
from drivers.panel.guarded import GuardedOutput
from drivers.panel.lights import dmx
from drivers.settings.dmx import DmxSettings
from drivers.settings.i2c import I2cLedSettings
from drivers.settings.panel import StripSettings
from sim_hw.devices.wire.dmx_usb import DmxUsbPro
from sim_hw.devices.wire.i2c import I2cBus, Pca9685
from tests.drivers.answering import answering
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import ScannerLine, picture, showing, until
from tests.drivers.panel.strip_bus import StripBus, decoded
from tests.drivers.panel.test_guard import BET, HELD, guarding, leds, spot
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SPOTS = 3


class HangingBus(NamedTuple):
    """Lights on a bus that hangs while `free` is not set, and the light that all of them show."""

    name: str
    settings: Any
    free: threading.Event
    shown: Callable[[], Light | None]


def _which(colour: object) -> Light | None:
    found = [each for each in (Light.BET, Light.HELD, Light.WON) if LOOKS[each].colour == colour]
    return found[0] if found else None


@pytest.fixture(params=["i2c_leds", "strip", "dmx"])
def bus(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HangingBus]:
    free = threading.Event()
    free.set()
    if request.param == "i2c_leds":
        chip = Pca9685()
        i2c = I2cBus({0x40: chip})
        with_kernel(monkeypatch, Kernel(bus=i2c))
        (tmp_path / "i2c-1").touch()
        transfer = i2c.transfer

        def waiting(address: int, data: bytes, count: int) -> bytes:
            assert free.wait(PATIENCE_S)
            return transfer(address, data, count)

        def lit() -> Light | None:
            lamps = [chip.duty(output) > 0 for output in range(3 * SPOTS)]
            alike = {tuple(lamps[at : at + 3]) for at in range(0, 3 * SPOTS, 3)}
            return _which(alike.pop()) if len(alike) == 1 else None

        monkeypatch.setattr(i2c, "transfer", waiting)
        settings = I2cLedSettings("pca9685", str(tmp_path / "i2c-1"), (0x40,), SPOTS)
        yield HangingBus("i2c_leds", settings, free, lit)
        return
    if request.param == "dmx":
        monkeypatch.setattr(dmx, "ANSWERS_S", PATIENCE_S)
        line, pro = ScannerLine(tmp_path / "dmx"), DmxUsbPro()
        put = DeviceNode.write

        def put_on(self: DeviceNode, data: bytes) -> None:
            assert free.wait(PATIENCE_S)
            put(self, data)

        def by_fixtures() -> Light | None:
            slots = (pro.lit or b"")[: 3 * SPOTS]
            lamps = {tuple(map(bool, slots[at : at + 3])) for at in range(0, len(slots), 3)}
            return _which(lamps.pop()) if len(lamps) == 1 else None

        monkeypatch.setattr(DeviceNode, "write", put_on)
        line.plug()
        with answering(line, pro):
            yield HangingBus("dmx", DmxSettings(str(line.link), SPOTS), free, by_fixtures)
        line.unplug()
        return
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    far = StripBus(tmp_path / "spidev0.0")
    write = spi.SpiBus.write

    def written(self: spi.SpiBus, data: bytes) -> None:
        assert free.wait(PATIENCE_S)
        write(self, data)

    def on_strip() -> Light | None:
        alike = set(decoded(far.look(), 3))
        if len(alike) != 1:
            return None
        green, red, blue = alike.pop()
        return _which((red > 0, green > 0, blue > 0))

    monkeypatch.setattr(spi.SpiBus, "write", written)
    yield HangingBus("strip", StripSettings(str(far.path), spots=SPOTS), free, on_strip)
    far.close()


async def test_lights_on_pins_are_lit_and_held_while_a_bus_hangs(
    bus: HangingBus, tmp_path: Path, pins: MockFactory
) -> None:
    theirs = GuardedOutput(bus.name, bus.settings, tmp_path / "guard")
    async with guarding(tmp_path / "guard", pins):
        await theirs.open()
        using = asyncio.create_task(theirs.run())
        theirs.show(picture((Light.BET,) * SPOTS))
        await until(lambda: bus.shown() is Light.BET)
        bus.free.clear()
        theirs.show(picture((Light.WON,) * SPOTS))
        async with showing(ours := leds(tmp_path)):
            ours.show(picture((Light.BET, Light.BET)))
            await until(lambda: spot(pins) == BET)
            with pytest.raises(DeviceError, match="does not answer: its driver is still at it"):
                await asyncio.wait_for(using, PATIENCE_S)
            await theirs.close()
            with pytest.raises(DeviceError, match="does not answer"):
                await theirs.open()
            assert spot(pins) == BET, "nobody was kept from giving a sign of life"
        await until(lambda: spot(pins) == HELD)
        bus.free.set()
        await until_open(theirs)
        theirs.show(picture((Light.WON,) * SPOTS))
        await until(lambda: bus.shown() is Light.WON)
        await theirs.close()
        await until(lambda: bus.shown() is Light.HELD)


async def test_a_guard_ends_while_a_bus_hangs(
    bus: HangingBus, tmp_path: Path, pins: MockFactory
) -> None:
    theirs = GuardedOutput(bus.name, bus.settings, tmp_path / "guard")
    async with guarding(tmp_path / "guard", pins):
        await theirs.open()
        await until(lambda: bus.shown() is Light.HELD)
        bus.free.clear()
        theirs.show(picture((Light.WON,) * SPOTS))
        await theirs.close()
    # It has ended; what came back since leaves its lamps dark and ends, too.
    bus.free.set()
    await until(lambda: bus.shown() is None)
    await until(lambda: not any(each.name.startswith("device ") for each in threading.enumerate()))


async def until_open(device: GuardedOutput) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await device.open()
            except DeviceError:
                await asyncio.sleep(0.005)  # it is opened again in the guard's own time
            else:
                return
