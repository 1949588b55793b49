"""What reads the cards beside the exit of the shoe: a scanner or a camera, its plug, its faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from sim_hw.devices.faults import AnyFault, FaultKind
from sim_hw.devices.scanner import Scanner
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.settings import Settings

if TYPE_CHECKING:  # it draws pictures: what that takes is loaded where there is a camera
    from sim_hw.devices.camera import Camera

SCANNER_LINK: Final = "scanner"
#: Where the captures of the deck are, as calibration would have left them.
DECK_FOLDER: Final = "deck"


class TableReader:
    """The reader of one table; `say` takes a line for the log on the table's page.

    There is a scanner that is not plugged in where a camera alone reads.
    """

    def __init__(
        self, settings: Settings, camera: Camera | None, say: Callable[[str], None]
    ) -> None:
        assert (camera is not None) is settings.reader.camera
        self.camera = camera
        self.scanner = Scanner(
            settings.rundir / SCANNER_LINK,
            baud=settings.baud,
            with_serial=settings.serial_numbers,
            seed=settings.seed,
            protocol=settings.protocol,
            rough=settings.rough_line,
        )
        self._by_scanner = settings.reader.scanner
        self._deck = settings.rundir / DECK_FOLDER
        self._say = say
        self._later: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Plug it in. Raises `OSError`."""
        if self._by_scanner:
            self.scanner.plug()
        if self.camera is not None:
            self.camera.write_captures(self._deck)
            await self.camera.open()

    async def close(self) -> None:
        """Take everything away that `open` put there."""
        await self.forget_plugs()
        self.scanner.unplug()
        if self.camera is not None:
            await self.camera.close()

    async def forget_plugs(self) -> None:
        """No plug is put back any more."""
        for task in self._later:
            task.cancel()
        await asyncio.gather(*self._later, return_exceptions=True)

    async def read(
        self,
        card: PhysicalCard,
        faults: Mapping[AnyFault, float],
        behind: PhysicalCard | None = None,
    ) -> None:
        """What the scanner says of a card; `behind` is the one behind it in the shoe."""
        scanner = self.scanner
        if FaultKind.NOISE in faults:
            self._say("There is noise on the scanner's line.")
            await scanner.noise()
        if FaultKind.GARBAGE in faults:
            self._say("The scanner says rubbish.")
            await scanner.rubbish()
        elif FaultKind.MISS_CODE in faults:
            self._say("The scanner misses a card.")
        elif FaultKind.MERGED in faults:
            self._say("The scanner says a code twice in one.")
            await scanner.merged(card)
        elif FaultKind.UNPLUG_IN_CODE in faults:
            await scanner.half(card)
            self.unplug(faults[FaultKind.UNPLUG_IN_CODE])
        else:
            await scanner.scan(card, split=FaultKind.SPLIT in faults)
            if FaultKind.TWO_CODES in faults and behind is not None:
                self._say("Two cards come at once; the second is pushed back.")
                await scanner.scan(behind)
            if FaultKind.DOUBLE in faults:
                self._say("The scanner reads a card twice.")
                await scanner.scan(card)

    def unplug(self, for_s: float | None = None) -> None:
        """Pull the reader's plug; it is put back after `for_s`, or by hand if None.

        Whoever pulls it last says when: nothing that was to put it back does so sooner.
        """
        for task in self._later:
            task.cancel()
        if self._by_scanner:
            self.scanner.unplug()
            self._say("The scanner's plug is out.")
        elif self.camera is not None:
            self.camera.unplug()
            self._say("The camera's plug is out.")
        if for_s is not None:
            task = asyncio.get_running_loop().create_task(self._plug_later(for_s))
            self._later.add(task)
            task.add_done_callback(self._later.discard)

    def plug(self) -> None:
        """Put the reader's plug back."""
        if self._by_scanner:
            self.scanner.plug()
            self._say("The scanner is plugged in.")
        elif self.camera is not None:
            self.camera.plug()
            self._say("The camera is plugged in.")

    async def _plug_later(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self.plug()

    @property
    def plugged(self) -> bool:
        """Whether the plug of what reads the cards is in."""
        if self._by_scanner or self.camera is None:
            return self.scanner.plugged
        return self.camera.plugged
