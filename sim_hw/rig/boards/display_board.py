"""The board that answers at the small display's address: hands on each write to it."""

from .board import Board
from .bus_writes import BusWrites
from .i2c_target import I2cTarget
from .packet_queue import PacketQueue

ADDRESS = 0x3C


class _Nothing:
    """A small display of the table's is never read: zeros."""

    def begin(self) -> int:
        return 0

    def more(self) -> bytes:
        return b""


class DisplayEar(I2cTarget):
    """The display's address on the bus."""

    def __init__(self, queue: PacketQueue) -> None:
        super().__init__(ADDRESS, BusWrites(queue), _Nothing())


def main() -> None:
    """Listen for good."""
    board = Board("display")
    ear = DisplayEar(board.queue)
    while True:
        ear.look()
        board.turn()
