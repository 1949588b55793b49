"""What all boards do: say who they are, listen, hand on."""

import os
import time

import machine

from .packet_queue import PacketQueue
from .packets import Packets
from .usb_line import UsbLine

#: After power-on the line is MicroPython's own for so long: a new program can be put on the board.
OPEN_S = 5
HELLO_S = 2
#: The clock for which the times here are reckoned; some releases of MicroPython start at another.
HERTZ = 125_000_000


class Board:
    """A board by its name; it runs until its power goes. Raises `RuntimeError` on another chip."""

    def __init__(self, name: str) -> None:
        chip = os.uname().machine
        if "RP2040" not in chip:
            raise RuntimeError(
                f"registers here are the RP2040's (Pico, not Pico 2), not of: {chip}"
            )
        time.sleep(OPEN_S)
        machine.freq(HERTZ)
        self._line = UsbLine()
        self._packets = Packets()
        self.queue = PacketQueue(self._line.write)
        self._name = f"{name} {machine.unique_id().hex()}"
        self._said_s = 0.0

    def turn(self) -> None:
        """Hand on a piece of what there is; say the name from time to time."""
        now_s = time.time()
        # Whoever puts a program on a board may set its clock, back too.
        if not 0 <= now_s - self._said_s < HELLO_S:
            self._said_s = now_s
            self.queue.hello(self._name)
        self.queue.send()

    def came(self) -> list[tuple[bytes, bytes]]:
        """The packets that the bench sent and are whole now: kind and content."""
        data = self._line.read()
        return self._packets.of(data) if data else []
