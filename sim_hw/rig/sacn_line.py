"""Fixtures on the network: the rig takes what the table sends to a universe of streaming ACN.

Source: ANSI E1.31-2018, 9.3.1 (the group of a universe) and table 4-1 (where its number stands).
The packets are taken as they are: what they say, the bench reads.
"""

from __future__ import annotations

import socket
from typing import Final

from .protocol import SAY_MAX, RigError
from .settings import Sacn

#: Where a data packet has the number of its universe.
_UNIVERSE: Final = slice(113, 115)


class SacnLine:
    """A receiver of one universe. It is there from the beginning: packets are not asked for."""

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
        self.kind = f"sacn:{settings.universe}"
        """What it is, as `lines` answers it."""

    def say(self, data: bytes) -> int:
        """Fixtures answer nothing. Raises `RigError`."""
        raise RigError(f"{self._name}: fixtures say nothing, {len(data)} bytes were not said")

    def heard(self) -> bytes:
        """The newest packet since it was last asked: fixtures show that one alone."""
        newest = b""
        while True:
            try:
                packet = self._socket.recv(SAY_MAX)
            except BlockingIOError:
                return newest
            if packet[_UNIVERSE] == self._number:
                newest = packet

    def close(self) -> None:
        """Release the port."""
        self._socket.close()
