"""Lamps on chips of an I2C bus: what each output does, by chips made from the data sheets."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError, DeviceLost
from controller.devices.lights import LOOKS, OFF
from controller.devices.scene import Light
from drivers.panel.guarded import GuardedOutput
from drivers.panel.lights.i2c_lamps import I2cLamps
from drivers.panel.lights.leds import SpotLights
from drivers.settings.checks import SettingsError
from drivers.settings.i2c import SPOTS_A_CHIP, I2cLedSettings
from drivers.supervision.apart import ApartOutput
from sim_hw.devices.wire.i2c import Chip, I2cBus, Mcp23017, OtherChip, Pca9685
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import picture, showing, until
from tests.drivers.panel.test_guard import guarding
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SPOTS = 7
CHIPS: dict[str, Callable[[], dict[int, Chip]]] = {
    "pca9685": lambda: {0x40: Pca9685(), 0x41: Pca9685()},
    "mcp23017": lambda: {0x20: Mcp23017(), 0x21: Mcp23017()},
}


@pytest.fixture(params=sorted(CHIPS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def bus(kind: str, monkeypatch: pytest.MonkeyPatch) -> I2cBus:
    made = I2cBus(CHIPS[kind]())
    with_kernel(monkeypatch, Kernel(bus=made))
    return made


@pytest.fixture
def settings(kind: str, bus: I2cBus, tmp_path: Path) -> I2cLedSettings:
    (tmp_path / "i2c-1").touch()
    addresses = tuple(bus.chips)
    return I2cLedSettings(kind, str(tmp_path / "i2c-1"), addresses, SPOTS)  # type: ignore[arg-type]


def lights(settings: I2cLedSettings) -> SpotLights:
    return SpotLights(I2cLamps(settings), "i2c_leds")


def lit(bus: I2cBus, inverted: bool = False) -> list[tuple[bool, ...]]:
    """Which lamps of each spot have power."""
    lamps: list[bool] = []
    for chip in bus.chips.values():
        if isinstance(chip, Pca9685):
            assert chip.inverted is inverted
            lamps += [chip.duty(output) > 0 for output in range(15)]
        else:
            assert isinstance(chip, Mcp23017)
            lamps += [chip.driven(pin) is not inverted for pin in range(15)]
    return [tuple(lamps[at : at + 3]) for at in range(0, 3 * SPOTS, 3)]


def colours(*shown: Light) -> list[tuple[bool, ...]]:
    return [tuple(LOOKS[each].colour) for each in shown]


DARK = [(False, False, False)] * SPOTS


@pytest.mark.parametrize("light", list(Light))
async def test_every_light_is_on_its_outputs_before_show_returns(
    bus: I2cBus, settings: I2cLedSettings, light: Light
) -> None:
    shown = (light, Light.BET, Light.EMPTY, Light.WON, Light.LOST, light, Light.HELD)
    async with showing(device := lights(settings)):
        device.show(picture(shown))
        assert lit(bus) == colours(*shown)
    assert lit(bus) == DARK


async def test_lamps_between_supply_and_output_are_lit_by_low(
    bus: I2cBus, settings: I2cLedSettings, kind: str
) -> None:
    low = I2cLedSettings(kind, settings.bus, settings.addresses, SPOTS, active_low=True)  # type: ignore[arg-type]
    async with showing(device := lights(low)):
        assert lit(bus, inverted=True) == DARK
        device.show(picture((Light.BET,) * SPOTS))
        assert lit(bus, inverted=True) == colours(*(Light.BET,) * SPOTS)


async def test_a_chip_that_lost_its_power_is_noticed(
    bus: I2cBus, settings: I2cLedSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(I2cLamps, "refresh_ns", 5_000_000)
    device = lights(settings)
    await device.open()
    device.show(picture((Light.BET,) * SPOTS))
    bus.chips[settings.addresses[1]].power_up()
    with pytest.raises(DeviceError, match="lost its power"):
        await device.run()
    await device.close()
    await device.open()
    device.show(picture((Light.BET,) * SPOTS))
    assert lit(bus) == colours(*(Light.BET,) * SPOTS)
    await device.close()


async def test_a_chip_that_lost_its_power_is_noticed_before_the_first_bet(
    bus: I2cBus, settings: I2cLedSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(I2cLamps, "refresh_ns", 5_000_000)
    device = lights(settings)
    await device.open()
    running = asyncio.create_task(device.run())
    await asyncio.sleep(0)  # it runs: nothing is shown yet
    bus.chips[settings.addresses[1]].power_up()
    with pytest.raises(DeviceError, match="lost its power"):
        await asyncio.wait_for(running, PATIENCE_S)
    await device.close()


async def test_scenes_that_follow_each_other_put_no_question_off(
    bus: I2cBus, settings: I2cLedSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(I2cLamps, "refresh_ns", 200_000_000)
    device = lights(settings)
    await device.open()
    running = asyncio.create_task(device.run())
    bus.chips[settings.addresses[1]].power_up()
    looks = itertools.cycle((Light.BET, Light.WON))
    async with asyncio.timeout(PATIENCE_S):
        while not running.done():
            device.show(picture((next(looks),) * SPOTS))
            await asyncio.sleep(0.001)
    with pytest.raises(DeviceError, match="lost its power"):
        await running
    await device.close()


async def test_nothing_waits_for_a_bus_while_they_are_opened_shown_and_closed(
    bus: I2cBus, settings: I2cLedSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bus that hangs takes the kernel a second: cards, and what the guard holds, wait for it."""
    loops, waited = threading.get_ident(), []
    transfer = bus.transfer

    def noted(address: int, data: bytes, count: int) -> bytes:
        waited.append(threading.get_ident())
        return transfer(address, data, count)

    monkeypatch.setattr(bus, "transfer", noted)
    device = ApartOutput(lights(settings))
    async with showing(device):
        device.show(picture((Light.BET,) * SPOTS))
        await until(lambda: lit(bus) == colours(*(Light.BET,) * SPOTS))
        device.darken(True)
        await until(lambda: lit(bus) == DARK)
        device.darken(False)
        await until(lambda: lit(bus) == colours(*(Light.BET,) * SPOTS))
    assert lit(bus) == DARK
    await device.end()
    assert waited
    assert loops not in waited


