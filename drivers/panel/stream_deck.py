"""An Elgato Stream Deck: the dealer's buttons, with pictures of what may be pressed now.

What each model takes and says is in `deck_models`, with its sources. Proved with decks made from
them, at a descriptor; not tried on one.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Final

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Button, Press, Reading, Repeats
from controller.devices.scene import Scene
from controller.rules.messages import message
from drivers.io.device_node import DeviceNode
from drivers.io.hid_raw import identity, send_feature
from drivers.panel.button_banks import OnButton, OnLost, wired
from drivers.panel.buttons import Buttons
from drivers.panel.deck_models import (
    MODELS,
    DeckModel,
    brightness,
    picture_reports,
    report_bytes,
    states,
)
from drivers.panel.displays.key_pictures import key_picture
from drivers.panel.displays.newest_scene import NewestScene
from drivers.settings.displays import StreamDeckSettings

log: Final = logging.getLogger(__name__)

SECTION: Final = "stream_deck"
_ELGATO: Final = 0x0FD9
#: Keys do not bounce; this long is a hand that leans on several.
DEBOUNCE_MS: Final = 20
_DEBOUNCE_NS: Final = DEBOUNCE_MS * 1_000_000
#: Nobody can have seen a picture and pressed in so short a time: that press was for the one before.
#: As the service judges all buttons by (`service.shown_pictures`), and displays their keys.
UNSEEN_NS: Final = 150_000_000
#: This long after it was read an edge is dated at most: less than `UNSEEN_NS`, so that a press that
#: was read before a picture was shown never counts as one for it.
AHEAD_NS: Final = UNSEEN_NS // 2


class DeckBank:
    """The keys of a deck, and its pictures, which are sent by one thread at a time."""

    def __init__(self, settings: StreamDeckSettings) -> None:
        self._settings = settings
        self._node = DeviceNode(settings.device, SECTION, self._take)
        self.keys = {button: int(key) - 1 for button, key in wired(settings).items()}
        self.buttons = tuple(self.keys)
        self._model = DeckModel(0, 1, None)
        self._down: frozenset[Button] = frozenset()
        self._held: frozenset[Button] = frozenset()
        self._edge_ns: dict[Button, int] = {}
        self._sending = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.on_lost: OnLost = lambda _: None

    def _take(self, descriptor: int) -> None:
        vendor, product = identity(descriptor)
        if vendor != _ELGATO or product not in MODELS:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._model = MODELS[product]
        if max(self.keys.values()) >= self._model.keys:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    @property
    def shows(self) -> bool:
        """Whether its keys have pictures."""
        return self._model.face is not None

    def send_brightness(self) -> None:
        """Set how bright the deck is, as `send`."""
        bright = brightness(self._model, self._settings.brightness)
        with self._sending, self._node.errors():
            if self._node.is_open and bright:
                send_feature(self._node.fileno(), bright)

    async def open(self, on_button: OnButton, on_lost: OnLost) -> frozenset[Button]:
        """Take the deck. It says what is down only when that changes. Raises `DeviceError`.

        What was down when it was let go may be so still (a key that is stuck): it is no press.
        """
        self._node.open()
        self._held, self._down = self._down, frozenset()
        self._edge_ns.clear()
        self.on_lost = on_lost
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._node.fileno(), self._readable, on_button, on_lost)
        return self._down

    def _readable(self, on_button: OnButton, on_lost: OnLost) -> None:
        try:
            data = self._node.read()
        except DeviceError as error:
            self._down = frozenset()  # its power went: what is down then is pressed anew
            self._stop()
            on_lost(error)
            return
        at_ns = time.monotonic_ns()
        size = report_bytes(self._model)
        for at in range(0, len(data), size):
            if (said := states(self._model, data[at : at + size])) is not None:
                down = frozenset(button for button, key in self.keys.items() if said[key])
                self._down, self._held = self._down | self._held & down, frozenset()
                changed = [each for each in self.buttons if each in down ^ self._down]
                dated_ns = self._dated(changed, at_ns)
                for button in changed:
                    on_button(button, button in down, dated_ns)
                self._down = down

    def _dated(self, changed: list[Button], at_ns: int) -> int:
        """When the keys of a report that was read at `at_ns` went down or up: all at once.

        A deck's reports have no time. What a late loop reads together, a key down and up and down
        again, are presses and no bounce: each lasts no shorter than a press takes, and so does the
        time between two. Reports without an end stay a bounce, and are not dated ever later.
        """
        edges = [self._edge_ns.get(button, 0) + _DEBOUNCE_NS for button in changed]
        dated_ns = min(max(edges, default=0), at_ns + AHEAD_NS)
        dated_ns = max(at_ns, dated_ns)
        self._edge_ns.update(dict.fromkeys(changed, dated_ns))
        return dated_ns

    def send(self, button: Button, label: str) -> None:
        """Show a label on its key; black where it is empty. Raises `DeviceError`.

        It blocks until the deck has taken it, some milliseconds: call it on a thread.
        """
        self._send(self.keys[button], label)

    def send_dark(self) -> None:
        """Let every key of the deck be black, as `send`."""
        if not self._node.is_open:
            return
        for key in range(self._model.keys):
            self._send(key, "")

    def _send(self, key: int, label: str) -> None:
        face = self._model.face
        if face is None:
            return
        for report in picture_reports(self._model, key, key_picture(label, face)):
            with self._sending:
                if not self._node.is_open:
                    return
                self._node.write(report)

    def _stop(self) -> None:
        if self._loop is not None and self._node.is_open:
            self._loop.remove_reader(self._node.fileno())

    async def release(self) -> None:
        """Release the deck, once a picture that is being sent has gone, without blocking."""
        self._stop()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._sending:
            self._node.close()

    async def close(self) -> None:
        """Release the deck, as `release`, where it is open."""
        if self._node.is_open:
            await self.release()


class StreamDeck:
    """The dealer's buttons on a deck: each key has the label of what it does now, or is black.

    A press is taken whatever its key shows, as of any button: the table says why it is refused. But
    one is dropped that began while its key did not show yet what it does now, or so soon after that
    nobody can have seen it. A deck without pictures is buttons like any others.
    """

    def __init__(self, settings: StreamDeckSettings, name: str = SECTION) -> None:
        self._name = name
        self._bank = DeckBank(settings)
        self._buttons = Buttons(self._bank, name, debounce_ms=DEBOUNCE_MS, stuck_s=settings.stuck_s)
        self._newest = NewestScene()
        self._scene: Scene | None = None
        self._shown: dict[Button, str | None] = {}  # None: a picture is on its way
        self._shown_ns: dict[Button, int] = {}

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the deck; all its keys are black. Raises `DeviceError`."""
        self._shown, self._shown_ns = {}, {}
        await self._bank.release()
        await self._buttons.open()
        try:
            await asyncio.to_thread(self._bank.send_brightness)
            await asyncio.to_thread(self._bank.send_dark)
        except DeviceError:
            await self.close()
            raise
        self._newest.again()

    def show(self, scene: Scene) -> None:
        """Let the keys show `scene` as soon as nothing else is to be done."""
        self._scene = scene
        self._newest.put(scene)

    async def inputs(self) -> AsyncGenerator[Reading | Press | Repeats]:
        """The presses. Raises `DeviceError` when the deck is lost."""
        drawing = asyncio.create_task(self._draw(), name=f"{self._name} pictures")
        drawing.add_done_callback(self._drawn)
        try:
            async with aclosing(self._buttons.inputs()) as presses:
                async for press in presses:
                    assert isinstance(press, Press), "buttons are pressed"
                    if self._was_readable(press.button):
                        yield press
        finally:
            drawing.cancel()
            await asyncio.wait([drawing])

    def _was_readable(self, button: Button) -> bool:
        if not self._bank.shows:
            return True
        began_ns = self._buttons.began_ns[button]
        wanted = "" if self._scene is None else self._labels(self._scene)[button]
        shows_it = self._shown.get(button, "") == wanted
        if shows_it and began_ns - self._shown_ns.get(button, began_ns - UNSEEN_NS) >= UNSEEN_NS:
            return True
        log.warning("%s: a press that was for the picture before is dropped", self._name)
        return False

    def _labels(self, scene: Scene) -> dict[Button, str]:
        allowed = {key.button: key.label for key in scene.dealer.keys if key.button}
        return {button: allowed.get(button.value, "") for button in self._bank.buttons}

    async def _draw(self) -> None:
        """Send what changed, the newest scene alone; off the loop, since a picture takes time."""
        while True:
            scene = await self._newest.take()
            assert scene is not None, "it is waited for without an end"
            for button, label in self._labels(scene).items():
                if self._shown.get(button, "") == label:
                    continue
                self._shown[button] = None
                await asyncio.to_thread(self._bank.send, button, label)
                self._shown[button], self._shown_ns[button] = label, time.monotonic_ns()

    def _drawn(self, drawing: asyncio.Task[None]) -> None:
        """Without its pictures a deck would promise what is not so: it is lost."""
        if drawing.cancelled() or (error := drawing.exception()) is None:
            return
        if not isinstance(error, DeviceError):
            failed = message("device-failed", device=self._name, detail=type(error).__name__)
            error = DeviceError(failed)
        self._bank.on_lost(error)

    async def close(self) -> None:
        """Leave its keys black, where it still takes pictures, and release the deck."""
        try:
            with suppress(DeviceError):  # one that was pulled shows nothing anyway
                await asyncio.to_thread(self._bank.send_dark)
        finally:
            await self._bank.release()
            await self._buttons.close()
