"""Buses on which one transfer in so many fails: a typed error each time, and right again without a
restart.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from controller.devices.contracts import DeviceError, OutputDevice
from controller.devices.inputs import Button, Press
from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from drivers.io import spi
from drivers.panel.button_banks import I2cBank
from drivers.panel.buttons import Buttons
from drivers.panel.lights.i2c_lamps import I2cLamps
from drivers.panel.lights.leds import SpotLights
from drivers.panel.lights.strip import StripLamps
from drivers.settings.i2c import I2cButtonSettings, I2cLedSettings
from drivers.settings.panel import StripSettings
from sim_hw.devices.wire.i2c import Chip, I2cBus, Mcp23017, Pca9685
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import EventCollector, picture, until
from tests.drivers.panel.strip_bus import StripBus, decoded

pytestmark = pytest.mark.anyio
#: More than an opening takes: a bus that is worse than that never comes up, and is said so.
EACH = 31
SPOTS = 5
SHOWN = [light for light in Light if LOOKS[light].pattern is LOOKS[Light.BET].pattern]


class Noisy(I2cBus):
    """A bus on which each so-manieth transfer is not acknowledged."""

    def __init__(self, chips: dict[int, Chip]) -> None:
        super().__init__(chips)
        self.asked = 0
        self.failed = 0

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        self.asked += 1
        if self.asked % EACH == 0:
            self.failed += 1
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return super().transfer(address, data, count)


async def all_shown(device: OutputDevice, looks: Callable[[Light], None]) -> int:
    """Show scene after scene, opened again wherever it failed; how often that was."""
    failures = 0
    await device.open()
    for light in SHOWN * 12:
        while True:
            try:
                device.show(picture((light,) * SPOTS))
                break
            except DeviceError:
                failures += 1
                with suppress(DeviceError):
                    await device.close()
                with suppress(DeviceError):
                    await device.open()
        looks(light)
    with suppress(DeviceError):
        await device.close()
    return failures


@pytest.mark.parametrize("chip", ["pca9685", "mcp23017"])
async def test_lamps_on_a_noisy_bus_are_right_or_say_so(
    chip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dimmed, switched = Pca9685(), Mcp23017()
    bus = Noisy({0x40: dimmed, 0x20: switched})
    with_kernel(monkeypatch, Kernel(bus=bus))
    (tmp_path / "i2c-1").touch()
    address = 0x40 if chip == "pca9685" else 0x20
    settings = I2cLedSettings(chip, str(tmp_path / "i2c-1"), (address,), SPOTS)  # type: ignore[arg-type]

    def looks(light: Light) -> None:
        on = [
            dimmed.duty(at) > 0 if chip == "pca9685" else bool(switched.driven(at))
            for at in range(3 * SPOTS)
        ]
        assert on == [*LOOKS[light].colour] * SPOTS

    failures = await all_shown(SpotLights(I2cLamps(settings), "i2c_leds"), looks)
    assert 0 < failures <= bus.failed


async def test_a_strip_whose_transfers_fail_is_right_or_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    bus, count = StripBus(tmp_path / "spidev0.0"), 0
    write = spi.SpiBus.write

    def failing(self: spi.SpiBus, data: bytes) -> None:
        nonlocal count
        count += 1
        if count % 5 == 0:
            raise OSError(errno.EIO, "Input/output error")
        write(self, data)

    monkeypatch.setattr(spi.SpiBus, "write", failing)
    settings = StripSettings(str(bus.path), spots=SPOTS, pixels=1)

    def looks(light: Light) -> None:
        red, green, blue = (settings.brightness * on for on in LOOKS[light].colour)
        assert decoded(bus.look(), 3) == [(green, red, blue)] * SPOTS

    assert await all_shown(SpotLights(StripLamps(settings), "strip"), looks) > 0
    bus.close()


async def test_buttons_on_a_noisy_bus_are_lost_and_press_again_when_they_are_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = Mcp23017()
    bus = Noisy({0x20: chip})
    with_kernel(monkeypatch, Kernel(bus=bus))
    (tmp_path / "i2c-1").touch()
    settings = I2cButtonSettings(str(tmp_path / "i2c-1"), next=8, poll_ms=1, debounce_ms=1)
    device = Buttons(I2cBank(settings, "i2c_buttons"), "i2c_buttons", debounce_ms=1, stuck_s=10)
    for _ in range(3):
        await device.open()
        events = EventCollector(device)
        chip.pulled_low = {8}
        asked = bus.asked
        await until(lambda: bus.asked > asked + 2)  # noqa: B023
        chip.pulled_low = set()
        assert await events.next() == Press("i2c_buttons", Button.NEXT)
        with pytest.raises(DeviceError, match="i2c_buttons"):
            await events.next()
        await events.close()
        await device.close()
    assert bus.failed == 3
