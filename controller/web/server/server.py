"""The web's server: uvicorn inside our loop, with a bound on everything that somebody may take.

Uvicorn has no limit on how long a request's head or body may take, none on how long a reader may
read nothing, and accepts connections until the process has no descriptor left. Here connections
are taken a few at a time, from a counted number of slots (`connections.py`); a request has to be
whole in time; who reads nothing is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
from collections.abc import Iterator
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from controller.web.server.arrivals import StampedSocket
from controller.web.server.connections import Activity, Connections, Slot
from controller.web.server.listening import start_listening

log: Final = logging.getLogger(__name__)

#: A request must be whole this long after its connection was made, or after the last answer.
REQUEST_S: Final = 10.0
#: The same for connections that had the token: a display keeps its own open between two presses.
TRUSTED_REQUEST_S: Final = 120
#: Whoever has taken nothing for this long of what was sent is dropped.
STALL_S: Final = 20.0
#: What the kernel holds back for a slow reader; the rest waits in the process, 64 KiB at most.
SEND_BUFFER_BYTES: Final = 65_536
#: Connections accepted at a time, and at most in a second: cards go on between them.
ACCEPT_AT_ONCE: Final = 8
ACCEPTS_PER_S: Final = 200.0
#: How long nothing is accepted where the system has no descriptor left.
NO_DESCRIPTOR_S: Final = 1.0
#: Where a request finds its connection in the ASGI scope.
EXTENSION: Final = "tablectl.connection"
_NO_DESCRIPTOR: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class BoundedProtocol(H11Protocol):
    """One connection, with a bound on the time that a request and a stalled send may take."""

    def __init__(
        self, slots: Connections, slot: Slot, line: StampedSocket, *arguments: Any, **named: Any
    ) -> None:
        super().__init__(*arguments, **named)
        self._line = line
        #: The request that is answered now, and when the last of it reached the machine.
        self._whole: RequestResponseCycle | None = None
        self._arrived_ns = 0
        self._slots = slots
        self._slot = slot
        self._request_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._slot.connection = transport
        if self._slot not in self._slots:
            transport.abort()  # its slot went to another one before it was made
        self._await_request()

    @property
    def arrived_ns(self) -> int:
        """When the last of the request that is answered now reached the machine, by the monotonic
        clock.
        """
        return self._arrived_ns or self._line.arrived_ns

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the slot back."""
        self._slots.leave(self._slot)
        for timer in (self._request_timer, self._stall_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take what came; note whether a request is whole."""
        before = self.scope
        super().handle_events()
        if self.scope is not before:
            # Set before the request's task runs: it begins in the loop's next turn.
            self.scope["extensions"] = {EXTENSION: {"connection": self}}
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle is not self._whole and not cycle.more_body:
            # What comes after it, the end of the line too, is no part of it.
            self._whole, self._arrived_ns = cycle, self._line.arrived_ns
        if self._slot.activity is not Activity.WAITING or cycle is None:
            return
        if not (cycle.response_complete or cycle.more_body):
            self._slots.does(self._slot, Activity.ASKING)
            if self._request_timer is not None:
                self._request_timer.cancel()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, unless an answer was begun; the request before it is over.

        Its own answer would be an error in the log, for each line that anybody sends.
        """
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._slots.does(self._slot, Activity.WAITING)
        # Where the answer ends the connection, what was sent must be taken within that time too.
        self._await_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Nothing more fits on the way to the reader."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(STALL_S, self.transport.abort)

    def resume_writing(self) -> None:
        """The reader has read."""
        super().resume_writing()
        if self._stall_timer is not None:
            self._stall_timer.cancel()

    def trust(self) -> None:
        """The request had the table's token: this connection is among the last to go."""
        self._slot.trusted = True
        self.timeout_keep_alive = TRUSTED_REQUEST_S

    def look(self) -> None:
        """The request is for a stream: it goes on until one end leaves."""
        self._slots.does(self._slot, Activity.LOOKING)

    def _await_request(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
        within_s = TRUSTED_REQUEST_S if self._slot.trusted else REQUEST_S
        self._request_timer = self.loop.call_later(within_s, self.transport.abort)


def connection_of(scope: Scope) -> BoundedProtocol | None:
    """The connection that a request came by; None where it came by none, as in a test."""
    found: BoundedProtocol | None = scope.get("extensions", {}).get(EXTENSION, {}).get("connection")
    return found


class WebServer(uvicorn.Server):
    """Serves one app from `slots`; signals are left alone, and `up` is set once it answers."""

    def __init__(
        self, app: ASGIApp, slots: Connections, stop_s: int, tls: ssl.SSLContext | None = None
    ) -> None:
        """`stop_s`: how long viewers may take to go when it stops; `tls`: with what it encrypts."""
        super().__init__(
            uvicorn.Config(
                app, log_config=None, access_log=False, lifespan="off", ws="none",
                server_header=False, timeout_graceful_shutdown=stop_s,
            )
        )  # fmt: skip
        self.up = asyncio.Event()
        self.slots = slots
        self.tls = tls
        self._doors: list[_Door] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer at `sockets`, which are bound."""
        await self.lifespan.startup()
        self.servers = []
        self._doors = [_Door(self, each) for each in sockets or []]
        for door in self._doors:
            door.open()
        self.started = True
        self.up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, and let the open connections end."""
        for door in self._doors:
            door.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield

    def protocol(self, slot: Slot, line: StampedSocket) -> BoundedProtocol:
        """The protocol of a new connection."""
        return BoundedProtocol(
            self.slots, slot, line, config=self.config, server_state=self.server_state,
            app_state=self.lifespan.state,
        )  # fmt: skip


class _Door:
    """A listening socket: accepts a few at a time, and no more in a second than the table bears."""

    def __init__(self, server: WebServer, listening: socket.socket) -> None:
        self._server = server
        self._listening = listening
        self._loop = asyncio.get_running_loop()
        self._entering: set[asyncio.Task[None]] = set()
        self._later: asyncio.TimerHandle | None = None
        self._credit = float(ACCEPT_AT_ONCE)
        self._counted_s = self._loop.time()

    def open(self) -> None:
        """Begin to accept."""
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        # asyncio sets it on sockets made for TCP by name only: without it an answer waits 40 ms
        # for the acknowledgement of its own head.
        self._listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._listening.setblocking(False)
        start_listening(self._listening)
        self._resume()

    def close(self) -> None:
        """Accept nobody more."""
        if self._later is not None:
            self._later.cancel()
        self._loop.remove_reader(self._listening)

    def _resume(self) -> None:
        self._loop.add_reader(self._listening, self._accept)

    def _pause(self, for_s: float) -> None:
        self._loop.remove_reader(self._listening)
        self._later = self._loop.call_later(for_s, self._resume)

    def _accept(self) -> None:
        now_s = self._loop.time()
        earned = (now_s - self._counted_s) * ACCEPTS_PER_S
        self._credit, self._counted_s = min(ACCEPT_AT_ONCE, self._credit + earned), now_s
        while self._credit >= 1:
            try:
                accepted, address = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _NO_DESCRIPTOR:
                    raise
                log.error("no connection is accepted for a while: %s", error.strerror)
                self._pause(NO_DESCRIPTOR_S)
                return
            self._credit -= 1
            self._enter(accepted, str(address[0]))
        # The others wait in the kernel: cards go on meanwhile.
        self._pause((1 - self._credit) / ACCEPTS_PER_S)

    def _enter(self, accepted: socket.socket, address: str) -> None:
        accepted.setblocking(False)
        slot = self._server.slots.enter(address)
        if slot is None:
            accepted.close()
            return
        task = self._loop.create_task(self._connect(accepted, slot))
        slot.connection = _Entering(task)
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)

    async def _connect(self, accepted: socket.socket, slot: Slot) -> None:
        line = StampedSocket.of(accepted)
        try:
            tls = self._server.tls
            await self._loop.connect_accepted_socket(
                lambda: self._server.protocol(slot, line), line, ssl=tls,
                ssl_handshake_timeout=None if tls is None else REQUEST_S,
            )  # fmt: skip
        except (OSError, asyncio.CancelledError):
            line.close()
            self._server.slots.leave(slot)


class _Entering:
    """A connection that is not made yet: a handshake may be as slow as the other end likes."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def abort(self) -> None:
        """Make it no more."""
        self._task.cancel()
