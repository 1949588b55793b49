"""What the rig is on its lines: a device that says codes or types, and answers the table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from sim_hw.devices.scanner import PROTOCOLS, TERMINATOR, Speech
from sim_hw.devices.wire.hid_pos import reports
from sim_hw.devices.wire.pn532 import Pn532, Tag
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from sim_hw.devices.wire.usb_keyboard import USAGES, stroke, strokes
from tests.drivers.outside import LOOK_AGAIN_S
from tests.hil.rig_client import RigClient, RigRefused

#: The rig's lines: serial, a keyboard, reports of HID POS.
SERIAL, KEYS, REPORTS = "scanner", "keys", "reports"
TYPES, HID_POS = "scanner that types", "scanner by HID POS"
#: What is on the USB functions; everything else is on the serial line.
USB_LINES = {TYPES: KEYS, "keypad": KEYS, "pedal": KEYS, HID_POS: REPORTS}
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
    """The device that the rig plays on one of its lines; made anew when it gets its power back."""

    def __init__(self, rig: RigClient, device: str) -> None:
        self._rig = rig
        self._device = device
        self._line = USB_LINES.get(device, SERIAL)
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

    async def scan(self, code: bytes) -> None:
        """Say a code as this scanner does; one that was never enabled says nothing."""
        if said := self._said(code):
            await self._rig.do("say", self._line, said.hex())

    def _said(self, code: bytes) -> bytes:
        if self._device == TYPES:
            return strokes((code + TERMINATOR).decode("ascii"))
        if self._device == HID_POS:
            return reports(code)
        return self._speech.says(code) if self._speech is not None else code + TERMINATOR

    async def press(self, key: str) -> None:
        """Press and release a key, by its name in Linux."""
        await self._rig.do("say", self._line, stroke(USAGES[key]).hex())

    @property
    def rows(self) -> tuple[str, ...]:
        """What the rows of a pole display say."""
        return tuple(row.rstrip() for row in self._pole.face.rows)

    async def _listen(self) -> None:
        while True:
            try:
                (heard,) = await self._rig.do("heard", self._line)
                answer = b"" if heard == "-" else self._far.hears(bytes.fromhex(heard))
                if answer:
                    await self._rig.do("say", self._line, answer.hex())
            except RigRefused:
                pass  # its plug is out: nobody hears anything
            await asyncio.sleep(LOOK_AGAIN_S)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Let the device answer; what was sent to the one before it is dropped."""
        await self._rig.do("heard", self._line)
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
