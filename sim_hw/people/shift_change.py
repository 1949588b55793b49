"""The dealers of a table, one after the other: who takes over says so by name and PIN."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from sim_hw.people.page_link import Link, NotReached
from sim_hw.settings import Attendant
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Display
from sim_hw.table.world import World

#: How long hands are cleared, somebody stands up and somebody sits down.
TAKE_OVER_MS: Final = 8_000
#: A PIN that the table does not take is tried again after so long: its people may not have come.
AGAIN_S: Final = 15.0
#: For so long the next picture is waited for, which may ask for a burned card.
PICTURE_S: Final = 2.0


class ShiftChange:
    """Changes dealers between rounds as the rota says, once each: whom the pit has sent to the
    table since stays until the next change. `clock_s` is the wall time, which the tables of a
    machine share; `steady_s` one that nobody sets.
    """

    def __init__(
        self,
        world: World,
        link: Link,
        changes: Changes,
        clock_s: Callable[[], float] = time.time,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._world = world
        self._link = link
        self._changes = changes
        self._clock_s = clock_s
        self._steady_s = steady_s
        #: Whoever took over last; None: nobody has yet.
        self.seated: Attendant | None = None
        # Not by the wall's clock: it may be set back, and nobody would take over for hours.
        self._not_before_s = 0.0

    async def look(self, display: Display) -> bool:
        """Change dealers where it is time and the table is between rounds; whether that took time,
        so that the display is another by now.
        """
        if display.phase != "betting" or display.holds or (comes := self._due()) is None:
            return False
        await self._world.people_take(TAKE_OVER_MS)
        now = self._link.display
        if now is None or now.phase != "betting" or now.holds:
            return True  # something has come between: the next look sees to it
        self._world.say(await self._take_over(comes))
        await self._next_picture(now)
        return True

    def _due(self) -> Attendant | None:
        """Who is to take over now."""
        settings = self._world.settings
        if settings.rota is None or self._steady_s() < self._not_before_s:
            return None
        comes = settings.dealers[settings.rota.dealer(self._clock_s())]
        return None if comes == self.seated else comes

    async def _take_over(self, comes: Attendant) -> str:
        """What became of it, in words."""
        proof = {"name": comes.name, "pin": comes.pin}
        command = {"do": "change_dealer", "person": comes.id, "people": [proof]}
        try:
            answer = await self._link.send(command)
        except NotReached as error:
            return str(error)
        if answer.accepted:
            self.seated = comes
            return f"{comes.name} deals now."
        self._not_before_s = self._steady_s() + AGAIN_S
        return f"{comes.name} cannot take over: {answer.refused}."

    async def _next_picture(self, before: Display) -> None:
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + PICTURE_S
        while (left_s := deadline_s - loop.time()) > 0:
            count, now = self._changes.count, self._link.display
            if now is None or now.seq != before.seq:
                return
            await self._changes.wait(left_s, count)
