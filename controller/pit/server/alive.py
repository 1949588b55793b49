"""Signs of life for systemd, for as long as the pit is alive; it starts another one otherwise."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from controller.host.sd_notify import sd_notify, watchdog_s

log: Final = logging.getLogger(__name__)

#: The archive's part begins a turn every second: one that takes so long, and waits for no database,
#: stands.
TURN_S: Final = 60.0


async def give_signs_of_life(why_dead: Callable[[], str]) -> None:
    """Give one in each third of the time that systemd waits, until cancelled; that they come says
    that the loop turns. None is given while there is a reason; silent where systemd wants none.
    """
    every_s = watchdog_s()
    while every_s:
        if why := why_dead():
            log.error("systemd is given no sign of life: %s", why)
        else:
            sd_notify("WATCHDOG=1")
        await asyncio.sleep(every_s / 3)
