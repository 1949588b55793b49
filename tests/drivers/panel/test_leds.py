"""The lights of the spots, as the wires see them."""

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceBusy, DeviceError
from controller.devices.lights import LOOKS, Colour
from controller.devices.scene import Light
from drivers.panel.lights.leds import PinLamps, SpotLights
from drivers.settings.panel import DEFAULT_SPOTS, LedSettings
from tests.drivers.conftest import Backend
from tests.drivers.outside import history, level, picture, pin, showing, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(virtual_time: Backend) -> Backend:
    return virtual_time


SPOTS = DEFAULT_SPOTS[:3]
ALL = [number for spot in SPOTS for number in spot]
OTHER = (Light.EMPTY, Light.EMPTY)


def lights(pins: MockFactory, *, active_low: bool = False) -> SpotLights:
    return SpotLights(PinLamps(LedSettings(SPOTS, active_low), pins))


def colour(pins: MockFactory, seat: int) -> Colour:
    red, green, blue = (level(pins, number) for number in SPOTS[seat - 1])
    return Colour(red, green, blue)


def forget(pins: MockFactory) -> None:
    for number in ALL:
        pin(pins, number).clear_states()


def changes(pins: MockFactory, seat: int) -> list[int]:
    """How often each pin of a spot has changed since it was forgotten."""
    return [len(history(pins, number)) - 1 for number in SPOTS[seat - 1]]


@pytest.mark.parametrize("light", list(Light))
async def test_a_light_is_on_in_its_colour_before_show_returns(
    pins: MockFactory, light: Light
) -> None:
    device = lights(pins)
    async with showing(device):
        device.show(picture((light, *OTHER)))
        assert colour(pins, 1) == LOOKS[light].colour
        assert colour(pins, 2) == LOOKS[Light.EMPTY].colour


async def test_opening_leaves_all_dark_and_so_does_closing(pins: MockFactory) -> None:
    device = lights(pins)
    await device.open()
    assert [history(pins, number) for number in ALL] == [[False]] * len(ALL)
    device.show(picture((Light.CARD, Light.BET, Light.WON)))
    assert any(level(pins, number) for number in ALL)
    await device.close()
    assert not any(level(pins, number) for number in ALL)
    await device.close()


async def test_lamps_that_light_when_low_are_dark_when_high(pins: MockFactory) -> None:
    device = lights(pins, active_low=True)
    async with showing(device):
        assert all(level(pins, number) for number in ALL)
        device.show(picture((Light.LOST, *OTHER)))
        assert [level(pins, number) for number in SPOTS[0]] == [False, True, True]


async def test_the_same_picture_twice_writes_nothing(pins: MockFactory) -> None:
    device = lights(pins)
    async with showing(device):
        scene = picture((Light.BET, Light.STANDING, Light.EMPTY))
        device.show(scene)
        forget(pins)
        device.show(picture(scene.lights))
        assert [changes(pins, seat) for seat in (1, 2, 3)] == [[0, 0, 0]] * 3


async def test_only_pins_that_differ_are_written(pins: MockFactory) -> None:
    device = lights(pins)
    async with showing(device):
        device.show(picture((Light.BET, Light.BET, Light.EMPTY)))  # blue
        forget(pins)
        device.show(picture((Light.STANDING, Light.BET, Light.EMPTY)))  # green and blue
        assert changes(pins, 1) == [0, 1, 0]
        assert changes(pins, 2) == [0, 0, 0]


async def test_patterns_run_and_begin_with_on(pins: MockFactory) -> None:
    device = lights(pins)
    red, green, blue = SPOTS[0]
    async with showing(device):
        device.show(picture((Light.FORCED, *OTHER)))
        await until(lambda: len(history(pins, red)) >= 5)
        assert history(pins, red)[:5] == [False, True, False, True, False]
        assert history(pins, blue)[:4] == [False, True, False, True]
        assert history(pins, green) == [False]


async def test_a_double_flash_goes_on_and_on(pins: MockFactory) -> None:
    device = lights(pins)
    green = SPOTS[0][1]
    async with showing(device):
        device.show(picture((Light.WON, *OTHER)))
        await until(lambda: len(history(pins, green)) >= 6)
        assert history(pins, green)[:6] == [False, True, False, True, False, True]


async def test_lights_that_change_together_blink_in_unison(pins: MockFactory) -> None:
    device = lights(pins)
    first, third = SPOTS[0][0], SPOTS[2][0]
    async with showing(device):
        device.show(picture((Light.CARD, Light.EMPTY, Light.CARD)))
        for count in (3, 4, 5):
            await until(lambda: len(history(pins, first)) >= count)  # noqa: B023  (awaited at once)
            assert history(pins, first) == history(pins, third)


async def test_a_light_that_stays_keeps_its_rhythm_when_another_changes(pins: MockFactory) -> None:
    device = lights(pins)
    first = SPOTS[0][0]
    async with showing(device):
        device.show(picture((Light.CARD, *OTHER)))
        await until(lambda: history(pins, first) == [False, True, False])
        device.show(picture((Light.CARD, Light.BET, Light.EMPTY)))
        assert not level(pins, first)
        await until(lambda: level(pins, first))


async def test_a_pattern_ends_when_the_light_changes(pins: MockFactory) -> None:
    device = lights(pins)
    async with showing(device):
        device.show(picture((Light.CARD, Light.CARD, Light.EMPTY)))
        device.show(picture((Light.BET, Light.CARD, Light.EMPTY)))
        forget(pins)
        await until(lambda: changes(pins, 2)[0] >= 2)
        assert changes(pins, 1) == [0, 0, 0]


async def test_lights_for_other_seats_are_refused_in_words(pins: MockFactory) -> None:
    device = lights(pins)
    async with showing(device):
        with pytest.raises(DeviceError, match="3 lights for 2 seats: give"):
            device.show(picture((Light.BET, Light.BET)))


async def test_a_pin_that_another_device_has_is_named_and_the_rest_let_go(
    pins: MockFactory,
) -> None:
    owner = SpotLights(PinLamps(LedSettings((DEFAULT_SPOTS[2],)), pins, "other"), "other")
    await owner.open()
    device = lights(pins)
    with pytest.raises(DeviceBusy, match="Give every device its own pins"):
        await device.open()
    await owner.close()
    async with showing(device):
        device.show(picture((Light.BET, Light.BET, Light.BET)))
        assert colour(pins, 3) == LOOKS[Light.BET].colour


async def test_a_pin_that_fails_is_a_device_error_in_show_and_in_a_pattern(
    pins: MockFactory,
) -> None:
    device = lights(pins)
    await device.open()
    pin(pins, SPOTS[0][0]).function = "input"  # the pin is taken away from the lights
    with pytest.raises(DeviceError, match="Check the wiring"):
        device.show(picture((Light.LOST, *OTHER)))
    with pytest.raises(DeviceError, match="pins of the leds failed"):
        await device.close()
    assert not any(level(pins, number) for number in ALL)

    await device.open()
    device.show(picture((Light.CARD, *OTHER)))
    pin(pins, SPOTS[0][0]).function = "input"
    with pytest.raises(DeviceError, match="Check the wiring"):
        await device.run()
    with pytest.raises(DeviceError):
        await device.close()
