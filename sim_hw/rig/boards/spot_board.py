"""The board that stands for a PN532 on the table's I2C bus: the bench plays the chip through it."""

from .board import Board
from .bus_writes import BusWrites
from .i2c_target import I2cTarget
from .packet_queue import PacketQueue
from .spot_frames import SpotFrames

ADDRESS = 0x24


class SpotPlace(I2cTarget):
    """The chip's address on the bus."""

    def __init__(self, queue: PacketQueue) -> None:
        self.frames = SpotFrames(queue)
        super().__init__(ADDRESS, BusWrites(self.frames), self.frames)


def main() -> None:
    """Answer for good."""
    board = Board("pn532")
    place = SpotPlace(board.queue)
    while True:
        place.look()
        board.turn()
        for kind, content in board.came():
            place.frames.came(kind, content)
