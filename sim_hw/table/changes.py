"""Word of changes, for whoever waits for the next one."""

from __future__ import annotations

import asyncio


class Changes:
    """Something to wait on until anything changed. Belongs to one event loop."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.count = 0

    def notify(self) -> None:
        """Something changed: wake everybody who waits."""
        self.count += 1
        self._event.set()
        self._event = asyncio.Event()

    async def wait(self, timeout_s: float, since: int | None = None) -> bool:
        """Wait for the next change, or any after the `count` was `since`; False if none came."""
        if since is not None and self.count != since:
            return True
        try:
            async with asyncio.timeout(timeout_s):
                await self._event.wait()
        except TimeoutError:
            return False
        return True
