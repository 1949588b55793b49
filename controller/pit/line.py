"""The pit's line to the bus: records out of the broker's buffer, heads and statuses as they come,
and questions to tables.

The buffer is read by a consumer that the broker forgets with the connection. Where the archive is
stands in its database: acknowledgements only say how much more may be sent. A buffer that was wiped
is made anew. A broad `except` stands here: an error in what takes a message ends no line, and one
of the line's own begins it anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    ExternalStream,
    StreamConfig,
    StreamSource,
)
from nats.js.errors import BadRequestError, NotFoundError

from controller.bus.connection import (
    LINE_ERRORS,
    RETRY_S,
    BusClient,
    LineNews,
    LineWatch,
    connect,
)
from controller.bus.messages import (
    PEOPLE_STREAM,
    STREAM,
    BadMessage,
    CardPictures,
    PicturesRefused,
    PicturesRequest,
    RecordBatch,
    RefillRefused,
    RefillRequest,
    Topic,
    decode_pictures,
    decode_refill,
    encode,
    subject,
    table_of,
)
from controller.bus.server_conf import PIT, mirrored
from controller.config.bus_section import BusSection
from controller.host.defects import report
from controller.pit.questions import NoAnswer, NotLet, asked

log: Final = logging.getLogger(__name__)

#: The buffer is looked after this often: a wiped one is noticed this late.
LOOK_S: Final = 2.0
#: Between two beginnings of reading the buffer.
AGAIN_S: Final = 0.2
#: The broker sends this many messages ahead of the last one that it knows to be taken; it hears of
#: every so many. Its own flow control does not hold: the client answers it when a message has come,
#: not when it was taken, so that what is too much for the client is thrown away and sent again.
MOST_AHEAD, TAKEN_AT_ONCE = 256, 64
#: A message is never sent twice over one line.
_NEVER_S: Final = 22 * 3_600
#: What is on its way when the line ends is waited for so long.
STOP_S: Final = 2.0
#: A table answers within this time, or it is away.
ANSWER_S: Final = 5.0


HearRecords = Callable[[str, bytes, int], Awaitable[None]]
"""Records that came: the table by its subject, the message, the number in the broker's buffer."""
Hear = Callable[[str, bytes], Awaitable[None]]
"""A head or a status that came: the table by its subject, the message."""


@dataclass(frozen=True, slots=True)
class Hearers:
    """Who takes what comes."""

    records: HearRecords
    head: Hear
    status: Hear


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """How much the broker holds for an archive that is away.

    `sites`: the buffer mirrors those of these sites' brokers, and takes no table's own records.
    """

    days: float = 7
    gigabytes: float = 8
    sites: tuple[str, ...] = ()

    def stream(self) -> StreamConfig:
        """The stream of JetStream that is the buffer."""
        sources = [
            StreamSource(STREAM, external=ExternalStream(mirrored(each))) for each in self.sites
        ]
        return StreamConfig(
            name=STREAM, subjects=None if sources else [subject("*", Topic.RECORDS)],
            sources=sources or None, discard=DiscardPolicy.OLD,
            max_age=self.days * 86_400, max_bytes=round(self.gigabytes * 1_000_000_000),
        )  # fmt: skip

    def is_mirrored_by(self, config: StreamConfig) -> bool:
        """Whether a stream takes its records from where these say."""
        mirrors = {each.external.api for each in config.sources or () if each.external is not None}
        return mirrors == {mirrored(each) for each in self.sites}


#: The last directory of each table, from which a table that comes back is given its own.
_PEOPLE: Final = StreamConfig(
    name=PEOPLE_STREAM, subjects=[subject("*", Topic.PEOPLE)], max_msgs_per_subject=1,
    allow_direct=True, discard=DiscardPolicy.OLD,
)  # fmt: skip


