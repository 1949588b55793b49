"""Fixtures on the network: the rig takes what the table sends to a universe of streaming ACN.

Source: ANSI E1.31-2018, 9.3.1 (the group of a universe) and table 4-1 (where its number stands).
The packets are taken as they are: what they say, the bench reads.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from typing import Final

from .listening import OnAway, OnHeard
from .protocol import SAY_MAX, RigError
from .settings import Sacn

#: How long the thread looks before it sees that it is to end.
CLOSES_S: Final = 0.2
_AT_ONCE: Final = 10_000
#: Where a data packet has the number of its universe.
_UNIVERSE: Final = slice(113, 115)


class SacnLine:
    """A receiver of one universe. It is there from the beginning: packets are not asked for.

    A thread takes them as they come. Left in the socket they would fill it within minutes, and it
    is the newest that a full one drops.
    """

    def __init__(self, name: str, settings: Sacn) -> None:
        self._name = name
        self._number = settings.universe.to_bytes(2, "big")
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.setblocking(False)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((settings.host, settings.port))
            if not settings.host:
                group = f"239.255.{self._number[0]}.{self._number[1]}"
                member = socket.inet_aton(group) + bytes(4)  # by any network card
                self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        except OSError as error:
            self._socket.close()
            raise RigError(f"{name}: port {settings.port} cannot be used ({error})") from error
        self._newest = b""
        self._on_heard: OnHeard | None = None
        self._taking = threading.Lock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._listen, name=f"rig-{name}", daemon=True)
        self._thread.start()
        self.kind = f"sacn:{settings.universe}"
        """What it is, as `lines` answers it."""

    def say(self, data: bytes) -> int:
        """Fixtures answer nothing. Raises `RigError`."""
        raise RigError(f"{self._name}: fixtures say nothing, {len(data)} bytes were not said")

    def heard(self) -> bytes:
        """The newest packet since it was last asked: fixtures show that one alone."""
        with self._taking:
            self._take()
            newest, self._newest = self._newest, b""
        return newest

    def listen(self, on_heard: OnHeard, on_away: OnAway) -> None:
        """Tell of each packet from now on, as it comes; a network is never away."""
        with self._taking:
            self._take()
            self._newest = b""
            self._on_heard = on_heard

    def deaf(self) -> None:
        """Tell of no more."""
        with self._taking:
            self._on_heard = None

    def close(self) -> None:
        """Release the port; safe to do twice."""
        self._closing.set()
        self._thread.join()
        self._socket.close()

    def _listen(self) -> None:
        while not self._closing.is_set():
            if select.select([self._socket], [], [], CLOSES_S)[0]:
                with self._taking:
                    self._take()

    def _take(self) -> None:
        """Take what has come; there is a bound to it, whatever else is on that network."""
        for _ in range(_AT_ONCE):
            try:
                packet = self._socket.recv(SAY_MAX)
            except BlockingIOError:
                return
            if packet[_UNIVERSE] != self._number:
                continue
            self._newest = packet
            if self._on_heard is not None:
                self._on_heard(time.monotonic_ns(), self._name, packet)
