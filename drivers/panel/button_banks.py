"""Where the dealer's buttons are: header pins, a chip on an I2C bus, or a USB device's keys."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, Protocol

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Button
from controller.rules.messages import message
from drivers.io.device_node import DeviceNode
from drivers.io.i2c import I2cChip, i2c_errors
from drivers.io.input_events import DOWN, EV_KEY, EV_SYN, SYN_DROPPED, UP, EventParts, held, take
from drivers.io.pin_edges import InputPin, OnEdge
from drivers.io.pins import Factory
from drivers.settings.i2c import I2cButtonSettings
from drivers.settings.keypad import KEYS, KeypadSettings
from drivers.settings.panel import BUTTON_NAMES, ButtonSettings

#: A transfer takes most of a millisecond; a bus that hangs takes the kernel a second.
ENDS_S: Final = 0.1

OnButton = Callable[[Button, bool, int], None]
"""Called on the loop: which button, whether it is down, and since when in ns (monotonic)."""
OnLost = Callable[[DeviceError], None]


class ButtonBank(Protocol):
    """Contacts that are each one button's."""

    buttons: tuple[Button, ...]

    async def open(self, on_button: OnButton, on_lost: OnLost) -> frozenset[Button]:
        """Begin to report; which are down now. Raises `DeviceError`."""
        ...

    async def close(self) -> None:
        """Let go; safe at any time. Raises `DeviceError`."""
        ...


def wired(settings: object) -> dict[Button, int | str]:
    """What of the settings each button is on."""
    named = {Button(name): getattr(settings, name) for name in BUTTON_NAMES}
    return {button: at for button, at in named.items() if at is not None}


class PinBank:
    """Buttons between header pins and ground, pulled up inside."""

    def __init__(self, settings: ButtonSettings, factory: Factory, name: str) -> None:
        self._pins = {
            button: InputPin(int(pin), factory, name, active_low=True)
            for button, pin in wired(settings).items()
        }
        self.buttons = tuple(self._pins)

    async def open(self, on_button: OnButton, on_lost: OnLost) -> frozenset[Button]:
        """Take the pins; which are down. Raises `DeviceError`."""
        for button, pin in self._pins.items():
            pin.open(_edge_of(button, on_button))
        return frozenset(button for button, pin in self._pins.items() if pin.active)

    async def close(self) -> None:
        """Release every pin, also where one fails. Raises `DeviceError`."""
        failed: DeviceError | None = None
        for pin in self._pins.values():
            try:
                pin.close()
            except DeviceError as error:
                failed = error
        if failed is not None:
            raise failed


def _edge_of(button: Button, on_button: OnButton) -> OnEdge:
    return lambda down, at_ns: on_button(button, down, at_ns)


class KeyBank:
    """Keys of a USB keypad or a foot pedal, grabbed: they type nowhere else."""

    def __init__(self, settings: KeypadSettings, section: str) -> None:
        self._path = settings.device
        self._node = DeviceNode(settings.device, section, take)
        self._keys = {KEYS[str(key)]: button for button, key in wired(settings).items()}
        self.buttons = tuple(self._keys.values())
        self._events = EventParts()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self, on_button: OnButton, on_lost: OnLost) -> frozenset[Button]:
        """Grab the keys; which are down. Raises `DeviceError`."""
        self._node.open()
        self._events = EventParts()
        self._loop = asyncio.get_running_loop()
        with self._node.errors():
            down = held(self._node.fileno())
        self._loop.add_reader(self._node.fileno(), self._readable, on_button, on_lost)
        return frozenset(self._keys[code] for code in down & self._keys.keys())

    def _readable(self, on_button: OnButton, on_lost: OnLost) -> None:
        try:
            data, at_ns = self._node.read(), time.monotonic_ns()
            for event in self._events.feed(data):
                if event.kind == EV_SYN and event.code == SYN_DROPPED:
                    raise DeviceLost(message("keys-lost", path=self._path))
                button = self._keys.get(event.code) if event.kind == EV_KEY else None
                if button is not None and event.value in (UP, DOWN):
                    on_button(button, event.value == DOWN, at_ns)
        except DeviceError as error:
            self._stop()
            on_lost(error)

    def _stop(self) -> None:
        if self._loop is not None and self._node.is_open:
            self._loop.remove_reader(self._node.fileno())

    async def close(self) -> None:
        """Release the keys."""
        self._stop()
        self._node.close()


