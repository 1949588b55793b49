"""The scanner's line in memory: the world's scanner at one end, the driver's port at the other."""

from __future__ import annotations

import errno
from itertools import count
from pathlib import Path
from typing import Any, Final

from drivers.io.serial_port import READ_BYTES, SerialPort, port_error
from drivers.settings.scanner import ScannerSettings
from sim_hw.devices.scanner import Scanner
from tests.endurance.breaking.loop import VirtualLoop

#: As many adapters do, or byte by byte as a UART does.
STROKES_S: Final = (0.016, 0.016, 0.016, 0.0)
#: What a tty holds while nobody reads (Linux: N_TTY_BUF_SIZE).
ROOM: Final = 4_096
_FD: Final = count(1_000_000)


class PlugLife:
    """One life of a plug: from its coming to its going."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.fd = next(_FD)
        self.held = bytearray()
        self.plugged = True
        self.opened = False
        self._loop = loop
        loop.connect(self.fd, self)

    @property
    def readable(self) -> bool:
        """Whether there are bytes, or the end."""
        return bool(self.held) or not self.plugged

    def close(self) -> None:
        """Whoever had it open has it no longer."""
        self.opened = False
        self._loop.remove_reader(self.fd)
        if not self.plugged:
            self._loop.connect(self.fd, None)

    def hang_up(self) -> None:
        """The plug is out."""
        self.plugged = False
        self._loop.bytes_came = True
        if not self.opened:
            self._loop.connect(self.fd, None)


class LineScanner(Scanner):
    """The world's scanner, with its own encoder, on a line in memory."""

    def __init__(self, loop: VirtualLoop, **about: Any) -> None:
        super().__init__(Path("scanner"), **about)
        self._loop = loop
        self.line: PlugLife | None = None

    @property
    def plugged(self) -> bool:
        """Whether the scanner is there for the service."""
        return self.line is not None

    def plug(self) -> None:
        """Appear."""
        if self.line is None:
            self.line = PlugLife(self._loop)

    def unplug(self) -> None:
        """Disappear as a USB plug that is pulled."""
        if self.line is not None:
            self.line.hang_up()
            self.line = None

    def _put(self, data: bytes) -> bool:
        assert self.line is not None
        if not self.line.opened:
            return True  # nobody has it open: opening it drops what came before
        if len(self.line.held) + len(data) > ROOM:
            return False
        self.line.held += data
        self._loop.bytes_came = True
        return True

    def flood(self, data: bytes) -> None:
        """Put as much as there is room for on the line, in one stroke."""
        if self.line is not None:
            self._put(data[: ROOM - len(self.line.held)])


class LinePort(SerialPort):
    """The driver's end of the line: the serial port that the service opens."""

    def __init__(self, settings: ScannerSettings, scanner: LineScanner) -> None:
        super().__init__(settings)
        self._scanner = scanner
        self._line: PlugLife | None = None

    def open(self) -> None:
        """Open and lock the port. Raises `DeviceError`."""
        line = self._scanner.line
        if line is None:
            raise port_error(str(self._settings.port), errno.ENOENT)
        if line.opened:
            raise port_error(str(self._settings.port), errno.EBUSY)
        line.opened = True
        line.held.clear()
        self._line = line

    @property
    def is_open(self) -> bool:
        """Whether there is a descriptor."""
        return self._line is not None

    def fileno(self) -> int:
        """The descriptor to wait on. The port must be open."""
        assert self._line is not None
        return self._line.fd

    def read(self) -> bytes:
        """What has come; empty if nothing has. Raises `DeviceLost` when the port is gone."""
        assert self._line is not None
        held = self._line.held
        data = bytes(held[:READ_BYTES])
        del held[:READ_BYTES]
        if not data and not self._line.plugged:
            raise self._lost()
        return data

    def close(self) -> None:
        """Close the port; safe at any time, more than once."""
        line, self._line = self._line, None
        if line is not None:
            line.close()
