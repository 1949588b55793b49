"""A mat that feels chips: a file that says for its one spot whether some lie there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from controller.devices.contracts import DeviceLost
from controller.devices.inputs import SpotChips, SpotSensed
from controller.rules.messages import message
from drivers.driver import Driver, DriverRole, Made

from .devices import opened

POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class MatSettings:
    """`[acme_spots]`: the file of the mat, and which seat's spot it lies on."""

    file: str
    seat: int = 1


class Mat:
    """The sensor."""

    name = "acme_spots"

    def __init__(self, settings: MatSettings) -> None:
        self._settings = settings
        self._fd: int | None = None

    async def open(self) -> None:
        """Open the file. Raises `DeviceError`."""
        await self.close()
        self._fd = opened(self._settings.file, os.O_RDONLY)

    async def inputs(self) -> AsyncGenerator[SpotSensed]:
        """The spot as it is, and each change. Raises `DeviceLost`."""
        believed: bool | None = None
        while True:
            felt = self._feels()
            if felt is not believed:
                believed = felt
                yield SpotSensed(self.name, self._settings.seat, SpotChips(present=felt))
            await asyncio.sleep(POLL_S)

    def _feels(self) -> bool:
        assert self._fd is not None
        if not os.fstat(self._fd).st_nlink:
            raise DeviceLost(message("port-lost", port=self._settings.file))
        return os.pread(self._fd, 1, 0) == b"1"

    async def close(self) -> None:
        """Let go of the file."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


SPOTS = Driver(
    "acme_spots", DriverRole.SENSOR, MatSettings, lambda settings, _: Made(Mat(settings))
)
