"""How a table gets its people from the pit: as they are sent, and the last ones when it comes back.

The pit puts each document into a stream that keeps the last one of every table. A table hears its
own as it is put there, and asks for it whenever the line is new and from time to time: what was
missed, or wiped at the broker, is caught up with. What a document is worth the table decides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.bus.command_desk import Bucket
from controller.bus.connection import BusClient
from controller.bus.messages import Topic, last_people, subject
from controller.host.defects import report
from controller.people.document import MOST_BYTES, PeopleRefused, WhyRefused

log: Final = logging.getLogger(__name__)

#: The last document is asked for this often.
LOOK_S: Final = 10.0
_ANSWER_S: Final = 5.0
#: Documents that wait are at most so many: the newest is asked for anyway.
_WAITING: Final = 4
#: This many in a row are looked at, and one more in this many seconds; of what is passed over the
#: last one is asked for after so long.
_LOOKED_AT: Final = (20, 1.0)

Take = Callable[[bytes], Awaitable[None]]
"""Takes a document that came. Raises `PeopleRefused`."""


class PeopleLine:
    """Brings documents for the table called `table` to `take`."""

    def __init__(self, table: str, take: Take) -> None:
        self._table = table
        self._take = take
        self._bucket: Bucket | None = None
        self._known = b""
        self._new_line = asyncio.Event()
        self._passed_over = False

    def look_again(self) -> None:
        """The line is new: something may have been missed."""
        self._new_line.set()

    async def listen(self, client: BusClient) -> None:
        """Take what comes over this line from now on."""
        await client.subscribe(
            subject(self._table, Topic.PEOPLE), cb=self._came,
            pending_msgs_limit=_WAITING, pending_bytes_limit=_WAITING * MOST_BYTES,
        )  # fmt: skip

    async def look(self, client: BusClient) -> None:
        """Ask for the last document, now and from time to time, until cancelled."""
        while True:
            if self._passed_over:
                await asyncio.sleep(_LOOKED_AT[1])
                self._passed_over = False
            self._new_line.clear()
            # Nobody there, or no such document: the pit has sent none yet.
            with suppress(NatsError, OSError, TimeoutError):
                answer = await client.request(last_people(self._table), b"", timeout=_ANSWER_S)
                if answer.data:
                    await self._came(answer)
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._new_line.wait()

    async def _came(self, sent: Msg) -> None:
        digest = sha256(sent.data[: MOST_BYTES + 1]).digest()
        if digest == self._known:
            return
        loop = asyncio.get_running_loop()
        self._bucket = self._bucket or Bucket(*_LOOKED_AT, loop.time)
        if not self._bucket.lets():
            self._passed_over = True
            self._new_line.set()
            return
        try:
            await self._take(sent.data)
        except PeopleRefused as error:
            # Of a later time it may be good then; anything else stays what it is.
            if error.why is not WhyRefused.NOT_YET and error.why is not WhyRefused.NOT_KEPT:
                self._known = digest
        except Exception as error:  # noqa: BLE001  (whatever it is, the line and the table go on)
            report("a directory of people was not taken", error)
        else:
            self._known = digest
