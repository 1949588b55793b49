"""The buzzer, as its wire sees it."""

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from controller.devices.scene import Scene, Sound
from drivers.panel.buzzer import SOUNDS, Buzzer
from drivers.settings.panel import DEFAULT_BUZZER, BuzzerSettings
from tests.drivers.conftest import Backend
from tests.drivers.outside import history, level, picture, pin, showing, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(virtual_time: Backend) -> Backend:
    return virtual_time


QUIET, REFUSED, HELD, REMIND, CALL, ALARM = (picture(sound=sound) for sound in Sound)


def buzzer(pins: MockFactory) -> Buzzer:
    return Buzzer(BuzzerSettings(DEFAULT_BUZZER), pins)


def beeps(pins: MockFactory) -> list[bool]:
    return history(pins, DEFAULT_BUZZER)


async def test_a_refusal_is_one_beep_and_a_hold_three(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(REFUSED)
        assert level(pins, DEFAULT_BUZZER)
        await until(lambda: beeps(pins) == [False, True, False])
        device.show(HELD)
        await until(lambda: len(beeps(pins)) == 9)
        assert beeps(pins)[2:] == [False, True, False, True, False, True, False]


async def test_the_same_sound_again_is_silent(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(REFUSED)
        await until(lambda: len(beeps(pins)) == 3)
        device.show(picture(sound=Sound.REFUSED))
        device.show(QUIET)
        assert not level(pins, DEFAULT_BUZZER)
        device.show(REFUSED)
        await until(lambda: len(beeps(pins)) == 5)


async def test_a_beep_ends_by_itself_when_the_table_falls_quiet(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(REFUSED)
        device.show(QUIET)
        assert level(pins, DEFAULT_BUZZER)
        await until(lambda: beeps(pins) == [False, True, False])


async def test_a_new_sound_cuts_the_old_one(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(HELD)
        await until(lambda: len(beeps(pins)) == 3)
        device.show(REFUSED)
        assert level(pins, DEFAULT_BUZZER)
        await until(lambda: not level(pins, DEFAULT_BUZZER))
        assert beeps(pins) == [False, True, False, True, False]


async def test_after_it_was_lost_an_old_sound_is_not_repeated(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(HELD)
    assert not level(pins, DEFAULT_BUZZER)
    pin(pins, DEFAULT_BUZZER).clear_states()
    async with showing(device):
        device.show(HELD)
        assert beeps(pins) == [False]


@pytest.mark.parametrize("picture", [CALL, ALARM], ids=["call", "alarm"])
async def test_a_call_goes_on_until_it_is_quieted(
    pins: MockFactory, picture: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = tuple(span // 50 + 1 for span in SOUNDS[picture.sound])
    monkeypatch.setitem(SOUNDS, picture.sound, quick)
    device = buzzer(pins)
    async with showing(device):
        device.show(picture)
        await until(lambda: len(beeps(pins)) > 4 * len(quick))
        device.show(QUIET)
        assert not level(pins, DEFAULT_BUZZER)
        device.show(REFUSED)
        await until(lambda: not level(pins, DEFAULT_BUZZER))


async def test_a_louder_call_takes_the_place_of_the_one_before(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(REMIND)
        await until(lambda: beeps(pins) == [False, True, False])
        device.show(ALARM)
        assert level(pins, DEFAULT_BUZZER)
        device.show(REFUSED)
        await until(lambda: not level(pins, DEFAULT_BUZZER))


async def test_after_it_was_lost_a_call_goes_on(pins: MockFactory) -> None:
    device = buzzer(pins)
    async with showing(device):
        device.show(CALL)
    pin(pins, DEFAULT_BUZZER).clear_states()
    async with showing(device):
        device.show(CALL)
        assert level(pins, DEFAULT_BUZZER)


async def test_a_pin_that_fails_is_a_device_error(pins: MockFactory) -> None:
    device = buzzer(pins)
    await device.open()
    pin(pins, DEFAULT_BUZZER).function = "input"
    with pytest.raises(DeviceError, match="Check the wiring"):
        device.show(REFUSED)
    with pytest.raises(DeviceError):
        await device.close()
    await device.close()
