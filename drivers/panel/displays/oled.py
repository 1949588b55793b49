"""A small OLED display (SSD1306 or SH1106, 128 pixels wide) on an I2C bus: the dealer's sentence.

A byte of a picture is eight pixels, one under the other, the highest in bit 0. It says nothing of
itself: what is read back is its address, so that one chip taken for the other is seen by people
alone. Proved against displays made from the chips' commands (`oled_chips`).
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Final

from PIL import Image, ImageDraw

from controller.devices.scene import Scene
from drivers.io.i2c import I2cChip, i2c_errors
from drivers.panel.displays.lettering import Room, write
from drivers.panel.displays.newest_scene import NewestScene
from drivers.panel.displays.oled_chips import WIDTH, showing, switch_off
from drivers.settings.displays import OledSettings

SECTION: Final = "oled"
_SIZES: Final = (30, 26, 22, 19, 17, 15, 13, 11)
#: One that lost its power for a moment cannot say so.
AGAIN_NS: Final = 5_000_000_000


def picture(text: str, height: int) -> bytes:
    """A text in the display's own bytes; all dark without one."""
    image = Image.new("1", (WIDTH, height), 0)
    if text:
        room = Room(WIDTH - 2, height - 2)
        write(ImageDraw.Draw(image), text, (WIDTH / 2, height / 2), room, _SIZES, 1)
    lit = image.load()
    assert lit is not None
    return bytes(
        sum(1 << bit for bit in range(8) if lit[column, row + bit])
        for row in range(0, height, 8)
        for column in range(WIDTH)
    )


class OledDisplay:
    """Shows the dealer's headline. A picture takes a tenth of a second of the bus: on a thread."""

    def __init__(self, settings: OledSettings, name: str = SECTION) -> None:
        self._settings = settings
        self._name = name
        self._chip = I2cChip(settings.bus, settings.address)
        self._newest = NewestScene()
        self._sending = threading.Lock()

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the display; it is dark. Raises `DeviceError`."""
        await self.close()
        self._newest = NewestScene()
        with i2c_errors(self._settings.bus, SECTION):
            self._chip.open()
        try:
            await asyncio.to_thread(self._switch_off)
            await asyncio.to_thread(self._send, "", whole=True)
        except BaseException:
            await asyncio.to_thread(self._release)
            raise

    def show(self, scene: Scene) -> None:
        """Let the display show `scene` as soon as nothing else is to be done."""
        self._newest.put(scene)

    async def run(self) -> None:
        """Send what changed, and all of it every few seconds. Raises `DeviceError`."""
        text = ""
        again_ns = time.monotonic_ns() + AGAIN_NS
        while True:
            scene = await self._newest.take(again_ns)
            wanted = text if scene is None else scene.dealer.headline
            # Scenes that follow each other put it off no longer than that.
            whole = time.monotonic_ns() >= again_ns
            if whole or wanted != text:
                text = wanted
                await asyncio.to_thread(self._send, text, whole=whole)
            if whole:
                again_ns = time.monotonic_ns() + AGAIN_NS

    async def close(self) -> None:
        """Leave the display dark and release it. Raises `DeviceError`."""
        if self._chip.is_open:
            try:
                await asyncio.to_thread(self._send, "", whole=False)
            finally:
                await asyncio.to_thread(self._release)

    def _switch_off(self) -> None:
        with self._sending, i2c_errors(self._settings.bus, SECTION):
            if self._chip.is_open:
                self._chip.write(switch_off(self._settings))

    def _send(self, text: str, *, whole: bool) -> None:
        """Send a picture; `whole`: set the display up before."""
        with self._sending, i2c_errors(self._settings.bus, SECTION):
            if not self._chip.is_open:
                return
            sent = picture(text, self._settings.height)
            for each in showing(self._settings, sent, whole=whole):
                self._chip.write(each)

    def _release(self) -> None:
        with self._sending:
            self._chip.close()
