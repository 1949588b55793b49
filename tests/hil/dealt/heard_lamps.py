"""Lamps that a rig hears of on a line: what a strip, a universe or a DMX line is sent, as the lamps
that it lights, each with the time at which the rig had it.

What tells of it takes its time: a board hands a frame on when the line has been low for long enough
(`sim_hw/rig/boards`), and USB brings it. All that counts as the table's: it looks slower, never
faster.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from controller.config.device_sections import DeviceSections
from drivers.settings.dmx import DmxSettings
from drivers.settings.panel import StripSettings
from drivers.settings.sacn import SacnSettings
from sim_hw.devices.spot_lamps import DARK, LampColour
from sim_hw.devices.wire.dmx_usb import DmxUsbPro
from sim_hw.devices.wire.sacn import read
from tests.hil.dealt.table_lights import LINE_OF, lights_of
from tests.hil.rig.rig_client import RigClient, RigEdge, RigHeard
from tests.hil.rig.taps import STRIP_BOARD, BoardLine, NotHeard
from tests.hil.stands.simulated import lamp

Picture = tuple[LampColour, ...]
"""What the spots show, seat 1 first."""

#: A request to a DMX interface, whole: what came before the first one that is was cut off.
_REQUEST: Final = re.compile(rb"\x7e(?:\x03\x02\x00..|\x0a\x00\x00)\xe7", re.DOTALL)
#: More of a line than this without a request is none of ours: it asks each second.
REQUESTS_WITHIN: Final = 65_536


class Ear(Protocol):
    """What makes pictures of what came on a line."""

    def hears(self, data: bytes) -> tuple[list[Picture], bytes]:
        """The pictures that came, oldest first, and what is answered. Raises `NotHeard`."""
        ...


class PixelEar:
    """Frames of a strip, as the rig's board hands them on."""

    def __init__(self, settings: StripSettings) -> None:
        self._settings = settings
        self._pictures: list[Picture] = []
        self._line = BoardLine(STRIP_BOARD, self._frame)

    def hears(self, data: bytes) -> tuple[list[Picture], bytes]:
        """Packets of the board, in whatever pieces. It answers nothing."""
        self._line.hears(data)
        pictures, self._pictures = self._pictures, []
        return pictures, b""

    def _frame(self, frame: bytes) -> None:
        order, count = self._settings.order, self._settings.pixels
        pixels = [frame[at : at + len(order)] for at in range(0, len(frame), len(order))]
        spots = [pixels[count * spot :][:count] for spot in range(self._settings.spots)]
        for seat, spot in enumerate(spots, start=1):
            if len(spot) < count or len({*spot}) > 1:
                raise NotHeard(
                    f"the pixels of seat {seat} were sent {[each.hex() for each in spot]}"
                )
        self._pictures.append(
            tuple(LampColour(*(spot[0][order.index(each)] > 0 for each in "rgb")) for spot in spots)
        )


class UniverseEar:
    """Packets of streaming ACN."""

    def __init__(self, settings: SacnSettings) -> None:
        self._settings = settings

    def hears(self, data: bytes) -> tuple[list[Picture], bytes]:
        """One packet."""
        try:
            return [fixtures(self._settings, read(data).slots)], b""
        except AssertionError as error:
            raise NotHeard(f"a packet that is none of E1.31: {error}") from error


class DmxEar:
    """What a DMX interface is sent, whose answers the table waits for."""

    def __init__(self, settings: DmxSettings) -> None:
        self._settings = settings
        self._interface = DmxUsbPro()
        self._waiting: bytes | None = b""

    def hears(self, data: bytes) -> tuple[list[Picture], bytes]:
        """Bytes in whatever pieces; of several pictures in one, the newest."""
        if self._waiting is not None:
            self._waiting += data
            whole = _REQUEST.search(self._waiting)
            if whole is None:
                if len(self._waiting) > REQUESTS_WITHIN:
                    raise NotHeard("nobody asks the DMX interface for anything")
                return [], b""
            data, self._waiting = self._waiting[whole.start() :], None
        before = self._interface.packets
        try:
            answer = self._interface.hears(data)
        except AssertionError as error:
            raise NotHeard(f"what no DMX interface takes: {error}") from error
        if self._interface.packets == before:
            return [], answer
        return [fixtures(self._settings, self._interface.lit or b"")], answer


