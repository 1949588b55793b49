"""What a reader of the shoe reads bytes from, whatever is behind it."""

from __future__ import annotations

from typing import Protocol


class ByteStream(Protocol):
    """An opened device as a stream of bytes. Everything raises `DeviceError`, and nothing else."""

    def open(self) -> None:
        """Take the device; what came before is dropped."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether there is a descriptor."""
        ...

    def fileno(self) -> int:
        """The descriptor to wait on; the device must be open."""
        ...

    def read(self) -> bytes:
        """What has come; empty if nothing has."""
        ...

    def write(self, data: bytes) -> None:
        """Send `data`, which must be short."""
        ...

    def close(self) -> None:
        """Release the device; safe at any time, more than once."""
        ...
