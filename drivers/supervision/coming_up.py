"""When a device that was opened is reported as working: at once, or once it has proved it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

#: A device that works for this long is well.
STEADY_S: Final = 5.0
#: So many times lost again sooner than that: it opens well, and fails when it is used.
QUICK_LOSSES: Final = 3


class ComingUp:
    """Reports one opening of a device, once. `after_s`: 0, or how long it has to work first."""

    def __init__(self, report: Callable[[], Awaitable[None]], after_s: float) -> None:
        self._report = report
        self._after_s = after_s
        self._reported = False
        self._waiting: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """It is in use from now on."""
        if self._after_s:
            self._waiting = asyncio.create_task(self._later(), name="works for a while")
        else:
            await self.proved()

    async def proved(self) -> None:
        """Note that the device works, since it delivered something."""
        if not self._reported:
            self._reported = True
            await self._report()

    async def end(self) -> None:
        """It is lost, or let go."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.cancel()
            await asyncio.wait([waiting])

    async def _later(self) -> None:
        await asyncio.sleep(self._after_s)
        await self.proved()
