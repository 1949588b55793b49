"""What a device babbles, told to the table: that it began, and how much of it was left out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from controller.devices.contracts import Input
from controller.devices.english import ENGLISH
from controller.devices.inputs import Condition, Health, Press, Reading, Repeats, SpotSensed
from controller.rules.messages import message
from drivers.supervision.babble import Babble

log: Final = logging.getLogger(__name__)

OfferInput = Callable[[Input], Awaitable[None]]
"""Accepts an input; waits while the table cannot take it, so that none is lost."""


class BabbleReports:
    """One input device, in use or watched while it is away.

    `health` says how it is otherwise, which is reported again once it has been quiet; `failed` is
    called where it was well before.
    """

    def __init__(
        self,
        name: str,
        pace: float,
        offer: OfferInput,
        health: Callable[[str], Health],
        failed: Callable[[str], None],
    ) -> None:
        self._name = name
        self._babble = Babble(pace)
        self._offer = offer
        self._health = health
        self._failed = failed
        self._calm: asyncio.Task[None] | None = None

    async def admits(self, read: Reading | Press | SpotSensed | Repeats) -> bool:
        """Whether it can be a card or a press, and is to be passed on; else it is counted."""
        if self._babble.admits(read, asyncio.get_running_loop().time()):
            return True
        if self._calm is None or self._calm.done():
            await self._report()
            self._calm = asyncio.create_task(self._until_quiet(), name=f"{self._name} calm")
        return False

    async def report_left_out(self) -> bool:
        """Report how much was left out, if anything, so that felt and display are compared."""
        await self.rest()
        if not self._babble.count:
            return False
        await self._report_count()
        return True

    async def rest(self) -> None:
        """Wait no longer for it to be quiet."""
        calm, self._calm = self._calm, None
        if calm is not None:
            calm.cancel()
            await asyncio.wait([calm])

    async def _report(self) -> None:
        """It sends what cannot be cards or presses: it is in trouble, and read on."""
        name = self._name
        if self._health(name).condition is Condition.UP:
            self._failed(name)
        why = message("device-babbles", device=name)
        log.warning("%s is in trouble: %s", name, ENGLISH.say(why), extra={"device": name})
        await self._offer(Health(name, Condition.DOWN, why))

    async def _until_quiet(self) -> None:
        """Report what was left out once it has been quiet, and how it is then."""
        clock, babble = asyncio.get_running_loop().time, self._babble
        while babble.count:
            while babble.babbles(clock()):  # noqa: ASYNC110  (nothing happens: that is waited for)
                await asyncio.sleep(babble.quiet_at_s - clock())
            await self._report_count()
        health = self._health(self._name)
        if health.condition is Condition.UP:
            log.info("%s works again", self._name, extra={"device": self._name})
        await self._offer(health)

    async def _report_count(self) -> None:
        count = self._babble.count
        why = message("device-babbled", device=self._name, count=count)
        log.info("%s: %s", self._name, ENGLISH.say(why), extra={"device": self._name})
        await self._offer(Health(self._name, Condition.DOWN, why))
        self._babble.reported(count)
