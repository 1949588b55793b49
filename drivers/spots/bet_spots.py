"""The bet spots as an input device: every spot as it is, and then what changes.

One field is on at a time: antennas side by side would hear each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from controller.devices.inputs import SpotChips, SpotSensed
from drivers.settings.spots import BetSpotSettings
from drivers.spots.reader import SECTION, Reader, reader_at

EMPTY: Final = SpotChips(present=False)


class _SettlingSpot:
    """What was found on one spot: what is believed of it, and what might be true by now."""

    def __init__(self) -> None:
        self._believed: SpotChips | None = None
        self._perhaps: SpotChips | None = None
        self._since_s = 0.0

    def believed_anew(self, found: SpotChips, at_s: float, settle_s: float) -> bool:
        """Whether `found` is to be reported: it was the same for long enough, and is new."""
        if found != self._perhaps:
            self._perhaps, self._since_s = found, at_s
        if found == self._believed or at_s - self._since_s < settle_s:
            return False
        self._believed = found
        return True


class BetSpots:
    """RFID readers under the spots, asked one after another."""

    def __init__(
        self, settings: BetSpotSettings, key: bytes | None, base: Path, name: str = SECTION
    ) -> None:
        self._settings = settings
        self._key = key
        self._name = name
        self._readers = {
            seat: reader_at(settings, port, base)
            for seat, port in enumerate(settings.ports, start=1)
            if port
        }

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the wires of every reader and set every chip up. Raises `DeviceError`."""
        for reader in self._readers.values():
            await reader.open()

    async def inputs(self) -> AsyncGenerator[SpotSensed]:
        """Every spot as it is, and what changes from then on. Raises `DeviceError`."""
        spots = {seat: _SettlingSpot() for seat in self._readers}
        settle_s, clock = self._settings.settle_ms / 1_000, asyncio.get_running_loop().time
        while True:
            for seat, reader in self._readers.items():
                found = await self._look(reader)
                if spots[seat].believed_anew(found, clock(), settle_s):
                    yield SpotSensed(self._name, seat, found)
            await asyncio.sleep(self._settings.poll_ms / 1_000)

    async def close(self) -> None:
        """Release all wires; safe at any time, more than once."""
        for reader in self._readers.values():
            reader.close()

    async def _look(self, reader: Reader) -> SpotChips:
        found = await reader.tags()
        amount: int | None = None
        # Of two tags nobody can say that there is no third: they are worth nothing certain.
        if len(found) == 1 and self._key is not None:
            amount = await reader.amount(found[0], self._key)
        await reader.quiet()
        if not found:
            return EMPTY
        # No two tags have one number: one that is listed twice is there once.
        return SpotChips(
            present=True, tags=tuple(sorted({each.text for each in found})), amount=amount
        )
