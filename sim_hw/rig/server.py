"""The rig on the network: one bench at a time, bounded lines, and edges as they come."""

from __future__ import annotations

import queue
import socket
import socketserver
import threading
from contextlib import suppress
from typing import Final

from . import protocol
from .protocol import GREETING, LINE_MAX, RigError
from .rig import Rig
from .settings import RigSettings

#: How long a bench may take to say hello, or to send the rest of what it began.
HELLO_S: Final = 5.0
#: How long a bench waits for the one before it, which may be about to hang up.
TAKEN_S: Final = 1.0
#: Edges and answers that wait to be sent; what comes beyond is counted and reported as lost.
WAITING_MAX: Final = 10_000
#: A bench that is silently gone, or reads no longer, is noticed after about half a minute.
KEEP_ALIVE: Final = {
    "TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 30_000,
}  # fmt: skip


class Outbox:
    """What is to be sent to the bench, in order, by a thread of its own."""

    def __init__(self, to: socket.socket) -> None:
        self._to = to
        self._waiting: queue.Queue[bytes | None] = queue.Queue(WAITING_MAX)
        self._lost = 0
        self._counting = threading.Lock()
        self._thread = threading.Thread(target=self._send, name="rig-outbox", daemon=True)
        self._thread.start()

    def event(self, line: str) -> None:
        """Send an event, or count it as lost; never waits."""
        try:
            self._waiting.put_nowait(line.encode("ascii") + b"\n")
        except queue.Full:
            with self._counting:
                self._lost += 1

    def answer(self, line: str, raw: bytes = b"") -> None:
        """Send an answer; waits for room."""
        text = line.encode("ascii", errors="backslashreplace")[: LINE_MAX - 1]
        self._waiting.put(text.replace(b"\n", b" ") + b"\n" + raw)

    def close(self) -> None:
        """Send what waits, and end."""
        self._waiting.put(None)
        self._thread.join(HELLO_S)

    def _send(self) -> None:
        gone = False
        while (data := self._waiting.get()) is not None:
            with self._counting:
                lost, self._lost = self._lost, 0
            if lost:
                data = protocol.lost(lost).encode() + b"\n" + data
            if not gone:
                try:
                    self._to.sendall(data)
                except OSError:
                    gone = True  # the reader notices; what still comes is thrown away


class Server(socketserver.ThreadingTCPServer):
    """Listens, and lets one bench at a time at the rig."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, settings: RigSettings) -> None:
        self.outbox: Outbox | None = None
        self.taken = threading.Lock()
        self.rig = Rig(settings, self._on_edge, self._on_heard, self._on_away)
        super().__init__((settings.host, settings.port), Bench)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def _on_edge(self, at_ns: int, line: str, level: int) -> None:
        self._tell(protocol.edge(at_ns, line, level))

    def _on_heard(self, at_ns: int, line: str, data: bytes) -> None:
        self._tell(protocol.heard(at_ns, line, data))

    def _on_away(self, at_ns: int, line: str) -> None:
        self._tell(protocol.away(at_ns, line))

    def _tell(self, event: str) -> None:
        outbox = self.outbox
        if outbox is not None:
            outbox.event(event)


class Bench(socketserver.StreamRequestHandler):
    """One bench, from its greeting until it hangs up."""

    server: Server
    timeout = HELLO_S

    def handle(self) -> None:
        """Answer until the bench has gone, breaks the protocol, or is one too many."""
        # A bench may go away at any moment; then there is nobody to report to.
        with suppress(OSError):
            if not self.server.taken.acquire(timeout=TAKEN_S):
                self.wfile.write(b"busy: another bench has this rig\n")
                return
            try:
                self._talk()
            finally:
                self.server.taken.release()

    def _talk(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE.items():
            self.connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        outbox = Outbox(self.connection)
        try:
            outbox.answer(GREETING)
            if self._answer(outbox, greeted=False):
                self.connection.settimeout(None)
                self.server.outbox = outbox
                while self._answer(outbox, greeted=True):
                    pass
        finally:
            self.server.outbox = None
            with suppress(RigError):  # the pins themselves are lost: the next request says so
                self.server.rig.hands_off()
            outbox.close()

    def _answer(self, outbox: Outbox, *, greeted: bool) -> bool:
        """Take one request and answer it; whether the bench may go on."""
        line = self.rfile.readline(LINE_MAX + 1)
        if not line.endswith(b"\n"):
            if line:
                outbox.answer(protocol.refused("0", f"a line has at most {LINE_MAX} bytes"))
            return False
        number = "0"
        try:
            asked = protocol.request(line.strip())
            number = asked.number
            if not greeted and asked.verb != "hello":
                raise RigError(f"say hello first: '1 hello {protocol.VERSION}'")
            values, raw = self.server.rig.do(asked, self._read)
        except RigError as error:
            outbox.answer(protocol.refused(number, str(error)))
            return greeted
        outbox.answer(protocol.done(number, *values), raw)
        return True

    def _read(self, size: int) -> bytes:
        self.connection.settimeout(HELLO_S)
        data = self.rfile.read(size)
        self.connection.settimeout(None)
        if len(data) != size:
            raise RigError("the bench hung up in the middle of a picture")
        return data
