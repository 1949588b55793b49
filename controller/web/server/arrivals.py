"""When what was sent reached this machine: the kernel's own time, not that of a loop that was busy.

Linux stamps received segments on request (`SO_TIMESTAMPNS`, socket(7)); since 4.14 for TCP too.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

#: asm-generic/socket.h; Python names neither. It is both the option and the kind of the message.
SO_TIMESTAMPNS: Final = 35
_TIMESPEC: Final = struct.Struct("@qq")
_SPACE: Final = socket.CMSG_SPACE(_TIMESPEC.size)
_NS_PER_S: Final = 1_000_000_000
#: What the kernel held for longer was held while the wall clock was set: nobody knows when it came.
LONGEST_NS: Final = 5 * _NS_PER_S


class StampedSocket(socket.socket):
    """A connection that knows when the newest bytes it gave had reached this machine.

    `arrived_ns` is by the monotonic clock; where the kernel stamps nothing, when they were read.
    """

    arrived_ns: int = 0

    @classmethod
    def of(cls, accepted: socket.socket) -> StampedSocket:
        """The same connection; `accepted` is closed as an object, and the connection stays."""
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        stamped = cls(family, kind, protocol, fileno=accepted.detach())
        stamp_arrivals(stamped)
        return stamped

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """As of any socket."""
        data, stamps, _, _ = self.recvmsg(bufsize, _SPACE, flags)
        self._note(stamps)
        return data

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        """As of any socket."""
        room = memoryview(buffer)[:nbytes] if nbytes else buffer
        count, stamps, _, _ = self.recvmsg_into([room], _SPACE, flags)
        self._note(stamps)
        return count

    def _note(self, stamps: Iterable[tuple[int, int, bytes]]) -> None:
        self.arrived_ns = read_ns = time.monotonic_ns()
        for level, kind, data in stamps:
            if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
                seconds, ns = _TIMESPEC.unpack_from(data)
                came_ns = seconds * _NS_PER_S + ns - wall_ahead_ns()
                if read_ns - LONGEST_NS <= came_ns <= read_ns:
                    self.arrived_ns = came_ns


def stamp_arrivals(line: socket.socket) -> None:
    """Have the kernel stamp what reaches a connection, or those that come to a listening socket.

    It begins to stamp some time after the first socket of a machine has asked for it, and until
    then says of bytes that they came when they are read: a program asks before anybody comes.
    """
    with suppress(OSError):  # not Linux: bytes arrive when they are read
        line.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)


def wall_ahead_ns() -> int:
    """How far the wall clock is ahead of the monotonic one: of three looks the shortest, since
    another process may have had the processor between two clocks.
    """
    looks = []
    for _ in range(3):
        before_ns = time.monotonic_ns()
        wall_ns = time.time_ns()
        after_ns = time.monotonic_ns()
        looks.append((after_ns - before_ns, wall_ns - (before_ns + after_ns) // 2))
    return min(looks)[1]