async def test_lamps_whose_opening_is_given_up_are_free_again(
    bus: I2cBus, settings: I2cLedSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, goes_on = threading.Event(), threading.Event()
    transfer = bus.transfer

    def hanging(address: int, data: bytes, count: int) -> bytes:
        hangs.set()
        assert goes_on.wait(PATIENCE_S)
        return transfer(address, data, count)

    with monkeypatch.context() as held:
        held.setattr(bus, "transfer", hanging)
        opening = asyncio.create_task((device := ApartOutput(lights(settings))).open())
        await until(hangs.is_set)
        opening.cancel()
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await opening
    await device.close()
    await device.end()
    await (other := lights(settings)).open()
    await other.close()


async def test_what_noise_changed_on_the_way_is_right_again(
    settings: I2cLedSettings, bus: I2cBus
) -> None:
    lamps = I2cLamps(settings)
    lamps.open()
    for spot in range(SPOTS):
        lamps.put(spot, OFF, LOOKS[Light.WON].colour)
    lamps.flush()
    assert lit(bus) == colours(*[Light.WON] * SPOTS)
    for chip in bus.chips.values():
        if isinstance(chip, Pca9685):
            chip.registers[6:66] = bytes(range(60))
        else:
            chip.registers[0x14] ^= 0xFF
    assert lit(bus) != colours(*[Light.WON] * SPOTS)
    for _ in range(SPOTS_A_CHIP):
        lamps.again()
        lamps.flush()
    assert lit(bus) == colours(*[Light.WON] * SPOTS)
    lamps.close()


async def test_a_chip_that_goes_away_is_lost_and_the_other_one_goes_dark(
    bus: I2cBus, settings: I2cLedSettings
) -> None:
    device = lights(settings)
    await device.open()
    device.show(picture((Light.BET,) * SPOTS))
    gone = bus.chips.pop(settings.addresses[1])
    with pytest.raises(DeviceLost, match="does not answer"):
        device.show(picture((Light.WON,) * SPOTS))
    with pytest.raises(DeviceLost, match="does not answer"):
        await device.close()
    bus.chips[settings.addresses[1]] = gone
    assert lit(bus)[:5] == DARK[:5]
    async with showing(lights(settings)):
        assert lit(bus) == DARK


async def test_a_chip_belongs_to_one_program_and_the_bus_to_several(
    bus: I2cBus, settings: I2cLedSettings, kind: str
) -> None:
    other = 0x22 if kind == "mcp23017" else 0x42
    bus.chips[other] = CHIPS[kind]().popitem()[1]
    beside = I2cLedSettings(kind, settings.bus, (other,), 5)  # type: ignore[arg-type]
    async with showing(lights(settings)), showing(SpotLights(I2cLamps(beside))):
        second = lights(settings)
        with pytest.raises(DeviceBusy, match="in use by another program"):
            await second.open()


async def test_the_guard_holds_them_like_every_light(
    bus: I2cBus, settings: I2cLedSettings, tmp_path: Path
) -> None:
    async with guarding(tmp_path / "guard", MockFactory(revision="c04170")):
        async with showing(device := GuardedOutput("i2c_leds", settings, tmp_path / "guard")):
            device.show(picture((Light.BET,) * SPOTS))
            await until(lambda: lit(bus) == colours(*(Light.BET,) * SPOTS))
        await until(lambda: lit(bus) == colours(*(Light.HELD,) * SPOTS))


async def test_another_chip_at_the_address_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel(bus=I2cBus({0x20: OtherChip(), 0x40: OtherChip()})))
    (tmp_path / "i2c-1").touch()
    address = 0x40 if kind == "pca9685" else 0x20
    device = lights(I2cLedSettings(kind, str(tmp_path / "i2c-1"), (address,), 5))  # type: ignore[arg-type]
    if kind == "pca9685":  # an MCP23017's directions of 0 are what many a chip holds
        with pytest.raises(DeviceError, match="another kind of chip"):
            await device.open()
    with pytest.raises(DeviceAbsent, match="switch I2C on"):
        await lights(I2cLedSettings(kind, "/none/i2c-1", (address,), 5)).open()  # type: ignore[arg-type]


