"""The frames that the pin factory and the world exchange over a unix stream socket.

Every frame has sixteen bytes, so that a stream of them needs no further framing: kind, pin, level,
five bytes of nothing, and the sender's monotonic clock in nanoseconds (one clock for both ends,
since both run on one machine).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

VERSION: Final = 1
SOCKET_VARIABLE: Final = "TABLECTL_SIM_PINS"

_LAYOUT: Final = struct.Struct("<BBB5xq")
FRAME_BYTES: Final = _LAYOUT.size


class FrameKind(IntEnum):
    """What a frame says."""

    HELLO = 1
    """Factory to world, first of all: `level` is the protocol version."""
    OUTPUT = 2
    """Factory to world: `pin` is an output and has `level`."""
    INPUT = 3
    """Factory to world: `pin` became an input; `level` is its pull (0 none, 1 up, 2 down)."""
    DRIVE = 4
    """World to factory: something in the world holds `pin` at `level`."""
    RELEASE = 5
    """World to factory: nothing holds `pin`; it goes to its pull."""
    READY = 6
    """World to factory: the state of every held pin has been sent."""


class WireError(Exception):
    """A frame that this protocol does not know: the two ends are of different versions."""


class Frame(NamedTuple):
    """One frame; `at_ns` is the sender's monotonic clock."""

    kind: FrameKind
    pin: int
    level: int
    at_ns: int

    def packed(self) -> bytes:
        """The sixteen bytes of the frame."""
        return _LAYOUT.pack(self.kind, self.pin, self.level, self.at_ns)


def frames(data: bytes) -> Iterator[Frame]:
    """The frames in `data`, which must be a whole number of them. Raises `WireError`."""
    for kind, pin, level, at_ns in _LAYOUT.iter_unpack(data):
        try:
            yield Frame(FrameKind(kind), pin, level, at_ns)
        except ValueError:
            raise WireError(
                f"unknown frame {kind} on the pins socket: the service and the simulated world are"
                " of different versions; install both from one checkout"
            ) from None
