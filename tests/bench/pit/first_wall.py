"""How long somebody waits for the wall, once they ask for it: of a pit that was started on an
archive, however many rounds that has.

`tablectl pit` as a process of its own and a real nats-server; every table of the archive is there
and says its status. Each look is a new viewer's first: it ends with the picture of every table.
"""

from __future__ import annotations

import asyncio
import json
import socket
import tempfile
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.bus.server_conf import PIT
from tests.bench.pit.viewers import play, signed_in, wall_request
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.support.patience import PATIENCE_S

LOOKS: Final = 20
_PIECE: Final = 65_536


def looks(address: str, tables: int) -> list[float]:
    """What each look took, in s."""
    names = [f"T{number}" for number in range(1, tables + 1)]
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as place:
        folder = Path(place)
        passwords = {PIT: PASSWORDS[PIT], **dict.fromkeys(names, "secret")}
        with NatsServer(folder / "nats", passwords) as broker:
            config = write_config(folder, broker, database=address)
            pit = PitProcess(config)
            first, *rest = signed_in(config, address, 1 + LOOKS)
            pit.start()
            try:
                port = urlsplit(pit.url).port
                assert port is not None
                asyncio.run(play(broker.url, names, 1, 0))
                _until_all(port, first, tables)
                return [_look(port, each)[0] for each in rest]
            finally:
                pit.end()


def _until_all(port: int, secret: str, tables: int) -> None:
    """Wait until the wall has heard every table."""
    until_s = time.monotonic() + PATIENCE_S
    while _look(port, secret)[1] < tables:
        assert time.monotonic() < until_s, "not every table came onto the wall"
        time.sleep(0.1)


def _look(port: int, secret: str) -> tuple[float, int]:
    """How long the first picture took, in s, and how many tables it has."""
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as line:
        line.sendall(wall_request(port, secret))
        got = b""
        while not (event := _first_event(got)):
            piece = line.recv(_PIECE)
            assert piece, got[:200]
            got += piece
        taken = time.perf_counter() - began
    return taken, len(json.loads(event)["tiles"])


def _first_event(got: bytes) -> bytes:
    """The data of the first event, empty while it is not whole."""
    _, _, events = got.partition(b"event: wall\n")
    event, whole, _ = events.partition(b"\n\n")
    return event.partition(b"data: ")[2] if whole else b""
