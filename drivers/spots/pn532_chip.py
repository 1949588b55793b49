"""A PN532 as the chip of a reader: its commands, one after another, over whatever wires it has."""

from __future__ import annotations

from typing import Protocol

from controller.devices.contracts import DeviceError
from controller.rules.messages import message
from drivers.spots import pn532
from drivers.spots.reader_chip import Broken, FieldTag


class Pn532Link(Protocol):
    """The wires to a PN532. Everything raises `DeviceError`, and nothing else."""

    async def open(self) -> None:
        """Take the wires, and wake what is at their end."""
        ...

    async def ask(self, command: bytes) -> bytes:
        """The parameters of the answer to a command."""
        ...

    def close(self) -> None:
        """Release the wires; safe at any time, more than once."""
        ...


class Pn532Chip:
    """The chip at the end of `link`; `port` is what a person knows it by."""

    def __init__(self, link: Pn532Link, port: str) -> None:
        self._link = link
        self._port = port

    async def open(self) -> None:
        """Take its wires and set it up."""
        await self._link.open()
        await self._link.ask(pn532.NORMAL_MODE)
        if not pn532.is_pn532(await self._link.ask(pn532.FIRMWARE)):
            raise DeviceError(message("spot-reader-other-chip", port=self._port))
        await self._link.ask(pn532.FEW_RETRIES)

    async def tags(self) -> tuple[FieldTag, ...]:
        """The tags in the field, two at the most. The field stays on until `quiet`."""
        said = await self._link.ask(pn532.LIST_TARGETS)
        try:
            return pn532.targets(said)
        except Broken as error:
            raise confused(self._port, error) from error

    async def read(self, tag: FieldTag, page: int) -> bytes | None:
        """Four pages of a tag, from `page` on; None where it does not answer."""
        return pn532.exchanged(await self._link.ask(pn532.read_pages(tag, page)))

    async def write(self, tag: FieldTag, page: int, data: bytes) -> bool:
        """Write one page of a tag, four bytes; whether it took them."""
        said = await self._link.ask(pn532.write_page(tag, page, data))
        return pn532.exchanged(said) is not None

    async def quiet(self) -> None:
        """Switch the field off: tags forget that they were found."""
        await self._link.ask(pn532.FIELD_OFF)

    def close(self) -> None:
        """Release its wires; safe at any time, more than once."""
        self._link.close()


def confused(port: str, error: Broken) -> DeviceError:
    """The error for an answer that cannot be."""
    return DeviceError(message("spot-reader-confused", port=port, detail=str(error)))
