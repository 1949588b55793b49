"""The dealer's buttons, wherever they are, debounced here."""

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
from drivers.panel.button_banks import ButtonBank

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

    def __init__(
        self, bank: ButtonBank, name: str = "buttons", *, debounce_ms: int, stuck_s: int
    ) -> None:
        self._name = name
        self._bank = bank
        self._debounce_ns = debounce_ms * 1_000_000
        self._stuck_ns = stuck_s * 1_000_000_000
        self._keys = {button: _Contact(button) for button in bank.buttons}
        self.began_ns: dict[Button, int] = {}
        """When the last press of each button began, on the monotonic clock."""
        self._stuck: set[Button] = set()
        self._queue: EventQueue[_ButtonEdge] = EventQueue()

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the contacts. Raises `DeviceError`, also while a button is still stuck."""
        await self.close()
        self._queue = EventQueue()
        try:
            down = await self._bank.open(self._on_edge, self._queue.fail)
            for button, key in self._keys.items():
                key.down = key.raw = button in down
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
            edge = await self._next_edge()
            for press in self._settle(time.monotonic_ns() if edge is None else edge.at_ns):
                yield press
            if edge is not None:
                key = self._keys[edge.button]
                key.raw, key.last_ns = edge.down, edge.at_ns
                if key.began_ns is None:
                    key.began_ns = edge.at_ns

    async def _next_edge(self) -> _ButtonEdge | None:
        """The next edge; None once something is due.

        A machine that woke this loop late may not have handed on yet what else went down meanwhile,
        and a hand on several buttons would be a press of the first: it gets a debounce time more.
        """
        due_ns = self._due_ns()
        edge = await self._queue.take(due_ns)
        if edge is None and due_ns is not None:
            now_ns = time.monotonic_ns()
            if now_ns - due_ns > self._debounce_ns:
                edge = await self._queue.take(now_ns + self._debounce_ns)
        return edge

    async def close(self) -> None:
        """Release the contacts. Raises `DeviceError`."""
        await self._bank.close()

    def _on_edge(self, button: Button, down: bool, at_ns: int) -> None:
        if self._queue.has_room:
            self._queue.put(_ButtonEdge(button, down, at_ns))
        else:
            self._queue.fail(DeviceLost(message("button-chatters", button=button.value)))

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
                    self.began_ns[key.button] = key.began_ns
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
