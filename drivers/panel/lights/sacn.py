"""The spots' lights as fixtures of a DMX universe, by streaming ACN over UDP.

Source: ANSI E1.31-2018: a data packet is root, framing and DMP layer (4 to 7); a source repeats an
unchanged picture at least every second (6.6.1), and says three times that it ends (6.7.1). Fixtures
answer nothing: whether one is lit, only people see. Proved packet by packet on a socket, against a
reader made from the standard.
"""

from __future__ import annotations

import errno
import socket
import struct
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.devices.contracts import DeviceBusy, DeviceLost
from controller.devices.lights import OFF, Colour
from controller.rules.messages import message
from drivers.panel.lights.slots import slots
from drivers.settings.sacn import SacnSettings

PORT: Final = 5568
#: Ours: so that two programs of one machine cannot light the same universe.
FROM_PORT: Final = 40_000
REPEAT_NS: Final = 800_000_000
_ENDED: Final = 0x40
_ENDS: Final = 3
_NAME: Final = b"tablectl"


def packet(settings: SacnSettings, colours: list[Colour], number: int, options: int = 0) -> bytes:
    """A data packet that shows these colours, one a spot."""
    lit = slots(settings, colours)
    count = len(lit) + 1  # the start code is one of them
    dmp = struct.pack(">HBBHHHB", _length(10 + count), 2, 0xA1, 0, 1, count, 0) + lit
    framing = struct.pack(
        ">HI64sBHBBH", _length(77 + len(dmp)), 2, _NAME, settings.priority, 0, number, options,
        settings.universe,
    )  # fmt: skip
    root = struct.pack(
        ">HH12sHI16s", 0x10, 0, b"ASC-E1.17", _length(22 + len(framing) + len(dmp)), 4,
        _source().bytes,
    )  # fmt: skip
    return root + framing + dmp


def _length(size: int) -> int:
    return 0x7000 | size


def _source() -> uuid.UUID:
    """The same at every start of this machine: two of them would be two desks."""
    return uuid.uuid5(uuid.NAMESPACE_DNS, socket.gethostname())


class SacnLamps:
    """The fixtures of all spots."""

    refresh_ns = REPEAT_NS

    def __init__(self, settings: SacnSettings) -> None:
        self.spots = settings.spots
        self._settings = settings
        self._socket: socket.socket | None = None
        self._colours = [OFF] * self.spots
        self._shown: list[Colour] | None = None
        self._number = 0

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turns what the network raises into `DeviceError`."""
        try:
            yield
        except OSError as error:
            where = self._settings.address
            if error.errno == errno.EADDRINUSE:
                raise DeviceBusy(
                    message("sacn-in-use", universe=self._settings.universe)
                ) from error
            detail = error.strerror or type(error).__name__
            raise DeviceLost(message("sacn-failed", address=where, detail=detail)) from error

    def open(self) -> None:
        """Open the socket; all fixtures are dark."""
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        try:
            opened.setblocking(False)
            opened.bind((self._settings.via, FROM_PORT + self._settings.universe % 20_000))
            if self._settings.via:
                interface = socket.inet_aton(self._settings.via)
                opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface)
            opened.connect((self._settings.address, PORT))
        except OSError:
            opened.close()
            raise
        self._socket = opened
        try:
            self._dark()
        except OSError:
            self._end()
            raise

    def put(self, spot: int, was: Colour, colour: Colour) -> None:
        """Let a spot have a colour at the next flush."""
        self._colours[spot] = colour

    def flush(self) -> None:
        """Send the picture, if it is another than was sent last."""
        if self._colours != self._shown:
            self._shown = list(self._colours)
            self._send()

    def again(self) -> None:
        """Send the picture at the next flush in any case: fixtures that hear nothing go out."""
        self._shown = None

    def close(self) -> None:
        """Leave all fixtures dark, and say that nothing more comes."""
        if self._socket is not None:
            try:
                self._dark()
                for _ in range(_ENDS):
                    self._send(_ENDED)
            finally:
                self._end()

    def _end(self) -> None:
        opened, self._socket = self._socket, None
        if opened is not None:
            opened.close()

    def _dark(self) -> None:
        self._colours = [OFF] * self.spots
        self.again()
        self.flush()

    def _send(self, options: int = 0) -> None:
        assert self._socket is not None, "sent to while it is open"
        self._number = (self._number + 1) & 0xFF
        self._socket.send(packet(self._settings, self._colours, self._number, options))
