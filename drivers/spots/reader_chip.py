"""What the chip of a reader under a spot does, whatever it is and however it is spoken to."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class FieldTag(NamedTuple):
    """A tag in the field: its logical number, kind (SEL_RES) and unique number."""

    number: int
    kind: int
    uid: bytes

    @property
    def text(self) -> str:
        """Its unique number in hexadecimal."""
        return self.uid.hex()


class Broken(Exception):
    """An answer that is none of this command's; the chip has to be set up anew."""


class ReaderChip(Protocol):
    """A chip with its antenna. Everything raises `DeviceError`, and nothing else."""

    async def open(self) -> None:
        """Take its wires and set it up."""
        ...

    async def tags(self) -> tuple[FieldTag, ...]:
        """The tags in the field, two at the most. The field stays on until `quiet`."""
        ...

    async def read(self, tag: FieldTag, page: int) -> bytes | None:
        """Four pages of a tag, from `page` on; None where it does not answer."""
        ...

    async def write(self, tag: FieldTag, page: int, data: bytes) -> bool:
        """Write one page of a tag, four bytes; whether it took them."""
        ...

    async def quiet(self) -> None:
        """Switch the field off: tags forget that they were found."""
        ...

    def close(self) -> None:
        """Release its wires; safe at any time, more than once."""
        ...
