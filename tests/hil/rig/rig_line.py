"""What the rig is on its lines: a device that says codes or types, is pressed, or shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from sim_hw.devices.scanner import PROTOCOLS, TERMINATOR, Speech
from sim_hw.devices.wire.dmx_usb import DmxUsbPro
from sim_hw.devices.wire.hid_pos import reports
from sim_hw.devices.wire.oled import OledGlass
from sim_hw.devices.wire.pn532 import Pn532, Tag
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from sim_hw.devices.wire.sacn import read
from sim_hw.devices.wire.sh1106 import Sh1106Glass
from sim_hw.devices.wire.ssi import SsiScanner
from sim_hw.devices.wire.stream_deck import Deck
from sim_hw.devices.wire.usb_keyboard import USAGES, stroke, strokes
from tests.drivers.outside import LOOK_AGAIN_S
from tests.hil.rig.rig_client import RigClient, RigRefused
from tests.hil.rig.spot_board import SpotBoardLine
from tests.hil.rig.taps import DISPLAY_BOARD, STRIP_BOARD, BoardLine, NotHeard

#: The rig's lines: serial, a keyboard, reports of HID POS, a deck; boards that listen at a bus; a
#: universe.
SERIAL, KEYS, REPORTS, DECK = "scanner", "keys", "reports", "deck"
STRIP, OLED, FIXTURES = "strip", "oled", "fixtures"
TYPES, HID_POS = "scanner that types", "scanner by HID POS"
BY_BEAM = "scanner by SSI and beam"
RGBW = "strip of SK6812"
SH1106 = "oled on SH1106"
#: What such a scanner puts before and after each code.
AROUND = {
    "scanner with STX and ETX": (b"\x02", b"\x03"),
    "scanner with prefix and suffix": (b"<", b">\r\n"),
}
#: What is not on the serial line.
LINES = {
    TYPES: KEYS, "keypad": KEYS, "pedal": KEYS, HID_POS: REPORTS, "stream_deck": DECK,
    "strip": STRIP, RGBW: STRIP, "oled": OLED, SH1106: OLED, "sacn": FIXTURES,
}  # fmt: skip
#: What a scanner speaks, by the name under which its contract is looked at.
SCANNERS = {
    "scanner by SSI": "ssi", BY_BEAM: "ssi", "scanner GM65": "gm65",
    "scanner by Newland": "newland", "scanner by Datalogic": "datalogic",
}  # fmt: skip


#: A board says what waited for a reader in pieces, some thousand a second: none for so long, and
#: all was said.
SILENT_S = 0.05
#: Readers under a spot by how they are spoken to, where that is not the line itself: by a board.
SPOT_BY_I2C = "bet_spots by I2C"
SPOT_BUSES = {"bet_spots by SPI": "spi", SPOT_BY_I2C: "i2c"}
#: One whose chip leaves the tags to its host: the rig tells a board at the bus what lies there.
RC522 = "bet_spots on RC522"


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


class _Deck(Deck):
    """A Stream Deck, which answers nothing to its pictures."""

    def hears(self, data: bytes) -> bytes:  # type: ignore[override]
        super().hears(data)
        return b""


class _Fixtures:
    """The lights of a universe: they show the newest packet."""

    def __init__(self) -> None:
        self.slots = b""

    def hears(self, data: bytes) -> bytes:
        self.slots = read(data).slots
        return b""


class RigLine:
    """The device that the rig plays on one of its lines; made anew when it gets its power back.

    `own` is the name of its line, where that is not the one of all of its kind; `around` what a
    scanner of text puts before and after a code; `rows` how high a small display is.
    """

    def __init__(
        self, rig: RigClient, device: str, *, own: str = "",
        around: tuple[bytes, bytes] | None = None, rows: int = 64,
    ) -> None:  # fmt: skip
        self._rig = rig
        self._device = device
        self.line = own or LINES.get(device, SERIAL)
        self.own = own
        self._around = around
        self._rows = rows
        self.tags: list[Tag] = []
        self.power_up()

    def power_up(self) -> None:
        """Its plug is in again."""
        self._speech: Speech | None = None
        self._pole = _Pole()
        self._frames: list[bytes] = []
        glass = Sh1106Glass if self._device == SH1106 else OledGlass
        self._glass: OledGlass | Sh1106Glass = glass(self._rows)
        self._fixtures, self._interface = _Fixtures(), DmxUsbPro()
        self._deck = _Deck()
        shows: dict[str, FarEnd] = {
            "stream_deck": self._deck, "sacn": self._fixtures,
            "dmx": self._interface,
            "strip": (strip := BoardLine(STRIP_BOARD, self._frames.append)), RGBW: strip,
            "oled": (oled := BoardLine(DISPLAY_BOARD, self._glass.write)), SH1106: oled,
        }  # fmt: skip
        self.far: FarEnd = shows.get(self._device, self._pole)
        if self._device in SCANNERS:
            self.far = self._speech = PROTOCOLS[SCANNERS[self._device]]()
        elif self._device == "bet_spots":
            self.far = Pn532(lambda: list(self.tags))
        elif self._device in SPOT_BUSES:
            self.far = SpotBoardLine(Pn532(lambda: list(self.tags)))

    async def lay(self, tags: list[Tag]) -> None:
        """Put these tags on the sensed bet spot, in place of those that lay there."""
        self.tags[:] = tags
        if self._device == RC522:
            uids = b"".join(bytes((len(each.uid),)) + each.uid for each in tags)
            await self._rig.do("say", self.line, (uids + b"\0").hex())

    async def scan(self, code: bytes) -> None:
        """Say a code as this scanner does; one that was never enabled says nothing."""
        if said := self.said(code):
            await self._rig.do("say", self.line, said.hex())

    def said(self, code: bytes) -> bytes:
        """What this scanner says of a code: as it leaves it, or reports of keys that are typed."""
        if self._device == TYPES:
            return strokes((code + TERMINATOR).decode("ascii"))
        if self._device == HID_POS:
            return reports(code)
        if self._speech is not None:
            return self._speech.says(code)
        before, after = self._around or AROUND.get(self._device, (b"", TERMINATOR))
        return before + code + after

    @property
    def reads(self) -> bool:
        """Whether its host has told a scanner that reads by the beam to read."""
        return isinstance(self._speech, SsiScanner) and self._speech.reads

    async def press(self, key: str) -> None:
        """Press and release a key, by its name in Linux."""
        await self._rig.do("say", self.line, stroke(USAGES[key]).hex())

    async def press_deck(self, key: int, hold_s: float) -> None:
        """Press and release a key of the deck, from 0."""
        for down in ((key,), ()):
            await self._rig.do("say", self.line, self._deck.report(*down).hex())
            await asyncio.sleep(hold_s)

    @property
    def pictures(self) -> dict[int, bytes]:
        """What the keys of the deck show, by key from 0."""
        return self._deck.pictures

    @property
    def frame(self) -> bytes:
        """What the pixels of the strip took last, by its order; empty before the first."""
        return self._frames[-1] if self._frames else b""

    @property
    def lit(self) -> list[list[bool]]:
        """The pixels of the small display that shine, row by row."""
        return self._glass.lit

    @property
    def slots(self) -> bytes:
        """What the fixtures were sent last; empty before the first packet, or where none comes."""
        return self._interface.lit or self._fixtures.slots

    @property
    def rows(self) -> tuple[str, ...]:
        """What the rows of a pole display say."""
        return tuple(row.rstrip() for row in self._pole.face.rows)

    async def _listen(self) -> None:
        while True:
            try:
                (heard,) = await self._rig.do("heard", self.line)
                answer = b"" if heard == "-" else self.far.hears(bytes.fromhex(heard))
                if answer:
                    await self._rig.do("say", self.line, answer.hex())
            except RigRefused as error:
                if isinstance(self.far, BoardLine):
                    raise NotHeard(f"a board is away: {error}") from error
                # Its plug is out: nobody hears anything.
            await asyncio.sleep(LOOK_AGAIN_S)

    async def _drop_what_was_said(self) -> None:
        silent = False
        while not silent:
            while await self._rig.do("heard", self.line) != ("-",):
                pass
            if not isinstance(self.far, BoardLine):
                return
            await asyncio.sleep(SILENT_S)
            silent = await self._rig.do("heard", self.line) == ("-",)

    @property
    def answers(self) -> bool:
        """Whether it is a scanner that has something to say to its host's words."""
        return self._speech is not None

    @asynccontextmanager
    async def listening(self, *, anew: bool = True) -> AsyncIterator[None]:
        """Let the device answer; what was sent to the one before it is dropped, where it is `anew`.

        Raises `NotHeard` at the end where a board lost something, or was away.
        """
        if anew:
            await self._drop_what_was_said()
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()
