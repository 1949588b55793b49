"""A program of the table on a machine with every bus: what its kernel answers is in `nodes`.

`python -m tests.support.processes.wired_program MODULE ARGUMENT...` runs `MODULE.main`. The chips
of its I2C bus are in the test's process, behind the socket `WIRED_CHIPS`; SPI is a pipe, which has
nothing to set up; `WIRED_SACN` is the port that stands for that of streaming ACN. `WIRED_DMX_S` is
how long a DMX interface may take to answer on a busy machine, each time that it is asked.
"""

from __future__ import annotations

import fcntl
import importlib
import os
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from drivers.io import spi
from sim_hw.devices.wire.hid_pos import DESCRIPTOR
from sim_hw.devices.wire.i2c import I2cBus
from tests.drivers.nodes import Kernel, ioctl_with

CHIPS: Final = "WIRED_CHIPS"
SACN: Final = "WIRED_SACN"
DMX_S: Final = "WIRED_DMX_S"
#: The universe of its fixtures.
UNIVERSE: Final = 7
#: Address and how many bytes are to be read; then what is written.
_TRANSFER: Final = struct.Struct("=BH")
#: The number of an error, 0 for none; then what was read.
_ANSWER: Final = struct.Struct("=i")
_MOST: Final = 8_192


class FarBus:
    """The bus of a program whose chips are in another process."""

    def __init__(self, path: str) -> None:
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.connect(path)
        self._turn = threading.Lock()

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        """Write `data`, then read `count` bytes. Raises `OSError` where nothing answers."""
        with self._turn:
            self._line.send(_TRANSFER.pack(address, count) + data)
            answer = self._line.recv(_MOST)
        (error,) = _ANSWER.unpack_from(answer)
        if error:
            raise OSError(error, os.strerror(error))
        return answer[_ANSWER.size :]

    def close(self) -> None:
        """Let go of the bus."""
        self._line.close()


@contextmanager
def chips_at(path: Path, bus: I2cBus) -> Iterator[threading.Lock]:
    """The chips answer at this socket, each transfer by itself; whoever looks takes the lock."""
    turn = threading.Lock()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(str(path))
    listening.listen()
    lines: list[socket.socket] = []

    def answer(line: socket.socket) -> None:
        # A program that is killed within a transfer resets its line: it asks no more.
        with suppress(ConnectionResetError, BrokenPipeError):
            while heard := line.recv(_MOST):
                address, count = _TRANSFER.unpack_from(heard)
                with turn:
                    try:
                        asked = heard[_TRANSFER.size :]
                        said = _ANSWER.pack(0) + bus.transfer(address, asked, count)
                    except OSError as error:
                        said = _ANSWER.pack(error.errno)
                line.send(said)

    def accept() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return  # shut down below
            lines.append(line)
            threading.Thread(target=answer, args=(line,), name="chips", daemon=True).start()

    accepting = threading.Thread(target=accept, name="bus", daemon=True)
    accepting.start()
    try:
        yield turn
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        accepting.join()
        listening.close()
        for each in lines:
            each.close()


def _main() -> int:
    bus = FarBus(os.environ[CHIPS]) if CHIPS in os.environ else None
    fcntl.ioctl = ioctl_with(Kernel(descriptor=DESCRIPTOR, bus=bus))
    spi.set_up = lambda descriptor, hertz: None
    if SACN in os.environ:
        sacn: Any = importlib.import_module("drivers.panel.lights.sacn")
        sacn.PORT = int(os.environ[SACN])
        sacn.FROM_PORT = -UNIVERSE  # from any free port: several tests may run at a time
    if DMX_S in os.environ:
        dmx: Any = importlib.import_module("drivers.panel.lights.dmx")
        dmx.ANSWERS_S = float(os.environ[DMX_S])
        dmx.UNANSWERED_MAX = max(2, int(dmx.ANSWERS_S * 1_000_000_000 / dmx.REPEAT_NS))
    module, *arguments = sys.argv[1:]
    status: int = importlib.import_module(module).main(arguments)
    return status


if __name__ == "__main__":
    sys.exit(_main())
