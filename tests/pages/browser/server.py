"""A tiny local server that shows the pages recorded pictures and writes down what they send."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from controller.languages.translation import Translation
from controller.odds.live.leak_watch import ALARM
from controller.table.views.chips_view import ChipsView
from controller.web.api.expected import ExpectedAnswer
from controller.web.page_words import translated
from tests.support.patience import PATIENCE_S

BEAT_S = 0.5
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript",
    ".svg": "image/svg+xml",
}  # fmt: skip
#: What the service sends too: a page that breaks it would be blank on a real table.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self' http://127.0.0.1:*"
)


#: What the status page asks for beside its stream: of a table that has not played, no figure.
EXPECTED: Final = "/api/v1/record/expected"
NO_ROUNDS: Final = msgspec.to_builtins(ExpectedAnswer(True, "EUR", [], [], 0.0, ALARM))
#: Of a table that keeps no account of its chips.
CHIPS: Final = "/api/v1/chips"
NO_CHIPS: Final = msgspec.to_builtins(ChipsView("T1", "EUR", (), False, True, False, 3, "", ()))


@dataclass
class Sent:
    """A request that wrote something."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class ServedPages:
    """What the server shows and how it answers; guarded by `changed`."""

    pages: dict[str, Path]
    static: tuple[Path, ...]
    changed: threading.Condition = field(default_factory=threading.Condition)
    pictures: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    documents: dict[str, Any] = field(
        default_factory=lambda: {EXPECTED: NO_ROUNDS, CHIPS: NO_CHIPS}
    )
    sent: list[Sent] = field(default_factory=list)
    answer: tuple[int, dict[str, Any], dict[str, str]] = (200, {"accepted": True, "seq": 1}, {})
    language: Translation | None = None
    version: int = 0
    beating: bool = True
    ahead_ms: int = 0
    edition: str = ""
    open: bool = True
    #: No stream has a place for one more.
    full: bool = False
    #: A proxy answers for a table that is away.
    away: bool = False
    cut: int = 0

    @property
    def now_ms(self) -> int:
        """What time it is at the table, whose clock may be ahead of the browser's."""
        return time.time_ns() // 1_000_000 + self.ahead_ms

    def has_news(self, shown: int, cut: int) -> bool:
        """Whether a stream that sent picture `shown` has something to do before its heartbeat."""
        return not self.open or self.cut != cut or self.version != shown


