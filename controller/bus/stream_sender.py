"""Records to the broker's stream, one message at a time, each until the broker says that it has it.

Not by `JetStreamContext.publish`: the objects that nats-py makes of an answer, and the task to
which it hands them, cost a table more than all else of a message.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from nats.errors import Error as NatsError

from controller.bus.connection import BusClient
from controller.bus.messages import STREAM, UNREADABLE
from controller.bus.parser import HeardMessage

#: The broker says within this time that it has a message; else it is tried again.
ACK_S: Final = 5.0
#: Of why it does not take a message, as pages and logs say it.
_MOST_SAID: Final = 200


class _StreamRefusal(msgspec.Struct, frozen=True):
    """Why the broker does not take a message."""

    code: int = 0
    description: str = ""


class _StreamAnswer(msgspec.Struct, frozen=True):
    """What the broker says of a message: under which number which stream has it, or an error."""

    error: _StreamRefusal | None = None
    stream: str = ""
    seq: int = 0


_ANSWERS: Final = msgspec.json.Decoder(_StreamAnswer)
#: What goes before a message, by whose identity the broker tells what came twice.
_HEADERS: Final = b"NATS/1.0\r\nNats-Msg-Id: %b\r\n\r\n"


class StreamSender:
    """Sends over `client`, as soon as it has begun."""

    def __init__(self, client: BusClient) -> None:
        self._client = client
        self._inbox = client.new_inbox()
        self._number = 0
        #: What waits for its answer, where that goes, and until when.
        self._waits: asyncio.Future[None] | None = None
        self._reply = ""
        self._until_s = 0.0
        #: One for all messages: each would leave another that is never needed.
        self._looks: asyncio.TimerHandle | None = None

    async def begin(self) -> None:
        """Hear answers. Raises `nats.errors.Error`, `OSError`."""
        await self._client.hear_at_once(f"{self._inbox}.*", self._answered)

    async def send(self, to: str, body: bytes, identity: str) -> None:
        """Send a message; returns when the broker has it. What comes twice under an identity within
        its window it drops.

        Raises `nats.errors.Error`, `TimeoutError`: it may have it all the same.
        """
        loop = asyncio.get_running_loop()
        self._number += 1
        self._reply = f"{self._inbox}.{self._number}"
        self._client.say(to, body, self._reply, _HEADERS % identity.encode())
        self._until_s = loop.time() + ACK_S
        if self._looks is None:
            self._looks = loop.call_at(self._until_s, self._look)
        self._waits = loop.create_future()
        try:
            await self._waits
        finally:
            self._waits = None

    def _look(self) -> None:
        """Whether what waits has waited for too long."""
        self._looks = None
        waits, loop = self._waits, asyncio.get_running_loop()
        if waits is None or waits.done():
            return
        if loop.time() < self._until_s:
            self._looks = loop.call_at(self._until_s, self._look)
        else:
            waits.set_exception(TimeoutError("it does not answer"))

    def _answered(self, message: HeardMessage) -> None:
        """An answer that comes too late is none to what waits now."""
        waits = self._waits
        if waits is None or waits.done() or message.subject != self._reply.encode():
            return
        if error := _refused(message):
            waits.set_exception(error)
        else:
            waits.set_result(None)


def _refused(message: HeardMessage) -> NatsError | None:
    """Why the broker has not taken it; None: it has."""
    if not message.body:  # the server, for nobody
        return NatsError("it has no buffer for them")
    try:
        answer = _ANSWERS.decode(message.body)
    except UNREADABLE:
        return NatsError("it answers what no broker does")
    if answer.error is not None:
        said = "".join(filter(str.isprintable, answer.error.description[:_MOST_SAID]))
        return NatsError(f"{said} ({answer.error.code})")
    if answer.stream != STREAM or answer.seq < 1:
        # Whoever else hears the subject may answer: only what is kept for the archive is sent.
        return NatsError(f"it does not say that {STREAM} has them")
    return None
