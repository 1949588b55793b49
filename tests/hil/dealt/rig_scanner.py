"""The table's scanner of whatever language, its line a rig's: its cards, and what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Protocol

from sim_hw.devices.scanner import (
    MISHEARD,
    RUBBISH,
    SESSION_S,
    SPLIT_PAUSE_S,
    Scanner,
    printed_code,
)
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.devices.wire.hid_pos import REPORT_BYTES
from sim_hw.devices.wire.usb_keyboard import REPORT_BYTES as KEYS_BYTES
from sim_hw.rig.protocol import SAY_MAX
from tests.drivers.outside import LOOK_AGAIN_S
from tests.hil.dealt.table_scanner import PLAYED, SSI_BY_BEAM
from tests.hil.rig.rig_client import RigClient, RigRefused
from tests.hil.rig.rig_line import KEYS, REPORTS, FarEnd, RigLine

#: What goes whole by USB: a key's going down and up, a report. Of a line it is a byte.
_PIECES: Final = {KEYS: 2 * KEYS_BYTES, REPORTS: REPORT_BYTES}
#: Characters that are no code, and that one that types has keys for.
_TYPED_RUBBISH: Final = b"qvxz-"


class ScannerHands(Protocol):
    """Who moves plugs, and is told when a code was said."""

    @property
    def rig(self) -> RigClient:
        """The rig."""
        ...

    def post(self, verb: str, *words: object) -> asyncio.Future[object]:
        """Ask the rig without waiting."""
        ...

    def said(self, at_ns: int) -> None:
        """A code was said, by the rig's clock."""
        ...


class RigScanner(Scanner):
    """A scanner that speaks as `speaks` says (of `bench.scanners`), on a line of the rig's."""

    def __init__(self, hands: ScannerHands, speaks: str, *, baud: int, seed: int) -> None:
        super().__init__(Path("scanner"), baud=baud, with_serial=False, seed=seed)
        self._hands = hands
        self._by_beam = speaks == SSI_BY_BEAM
        self._played = RigLine(hands.rig, PLAYED[speaks])
        self._piece = _PIECES.get(self._played.line, 1)
        self._in = True

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Let it answer its host, where it is one that does.

        The service is there already, and waits for its answer.
        """
        if not self._played.answers:
            yield
            return
        async with self._played.listening(anew=False):
            yield

    @property
    def far(self) -> FarEnd:
        """The scanner as its host has it at the other end of the line."""
        return self._played.far

    @property
    def plugged(self) -> bool:
        """Whether its plug is in."""
        return self._in

    def plug(self) -> None:
        """Connect it by relay: it has power again, and nothing of what it was told before."""
        self._in = True
        self._played.power_up()
        self._hands.post("plug", "scanner", "in")

    def unplug(self) -> None:
        """Cut it by relay."""
        self._in = False
        self._hands.post("plug", "scanner", "out")

    async def reading_enabled(self) -> None:
        """Wait until its host has told it to read, where it waits for that."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + SESSION_S
        while self._by_beam and not self._played.reads:
            if loop.time() > until_s or not self._in:
                return
            await asyncio.sleep(LOOK_AGAIN_S)

    async def scan(self, card: PhysicalCard, *, split: bool = False) -> None:
        """Say the code of a card; in two pieces with a pause between if `split`."""
        line = self._line(card)
        if split:
            await self._say(line[: 2 * self._piece])
            await asyncio.sleep(SPLIT_PAUSE_S)
            line = line[2 * self._piece :]
        await self._say(line)

    async def merged(self, card: PhysicalCard) -> None:
        """Say the code twice, and leave out the end of the first."""
        await self._say(self._played.said(2 * printed_code(card, with_serial=False)))

    async def half(self, card: PhysicalCard) -> None:
        """Say the first half of the code."""
        line = self._line(card)
        half = len(line) // 2
        await self._say(line[: half - half % self._piece])

    async def rubbish(self) -> None:
        """Say three to nine characters that are no code, as this scanner would say one."""
        count = self._noise.randint(3, 9)
        of = _TYPED_RUBBISH if self._played.line == KEYS else RUBBISH
        await self._say(self._played.said(bytes(self._noise.choices(of, k=count))))

    def _line(self, card: PhysicalCard) -> bytes:
        return self._played.said(printed_code(card, with_serial=False))

    async def _say(self, data: bytes) -> None:
        if asyncio.get_running_loop().time() < self._wrong_until_s:
            data = bytes(self._noise.choice(MISHEARD) for _ in data)
        rig = self._hands.rig
        # One that was never enabled, or is not told to read, says nothing.
        for at in range(0, len(data), SAY_MAX):
            part, cuts = data[at : at + SAY_MAX].hex(), rig.cuts
            connected = self._in and rig.powered
            try:
                self._hands.said(await rig.at("say", self._played.line, part))
            except RigRefused:
                if connected and self._in and rig.cuts == cuts:
                    raise
                return  # without a plug or a table's power there is nobody who takes it
