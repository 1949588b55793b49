"""Reads the broker's buffer for records, from where the archive is.

The buffer is read by a consumer that the broker forgets with the connection. Where the archive is
stands in its database: acknowledgements only say how much more may be sent. A buffer that was wiped
is made anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
from nats.js.errors import BadRequestError, NotFoundError

from controller.bus.connection import BusClient
from controller.bus.messages import STREAM, Topic, subject
from controller.bus.parser import HeardMessage
from controller.pit.line.buffer import BufferLimits, BufferPlace
from controller.pit.line.table_names import TableNames

log: Final = logging.getLogger(__name__)

#: The buffer is looked after this often: a wiped one is noticed this late.
LOOK_S: Final = 2.0
#: The broker sends this many messages ahead of the last one that it knows to be taken; it hears of
#: every so many. Its own flow control does not hold: the client answers it when a message has come,
#: not when it was taken, so that what is too much for the client is thrown away and sent again.
MOST_AHEAD, TAKEN_AT_ONCE = 256, 64
#: A message is never sent twice over one line.
_NEVER_S: Final = 22 * 3_600
#: What the broker is told then.
_TAKEN: Final = b"+ACK"

HearRecords = Callable[[str, bytes, int], Awaitable[None]]
"""Records that came: the table by its subject, the message, the number in the broker's buffer."""


class BufferReader:
    """Reads the buffer over `client`, made with `limits` where there is none, until `lost` is set:
    then it has to be begun again. `names` says of which table a message is.
    """

    def __init__(
        self, client: BusClient, limits: BufferLimits, lost: asyncio.Event, names: TableNames
    ) -> None:  # fmt: skip
        self._client = client
        self._names = names
        self._limits = limits
        self._lost = lost

    async def read(self, hear: HearRecords, after: int, is_there: Callable[[], None]) -> None:
        """Read the buffer from there on; returns when it has to be begun again.

        `is_there` is called once there is one. Raises an error of the line.
        """
        stream = self._client.jetstream()
        last = await self._made(stream)
        self._lost.clear()
        is_there()
        # Numbers begin again in a buffer that was wiped: what was read of the old one says nothing.
        start = after + 1 if after <= last else 1
        #: Never more than `MOST_AHEAD`.
        came = asyncio.Queue[HeardMessage]()
        to = self._client.new_inbox()
        heard = await self._client.hear_at_once(to, came.put_nowait)
        taking = asyncio.ensure_future(self._take(came, hear))
        try:
            consumer = await stream.add_consumer(
                STREAM, ConsumerConfig(
                    deliver_subject=to, filter_subject=subject("*", Topic.RECORDS),
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=start,
                    ack_policy=AckPolicy.ALL, ack_wait=_NEVER_S, max_ack_pending=MOST_AHEAD,
                    max_deliver=1, num_replicas=1, mem_storage=True,
                ),
            )  # fmt: skip
            while not taking.done() and not await self._is_lost():
                await stream.consumer_info(STREAM, consumer.name)
        except NotFoundError:
            log.warning("bus: the broker's buffer or its consumer is gone: it is made anew")
        finally:
            taking.cancel()
            await asyncio.wait((taking,))
            with suppress(NatsError, OSError, TimeoutError):
                await self._client.hear_no_more(heard)
        if not taking.cancelled():
            taking.result()

    async def _take(self, came: asyncio.Queue[HeardMessage], hear: HearRecords) -> None:
        """Hand on what came of the buffer, in order, until cancelled."""
        while True:
            message = await came.get()
            place = BufferPlace.of(message)
            if (table := self._names.of(message)) is not None:
                await hear(table, message.body, place.stream)
            if place.consumer % TAKEN_AT_ONCE == 0:
                await self._client.publish(message.reply.decode(), _TAKEN)

    async def _made(self, stream: JetStreamContext) -> int:
        """The number of the buffer's last message; it is made where there is none."""
        try:
            info = await stream.stream_info(STREAM)
        except NotFoundError:
            try:
                info = await stream.add_stream(self._limits.stream())
            except BadRequestError:
                # Another pit made it meanwhile, with its own limits.
                info = await stream.stream_info(STREAM)
        if not self._limits.is_mirrored_by(info.config):
            # Sites that were added since, or are gone.
            info = await stream.update_stream(self._limits.stream())
        return info.state.last_seq

    async def _is_lost(self) -> bool:
        """Whether the line was lost since the buffer is read; waits for it for a while."""
        try:
            async with asyncio.timeout(LOOK_S):
                await self._lost.wait()
        except TimeoutError:
            return False
        return True
