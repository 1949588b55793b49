"""What is at the far end of the rig's serial line: a device that answers what the table sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from sim_hw.devices.scanner import PROTOCOLS, TERMINATOR, Speech
from sim_hw.devices.wire.pn532 import Pn532, Tag
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from tests.drivers.outside import LOOK_AGAIN_S
from tests.hil.rig_client import RigClient, RigRefused

LINE = "scanner"
#: What a scanner speaks, by the name under which its contract is looked at.
SCANNERS = {
    "scanner by SSI": "ssi", "scanner GM65": "gm65", "scanner by Newland": "newland",
    "scanner by Datalogic": "datalogic",
}  # fmt: skip


class FarEnd(Protocol):
    """A device as its line sees it."""

    def hears(self, data: bytes) -> bytes:
        """Its answer to what came; it may be none."""
        ...


class _Pole:
    """A pole display, which answers nothing."""

    def __init__(self) -> None:
        self.face = PoleDisplayFace()

    def hears(self, data: bytes) -> bytes:
        self.face.hears(data)
        return b""


class RigLine:
    """The device that the rig plays on its serial line; made anew when it gets its power back."""

    def __init__(self, rig: RigClient, device: str) -> None:
        self._rig = rig
        self._device = device
        self.tags: list[Tag] = []
        self.power_up()

    def power_up(self) -> None:
        """Its plug is in again."""
        self._speech: Speech | None = None
        self._pole = _Pole()
        self._far: FarEnd = self._pole
        if self._device in SCANNERS:
            self._far = self._speech = PROTOCOLS[SCANNERS[self._device]]()
        elif self._device == "bet_spots":
            self._far = Pn532(lambda: list(self.tags))

    def code(self, code: bytes) -> bytes:
        """What the scanner at this end says of a code: plain, where it is none that answers."""
        return self._speech.says(code) if self._speech is not None else code + TERMINATOR

    @property
    def rows(self) -> tuple[str, ...]:
        """What the rows of a pole display say."""
        return tuple(row.rstrip() for row in self._pole.face.rows)

    async def _listen(self) -> None:
        while True:
            try:
                (heard,) = await self._rig.do("heard", LINE)
                answer = b"" if heard == "-" else self._far.hears(bytes.fromhex(heard))
                if answer:
                    await self._rig.do("say", LINE, answer.hex())
            except RigRefused:
                pass  # its plug is out: nobody hears anything
            await asyncio.sleep(LOOK_AGAIN_S)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Let the device answer; what was sent to the one before it is dropped."""
        await self._rig.do("heard", LINE)
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
