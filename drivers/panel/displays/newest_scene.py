"""The newest scene, for what shows words: they are made after the lamps were served."""

from __future__ import annotations

import asyncio

from controller.devices.scene import Scene
from drivers.event_queue import wait_until


class NewestScene:
    """A mailbox of one. `put` is quick and may be called at any time, also before `take`."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._changed = asyncio.Event()

    def put(self, scene: Scene) -> None:
        """This is what has to be shown now."""
        self._scene = scene
        self._changed.set()

    def again(self) -> None:
        """Take the scene once more, if there is one."""
        self._changed.set()

    async def take(self, until_ns: int | None = None) -> Scene | None:
        """The newest scene, once it was put; None when the clock reached `until_ns` first."""
        while True:
            if not await wait_until(self._changed, until_ns):
                return None  # what was put as the time was over is taken next: nothing is cleared
            self._changed.clear()
            if self._scene is not None:
                return self._scene
