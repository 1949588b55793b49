"""What a server of the bus sends, taken apart: messages here, all else by nats-py.

nats-py makes of each message an object, with its headers parsed, and hands it to a task. Of a
thousand tables ten thousand messages a second come to a pit, which wants of them a subject and a
body: what is heard at once is called in the turn in which it comes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

from nats.errors import ProtocolError
from nats.protocol.parser import Parser

log: Final = logging.getLogger(__name__)

#: What bytes of others raise in nats-py that are no line, no header and no text.
GARBLED: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
#: What comes of one message at most: NATS takes 1 MiB, unless its server is set to more.
MOST_BYTES: Final = 8_000_000

#: A line with which a server says something; its greeting names all servers of a cluster.
MOST_LINE_BYTES: Final = 65_536

#: Of an error's text, which may have all of what came.
_MOST_SAID: Final = 200
_LINE_END: Final = b"\r\n"
#: The line before a message: subject, number of the subscription, where an answer is wanted, how
#: long its headers are, where it has any, and how long it is with them. What a server says of its
#: own has two blanks where no answer is wanted.
_WITHOUT: Final = re.compile(
    rb"MSG[ \t]+(\S+)[ \t]+(\d{1,10})[ \t]+(?:(\S+)[ \t]+)?()(\d{1,10})\r\n"
)  # fmt: skip
_WITH: Final = re.compile(
    rb"HMSG[ \t]+(\S+)[ \t]+(\d{1,10})[ \t]+(?:(\S+)[ \t]+)?(\d{1,10})[ \t]+(\d{1,10})\r\n"
)  # fmt: skip
#: What else a server says.
_LINE: Final = re.compile(rb"(INFO|PING|PONG|\+OK|-ERR)(?:[ \t]+(.*))?", re.DOTALL)


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
        self._lines = Parser(client)
        super().__init__(client)
        self._other = other
        self._at_once = at_once

    def reset(self) -> None:
        """A new connection begins, with nothing of the one before."""
        super().reset()
        self._lines.reset()

    async def parse(self, data: bytes = b"") -> None:
        """Raises `nats.errors.ProtocolError`: the client begins a new connection."""
        self.buf.extend(data)
        try:
            await self._take_all(self.buf)
        except GARBLED as error:
            # nats-py would read no more, and notice that half a minute later.
            said = f"{type(error).__name__}: {error}"
            log.warning("bus: the server says what no server says (%s)", said[:_MOST_SAID])
            raise ProtocolError from error

    async def _take_all(self, buffer: bytearray) -> None:
        """Take all that is whole. Whoever awaits may find another buffer in `buf` after it: a
        connection that was lost meanwhile.
        """
        while await self._take_messages(buffer):
            end = buffer.find(_LINE_END, 0, MOST_LINE_BYTES)
            if end < 0:
                if len(buffer) >= MOST_LINE_BYTES:
                    raise ProtocolError
                return
            line = bytes(buffer[:end])
            del buffer[: end + len(_LINE_END)]
            await self._take_line(line)
        if len(buffer) > MOST_BYTES:
            raise ProtocolError

    async def _take_messages(self, buffer: bytearray) -> bool:
        """Take every whole message with which the buffer begins; whether the rest of it begins with
        something else: False where a message is not whole yet.
        """
        at = 0
        try:
            while line := _WITHOUT.match(buffer, at) or _WITH.match(buffer, at):
                subject, number, reply, header_bytes, all_bytes = line.groups()
                begin = line.end()
                body = begin + int(header_bytes or 0)
                stop = begin + int(all_bytes)
                if body > stop:
                    raise ProtocolError  # its headers would be those of the next one
                if len(buffer) < stop + len(_LINE_END):
                    return False
                at = stop + len(_LINE_END)
                come = subject, reply or b"", bytes(buffer[body:stop]), bytes(buffer[begin:body])
                if (take := self._at_once.get(int(number))) is not None:
                    take(HeardMessage(*come))
                else:
                    await self._other(int(number), *come)
            return True
        finally:
            del buffer[:at]

    async def _take_line(self, line: bytes) -> None:
        """All that a server says besides messages is nats-py's: of one blank, since its pattern for
        what follows INFO takes minutes for as many as a line may have.
        """
        if (found := _LINE.fullmatch(line)) is None:
            raise ProtocolError
        await self._lines.parse(b" ".join(found.groups(b"")) + _LINE_END)
        if self._lines.buf:
            raise ProtocolError  # it waits for more of a line that is whole
