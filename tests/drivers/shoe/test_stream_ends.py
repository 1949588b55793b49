"""The camera of these tests ends whatever a test has left behind: else its lane would never end."""

from __future__ import annotations

import socket
import threading
from urllib.parse import urlsplit

import numpy as np
import pytest

from tests.support import stream as stream_of_tests
from tests.support.patience import PATIENCE_S
from tests.support.stream import streaming


def test_a_stream_ends_while_somebody_looks_who_takes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So does a test that failed with its camera open."""
    monkeypatch.setattr(stream_of_tests, "FRAME_ENDS_S", 0.05)
    with streaming() as stream, socket.socket() as looks:
        stream.noisy = False
        # More than the buffers of both ends hold.
        stream.show(np.random.default_rng(1).integers(0, 256, (2_400, 2_400, 3), np.uint8))
        looks.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        looks.settimeout(PATIENCE_S)
        looks.connect(("127.0.0.1", urlsplit(stream.url).port or 0))
        looks.sendall(b"GET /shoe.mjpg HTTP/1.0\r\n\r\n")
        came = b""
        while b"Content-Length" not in came:
            came += looks.recv(1_000)
        ends = threading.Thread(target=stream.unplug, daemon=True)
        ends.start()
        ends.join(PATIENCE_S)
        assert not ends.is_alive()