async def test_dimmed_lamps_have_their_brightness_at_a_rate_no_camera_sees(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chip = Pca9685()
    with_kernel(monkeypatch, Kernel(bus=I2cBus({0x40: chip})))
    path = tmp_path / "i2c-1"
    path.touch()
    for brightness, duty in ((1, 16), (96, 1_542), (254, 4_079), (255, 4_096)):
        settings = I2cLedSettings("pca9685", str(path), (0x40,), 5, brightness)
        async with showing(device := lights(settings)):
            device.show(picture((Light.STANDING,) * 5))
            assert {chip.duty(output) for output in range(15)} <= {0, duty}
            assert chip.duty(15) == 0
            assert chip.hertz > 1_000


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"bus": "i2c-1"}, "bus: name the bus's node"),
        ({"spots": 10}, ""),
        ({"spots": 11}, "11 spots take 3 chips"),
        ({"addresses": (0x40, 0x40)}, "7 spots take 2 chips"),
        ({"addresses": (0x40, 0x70)}, "0x70 is no address of this chip"),
        ({"chip": "mcp23017"}, "0x40 is no address of this chip: 0x20 to 0x27"),
        ({"brightness": 0}, "brightness is 0: choose 1 to 255"),
    ],
)
async def test_settings_that_cannot_be(keys: dict[str, object], says: str) -> None:
    if not says:
        I2cLedSettings(**keys)  # type: ignore[arg-type]
        return
    with pytest.raises(SettingsError, match=says):
        I2cLedSettings(**keys)  # type: ignore[arg-type]