class I2cBank:
    """Buttons between the pins of an MCP23017 and ground, pulled up inside, asked by a thread.

    Source: Microchip, MCP23017 data sheet DS20001952 revision D (registers of BANK = 0; GPA7 and
    GPB7 are outputs alone, since one that changes while it is read may spoil the bus).
    """

    _DIRECTION: Final = 0x00
    _INPUTS: Final = b"\x7f\x7f"
    _PULL_UP: Final = 0x0C
    #: From the pull-ups to the levels: a chip that lost its power has forgotten them.
    _ASKED: Final = 8

    def __init__(self, settings: I2cButtonSettings, section: str) -> None:
        self._settings = settings
        self._section = section
        self._pins = {button: int(pin) for button, pin in wired(settings).items()}
        self.buttons = tuple(self._pins)
        pulls = sum(1 << pin for pin in self._pins.values())
        self._pulls = pulls.to_bytes(2, "little")
        self._asking: tuple[threading.Thread, threading.Event] | None = None

    async def open(self, on_button: OnButton, on_lost: OnLost) -> frozenset[Button]:
        """Set up the chip and begin to ask it; which are down. Raises `DeviceError`."""
        chip = I2cChip(self._settings.bus, self._settings.address)

        def release(done: asyncio.Future[frozenset[Button]]) -> None:
            if not done.cancelled() and done.exception() is None:
                chip.close()

        setting_up = asyncio.ensure_future(asyncio.to_thread(self._set_up, chip))
        try:
            down = await asyncio.shield(setting_up)
        except asyncio.CancelledError:
            setting_up.add_done_callback(release)
            raise
        loop, stop = asyncio.get_running_loop(), threading.Event()
        thread = threading.Thread(
            target=self._ask, args=(chip, loop, stop, down, on_button, on_lost),
            name=self._section, daemon=True,
        )  # fmt: skip
        self._asking = thread, stop
        thread.start()
        return down

    async def close(self) -> None:
        """Stop asking: the thread lets go of the chip. A bus that hangs is not waited for."""
        asking, self._asking = self._asking, None
        if asking is not None:
            thread, stop = asking
            stop.set()
            await asyncio.to_thread(thread.join, ENDS_S)

    def _set_up(self, chip: I2cChip) -> frozenset[Button]:
        """On a thread: a bus that hangs takes the kernel a second, at every retry."""
        with i2c_errors(self._settings.bus, self._section):
            try:
                chip.open()
                chip.write(bytes((self._DIRECTION,)) + self._INPUTS)
                chip.write(bytes((self._PULL_UP,)) + self._pulls)
                return self._down(chip)
            except OSError:
                chip.close()
                raise

    def _down(self, chip: I2cChip) -> frozenset[Button]:
        said = chip.read(self._PULL_UP, self._ASKED)
        if said[:2] != self._pulls:
            raise OSError(errno.EPROTO, os.strerror(errno.EPROTO))
        levels = int.from_bytes(said[-2:], "little")
        return frozenset(button for button, pin in self._pins.items() if not levels >> pin & 1)

    def _ask(
        self, chip: I2cChip, loop: asyncio.AbstractEventLoop, stop: threading.Event,
        down: frozenset[Button], on_button: OnButton, on_lost: OnLost,
    ) -> None:  # fmt: skip
        """On a thread of its own: a transfer takes most of a millisecond, too long for a card."""

        def on_loop(changes: Mapping[Button, bool], at_ns: int) -> None:
            for button, is_down in changes.items():
                if not stop.is_set():
                    on_button(button, is_down, at_ns)

        def lost(error: DeviceError) -> None:
            if not stop.is_set():
                on_lost(error)

        try:
            while not stop.wait(self._settings.poll_ms / 1_000):
                with i2c_errors(self._settings.bus, self._section):
                    now = self._down(chip)
                if now != down:
                    changes = {button: button in now for button in now ^ down}
                    loop.call_soon_threadsafe(on_loop, changes, time.monotonic_ns())
                    down = now
        except DeviceError as error:
            with suppress(RuntimeError):  # the loop has ended, and the table with it
                loop.call_soon_threadsafe(lost, error)
        finally:
            chip.close()
