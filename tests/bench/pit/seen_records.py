"""When the wall shows that a table has recorded something: one who looks, and reads all of it."""

from __future__ import annotations

import re
import socket
import time
from contextlib import closing
from threading import Thread
from typing import Final
from urllib.parse import urlencode

from tests.bench.pit.viewers import wall_request

#: What a table of the benchmark waits for, as its status says it: the record that it has.
WAITS_FOR: Final = "record {}"
_TILE: Final = re.compile(rb'"table":"(T\d+)"[^{}]*?"waiting_for":"record (\d+)"')
_STALLED_S: Final = 30


class SeenRecords:
    """When each record was first on the wall, by this machine's clock; read by a thread."""

    def __init__(self, names: list[str]) -> None:
        self._seqs = dict.fromkeys(names, 0)
        self.at: dict[tuple[str, int], float] = {}

    def take(self, event: bytes) -> None:
        """One event of the wall's stream."""
        now = time.perf_counter()
        for named, number in _TILE.findall(event):
            name, seq = named.decode(), int(number)
            for each in range(self._seqs.get(name, seq) + 1, seq + 1):
                self.at[name, each] = now
            self._seqs[name] = max(seq, self._seqs.get(name, seq))

    def follow(self, port: int, secret: str) -> None:
        """Read the wall from now on, signed in by `secret`, until the pit ends."""
        Thread(target=self._read, args=(port, secret), daemon=True).start()

    def _read(self, port: int, secret: str) -> None:
        query = "?" + urlencode([("seen", name) for name in self._seqs])
        rest = b""
        with closing(socket.create_connection(("127.0.0.1", port), _STALLED_S)) as line:
            line.sendall(wall_request(port, secret, query))
            while piece := line.recv(1 << 18):
                *events, rest = (rest + piece).split(b"\n\n")
                for each in events:
                    self.take(each)
