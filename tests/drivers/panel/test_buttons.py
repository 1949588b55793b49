"""The dealer's buttons: contacts bounce, hands lean, buttons stick."""

import asyncio
import logging
import time
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Button, Press
from drivers.builtin.buttons import pin_buttons
from drivers.event_queue import EVENTS_MAX
from drivers.panel.button_banks import OnButton, OnLost
from drivers.panel.buttons import Buttons
from drivers.settings.panel import ButtonSettings
from tests.drivers.conftest import Backend
from tests.drivers.outside import EventCollector, pin, until, watching
from tests.endurance.breaking.loop import VirtualLoop

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(virtual_time: Backend) -> Backend:
    return virtual_time


NEXT, STAND, CALL = 2, 3, 4

CONTACT_RESTS_S = 0.01
"""A contact that did not rest was not pressed: this is the finger's time, not a wait."""


def buttons(pins: MockFactory, **settings: Any) -> Buttons:
    settings = {"debounce_ms": 20} | settings
    return pin_buttons(ButtonSettings(next=NEXT, stand=STAND, call=CALL, **settings), pins)


def down(pins: MockFactory, *numbers: int) -> None:
    for number in numbers:
        pin(pins, number).drive_low()


def up(pins: MockFactory, *numbers: int) -> None:
    for number in numbers:
        pin(pins, number).drive_high()


def bounce(pins: MockFactory, number: int, times: int = 5) -> None:
    for _ in range(times):
        down(pins, number)
        up(pins, number)


async def pressed(events: EventCollector) -> Button:
    press = await events.next()
    assert isinstance(press, Press)
    assert press.source == "buttons"
    return press.button


async def press(pins: MockFactory, events: EventCollector, number: int) -> Button:
    """Press a button with all its bouncing, see it counted, and let it go."""
    bounce(pins, number)
    down(pins, number)
    press_ = await pressed(events)
    bounce(pins, number)
    up(pins, number)
    return press_


async def test_a_press_with_all_its_bouncing_is_one_press(pins: MockFactory) -> None:
    async with watching(buttons(pins)) as events:
        pressed = [await press(pins, events, number) for number in (STAND, NEXT, CALL, NEXT)]
        assert pressed == [Button.STAND, Button.NEXT, Button.CALL, Button.NEXT]


async def test_a_touch_that_does_not_last_is_no_press(pins: MockFactory) -> None:
    async with watching(buttons(pins)) as events:
        bounce(pins, STAND, times=20)
        assert await press(pins, events, NEXT) is Button.NEXT


async def test_buttons_one_after_the_other_both_count_even_if_the_first_is_held(
    pins: MockFactory,
) -> None:
    async with watching(buttons(pins)) as events:
        down(pins, NEXT)
        assert await pressed(events) is Button.NEXT
        down(pins, STAND)
        assert await pressed(events) is Button.STAND


async def test_a_hand_on_several_buttons_presses_none_of_them(
    pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    device = buttons(pins)
    async with watching(device) as events:
        waiting = asyncio.create_task(pressed(events))
        with caplog.at_level(logging.WARNING):
            down(pins, NEXT, STAND, CALL)
            await until(lambda: "none of them counts" in caplog.text)
        up(pins, NEXT, STAND, CALL)
        await until(lambda: not any(key.down or key.began_ns for key in device._keys.values()))
        down(pins, CALL)
        assert await waiting is Button.CALL


class Bank:
    """Buttons whose edges a test hands on when it likes, each with its own time."""

    buttons: tuple[Button, ...] = (Button.NEXT, Button.STAND, Button.CALL)

    async def open(self, on_button: OnButton, on_lost: OnLost) -> frozenset[Button]:
        self.on_button = on_button
        return frozenset()

    async def close(self) -> None:
        pass


async def test_a_hand_on_several_buttons_presses_none_where_the_machine_stood_still() -> None:
    """The second button went down a millisecond after the first, and is heard of far later."""
    bank, loop = Bank(), asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with watching(Buttons(bank, debounce_ms=20, stuck_s=60)) as events:
        waiting = asyncio.create_task(pressed(events))
        began_ns = time.monotonic_ns()
        bank.on_button(Button.NEXT, True, began_ns)
        await asyncio.sleep(0.005)
        loop.clock.now_ns += 300_000_000
        loop.call_later(0.01, bank.on_button, Button.STAND, True, began_ns + 1_000_000)
        await asyncio.sleep(0.2)
        for button in (Button.NEXT, Button.STAND):
            bank.on_button(button, False, time.monotonic_ns())
        await asyncio.sleep(0.2)
        bank.on_button(Button.CALL, True, time.monotonic_ns())
        assert await waiting is Button.CALL


async def test_a_button_held_when_the_service_starts_was_not_pressed(pins: MockFactory) -> None:
    device = buttons(pins)
    await device.open()
    await device.close()
    held = pin(pins, NEXT)
    held._set_pull = lambda value: held.drive_low()  # somebody's finger is stronger than the pull
    async with watching(device) as events:
        down(pins, STAND)
        assert await pressed(events) is Button.STAND


async def test_a_stuck_button_fails_the_device_until_it_is_free(pins: MockFactory) -> None:
    device = buttons(pins, stuck_s=1)
    async with watching(device) as events:
        down(pins, CALL)
        assert await pressed(events) is Button.CALL
        with pytest.raises(DeviceError, match="call button stays pressed: free it"):
            await events.next()
    stuck = pin(pins, CALL)
    stuck._set_pull = lambda value: stuck.drive_low()
    with pytest.raises(DeviceError, match="call button stays pressed: free it"):
        await device.open()
    del stuck._set_pull
    async with watching(device) as events:
        assert await press(pins, events, CALL) is Button.CALL


async def test_presses_that_had_to_wait_are_not_lost(pins: MockFactory) -> None:
    device = buttons(pins, debounce_ms=1)
    async with watching(device) as events:
        for _ in range(3):
            down(pins, NEXT)
            await asyncio.sleep(CONTACT_RESTS_S)
            up(pins, NEXT)
            await asyncio.sleep(CONTACT_RESTS_S)
        assert [await pressed(events) for _ in range(3)] == [Button.NEXT] * 3


async def test_a_contact_that_chatters_without_end_fails_the_device(pins: MockFactory) -> None:
    async with watching(buttons(pins)) as events:
        bounce(pins, NEXT, times=EVENTS_MAX)
        with pytest.raises(DeviceLost, match="chatters: check its contact"):
            await events.next()


def test_settings_without_a_button_or_with_one_pin_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no button"):
        ButtonSettings()
    with pytest.raises(ValueError, match="every button needs its own"):
        ButtonSettings(next=2, stand=2)
    with pytest.raises(ValueError, match="choose a GPIO of the header, 2 to 27"):
        ButtonSettings(next=28)
