"""A table's line to the bus: records as they are committed, its head, its status; and what an
archive asks for again.

It sends what the journal has just written, after the table has acted: no card waits for it. What
is not in memory any more (`NewestRows`) it reads from the disk, in a thread of its own. It keeps no
cursor that matters. At a start it goes on from the newest record; what the archive lacks, after any
loss on either side, it asks for (`Topic.REFILL`).
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import SlowConsumerError

from controller.bus.command_desk import CommandDesk
from controller.bus.connection import RETRY_S, BusClient, LineNews, LineWatch, connect
from controller.bus.link import BusLink
from controller.bus.messages import (
    MOST_RECORDS,
    BadMessage,
    HeadNews,
    RefillRefused,
    RefillRequest,
    Topic,
    batch,
    decode,
    encode,
    mark_of,
    message_id,
    position_of,
    subject,
)
from controller.bus.people_line import PeopleLine
from controller.bus.picture_desk import PictureDesk
from controller.bus.record_source import RecordSource
from controller.bus.stream_sender import StreamSender
from controller.config.bus_section import BusSection
from controller.host.defects import report
from controller.record.files.chain_store import Row
from controller.record.files.database import JournalError
from controller.record.files.head_anchor import Position
from controller.record.newest_rows import NewestRows
from controller.record.reading.record_tail import CannotGoOn

log: Final = logging.getLogger(__name__)

#: The head is announced this often, and with it the status.
ANNOUNCE_S: Final = 5.0
#: Records are read this long after the table has shown what they say: lamps go first.
AFTER_S: Final = 0.005
#: A status is sent at most this often, and the first one after a rest at once.
STATUS_S: Final = 0.1
#: Requests beyond this many that wait are dropped; who asked asks again.
REFILLS_WAITING: Final = 64
#: Whether the line is over is asked this often, where nobody says so.
LOOK_S: Final = 2.0
#: After something that the client does not get over by itself.
AGAIN_S: Final = 5.0
_STOP_S: Final = 2.0


class Forwarder:
    """Mirrors the record in `folder` to the bus as the table `table`, until it is cancelled.

    `newest` is what the journal wrote last, None: everything is read from the disk. `status` gives
    the record number and the JSON of the table's public status, `clock_ms` its wall
    time. `link` is how the line is. `commands` answers those of the pit, None: it is not heard;
    `people` takes the directories that it sends, None: the table knows its people by itself;
    `pictures` gives those of cards, None: nobody gets any.
    """

    def __init__(
        self,
        table: str,
        folder: Path,
        settings: BusSection,
        *,
        status: Callable[[], tuple[int, bytes]],
        clock_ms: Callable[[], int],
        software: str,
        newest: NewestRows | None = None,
        commands: CommandDesk | None = None,
        people: PeopleLine | None = None,
        pictures: PictureDesk | None = None,
    ) -> None:
        self._table = table
        self._settings = settings
        self._status = status
        self._clock_ms = clock_ms
        self._software = software
        self._commands = commands
        self._people = people
        self._pictures = pictures
        self._source = RecordSource(folder, newest or NewestRows())
        self._news = asyncio.Event()
        self._identity = b""
        self._sent: Position | None = None
        self._changed = asyncio.Event()
        self._changed.set()
        self._woken: asyncio.TimerHandle | None = None
        self._client: BusClient | None = None
        self.link = BusLink(clock_ms)

    @property
    def is_connected(self) -> bool:
        """Whether a server has let the table in."""
        return self._client is not None and self._client.is_connected

    def wake(self) -> None:
        """Something was recorded, or is shown: it is looked at once, a moment later."""
        if self._woken is None:
            self._woken = asyncio.get_running_loop().call_later(AFTER_S, self._look)

    def _look(self) -> None:
        self._woken = None
        self._news.set()
        self._changed.set()

    async def run(self) -> None:
        """Forward until cancelled. Whatever happens to the line, and a defect of ours in it, costs
        the table nothing: it is tried again.
        """
        try:
            while True:
                failed = _first(await self._end_of_line())
                if isinstance(failed, NatsError | OSError | JournalError | sqlite3.Error):
                    await self._failed(failed)
                elif isinstance(failed, Exception):
                    self.link.lost(report("the record is not mirrored to the pit", failed))
                await asyncio.sleep(AGAIN_S)
        finally:
            if self._woken is not None:
                self._woken.cancel()
            await self._source.close()
            if self._pictures is not None:
                self._pictures.close()

    async def _end_of_line(self) -> BaseException | None:
        """Mirror until that ends; what ended it."""
        mirroring = asyncio.ensure_future(self._mirror())
        try:
            await asyncio.wait((mirroring,))
        finally:
            mirroring.cancel()
            await asyncio.wait((mirroring,))
        return mirroring.exception()

    async def _mirror(self) -> None:
        self._client = client = BusClient()
        over = asyncio.Event()

        async def closed() -> None:
            over.set()

        try:
            if self._sent is None:
                await self._begin()
            news = LineNews(self._failed, self._disconnected, self._reconnected, closed)
            await connect(client, self._settings, self._table, news)
            self.link.is_well()
            await client.subscribe(
                subject(self._table, Topic.REFILL), cb=self._refill,
                pending_msgs_limit=REFILLS_WAITING, pending_bytes_limit=REFILLS_WAITING * 1_024,
            )  # fmt: skip
            if self._commands is not None:
                await self._commands.listen(client)
            if self._people is not None:
                await self._people.listen(client)
            if self._pictures is not None:
                await self._pictures.listen(client)
            sender = StreamSender(client)
            await sender.begin()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._forward(sender, client), name="bus records")
                group.create_task(self._tell(client), name="bus status")
                group.create_task(self._announce(client), name="bus head")
                group.create_task(_until(over, LineWatch(client)), name="bus line")
                if self._people is not None:
                    group.create_task(self._people.look(client), name="bus people")
        finally:
            with suppress(NatsError, OSError, TimeoutError):
                async with asyncio.timeout(_STOP_S):
                    await client.close()

    async def _begin(self) -> None:
        """Where the record ends now: what is recorded from here on is sent without being asked."""
        self._news.clear()
        while (found := await self._head()) is None:
            await self._news.wait()
            self._news.clear()
        self._identity, self._sent = found

    async def _failed(self, error: Exception) -> None:
        if isinstance(error, SlowConsumerError):
            return  # requests that waited too long: who asked asks again
        text = str(error) or type(error).__name__
        if subject(self._table, Topic.PICTURES).lower() in text.lower():
            log.warning("bus: %s: write the broker's configuration anew (`tablectl broker`)", text)
            return  # it lets the pit ask for no pictures: nothing else is wrong with the line
        if self.link.since_ms is None:
            log.warning("bus: %s", text)
        self.link.lost(text)

    async def _disconnected(self) -> None:
        assert self._client is not None
        self.link.lost(self._client.why_lost)

    async def _reconnected(self) -> None:
        self.link.is_well()
        self._news.set()
        if self._people is not None:
            self._people.look_again()

    async def _forward(self, sender: StreamSender, client: BusClient) -> None:
        """Send what is recorded, in order: one message is on its way at a time."""
        while True:
            assert self._sent is not None
            self._news.clear()  # before it is looked: what is recorded meanwhile is news
            sent = self._sent
            try:
                rows, at_end = await self._source.after(sent)
            except CannotGoOn as error:
                # The record was put back, or its days are gone: from where it ends now. What the
                # archive lacks of it, it asks for.
                log.warning("bus: %s", error)
                await self._begin()
                continue
            if rows:
                if not client.is_connected or not await self._send(sender, sent, rows):
                    await asyncio.sleep(RETRY_S)
                    continue
                self._sent = Position(rows[-1].seq, rows[-1].hash)
            if at_end:  # else there is more, and nobody has to say so
                await self._news.wait()

    async def _send(self, sender: StreamSender, after: Position, rows: Sequence[Row]) -> bool:
        """Whether the broker has taken these records."""
        sent = batch(self._table, self._identity, after, rows)
        try:
            await sender.send(subject(self._table, Topic.RECORDS), encode(sent), message_id(sent))
        except (NatsError, OSError, TimeoutError) as error:
            # Of a permission that is missing the error callback has heard more.
            self.link.lost(f"the broker takes no records: {str(error) or type(error).__name__}")
            return False
        self.link.is_well()
        return True

    async def _tell(self, client: BusClient) -> None:
        """The status as it changes."""
        loop = asyncio.get_running_loop()
        next_s = loop.time()
        while True:
            await self._changed.wait()
            if (left_s := next_s - loop.time()) > 0:
                await asyncio.sleep(left_s)
            next_s = loop.time() + STATUS_S
            if client.is_connected:
                self._changed.clear()
                seq, status = self._status()
                body = b'{"table":%b,"seq":%d,"at_ms":%d,"status":%b}' % (
                    msgspec.json.encode(self._table), seq, self._clock_ms(), status,
                )  # fmt: skip
                self._say(client, Topic.STATUS, body)

    async def _announce(self, client: BusClient) -> None:
        """How far the record goes, periodically, and the status with it."""
        while True:
            if not client.is_connected:
                await asyncio.sleep(STATUS_S)
                continue
            if (found := await self._head()) is not None:
                identity, head = found
                news = HeadNews(
                    self._table, identity.hex(), mark_of(head), self._clock_ms(), self._software
                )
                self._say(client, Topic.HEAD, encode(news))
            self._changed.set()
            await asyncio.sleep(ANNOUNCE_S)

    def _say(self, client: BusClient, topic: Topic, body: bytes) -> None:
        """Send what nobody has to get: the next one says more."""
        with suppress(NatsError):
            client.say(subject(self._table, topic), body)

    async def _refill(self, asked: Msg) -> None:
        """Answer an archive that asks for records again."""
        try:
            wanted = decode(asked.data, RefillRequest)
            mark, most = position_of(wanted.after), max(1, min(wanted.most, MOST_RECORDS))
            answer = await self._answer(mark, most)
        except (BadMessage, JournalError) as error:
            log.warning("bus: a request for records was not answered: %s", error)
            return
        with suppress(NatsError, OSError):
            await asked.respond(encode(answer))

    async def _answer(self, mark: Position, most: int) -> msgspec.Struct:
        try:
            rows = await self._source.asked(mark, most)
        except CannotGoOn as error:
            found = await self._source.head()
            assert found is not None
            identity, head = found
            return RefillRefused(self._table, identity.hex(), mark_of(head), error.fork, str(error))
        return batch(self._table, self._identity, mark, rows)

    async def _head(self) -> tuple[bytes, Position] | None:
        """Whose record it is and how far it goes; None while it cannot be read, and is said."""
        try:
            return await self._source.head()
        except JournalError as error:
            self.link.lost(str(error))
            await asyncio.sleep(RETRY_S)
            return None


async def _until(over: asyncio.Event, watch: LineWatch) -> None:
    """Raises `nats.errors.Error` once the line is at its end."""
    while not watch.is_over():
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):
                await over.wait()
                break
    raise NatsError("the broker has ended the line")


def _first(failed: BaseException | None) -> BaseException | None:
    """The first of what failed together."""
    while isinstance(failed, BaseExceptionGroup):
        failed = failed.exceptions[0]
    return failed
