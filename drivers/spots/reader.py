"""One reader under a spot: which tags lie there, what stands on them, and writing one, guarded."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from drivers.settings.spots import BetSpotSettings
from drivers.spots.bus_link import I2cPlace, PolledLink, SpiPlace
from drivers.spots.pn532_chip import Pn532Chip
from drivers.spots.rc522_chip import Rc522Chip, Rc522Place
from drivers.spots.reader_chip import FieldTag, ReaderChip
from drivers.spots.serial_link import SerialLink
from drivers.spots.tag_contents import PAGE, PAGE_BYTES, amount_of, contents, is_blank

SECTION: Final = "bet_spots"
#: Tags whose pages have four bytes; others (MIFARE Classic) have blocks with keys.
_PAGED: Final = 0x00


class NotWritten(Exception):
    """A tag was not written, and holds what it held unless the text says otherwise."""


class Reader:
    """The reader under one spot. Everything raises `DeviceError`, and nothing else."""

    def __init__(self, chip: ReaderChip) -> None:
        self._chip = chip

    async def open(self) -> None:
        """Take its wires and set its chip up."""
        await self._chip.open()

    async def tags(self) -> tuple[FieldTag, ...]:
        """The tags on the spot. The field stays on until `quiet`."""
        return await self._chip.tags()

    async def amount(self, tag: FieldTag, key: bytes) -> int | None:
        """The amount that stands on a tag; None where none of this house's does."""
        found = await self._chip.read(tag, PAGE)
        return None if found is None else amount_of(tag.uid, found, key)

    async def quiet(self) -> None:
        """Switch the field off: tags forget that they were found."""
        await self._chip.quiet()

    async def write(self, amount: int, key: bytes, *, replace: bool = False) -> FieldTag:
        """Write an amount on the one tag that lies there, and read it back; which it was.

        A tag that holds something else is never written, one of this house's only to `replace` its
        amount; nothing but its user pages 4 to 7 is. Raises `NotWritten`.
        """
        found = await self.tags()
        if len(found) != 1:
            raise NotWritten(f"{len(found)} tags lie there: put down one, and no other")
        tag = found[0]
        held = await self._chip.read(tag, PAGE)
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
            if not await self._chip.write(tag, number, page):
                raise NotWritten("it did not take all of it: it is worth nothing now; take another")
        if await self._chip.read(tag, PAGE) != wanted:
            raise NotWritten("something else is read back: it is worth nothing now; take another")
        return tag

    def close(self) -> None:
        """Release its wires; safe at any time, more than once."""
        self._chip.close()


def reader_at(settings: BetSpotSettings, port: str, base: Path) -> Reader:
    """The reader at a port of the settings, as seen from the configuration's folder."""
    path = str(base / port)
    if settings.chip == "rc522":
        return Reader(Rc522Chip(Rc522Place(path, SECTION), path))
    if settings.interface == "serial":
        return Reader(Pn532Chip(SerialLink(path, SECTION), path))
    place = (SpiPlace if settings.interface == "spi" else I2cPlace)(path, SECTION)
    return Reader(Pn532Chip(PolledLink(place, path), path))
