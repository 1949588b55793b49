"""How a client of the bus connects: a table's line and a pit's alike."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import ConnectionClosedError, MaxPayloadError
from nats.errors import Error as NatsError

from controller.bus.parser import GARBLED, BoundedParser, HeardMessage, TakeMessage
from controller.bus.server_conf import inbox
from controller.config.bus_section import BusSection
from controller.rules.frozen import frozen

log: Final = logging.getLogger(__name__)

#: Seconds between two tries, for one try, and between two questions whether the server is there.
RETRY_S: Final = 2
_CONNECT_S: Final = 3
_PING_S: Final = 10
#: A client that is not connected for this long is given up for a new one: what its server said may
#: have ended its tries, and certificates may have been renewed, which a client reads once.
AWAY_S: Final = 60.0
#: What the client raises where the line is lost, or where a server says what no server says.
LINE_ERRORS: Final = (NatsError, OSError, ValueError, LookupError, TypeError, AttributeError)


class BusClient(Client):
    """A NATS client that speaks to no server in plain text where TLS is configured.

    nats-py begins TLS only if the server's greeting, which crosses in plain text, asks for it:
    whoever sits on the way leaves that out, and is sent the password and every record.

    Whoever is cancelled while it asks something is cancelled: nats-py waits by `asyncio.wait_for`,
    which on Python 3.11 forgets that where the answer comes in the same moment. What asks again and
    again would then never end, and neither would its service.
    """

    def __init__(self) -> None:
        super().__init__()
        self._at_once: dict[int, TakeMessage] = {}
        self._ps = BoundedParser(self, self._process_msg, self._at_once)
        #: What is to be written at the end of this turn of the loop.
        self._said: list[bytes] = []

    def say(self, to: str, body: bytes, reply: str = "", headers: bytes = b"") -> None:
        """Send a message, together with all that is said in this turn of the loop.

        `publish` makes the same of it and has two tasks take turns for each. Raises
        `nats.errors.Error`: it is not sent.
        """
        if not self.is_connected:
            raise ConnectionClosedError
        if len(headers) + len(body) > self.max_payload:
            raise MaxPayloadError
        if not self._said:
            asyncio.get_running_loop().call_soon(self._write_said)
        if headers:
            size = len(headers) + len(body)
            line = f"HPUB {to} {reply} {len(headers)} {size}\r\n"
        else:
            line = f"PUB {to} {reply} {len(body)}\r\n"
        self._said += (line.encode(), headers, body, b"\r\n")

    def _write_said(self) -> None:
        """A line that was lost meanwhile is sent nothing: whoever waits for an answer gets none."""
        said, self._said = b"".join(self._said), []
        if self.is_connected and self._transport is not None:
            self._transport.write(said)

    async def hear_at_once(self, to: str, take: TakeMessage) -> Subscription:
        """Subscribe: `take` gets each message in the turn in which it comes.

        Whoever asks for what comes does so when this has returned: what comes before is passed
        over.
        """
        heard = await self.subscribe(to, cb=_too_early)
        self._at_once[_number(heard)] = take
        return heard

    async def hear_no_more(self, heard: Subscription) -> None:
        """End such a subscription. Raises `nats.errors.Error`, `OSError`."""
        del self._at_once[_number(heard)]
        await heard.unsubscribe()

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        """Raises `nats.errors.Error` for a greeting without TLS, before anything is sent."""
        wants_tls = self.options.get("tls") is not None
        if initial_connection and wants_tls and info.get("tls_required") is not True:
            raise NatsError("the server, or somebody on the way to it, offers no TLS")
        await super()._process_info(info, initial_connection)

    async def _process_msg(
        self, number: int, to: bytes, reply: bytes, body: bytes, headers: bytes
    ) -> None:
        """Also of what the parser leaves to nats-py, some is heard at once."""
        if (take := self._at_once.get(number)) is not None:
            take(HeardMessage(to, reply, body, headers or b""))  # None: it has none
        else:
            await super()._process_msg(number, to, reply, body, headers)

    async def _process_headers(self, headers: Any) -> dict[str, str] | None:
        """None for bytes that are no headers, whoever sent them: the message stays one."""
        try:
            return await super()._process_headers(headers)
        except GARBLED:
            return None

    def _build_message(self, *of: Any) -> Msg | None:
        """None for a subject that is no text: the message is passed over.

        An error here would end what reads the connection, and nobody would be told.
        """
        try:
            made: Msg = super()._build_message(*of)
        except GARBLED:
            return None
        return made

    @property
    def why_lost(self) -> str:
        """That the connection is lost, and what the server or the network said."""
        said = str(self.last_error or "")
        return f"the connection is lost ({said})" if said else "the connection is lost"

    async def request(self, *asked: Any, **options: Any) -> Msg:
        """The answer to a request, as `Client.request`; questions to JetStream come here, too."""
        try:
            return await super().request(*asked, **options)
        finally:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError


def _number(subscription: Subscription) -> int:
    """By which the server names a subscription."""
    return int(subscription._id)  # noqa: SLF001  (nats-py says it nowhere else)


async def _too_early(_message: Msg) -> None:
    """Nobody has asked for anything yet."""


@frozen
class LineNews:
    """Who is informed of what happens to a connection.

    `closed`: it is at its end, and the client makes no other by itself: the server has put it out,
    as it does when the user's password is changed there.
    """

    failed: Callable[[Exception], Awaitable[None]]
    disconnected: Callable[[], Awaitable[None]]
    reconnected: Callable[[], Awaitable[None]]
    closed: Callable[[], Awaitable[None]]


class LineWatch:
    """Notices a client that does not come back by itself: closed, or away for too long."""

    def __init__(self, client: BusClient) -> None:
        self._client = client
        self._away_since_s: float | None = None

    def is_over(self) -> bool:
        """Whether a new one has to be made; to be asked every few seconds."""
        if self._client.is_connected:
            self._away_since_s = None
            return False
        now_s = asyncio.get_running_loop().time()
        if self._away_since_s is None:
            self._away_since_s = now_s
        return self._client.is_closed or now_s - self._away_since_s >= AWAY_S


class _PasswordFile:
    """The password as it stands in a file now: one that is changed is used at the next connection,
    and nothing has to be started again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = ""

    def read(self) -> str:
        """Raises `OSError`."""
        self._last = self._path.read_text(encoding="utf-8").strip()
        return self._last

    def __call__(self) -> str:
        """It, or the last one that could be read: that may be good still."""
        try:
            return self.read()
        except (OSError, UnicodeDecodeError) as error:
            log.warning("bus: the password file cannot be read: %s", error)
            return self._last


async def connect(client: BusClient, settings: BusSection, user: str, news: LineNews) -> None:
    """Connect; the client comes back by itself whenever it was lost, but not where the server ended
    it (`LineNews.closed`).

    `user` is whose answers it waits for (`inbox`). Raises `OSError` for files that cannot be read,
    `TimeoutError` after `AWAY_S`: whoever tries again reads the certificates anew;
    `nats.errors.Error`.
    """
    password = None
    if settings.password_file is not None:
        password = _PasswordFile(settings.password_file)
        await asyncio.to_thread(password.read)
    async with asyncio.timeout(AWAY_S):
        await client.connect(
            list(settings.servers), name=f"tablectl {user}", tls=settings.context(),
            max_reconnect_attempts=-1, reconnect_time_wait=RETRY_S, connect_timeout=_CONNECT_S,
            ping_interval=_PING_S, inbox_prefix=inbox(user), error_cb=news.failed,
            disconnected_cb=news.disconnected, reconnected_cb=news.reconnected,
            closed_cb=news.closed, user=settings.user or None, password=password,
        )  # fmt: skip
