"""Who is told by HTTP, on this machine."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class ReceiverServer(HTTPServer):
    """A receiver; it answers with what stands in `answers`, then with 204."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _HookHandler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []


class _HookHandler(BaseHTTPRequestHandler):
    server: ReceiverServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.got.append((headers, body))
        status = self.server.answers.pop(0) if self.server.answers else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing: tests are quiet."""
