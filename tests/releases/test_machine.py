"""What an update asks of the table that runs: itself, and no proxy."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from systemd.releases.update.disk import DurableFiles
from systemd.releases.update.layout import Installation
from systemd.releases.update.machine import Host, Table

STATUS = {
    "software": "0.1.0+00000001", "phase": "round", "tone": "calm", "why": "", "devices": [],
}  # fmt: skip
ANSWER = b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps(STATUS).encode()


@contextmanager
def _asked(folder: Path, answer: bytes) -> Iterator[Host]:
    """A machine whose table gives that answer, once."""

    def give() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        layout = Installation(folder, DurableFiles())
        layout.config.parent.mkdir(parents=True)
        layout.config.write_text(f"[web]\nport = {server.getsockname()[1]}\n")
        thread = threading.Thread(target=give, daemon=True)
        thread.start()
        yield Host(layout)
        thread.join(10)
        assert not thread.is_alive(), "nobody asked the table"


def test_no_proxy_is_asked_for_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    urllib.request.install_opener(None)  # it reads the environment once
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed.getsockname()[1]}")
    with _asked(tmp_path, ANSWER) as host:
        assert host.table() == Table("0.1.0+00000001", "round", "", frozenset())


@pytest.mark.parametrize("answer", [b"nonsense\r\n\r\n", b"", b"HTTP/1.0 200 OK\r\n\r\n{"])
def test_an_answer_that_is_none_ends_no_update(tmp_path: Path, answer: bytes) -> None:
    with _asked(tmp_path, answer) as host:
        assert host.table() is None