def fixtures(settings: SacnSettings | DmxSettings, slots: bytes) -> Picture:
    """What fixtures in a row show: seat 1 from the first slot on."""
    size = len(settings.order)
    ends = settings.first - 1 + size * settings.spots
    if len(slots) < ends:
        raise NotHeard(f"{len(slots)} slots were sent, and the fixtures have {ends}")
    shown = []
    for first in range(settings.first - 1, ends, size):
        lit = dict(zip(settings.order, slots[first : first + size], strict=True))
        colour = LampColour(*(lit[each] > 0 for each in "rgb"))
        shown.append(colour if lit.get("d", 1) else DARK)
    return tuple(shown)


class HeardLamps:
    """The lamps of a table by what the rig hears on `line`: each change is an edge of a lamp.

    `first` is called with the first picture, `failed` with what was not heard.
    """

    def __init__(
        self, rig: RigClient, line: str, ear: Ear, spots: int, failed: Callable[[Exception], None],
        first: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._rig = rig
        self._first = first
        self._line = line
        self._ear = ear
        self._shown: Picture = (DARK,) * spots
        self._failed = failed
        #: Whether the table has sent any: before, its lights may not be open yet.
        self.seen = False

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Note what they show, until the end. Raises `RigRefused` where there is no such line."""
        for seat in range(1, len(self._shown) + 1):
            self._rig.levels.update({lamp(seat, each): 0 for each in LampColour._fields})
        self._rig.hear(self._came)
        try:
            await self._rig.do("listen", self._line, "on")
            yield
        finally:
            self._rig.unhear(self._came)
            if self._rig.gone is None:
                await self._rig.do("listen", self._line, "off")

    def _came(self, heard: RigHeard) -> None:
        if heard.line != self._line:
            return
        try:
            if heard.data is None:
                raise NotHeard(f"the line {self._line!r} was lost")
            pictures, answer = self._ear.hears(heard.data)
        except NotHeard as error:
            self._failed(error)
            return
        if answer:
            self._rig.ask("say", self._line, answer.hex()).add_done_callback(self._said)
        for picture in pictures:
            self._note(picture, heard.at_ns)
        if pictures and not self.seen:
            self.seen = True
            self._first()

    def _said(self, answer: Any) -> None:
        if not answer.cancelled() and (error := answer.exception()) is not None:
            self._failed(error)

    def _note(self, picture: Picture, at_ns: int) -> None:
        before, self._shown = self._shown, picture
        for seat, (was, now) in enumerate(zip(before, picture, strict=True), start=1):
            for name, lit_before, lit in zip(now._fields, was, now, strict=True):
                if lit != lit_before:
                    self._rig.note(RigEdge(at_ns, lamp(seat, name), int(lit)))


def heard_lamps(
    rig: RigClient, devices: DeviceSections, failed: Callable[[Exception], None],
    first: Callable[[], None] = lambda: None,
) -> HeardLamps | None:  # fmt: skip
    """The lamps of a table that is configured so, where the rig hears of them on a line."""
    lights = lights_of(devices)
    if lights not in LINE_OF:
        return None
    ear: Ear
    if devices.strip is not None and lights == "strip":
        ear, spots = PixelEar(devices.strip), devices.strip.spots
    elif devices.sacn is not None and lights == "sacn":
        ear, spots = UniverseEar(devices.sacn), devices.sacn.spots
    else:
        assert devices.dmx is not None
        ear, spots = DmxEar(devices.dmx), devices.dmx.spots
    return HeardLamps(rig, LINE_OF[lights], ear, spots, failed, first)
