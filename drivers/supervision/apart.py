"""Devices on a thread of their own: one that blocks holds up neither the table nor another device.

For drivers of others, and for ours that write to a bus which may hang. To whoever keeps them going
they are devices like any other, with a deadline: one that does not come back from a call is down,
is waited for, closed and opened again. What it read meanwhile is left out: nobody knows when that
was, and the table compares felt and display once it is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final, Generic, TypeVar

from controller.devices.contracts import (
    AnnouncesCards,
    Darkens,
    InputDevice,
    OutputDevice,
    ShowsKeys,
    Watches,
)
from controller.devices.inputs import Press, Reading, Repeats, SpotSensed
from controller.devices.scene import Scene
from drivers.event_queue import EventQueue
from drivers.own_thread import DeviceSilent, OwnThread, Work

log: Final = logging.getLogger(__name__)

D = TypeVar("D", bound=InputDevice | OutputDevice)
T = TypeVar("T")


class _Over(Exception):
    """A driver gives nothing more, and says nothing of why."""


class Apart(Generic[D]):
    """A device that is opened and closed on a thread of its own."""

    def __init__(self, device: D, thread: OwnThread | None = None) -> None:
        """`thread`: where something of the device is known already that calls home by it."""
        self._device = device
        self._name = device.name
        self._thread = thread or OwnThread(device.name)
        #: Goes on after nobody waited for it any more: some devices take their time.
        self._opening: Work[None] | None = None
        self._unclosed = self._told = False

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Open the device. Raises `DeviceError`.

        Of one that hangs `DeviceSilent` once; then it is waited for, also where it was in use.
        """
        opening, self._opening = self._opening, None
        patient = opening is not None
        if opening is None:
            if self._thread.stays and not self._told:
                self._told = True
                raise self._thread.silent
            await self._thread.rest()
            if self._unclosed:
                await self._let_go()
            self._unclosed = True
            opening = self._thread.begin(self._device.open)
        try:
            await self._thread.wait(opening, keep=True, patient=patient)
        except DeviceSilent:
            self._opening = opening
            raise
        self._told = False

    async def close(self) -> None:
        """Release the device; one that hangs, once it has come back. Raises `DeviceError`."""
        if self._unclosed and self._opening is None and not self._thread.stays:
            await self._let_go()

    async def end(self) -> None:
        """End its thread, the device closed. One that hangs is not waited for."""
        await self._thread.end(self._close_there)

    async def _let_go(self) -> None:
        closing = self._thread.begin(self._device.close)
        closing.over.add_done_callback(self._closed)  # also where nobody waits for it any more
        # Not cancelled: cut off in the middle it would count as closed, and stay open.
        await self._thread.wait(closing, cancels=False)

    def _closed(self, _: object) -> None:
        self._unclosed = False

    async def _close_there(self) -> None:
        if self._unclosed:
            await self._device.close()


