"""What a server of the bus sends, taken apart: whole messages here, all else by nats-py.

nats-py makes of each message an object, with its headers parsed, and hands it to a task. Of a
thousand tables ten thousand messages a second come to a pit, which wants of them a subject and a
body: what is heard at once is called in the turn in which it comes.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

from nats.errors import ProtocolError
from nats.protocol.parser import AWAITING_CONTROL_LINE, Parser

#: What comes of one message at most: NATS takes 1 MiB, unless its server is set to more.
MOST_BYTES: Final = 8_000_000

_LINE_END: Final = b"\r\n"
#: The line before a message: subject, number of the subscription, where an answer is wanted, how
#: long its headers are, where it has any, and how long it is with them. What a server says of its
#: own has two blanks where no answer is wanted.
_WITHOUT: Final = re.compile(rb"MSG +(\S+) +(\d+) +(?:(\S+) +)?()(\d+)\r\n")
_WITH: Final = re.compile(rb"HMSG +(\S+) +(\d+) +(?:(\S+) +)?(\d+) +(\d+)\r\n")


class HeardMessage(NamedTuple):
    """A message as it came; `reply` is where an answer is wanted, empty: nowhere."""

    subject: bytes
    reply: bytes
    body: bytes
    headers: bytes


TakeMessage = Callable[[HeardMessage], None]
"""Takes a message in the turn in which it comes: it waits for nothing, and raises nothing."""


class BoundedParser(Parser):
    """Holds no more of a message than `MOST_BYTES`, however long the server says that it is.

    `at_once` are those who take messages, by the numbers of their subscriptions; `other` takes
    those of all others.
    """

    def __init__(
        self,
        client: object,
        other: Callable[..., Awaitable[None]],
        at_once: Mapping[int, TakeMessage],
    ) -> None:
        super().__init__(client)
        self._other = other
        self._at_once = at_once

    async def parse(self, data: bytes = b"") -> None:
        """Raises `nats.errors.ProtocolError`: the client begins a new connection."""
        self.buf.extend(data)
        if self.state != AWAITING_CONTROL_LINE or not await self._take_messages():
            await super().parse()
        if len(self.buf) > MOST_BYTES:
            raise ProtocolError

    async def _take_messages(self) -> bool:
        """Take every whole message with which the buffer begins; whether the rest of it begins one
        that is not whole yet, so that there is nothing for nats-py to read.
        """
        # Whoever awaits may find another buffer after it: a connection that was lost meanwhile.
        buffer, at = self.buf, 0
        try:
            while line := _WITHOUT.match(buffer, at) or _WITH.match(buffer, at):
                subject, number, reply, header_bytes, all_bytes = line.groups()
                begin = line.end()
                body = begin + int(header_bytes or 0)
                stop = begin + int(all_bytes)
                if len(buffer) < stop + len(_LINE_END):
                    return True
                at = stop + len(_LINE_END)
                come = subject, reply or b"", bytes(buffer[body:stop]), bytes(buffer[begin:body])
                if (take := self._at_once.get(int(number))) is not None:
                    take(HeardMessage(*come))
                else:
                    await self._other(int(number), *come)
            return False
        finally:
            del buffer[:at]
