"""What a board has to say, until its line takes it: bounded, and what had no room is said, too.

Written for MicroPython and CPython.
"""

from .packets import HEARD, HELLO, LOST, packet

# Of use to a type checker alone: MicroPython has no such module, and evaluates no annotation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: Bytes that wait at most: thirty pictures of a small display.
WAITING_MAX = 32_768
#: Bytes that are written at a time: one transfer of USB.
PIECE = 64


class PacketQueue:
    """Packets in order. `write` takes bytes for the line; it says how many of them went."""

    def __init__(self, write: "Callable[[bytes], int]") -> None:
        self._write = write
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._dropped = 0

    @property
    def waits(self) -> int:
        """How many bytes wait."""
        return self._bytes

    def heard(self, content: bytes) -> None:
        """Hand on a frame or a write."""
        self._put(packet(HEARD, content))

    def lost(self, why: str) -> None:
        """Say that something was lost."""
        self._put(packet(LOST, why.encode()))

    def hello(self, name: str) -> None:
        """Say which board this is, unless the line is behind anyway."""
        if not self._waiting:
            self._put(packet(HELLO, name.encode()))

    def send(self) -> None:
        """Write one piece, as far as the line takes it."""
        if self._dropped and not self._waiting:
            dropped, self._dropped = self._dropped, 0
            self.lost(f"{dropped} packets: nobody read the line")
        if self._waiting:
            first = self._waiting[0]
            taken = self._write(first[:PIECE])
            self._bytes -= taken
            if taken == len(first):
                self._waiting.pop(0)
            else:
                self._waiting[0] = first[taken:]

    def _put(self, data: bytes) -> None:
        # One that was dropped is said before anything else is taken: the order holds.
        if self._dropped or self._bytes + len(data) > WAITING_MAX:
            self._dropped += 1
            return
        self._waiting.append(data)
        self._bytes += len(data)