class ApartInput(Apart[InputDevice]):
    """An input device on a thread of its own: what it reads comes in order, each as it is read."""

    def __init__(self, device: InputDevice, thread: OwnThread | None = None) -> None:
        super().__init__(device, thread)
        self._card_coming: Callable[[], None] | None = None
        self._scene: Scene | None = None
        self._waits = False

    @property
    def on_card_coming(self) -> Callable[[], None] | None:
        """Is called at home when the device notices a card that it has not read yet."""
        return self._card_coming

    @on_card_coming.setter
    def on_card_coming(self, told: Callable[[], None] | None) -> None:
        self._card_coming = told
        if isinstance(self._device, AnnouncesCards):
            self._device.on_card_coming = None if told is None else self._announce

    def _announce(self) -> None:
        if self._card_coming is not None:
            self._thread.at_home(self._card_coming)

    async def open(self) -> None:
        """Open the device, with the newest scene where it shows keys. Raises `DeviceError`."""
        await super().open()
        self._thread.call(self._show_there)

    def show(self, scene: Scene) -> None:
        """Show `scene` soon, where the device shows keys."""
        if isinstance(self._device, ShowsKeys):
            self._scene = scene
            if not self._waits:
                self._waits = True
                self._thread.call(self._show_there)

    def _show_there(self) -> None:
        # In this order: what comes in between is shown once more, and not lost.
        self._waits = False
        scene = self._scene
        if scene is not None and isinstance(self._device, ShowsKeys):
            self._device.show(scene)

    async def inputs(self) -> AsyncGenerator[Reading | Press | SpotSensed | Repeats]:
        """What is read from now on, until the device is lost or hangs (`DeviceError`)."""
        async with aclosing(self._given(self._device.inputs)) as given:
            async for each in given:
                yield each

    async def watch(self) -> AsyncGenerator[Reading]:
        """What the device notices while it is down, if it can. Raises `DeviceError`."""
        if isinstance(self._device, Watches) and not self._thread.stays:
            async with aclosing(self._given(self._device.watch)) as given:
                async for each in given:
                    yield each

    async def _given(self, source: Callable[[], AsyncGenerator[T]]) -> AsyncGenerator[T]:
        """What `source` gives there. It is asked for the next once this one was taken."""
        queue, taken, over = EventQueue[T](), asyncio.Event(), asyncio.Event()

        async def pump() -> None:
            async with aclosing(source()) as given:
                async for each in given:
                    taken.clear()
                    self._thread.at_home(put, each)
                    await taken.wait()

        def put(each: T) -> None:
            if over.is_set():
                log.warning(
                    "%s: what came after it had not answered is left out", self._name,
                    extra={"device": self._name},
                )  # fmt: skip
            else:
                queue.put(each)

        def ended(waiting: asyncio.Task[None]) -> None:
            if not waiting.cancelled():
                error = waiting.exception()
                assert error is None or isinstance(error, Exception), "of a thread nothing else"
                queue.fail(error or _Over())

        # Begun before anything is waited for: what is begun after it comes after it there.
        pumping = self._thread.begin(pump)
        waiting = asyncio.create_task(self._thread.wait(pumping), name=f"{self._name} apart")
        waiting.add_done_callback(ended)
        try:
            while (each := await queue.take()) is not None:
                yield each
                self._thread.call(taken.set)
        except _Over:
            return
        finally:
            over.set()
            waiting.cancel()
            await asyncio.wait([waiting])


class ApartOutput(Apart[OutputDevice]):
    """An output device on a thread of its own, with a mailbox: of scenes the newest alone waits."""

    def __init__(self, device: OutputDevice, thread: OwnThread | None = None) -> None:
        super().__init__(device, thread)
        self._scene: Scene | None = None
        self._dark = self._waits = False
        self._woken = asyncio.Event()

    async def open(self) -> None:
        """Open the device. Raises `DeviceError`."""
        self._dark = False
        await super().open()

    def show(self, scene: Scene) -> None:
        """Bring the device to `scene` as soon as it takes it."""
        self._scene = scene
        self._wake()

    def darken(self, dark: bool) -> None:
        """Be dark while a card passes a camera, if the device shines, and no longer."""
        self._dark = dark
        self._wake()

    async def run(self) -> None:
        """Show what is asked for until the device is lost or hangs. Raises `DeviceError`."""
        await self._thread.wait(self._thread.begin(self._use))

    def _wake(self) -> None:
        if not self._waits:
            self._waits = True
            self._thread.call(self._deliver)

    # On the thread

    def _deliver(self) -> None:
        # In this order: what comes in between is delivered once more, and not lost.
        self._waits = False
        self._woken.set()

    async def _use(self) -> None:
        self._woken, self._waits = asyncio.Event(), False
        working = [asyncio.ensure_future(each) for each in (self._show_all(), self._device.run())]
        try:
            await asyncio.gather(*working)
        finally:
            for each in working:
                each.cancel()
            await asyncio.wait(working)

    async def _show_all(self) -> None:
        device, was_dark, shown = self._device, False, None
        while True:
            dark, scene = self._dark, self._scene
            if isinstance(device, Darkens) and dark is not was_dark:
                device.darken(dark)
                was_dark = dark
            if scene is not None and scene is not shown:
                device.show(scene)
                shown = scene
            await self._woken.wait()
            self._woken.clear()
