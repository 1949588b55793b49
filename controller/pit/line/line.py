"""The pit's line to the bus: records out of the broker's buffer, heads and statuses as they come,
and questions to tables.

A broad `except` stands here: an error in what takes a message ends no line, and one of the line's
own begins it anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StreamConfig
from nats.js.errors import NotFoundError

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
)
from controller.bus.parser import HeardMessage
from controller.bus.server_conf import PIT
from controller.config.bus_section import BusSection
from controller.host.defects import report
from controller.pit.line.buffer import BufferLimits
from controller.pit.line.buffer_reader import BufferReader, HearRecords
from controller.pit.line.questions import NoAnswer, NotLet, asked
from controller.pit.line.table_names import TableNames

log: Final = logging.getLogger(__name__)

#: Between two beginnings of reading the buffer.
AGAIN_S: Final = 0.2
#: What is on its way when the line ends is waited for so long.
STOP_S: Final = 2.0
#: A table answers within this time, or it is away.
ANSWER_S: Final = 5.0


Hear = Callable[[str, bytes], None]
"""A head or a status that came: the table by its subject, the message. It waits for nothing."""


@dataclass(frozen=True, slots=True)
class Hearers:
    """Who takes what comes."""

    records: HearRecords
    head: Hear
    status: Hear


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
        self._names = TableNames()
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
            reader = BufferReader(self._client, self._limits, self._lost, self._names)
            while not self._is_over and not watch.is_over():
                if (read := await after()) is None:
                    # Another pit reads it: whether it can be read is no matter here.
                    self.why = "" if self._client.is_connected else self.why
                else:
                    try:
                        await reader.read(hearers.records, read, self._buffer_is_there)
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

    def _buffer_is_there(self) -> None:
        if self._client.is_connected:
            self.why = ""

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

        def came(message: HeardMessage) -> None:
            if (table := self._names.of(message)) is None:
                return
            try:
                hear(table, message.body)
            except Exception as error:  # noqa: BLE001  (see the head of this file)
                # It would end the line, which the buffer is read over, too.
                if (kind := type(error).__name__) not in reported:  # thousands a second may come
                    reported.add(kind)
                    report(f"a {topic.value} of a table was passed over", error)

        await self._client.hear_at_once(subject("*", topic), came)
