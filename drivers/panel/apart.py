"""A supervisor on a thread of its own, for a device of others: one that blocks holds up no other.

A driver that we did not write may wait for its device where it must not. Its thread waits then; the
guard goes on, and says that the device does not answer.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from controller.devices.contracts import Input, OutputDevice
from controller.devices.scene import Scene
from drivers.panel.guard_protocol import SILENT_S
from drivers.supervise import Supervisor

#: A thread that has ended its loop is no more in less than that.
_ENDS_S: Final = 1.0


class ApartSupervisor:
    """Keeps one output going on a thread and an event loop of its own, until cancelled.

    It is made, told and cancelled on the caller's loop. What it reports, `told` is called with
    there.
    """

    def __init__(self, told: Callable[[Input], None], device: OutputDevice) -> None:
        self._told = told
        self._home = asyncio.get_running_loop()
        self._supervisor = Supervisor(self._report, (), (device,))
        self._there: asyncio.AbstractEventLoop | None = None
        self._running: asyncio.Task[None] | None = None
        # A mailbox: of scenes that a thread did not take, the newest alone waits.
        self._scene: Scene | None = None
        self._dark = False
        self._waits = False
        self._since_s = 0.0
        self._ends = False

    @property
    def hangs(self) -> bool:
        """Whether it has not taken what it was told, for longer than a device may be silent."""
        return self._waits and time.monotonic() - self._since_s > SILENT_S

    def show(self, scene: Scene) -> None:
        """Bring the device to `scene`."""
        self._scene = scene
        self._call()

    def darken(self, dark: bool) -> None:
        """Keep the device dark while a card passes a camera, and no longer."""
        self._dark = dark
        self._call()

    async def run(self) -> None:
        """Keep the device going; cancelled, it ends once the device is closed."""
        ended: asyncio.Future[None] = self._home.create_future()
        thread = threading.Thread(target=self._work, args=(ended,), name="device", daemon=True)
        thread.start()
        try:
            await asyncio.shield(ended)
            raise RuntimeError("a device's thread ended by itself")  # a defect of ours
        except asyncio.CancelledError:
            self._ends = True
            if self._there is not None and self._running is not None:
                with suppress(RuntimeError):  # it has ended by itself
                    self._there.call_soon_threadsafe(self._running.cancel)
            await asyncio.wait([ended])
            raise
        finally:
            if ended.done():
                thread.join(_ENDS_S)

    def _call(self) -> None:
        if not self._waits:
            self._waits, self._since_s = True, time.monotonic()
            if self._there is not None:
                with suppress(RuntimeError):  # it has ended by itself
                    self._there.call_soon_threadsafe(self._deliver)

    # On the thread

    def _work(self, ended: asyncio.Future[None]) -> None:
        try:
            with suppress(asyncio.CancelledError):
                asyncio.run(self._supervise())
        finally:
            with suppress(RuntimeError):  # the guard has ended
                self._home.call_soon_threadsafe(ended.set_result, None)

    async def _supervise(self) -> None:
        self._running = asyncio.current_task()
        self._there = asyncio.get_running_loop()
        if not self._ends:
            self._deliver()
            await self._supervisor.run()

    def _deliver(self) -> None:
        # In this order: what comes in between is delivered once more, and not lost.
        self._waits = False
        self._supervisor.darken(self._dark)
        if self._scene is not None:
            self._supervisor.show(self._scene)

    async def _report(self, health: Input) -> None:
        with suppress(RuntimeError):  # the guard has ended
            self._home.call_soon_threadsafe(self._told, health)
