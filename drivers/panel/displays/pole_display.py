"""A customer display on a pole, for the players: two rows of text on a serial line.

Source: Epson, ESC/POS commands of the DM-D110 and DM-D210: ESC @ initialises, ESC t 0 chooses code
page 437, US C 0 hides the cursor, US SOH lets a character take the place of what was there, HOM (0B
hex) goes to the first place, FF clears; a full row goes on in the next one. A picture is written
over the one before, never on a cleared glass, which would blink each time. Proved byte by byte,
against a display made from those commands; not tried on one.
"""

from __future__ import annotations

import asyncio
import textwrap
import threading
import time
from typing import Final

from controller.devices.scene import Scene
from drivers.io.device_node import DeviceNode
from drivers.io.serial_line import at_rate
from drivers.panel.displays.newest_scene import NewestScene
from drivers.settings.displays import PoleDisplaySettings

SECTION: Final = "pole_display"
ROWS: Final = 2
SET_UP: Final = b"\x1bt\x00\x1fC\x00\x1f\x01"
INITIALISE: Final = b"\x1b@" + SET_UP
HOME: Final = b"\x0b"
CLEAR: Final = b"\x0c"
#: One that lost its power for a moment cannot say so.
AGAIN_NS: Final = 5_000_000_000
#: Code page 437 has no suits that can be printed.
_SUITS: Final = str.maketrans(dict(zip("♣♦♥♠", "CDHS", strict=True)))


def rows(settings: PoleDisplaySettings, scene: Scene) -> tuple[str, ...]:
    """What the rows say: what the players wait for, and the limits where a row is left."""
    columns = settings.columns
    found = textwrap.wrap(scene.players.notice, columns)
    if len(found) < ROWS:
        found += textwrap.wrap(scene.players.limits, columns)[: ROWS - len(found)]
    if len(found) > ROWS:
        last = textwrap.shorten(" ".join(found[ROWS - 1 :]), columns, placeholder=" ..")
        found = [*found[: ROWS - 1], last]
    return tuple(row.ljust(columns) for row in (*found, "", "")[:ROWS])


def encoded(row: str) -> bytes:
    """A row in the display's own characters; what it has none for is a question mark."""
    return row.translate(_SUITS).encode("cp437", "replace")


class PoleDisplay:
    """Shows the players' notice. Words are made after the lamps were served, never in `show`."""

    def __init__(self, settings: PoleDisplaySettings, name: str = SECTION) -> None:
        self._settings = settings
        self._name = name
        self._line = DeviceNode(settings.port, SECTION, at_rate(settings.baud))
        self._newest = NewestScene()
        self._sending = threading.Lock()

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the line; the display is empty. Raises `DeviceError`."""
        self._newest = NewestScene()
        await asyncio.to_thread(self._take)

    def show(self, scene: Scene) -> None:
        """Let the display show `scene` as soon as nothing else is to be done."""
        self._newest.put(scene)

    async def run(self) -> None:
        """Write what changed, and all of it every few seconds. Raises `DeviceError`."""
        shown: tuple[str, ...] = ()
        again_ns = time.monotonic_ns() + AGAIN_NS
        while True:
            scene = await self._newest.take(again_ns)
            wanted = shown if scene is None else rows(self._settings, scene)
            # Scenes that follow each other put it off no longer than that.
            whole = time.monotonic_ns() >= again_ns
            if whole:
                again_ns = time.monotonic_ns() + AGAIN_NS
            if whole or wanted != shown:
                shown = wanted
                before = SET_UP if whole else b""
                text = b"".join(map(encoded, wanted))
                await asyncio.to_thread(self._send, before + HOME + text)

    async def close(self) -> None:
        """Leave the display empty and release the line. Raises `DeviceError`."""
        await asyncio.to_thread(self._release)

    # On a thread: a display that takes nothing is waited for.

    def _take(self) -> None:
        with self._sending:
            self._line.open()
            self._line.write(INITIALISE + CLEAR)

    def _send(self, data: bytes) -> None:
        with self._sending:
            if self._line.is_open:
                self._line.write(data)

    def _release(self) -> None:
        with self._sending:
            if self._line.is_open:
                try:
                    self._line.write(CLEAR)
                finally:
                    self._line.close()
