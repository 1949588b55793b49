"""A table's answers to its pit, which asks for the pictures of the cards of a round.

The table gives what lies face up by its own record, as that is on the disk, and nothing else,
whoever asks. It reads in a thread of its own, one request at a time: the loop deals on, also where
a disk answers nobody, and whoever asks meanwhile is told so.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.bus.command_desk import Bucket
from controller.bus.connection import BusClient
from controller.bus.messages import (
    MOST_BYTES,
    MOST_PICTURES,
    BadMessage,
    CardPicture,
    CardPictures,
    PicturesRefused,
    PicturesRequest,
    Topic,
    decode,
    encode,
    subject,
)
from controller.bus.server_conf import PIT, inbox
from controller.host.defects import report
from controller.record.codec import CodecError, Decoder
from controller.record.files.database import JournalError
from controller.record.reading.record_tail import CannotGoOn, RecordTail
from controller.record.reading.round_pictures import MOST_RECORDS, pictures_shown
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.facts import Record

log: Final = logging.getLogger(__name__)

#: The table answers within this time, or says that it cannot now.
ANSWER_S: Final = 4.0
#: Requests beyond this many that wait are dropped; the pit asks again.
WAITING: Final = 4
#: No request is longer: the names of the pictures, and some words.
MOST_ASKED_BYTES: Final = MOST_PICTURES * 80 + 1_000
#: This many requests in a row are answered, and one more in this many seconds.
ANSWERED: Final = (8, 0.5)
#: So many bytes of pictures go in a message: in base64 a third more.
_MOST_AT_ONCE: Final = MOST_BYTES * 3 // 4 - 20_000
#: A few records at a time: between two readings the table's own thread has its turn.
_AT_ONCE: Final = 20
_TO_PIT: Final = f"{inbox(PIT)}."

BUSY: Final = "it still reads what it was asked for before, or is asked too often"
SLOW: Final = "its disk does not answer in time"
DAY_GONE: Final = "the day of that round is no longer in its record"
OTHER_RECORD: Final = "its record does not go as far as that round: it was put back to an older one"

Kept = Callable[[str], bytes | None]
"""The picture of that name, checked; None: it is not kept any more. Blocks."""


class PictureDesk:
    """Answers for the table called `table`, whose record lies in `folder`; `kept` has its pictures.

    Until it is closed.
    """

    def __init__(
        self, table: str, folder: Path, kept: Kept,
        clock_s: Callable[[], float] = time.monotonic, answer_s: float = ANSWER_S,
    ) -> None:  # fmt: skip
        self._table = table
        self._folder = folder
        self._kept = kept
        self._bucket = Bucket(*ANSWERED, clock_s)
        self._answer_s = answer_s
        self._thread = ThreadPoolExecutor(1, "tablectl-pictures")
        self._reading: asyncio.Future[CardPictures | PicturesRefused] | None = None

    async def listen(self, client: BusClient) -> None:
        """Answer what comes over this line from now on."""
        await client.subscribe(
            subject(self._table, Topic.PICTURES), cb=self._came,
            pending_msgs_limit=WAITING, pending_bytes_limit=WAITING * MOST_ASKED_BYTES,
        )  # fmt: skip

    def close(self) -> None:
        """Read nothing any longer."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _came(self, asked: Msg) -> None:
        if not asked.reply.startswith(_TO_PIT):
            return  # under a table's own subject an answer would be its status, or a record
        try:
            await asked.respond(encode(await self.answer(asked.data)))
        except (NatsError, OSError) as error:
            log.warning("bus: pictures did not go out: %s", error)
        except Exception as error:  # noqa: BLE001  (whatever it is, the line and the table go on)
            # Its text may name a card: the client would show it as what is wrong with the line.
            report("a request for pictures was not answered", error)

    async def answer(self, body: bytes) -> CardPictures | PicturesRefused:
        """The answer to a message."""
        if len(body) > MOST_ASKED_BYTES:
            return self._refused("this is no request for pictures")
        if not self._bucket.lets() or (self._reading is not None and not self._reading.done()):
            return self._refused(BUSY)
        try:
            wanted = decode(body, PicturesRequest)
        except BadMessage:
            return self._refused("this is no request for pictures")
        loop = asyncio.get_running_loop()
        self._reading = loop.run_in_executor(self._thread, self._read, wanted)
        # What comes of a late one is told nobody: asyncio would print all of it.
        self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())
        done, _ = await asyncio.wait((self._reading,), timeout=self._answer_s)
        return self._reading.result() if done else self._refused(SLOW)

    def _refused(self, why: str) -> PicturesRefused:
        return PicturesRefused(self._table, why)

    # In the thread

    def _read(self, wanted: PicturesRequest) -> CardPictures | PicturesRefused:
        try:
            shown = {each.name for each in pictures_shown(self._records(wanted), wanted.round)}
        except CannotGoOn as error:
            return self._refused(OTHER_RECORD if error.fork else DAY_GONE)
        except (JournalError, CodecError, OSError, sqlite3.Error) as error:
            # What a record says may be of a hidden card: of errors the kind alone.
            log.warning("bus: pictures of round %d: %s", wanted.round, type(error).__name__)
            return self._refused("its record cannot be read: look at its status page")
        found: list[CardPicture] = []
        gone: list[str] = []
        room = _MOST_AT_ONCE
        asked = list(dict.fromkeys(wanted.names))
        for name in asked:
            if name not in shown:
                continue
            jpeg = self._kept(name)
            if jpeg is None or len(jpeg) > _MOST_AT_ONCE:
                gone.append(name)
                continue
            room -= len(jpeg)
            if room < 0:
                break
            found.append(CardPicture(name, jpeg))
            time.sleep(0)
        held_back = tuple(each for each in asked if each not in shown)
        return CardPictures(self._table, tuple(found), tuple(gone), held_back)

    def _records(self, wanted: PicturesRequest) -> Iterator[Record]:
        """The records of a round, to its end. Raises `CannotGoOn`, `JournalError`, `CodecError`."""
        decode_record = Decoder(_no_opening).decode
        with closing(RecordTail(self._folder)) as tail:
            at = tail.position(max(wanted.first - 1, 0))
            for _ in range(MOST_RECORDS // _AT_ONCE):
                rows = tail.after(at, _AT_ONCE)
                for row in rows:
                    record = decode_record(row.seq, row.version, row.body)
                    yield record
                    if isinstance(record.fact, f.RoundEnded | f.RoundVoided):
                        return
                if not rows:
                    return
                at = type(at)(rows[-1].seq, rows[-1].hash)
                time.sleep(0)


def _no_opening(_digest: str) -> Sealed | None:
    """What lies face down is nothing that this could tell."""
    return None
