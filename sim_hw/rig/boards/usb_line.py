"""The board's USB serial line, which is MicroPython's own: bytes out as it takes them, and in."""

import select
import sys

import micropython

_NO_KEY = -1
#: So many bytes are taken at a time: who reads at the bus waits meanwhile.
_READ_MAX = 32


class UsbLine:
    """The line, for bytes alone: nothing that comes on it stops the program."""

    def __init__(self) -> None:
        # A byte of a packet may be a Ctrl-C, and who opens a line may echo it for a moment.
        micropython.kbd_intr(_NO_KEY)
        self._poll = select.poll()
        self._poll.register(sys.stdout, select.POLLOUT)
        self._comes = select.poll()
        self._comes.register(sys.stdin, select.POLLIN)

    def write(self, data: bytes) -> int:
        """How many of the bytes were taken; 0 while there is no room."""
        if not self._poll.poll(0):
            return 0
        return sys.stdout.buffer.write(data)

    def read(self) -> bytes:
        """Some of the bytes that came; none where none did."""
        came = b""
        # One by one: MicroPython would wait until it has as many as it is asked for.
        while len(came) < _READ_MAX and self._comes.poll(0):
            came += sys.stdin.buffer.read(1)
        return came
