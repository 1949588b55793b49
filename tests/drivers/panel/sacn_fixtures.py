"""The receiver of streaming ACN: what its fixtures were sent."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from drivers.panel.lights import sacn
from sim_hw.devices.wire.sacn import SacnPacket, read


class Fixtures:
    """The receiver: the packets that came, in order."""

    def __init__(self, at: socket.socket) -> None:
        self._at = at
        self.packets: list[SacnPacket] = []

    def look(self) -> SacnPacket:
        """The newest packet, once there is one."""
        while True:
            try:
                self.packets.append(read(self._at.recv(1_000)))
            except BlockingIOError:
                return self.packets[-1]

    @property
    def slots(self) -> bytes:
        return self.look().slots


@contextmanager
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fixtures]:
    """Fixtures at a free port of this machine, which packets are sent to."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as at,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free,
    ):
        for each in (at, free):
            each.bind(("127.0.0.1", 0))
        at.setblocking(False)
        monkeypatch.setattr(sacn, "PORT", at.getsockname()[1])
        monkeypatch.setattr(sacn, "FROM_PORT", free.getsockname()[1] - 7)
        free.close()
        yield Fixtures(at)
