"""One PN532 on a serial line: asked, one command after another."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from controller.devices.contracts import DeviceError
from controller.rules.messages import message
from drivers.io.device_node import DeviceNode
from drivers.io.serial_line import at_rate
from drivers.spots import pn532
from drivers.spots.pn532 import FieldTag
from drivers.spots.tag_contents import PAGE, PAGE_BYTES, amount_of, contents, is_blank

SECTION: Final = "bet_spots"
#: Every command is answered within some 50 ms; a tag that went away takes the chip no longer.
ANSWERS_S: Final = 0.5
#: Tags whose pages have four bytes; others (MIFARE Classic) have blocks with keys.
_PAGED: Final = 0x00


class NotWritten(Exception):
    """A tag was not written, and holds what it held unless the text says otherwise."""


class Reader:
    """The reader under one spot. Everything raises `DeviceError`, and nothing else."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._node = DeviceNode(port, SECTION, at_rate(pn532.BAUD))
        self._answers = pn532.FrameBuffer()
        self._came: asyncio.Future[bytes] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Take the line and set the chip up."""
        self._node.open()
        self._answers = pn532.FrameBuffer()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._node.fileno(), self._readable)
        self._node.write(pn532.WAKE)
        await self._ask(pn532.NORMAL_MODE)
        if not pn532.is_pn532(await self._ask(pn532.FIRMWARE)):
            raise DeviceError(message("spot-reader-other-chip", port=self._port))
        await self._ask(pn532.FEW_RETRIES)

    async def tags(self) -> tuple[FieldTag, ...]:
        """The tags on the spot. The field stays on until `quiet`."""
        return self._parsed(await self._ask(pn532.LIST_TARGETS))

    async def amount(self, tag: FieldTag, key: bytes) -> int | None:
        """The amount that stands on a tag; None where none of this house's does."""
        found = await self._contents(tag)
        return None if found is None else amount_of(tag.uid, found, key)

    async def quiet(self) -> None:
        """Switch the field off: tags forget that they were found."""
        await self._ask(pn532.FIELD_OFF)

    async def write(self, amount: int, key: bytes, *, replace: bool = False) -> FieldTag:
        """Write an amount on the one tag that lies there, and read it back; which it was.

        A tag that holds something else is never written, one of this house's only to `replace` its
        amount; nothing but its user pages 4 to 7 is. Raises `NotWritten`.
        """
        found = await self.tags()
        if len(found) != 1:
            raise NotWritten(f"{len(found)} tags lie there: put down one, and no other")
        tag = found[0]
        held = await self._contents(tag)
        if tag.kind != _PAGED or held is None:
            raise NotWritten("it is no NTAG21x or MIFARE Ultralight, or its pages are locked")
        old = amount_of(tag.uid, held, key)
        if old is not None and not replace:
            raise NotWritten(f"it is worth {old} already: say --replace to write it anew")
        if old is None and not is_blank(held):
            raise NotWritten("something else stands on it: it is not this house's, or half written")
        wanted = contents(tag.uid, amount, key)
        pages = [wanted[at : at + PAGE_BYTES] for at in range(0, len(wanted), PAGE_BYTES)]
        for number, page in enumerate(pages, start=PAGE):
            if pn532.exchanged(await self._ask(pn532.write_page(tag, number, page))) is None:
                raise NotWritten("it did not take all of it: it is worth nothing now; take another")
        if await self._contents(tag) != wanted:
            raise NotWritten("something else is read back: it is worth nothing now; take another")
        return tag

    def close(self) -> None:
        """Release the line; safe at any time, more than once."""
        if self._loop is not None and self._node.is_open:
            self._loop.remove_reader(self._node.fileno())
        self._node.close()

    async def _contents(self, tag: FieldTag) -> bytes | None:
        return pn532.exchanged(await self._ask(pn532.read_pages(tag, PAGE)))

    async def _ask(self, command: bytes) -> bytes:
        """The parameters of the answer to a command."""
        self._came = asyncio.get_running_loop().create_future()
        self._node.write(pn532.frame(command))
        try:
            async with asyncio.timeout(ANSWERS_S):
                answer = await self._came
            return pn532.parameters(command, answer)
        except TimeoutError:
            raise DeviceError(message("spot-reader-silent", port=self._port)) from None
        except pn532.Broken as error:
            raise self._broken(error) from error
        finally:
            self._came = None

    def _parsed(self, said: bytes) -> tuple[FieldTag, ...]:
        try:
            return pn532.targets(said)
        except pn532.Broken as error:
            raise self._broken(error) from error

    def _readable(self) -> None:
        came = self._came
        try:
            answers = self._answers.feed(self._node.read())
        except (DeviceError, pn532.Broken) as error:
            if isinstance(error, DeviceError):
                assert self._loop is not None
                self._loop.remove_reader(self._node.fileno())
            if came is not None and not came.done():
                came.set_exception(error)
            return
        if answers and came is not None and not came.done():
            came.set_result(answers[-1])

    def _broken(self, error: pn532.Broken) -> DeviceError:
        return DeviceError(message("spot-reader-confused", port=self._port, detail=str(error)))


def reader_at(port: str, base: Path) -> Reader:
    """The reader at a port of the settings, as seen from the configuration's folder."""
    return Reader(str(base / port))
