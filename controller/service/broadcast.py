"""The newest scene, to every output and every viewer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from controller.devices.safe import safe_scene
from controller.devices.scene import Scene
from controller.service.ports import Output


class Broadcast:
    """Shows scenes: outputs get every one, viewers are woken and take the newest."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.safe: Scene = safe_scene(seats)
        self.scene: Scene = self.safe
        self.outputs: list[Output] = []
        self._viewers: set[asyncio.Event] = set()
        self.closing = False

    def show(self, scene: Scene) -> None:
        """Show a scene."""
        self.scene = scene
        for output in self.outputs:
            output.show(scene)
        self.wake()

    def wake(self) -> None:
        """Let every viewer look again."""
        for viewer in self._viewers:
            viewer.set()

    def show_safe(self) -> None:
        """Show the SAFE picture until the next scene comes."""
        self.show(self.safe)

    def stop(self, why: str) -> None:
        """Show the SAFE picture from now on, with what the technician is to know."""
        self.safe = safe_scene(self._seats, why)
        self.show(self.safe)

    async def changes(self) -> AsyncIterator[None]:
        """Yields at once and after each change, until the service closes."""
        changed = asyncio.Event()
        self._viewers.add(changed)
        try:
            while not self.closing:
                changed.clear()
                yield
                await changed.wait()
        finally:
            self._viewers.discard(changed)

    def let_viewers_go(self) -> None:
        """End every `changes`."""
        self.closing = True
        for viewer in self._viewers:
            viewer.set()
