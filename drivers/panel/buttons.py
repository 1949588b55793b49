"""The dealer's buttons, debounced here: between pin and ground, pulled up inside."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Button, Press, Reading
from controller.rules.messages import message
from drivers.event_queue import EventQueue
from drivers.io.pin_edges import InputPin, OnEdge
from drivers.io.pins import Factory
from drivers.settings.panel import ButtonSettings

log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _ButtonEdge:
    button: Button
    down: bool
    at_ns: int


@dataclass(slots=True)
class _Contact:
    """One button: `down` is its debounced state, `raw` that of the contact since `last_ns`.

    `began_ns` is when the contact left its steady state, None while it is steady.
    """

    button: Button
    pin: InputPin
    down: bool = False
    raw: bool = False
    began_ns: int | None = None
    last_ns: int = 0
    down_ns: int = 0
    spoilt: bool = False


class Buttons:
    """Reports each press once: when the contact has been steady for the debounce time.

    Buttons that go down together, within that time, are a hand that leant on them: none counts.
    A button that was held when the service started has not been pressed. One that stays down too
    long is stuck, which is a `DeviceError` until it is free again.
    """

    def __init__(self, settings: ButtonSettings, factory: Factory, name: str = "buttons") -> None:
        self._name = name
        self._debounce_ns = settings.debounce_ms * 1_000_000
        self._stuck_ns = settings.stuck_s * 1_000_000_000
        pins = {
            Button.NEXT: settings.next,
            Button.STAND: settings.stand,
            Button.HIT: settings.hit,
            Button.REPEAT: settings.repeat,
            Button.CALL: settings.call,
        }
        self._keys = {
            button: _Contact(button, InputPin(pin, factory, name, active_low=True))
            for button, pin in pins.items()
            if pin is not None
        }
        self._stuck: set[Button] = set()
        self._queue: EventQueue[_ButtonEdge] = EventQueue()

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the pins. Raises `DeviceError`, also while a button is still stuck."""
        await self.close()
        self._queue = EventQueue()
        try:
            for button, key in self._keys.items():
                key.pin.open(self._on_edge(button))
                key.down = key.raw = key.pin.active
                key.began_ns, key.down_ns, key.spoilt = None, time.monotonic_ns(), False
                if key.down and button in self._stuck:
                    raise self._stuck_error(button)
                self._stuck.discard(button)
        except DeviceError:
            await self.close()
            raise

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        """The presses. Raises `DeviceError` when a button is stuck."""
        while True:
            edge = await self._queue.take(self._due_ns())
            for press in self._settle(time.monotonic_ns() if edge is None else edge.at_ns):
                yield press
            if edge is not None:
                key = self._keys[edge.button]
                key.raw, key.last_ns = edge.down, edge.at_ns
                if key.began_ns is None:
                    key.began_ns = edge.at_ns

    async def close(self) -> None:
        """Let go of the pins. Raises `DeviceError`."""
        failed: DeviceError | None = None
        for key in self._keys.values():
            try:
                key.pin.close()
            except DeviceError as error:
                failed = error
        if failed is not None:
            raise failed

    def _on_edge(self, button: Button) -> OnEdge:
        def on_edge(down: bool, at_ns: int) -> None:
            if self._queue.has_room:
                self._queue.put(_ButtonEdge(button, down, at_ns))
            else:
                self._queue.fail(DeviceLost(message("button-chatters", button=button.value)))

        return on_edge

    def _due_ns(self) -> int | None:
        due = [k.last_ns + self._debounce_ns for k in self._keys.values() if k.began_ns is not None]
        due += [key.down_ns + self._stuck_ns for key in self._keys.values() if key.down]
        return min(due, default=None)

    def _settle(self, at_ns: int) -> list[Press]:
        """The presses that count by `at_ns`; raises `DeviceError` for a stuck button if none."""
        presses = []
        for key in self._keys.values():
            if key.began_ns is not None and at_ns >= key.last_ns + self._debounce_ns:
                if key.raw and not key.down and self._alone(key, key.began_ns):
                    presses.append(Press(self._name, key.button))
                if key.raw is not key.down:
                    key.down, key.down_ns = key.raw, key.last_ns
                key.began_ns, key.spoilt = None, False
        for key in self._keys.values():
            if not presses and key.down and at_ns >= key.down_ns + self._stuck_ns:
                self._stuck.add(key.button)
                raise self._stuck_error(key.button)
        return presses

    def _alone(self, key: _Contact, began_ns: int) -> bool:
        """Whether no other button goes down with this one; those that do are spoilt with it."""
        rivals = [
            other
            for other in self._keys.values()
            if other is not key
            and other.began_ns is not None
            and other.raw
            and not other.down
            and abs(other.began_ns - began_ns) <= self._debounce_ns
        ]
        for other in rivals:
            other.spoilt = True
        if rivals:
            log.warning("%s: several buttons at once; none of them counts", self._name)
        return not (rivals or key.spoilt)

    def _stuck_error(self, button: Button) -> DeviceError:
        return DeviceError(message("button-stuck", button=button.value))