class PitLine:
    """The connection of a pit to its bus, until it is cancelled."""

    def __init__(self, settings: BusSection, limits: BufferLimits) -> None:
        self._settings = settings
        self._limits = limits
        self._client = BusClient()
        self._lost = asyncio.Event()
        self._is_over = False
        #: Whether the stream of directories was there, as far as is known.
        self._keeps_people = False
        #: Whether the broker has refused a question for pictures since the last one began.
        self._no_pictures = False
        #: Why nothing comes; empty while the line is up.
        self.why = "it was not reached yet"

    async def run(self, hearers: Hearers, after: Callable[[], Awaitable[int | None]]) -> None:
        """Hear until cancelled; a line that the broker has ended is begun anew.

        `after` is how far the buffer was read, asked at each beginning; None: it is not to be read.
        """
        begun = False
        while True:
            try:
                await self._hear_over_a_line(hearers, after)
            except LINE_ERRORS as error:
                if isinstance(error, OSError) and not isinstance(error, TimeoutError) and not begun:
                    raise  # its files: whoever starts it is told
                # A password that is being written anew, say, or a server that is none; after a time
                # without one it was said why.
                if said := str(error):
                    self.why = said
                    log.warning("bus: %s", said)
            except Exception as error:  # noqa: BLE001  (see the head of this file)
                self.why = report("the line to the bus failed", error)
            begun = True
            await asyncio.sleep(RETRY_S)
            self._client = BusClient()

    async def _hear_over_a_line(
        self, hearers: Hearers, after: Callable[[], Awaitable[int | None]]
    ) -> None:
        """Hear until the broker ends the line."""
        self._is_over = False
        try:
            news = LineNews(self._failed, self._disconnected, self._reconnected, self._closed)
            await connect(self._client, self._settings, PIT, news)
            self.why = ""
            await self._hear(Topic.HEAD, hearers.head)
            await self._hear(Topic.STATUS, hearers.status)
            watch = LineWatch(self._client)
            while not self._is_over and not watch.is_over():
                if (read := await after()) is None:
                    # Another pit reads it: whether it can be read is no matter here.
                    self.why = "" if self._client.is_connected else self.why
                else:
                    try:
                        await self._read_buffer(hearers.records, read)
                    except (NatsError, OSError, TimeoutError) as error:
                        self._no_buffer(error)
                await asyncio.sleep(AGAIN_S)
        finally:
            with suppress(NatsError, OSError, TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await self._client.close()

    def begin_anew(self) -> None:
        """Read the buffer again from where the archive is."""
        self._lost.set()

    async def ask(self, table: str, request: RefillRequest) -> RecordBatch | RefillRefused | None:
        """Ask a table for records; None where it does not answer. Raises `BadMessage`."""
        try:
            answer = await self._client.request(
                subject(table, Topic.REFILL), encode(request), timeout=ANSWER_S
            )
        except (NatsError, OSError, TimeoutError):
            return None
        return decode_refill(answer.data)

    async def command(self, table: str, body: bytes, wait_s: float) -> bytes:
        """Send a table a command; its answer. Raises `NobodyThere`, `NoAnswer`."""
        return await asked(self._client, subject(table, Topic.COMMAND), body, wait_s)

    async def pictures(
        self, table: str, request: PicturesRequest
    ) -> CardPictures | PicturesRefused:
        """Ask a table for pictures of cards.

        Raises `NobodyThere`, `NoAnswer`, `NotLet`, `BadMessage`.
        """
        self._no_pictures = False
        try:
            body = await asked(
                self._client, subject(table, Topic.PICTURES), encode(request), ANSWER_S
            )
        except NoAnswer:
            if self._no_pictures:
                raise NotLet from None
            raise
        return decode_pictures(body)

    async def send_people(self, table: str, body: bytes) -> bool:
        """Send a table the directory of its people; whether the broker has it, and keeps it for the
        table until the next one.
        """
        if not self._client.is_connected:
            return False
        stream, to = self._client.jetstream(), subject(table, Topic.PEOPLE)
        try:
            if not self._keeps_people:
                await self._make_people_stream(stream)
            await stream.publish(to, body, timeout=ANSWER_S)
        except (NatsError, OSError, TimeoutError) as error:
            log.warning("bus: the directory of %s was not kept: %s", table, error)
            # Wiped meanwhile, say: a table that listens has it, and nobody says that none keeps it.
            self._keeps_people = False
            return False
        return True

    async def _make_people_stream(self, stream: JetStreamContext) -> None:
        try:
            await stream.stream_info(PEOPLE_STREAM)
        except NotFoundError:
            await stream.add_stream(_PEOPLE)
        self._keeps_people = True

    async def _failed(self, error: Exception) -> None:
        text = str(error) or type(error).__name__
        log.warning("bus: %s", text)
        if f".{Topic.PICTURES.value}" in text.lower():
            self._no_pictures = True
            return  # a broker's configuration of before: the line is as it was
        if not self._client.is_connected:
            self.why = text
        # Whatever was lost with it: it is read on from the last one archived.
        self._lost.set()

    def _no_buffer(self, error: Exception) -> None:
        """The broker has no buffer for records, or refuses it: tables are asked for all of them."""
        text = f"the broker's buffer cannot be read ({str(error) or type(error).__name__})"
        if text != self.why:
            log.warning("bus: %s", text)
        self.why = self.why or text

    async def _disconnected(self) -> None:
        self.why = self.why or self._client.why_lost
        self._keeps_people = False
        self._lost.set()

    async def _reconnected(self) -> None:
        self.why = ""
        self._lost.set()

    async def _closed(self) -> None:
        self.why = self.why or "the broker has ended the line"
        self._is_over = True
        self._lost.set()

    async def _hear(self, topic: Topic, hear: Hear) -> None:
        reported: set[str] = set()

        async def came(message: Msg) -> None:
            if (table := _table(message)) is None:
                return
            try:
                await hear(table, message.data)
            except Exception as error:  # noqa: BLE001  (see the head of this file)
                # The client would say that the line failed, and the buffer be read anew each time.
                if (kind := type(error).__name__) not in reported:  # thousands a second may come
                    reported.add(kind)
                    report(f"a {topic.value} of a table was passed over", error)

        await self._client.subscribe(subject("*", topic), cb=came)

    async def _read_buffer(self, hear: HearRecords, after: int) -> None:
        """Read the buffer from there on; returns when it has to be begun again."""
        stream = self._client.jetstream()
        last = await self._make_buffer(stream)
        self._lost.clear()
        if self._client.is_connected:
            self.why = ""
        # Numbers begin again in a buffer that was wiped: what was read of the old one says nothing.
        start = after + 1 if after <= last else 1

        async def came(message: Msg) -> None:
            at = message.metadata.sequence
            if (table := _table(message)) is not None:
                await hear(table, message.data, at.stream)
            if at.consumer % TAKEN_AT_ONCE == 0:
                await message.ack()

        consumer = await stream.subscribe(
            subject("*", Topic.RECORDS), stream=STREAM, cb=came, manual_ack=True,
            pending_bytes_limit=0,  # MOST_AHEAD bounds it
            config=ConsumerConfig(
                deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=start,
                ack_policy=AckPolicy.ALL, ack_wait=_NEVER_S, max_ack_pending=MOST_AHEAD,
                max_deliver=1, num_replicas=1, mem_storage=True,
            ),
        )  # fmt: skip
        try:
            while not await self._is_lost():
                await consumer.consumer_info()
        except NotFoundError:
            log.warning("bus: the broker's buffer or its consumer is gone: it is made anew")
        finally:
            with suppress(NatsError, OSError, TimeoutError):
                await consumer.unsubscribe()

    async def _make_buffer(self, stream: JetStreamContext) -> int:
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


def _table(message: Msg) -> str | None:
    try:
        return table_of(message.subject)
    except BadMessage as error:
        log.warning("bus: %s", error)
        return None