class PageServer:
    """Serves on a free port of the loopback. Use as a context; it leaves no thread behind."""

    def __init__(self, static: Path | tuple[Path, ...], pages: dict[str, Path]) -> None:
        """`static`: the folders in which a file is looked for, in this order."""
        self._pages = pages
        self._static = static if isinstance(static, tuple) else (static,)
        self._server = _PagesServer(("127.0.0.1", 0), _PageHandler)
        self._server.stage = self._new_stage()
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    def _new_stage(self) -> ServedPages:
        return ServedPages(dict(self._pages), self._static)

    @property
    def stage(self) -> ServedPages:
        """What it shows, and what was sent to it."""
        return self._server.stage

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> PageServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._change(open=False)
        self._server.shutdown()
        self._server.wait_until_idle()  # closing waits for all, and has no end to its patience
        self._server.server_close()
        self._thread.join()

    def begin_anew(self) -> None:
        """Forget what was shown and sent. Its pages have been left; what they asked is over."""
        self._change(open=False)
        # Whoever asked before this has been accepted by then.
        with socket.create_connection(("127.0.0.1", self._server.server_port)) as last:
            last.sendall(b"GET /static/ HTTP/1.0\r\n\r\n")
            while last.recv(1024):
                pass
        self._server.wait_until_idle()
        self._server.stage = self._new_stage()

    def show(self, url: str, event: str, picture: dict[str, Any]) -> None:
        """The newest picture of the stream at `url`, sent as `event`."""
        self.stage.pictures[url] = (event, picture)
        self._change(version=self.stage.version + 1)

    def fall_silent(self) -> None:
        """Streams stay open, but no heartbeat comes any more."""
        self._change(beating=False)

    def cut_streams(self) -> None:
        """Every stream ends now; a new one is served."""
        self._change(cut=self.stage.cut + 1, beating=True)

    def answers(
        self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        """How commands are answered from now on."""
        self.stage.answer = (status, body, headers or {})

    def next_sent(self, count: int = 1) -> Sent:
        """The `count`-th thing that was sent, once it is there."""
        with self.stage.changed:
            came = self.stage.changed.wait_for(lambda: len(self.stage.sent) >= count, PATIENCE_S)
            assert came, "nothing was sent"
            return self.stage.sent[count - 1]

    def _change(self, **values: Any) -> None:
        with self.stage.changed:
            for name, value in values.items():
                setattr(self.stage, name, value)
            self.stage.changed.notify_all()


class _PagesServer(ThreadingHTTPServer):
    #: A page asks for all of its parts at once.
    request_queue_size = 64
    daemon_threads = False
    stage: ServedPages

    def __init__(self, *arguments: Any) -> None:
        self._answering = 0
        #: Connections over which nothing was asked yet: a browser opens some in advance.
        self._unasked: set[Any] = set()
        self._answered = threading.Condition()
        super().__init__(*arguments)

    def process_request(self, *request: Any) -> None:
        with self._answered:
            self._answering += 1
            self._unasked.add(request[0])
        super().process_request(*request)

    def process_request_thread(self, *request: Any) -> None:
        super().process_request_thread(*request)
        with self._answered:
            self._answering -= 1
            self._unasked.discard(request[0])
            self._answered.notify_all()

    def asked(self, connection: Any) -> None:
        """A request has come over this connection."""
        with self._answered:
            self._unasked.discard(connection)

    def wait_until_idle(self) -> None:
        """Hang up on who has asked nothing; wait until the others are answered, or gone."""
        with self._answered:
            for each in self._unasked:
                with suppress(OSError):  # it has hung up itself
                    each.shutdown(socket.SHUT_RDWR)
            idle = self._answered.wait_for(lambda: not self._answering, PATIENCE_S)
        assert idle, "a request is still being answered"


class _PageHandler(BaseHTTPRequestHandler):
    stage: ServedPages

    def setup(self) -> None:
        assert isinstance(self.server, _PagesServer)
        self.stage = self.server.stage
        super().setup()

    def parse_request(self) -> bool:
        assert isinstance(self.server, _PagesServer)
        self.server.asked(self.connection)
        return super().parse_request()

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path in self.stage.pages:
            self._file(self.stage.pages[path])
        elif path.startswith("/static/"):
            name = path.removeprefix("/static/")
            files = [folder / name for folder in self.stage.static]
            self._file(next((each for each in files if each.is_file()), files[0]))
        elif path in self.stage.pictures and self.stage.away:
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
        elif path in self.stage.pictures and self.stage.full:
            self._json(503, {"detail": "64 viewers are looking already"})
        elif path in self.stage.pictures:
            self._stream(path)
        elif path in self.stage.documents:
            self._json(200, self.stage.documents[path])
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.stage.changed:
            self.stage.sent.append(Sent(self.path, headers, body))
            self.stage.changed.notify_all()
        self._json(*self.stage.answer)

    def log_message(self, *_: object) -> None:
        """Quiet: what matters is asserted."""

    def _file(self, path: Path) -> None:
        if path.suffix not in TYPES or not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content, reader = path.read_bytes(), self.stage.language
        if reader is not None and path.suffix == ".html":
            content = translated(content.decode(), reader.code, reader.page_texts).encode()
        edition = {"Pages-Edition": self.stage.edition} if path.suffix == ".html" else NO_HEADERS
        self._bytes(200, TYPES[path.suffix], content, edition)

    def _json(self, status: int, body: object, headers: Mapping[str, str] = NO_HEADERS) -> None:
        self._bytes(status, "application/json", json.dumps(body).encode(), headers)

    def _bytes(
        self, status: int, kind: str, content: bytes, headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", POLICY)
        # The files stay what they are; a page that is opened again need not load them again.
        cache_control = "max-age=3600" if self.path.startswith("/static/") else "no-store"
        self.send_header("Cache-Control", cache_control)
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, path: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        stage, shown, cut = self.stage, -1, self.stage.cut
        while True:
            with stage.changed:
                stage.changed.wait_for(partial(stage.has_news, shown, cut), BEAT_S)
                if not stage.open or stage.cut != cut:
                    return
                event, picture = stage.pictures[path]
                if stage.version == shown:
                    event = "beat"
                    picture = {"now_ms": stage.now_ms, "edition": stage.edition}
                shown = stage.version
                quiet = event == "beat" and not stage.beating
            if quiet:
                continue
            try:
                self.wfile.write(f"event: {event}\ndata: {json.dumps(picture)}\n\n".encode())
            except (BrokenPipeError, ConnectionResetError):
                return
