"""The shoe's camera as a real MJPEG stream over HTTP: what lies and slides before its lens.

A thread makes the pictures while somebody looks; the stream is served from the world's loop. A
card slides by pictures, not by time: on a slow machine the hand is slow, and no picture is missed.
Whoever reads them may be slower still: a hand draws more slowly once it hears so.

Source: RFC 2046, 5.1, and what servers of MJPEG do (`multipart/x-mixed-replace`). Unconfirmed on a
camera: its own exposure, focus and noise, a sheared picture, frames that its driver drops.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.rules.cards import DECK_52, JOKER
from sim_hw.devices import lens
from sim_hw.devices.deck_art import DECKS, DeckDesign, back, face, stranger
from sim_hw.devices.deck_art import HEIGHT as CARD_HIGH
from sim_hw.devices.deck_art import WIDTH as CARD_WIDE
from sim_hw.devices.faults import AnyFault, CameraFault
from sim_hw.devices.glyphs import Picture
from sim_hw.devices.lens import Lens, Mishap, Slide, slide, small
from sim_hw.devices.shoe import PhysicalCard

FPS: Final = 30
#: This many pictures are made of a card that slides, and it takes at least as long as they do.
SLIDE_PICTURES: Final = 8
#: Where nobody looks a card slides by the clock: this long for each of its pictures.
UNSEEN_S: Final = 0.125
#: A hand that took this long for a card draws no slower: what stays for 3 s is stuck in the exit.
SLOWEST_S: Final = 1.0
QUALITY: Final = 88
#: A viewer that is this many bytes behind gets no more until it has caught up.
BEHIND_BYTES: Final = 20_000
#: What the kernel keeps for a viewer: about one picture. An old picture is worth nothing.
KERNEL_BYTES: Final = 65_536
#: The height of a card, and what is left around the cards' way in pixels.
CARD_MM: Final = 88
AROUND: Final = 40
#: The size of the pictures of a camera that forgot its own.
SMALLER: Final = (320, 240)
#: Captures have noise in them, in which there is nothing to be found twice: so they are written in
#: two thirds of the time, and read in three quarters.
_QUICK_PNG: Final = (
    cv2.IMWRITE_PNG_COMPRESSION, 1,
    cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY,
    cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_SUB,
)  # fmt: skip
_BOUNDARY: Final = b"frame"
# The world's pictures are one thread's work.
cv2.setNumThreads(1)

_MISHAPS: Final[dict[AnyFault, Mishap]] = {
    CameraFault.HAND: Mishap.HAND, CameraFault.BLUR: Mishap.BLUR, CameraFault.BACK: Mishap.BACK,
    CameraFault.TWO: Mishap.TWO,
}  # fmt: skip
_SAID: Final = {
    CameraFault.HAND: "Fingers lie on the card.",
    CameraFault.BLUR: "The camera's picture is out of focus.",
    CameraFault.BACK: "A card lies the wrong way in the shoe.",
    CameraFault.TWO: "The next card comes along half-way.",
    CameraFault.BLINK: "The camera's plug is out.",
    CameraFault.FROZEN: "The camera's picture stands still.",
    CameraFault.DARK: "The light of the shoe is out.",
    CameraFault.OTHER_INDEX: "A card of another pack is in the shoe.",
    CameraFault.SMALL: "The camera gives smaller pictures.",
}


@dataclass(frozen=True, slots=True, repr=False)
class _Scene:
    """What is before the lens: a card at rest, or one that slides, by `number` of its pictures."""

    card: Picture | None
    how: Slide
    slides: bool = False
    second: Picture | None = None


def _view() -> dict[str, object]:
    """What a calibration would have measured: all the way that cards slide, seen from above."""
    mm = CARD_MM / lens.CARD_PX
    half = lens.CARD_PX * CARD_WIDE / CARD_HIGH / 2 + lens.ASIDE + AROUND
    middle = lens.WIDTH / 2
    bottom = min(lens.REST_Y + lens.CARD_PX / 2 + AROUND, lens.HEIGHT)
    return {
        "width": lens.WIDTH,
        "height": lens.HEIGHT,
        "region": [round(middle - half), 0, round(middle + half), round(bottom)],
        "plane": [mm, 0, 0, 0, mm, 0, 0, 0, 1],
    }


class Camera:
    """A camera that can be plugged in and out. `deck` names how the cards are printed."""

    def __init__(self, port: int, deck: str, seed: int) -> None:
        self.port = port
        self._deck: DeckDesign = DECKS[deck]
        self._seed = seed
        self._lens = Lens(seed)
        self._cards = 0
        self._scene = _Scene(None, slide(seed, 0))
        self._pictures = 0
        self._slide_pictures = SLIDE_PICTURES
        self._slide_s = 0.0
        self._slid = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._viewers: set[asyncio.StreamWriter] = set()
        self._wanted = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._out = False
        self._lasting: set[CameraFault] = set()
        #: What ends by itself, each fault once: the newest says when.
        self._timers: dict[CameraFault, asyncio.TimerHandle] = {}

    @property
    def plugged(self) -> bool:
        """Whether the camera answers."""
        return self._server is not None and not self._out

    async def open(self) -> None:
        """Begin to serve. Raises `OSError`."""
        listening = socket.create_server(("127.0.0.1", self.port))
        self.port = listening.getsockname()[1]
        self._server = await asyncio.start_server(self._serve, sock=listening)
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._film, args=(loop,), name="camera")
        self._thread.start()

    def write_captures(self, folder: Path) -> None:
        """What a calibration with this deck would have left: each card twice, as it was seen.

        Raises `OSError`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        style = "finnish" if self._deck.finnish else "anglo"
        description = {"deck": self._deck.name, "style": style, "view": _view()}
        (folder / "deck.json").write_text(json.dumps(description), encoding="utf-8")
        for kind in (*DECK_52, JOKER):
            shown = small(face(self._deck, kind))
            for number in (1, 2):
                light = 10.0 * number
                frame = self._lens.picture(light, shown, slide(number, 0), 0.0, None)
                done, png = cv2.imencode(".png", frame, _QUICK_PNG)
                assert done, "OpenCV writes PNG"
                (folder / f"{kind.code}-{number}.png").write_bytes(png.tobytes())

    async def close(self) -> None:
        """Stop serving."""
        server, self._server = self._server, None
        thread, self._thread = self._thread, None
        if server is None or thread is None:
            return
        self._stop.set()
        self._wanted.set()
        for timer in self._timers.values():
            timer.cancel()
        server.close()
        self.unplug()
        await asyncio.to_thread(thread.join)

    def unplug(self) -> None:
        """The plug is pulled, in mid-picture if need be: nobody answers any more."""
        self._out = True
        if (back := self._timers.pop(CameraFault.BLINK, None)) is not None:
            back.cancel()  # whoever pulls it last says when it is put back
        for viewer in tuple(self._viewers):
            viewer.transport.abort()

    def plug(self) -> None:
        """The plug is put back. A card that slid meanwhile has left: the hand did not wait."""
        if self._scene.slides:
            self._pictures = self._slide_pictures
        self._out = False

    # What is before the lens

    def lay(self, card: PhysicalCard | None) -> None:
        """The next card lies before the lens, at rest; None: nothing does."""
        how = slide(self._seed, self._cards + 1)
        self._scene = _Scene(None if card is None else self._face(card), how)

    def pull(
        self,
        card: PhysicalCard,
        follows: PhysicalCard | None,
        faults: Mapping[AnyFault, float],
        say: Callable[[str], None],
    ) -> None:
        """A card slides out of the picture from now on, with what goes wrong; `say` tells it."""
        self._slid.clear()
        self._cards += 1
        mishaps = frozenset(_MISHAPS[each] for each in faults if each in _MISHAPS)
        for each in faults:
            if isinstance(each, CameraFault):
                say(_SAID[each])
        self._begin(faults)
        how = slide(self._seed, self._cards, mishaps)
        shown = self._face(card)
        if Mishap.BACK in mishaps:
            shown = small(back())
        elif CameraFault.OTHER_INDEX in faults:
            shown = small(stranger(self._deck))
        two = follows is not None and Mishap.TWO in mishaps
        second = self._face(follows) if two and follows is not None else None
        self._pictures = 0
        self._scene = _Scene(shown, how, True, second)

    async def slid(self) -> None:
        """Returns when the card that was pulled is out of the picture."""
        began_s = time.monotonic()
        try:
            async with asyncio.timeout(UNSEEN_S * self._slide_pictures):
                await self._slid.wait()
        except TimeoutError:
            return  # nobody looks
        self._slide_s = time.monotonic() - began_s

    def slow_down(self) -> None:
        """Cards are pulled half as fast from now on: of the last one too little was seen."""
        if self._slide_s < SLOWEST_S:
            self._slide_pictures *= 2

    def _begin(self, faults: Mapping[AnyFault, float]) -> None:
        """Faults that last begin, and end by themselves."""
        later = asyncio.get_running_loop().call_later
        if CameraFault.SMALL in faults:
            self.unplug()
            self.plug()
        if CameraFault.BLINK in faults:
            self.unplug()
            self._timers[CameraFault.BLINK] = later(faults[CameraFault.BLINK], self.plug)
        for fault in (CameraFault.FROZEN, CameraFault.DARK, CameraFault.SMALL):
            if fault in faults:
                self._lasting.add(fault)
                if (before := self._timers.get(fault)) is not None:
                    before.cancel()
                self._timers[fault] = later(faults[fault], self._lasting.discard, fault)

    def _face(self, card: PhysicalCard) -> Picture:
        return small(face(self._deck, card.kind))

    def picture(self, at_s: float) -> Picture:
        """The next picture, at a time of the monotonic clock. A card that slides goes on."""
        scene = self._scene
        share = self._pictures / self._slide_pictures if scene.slides else 0.0
        self._pictures += 1
        card = scene.card if share < 1 else None
        return self._lens.picture(at_s, card, scene.how, share, scene.second)

    # The stream

    def _film(self, loop: asyncio.AbstractEventLoop) -> None:
        due_s, jpeg = time.monotonic(), b""
        while not self._stop.is_set():
            self._wanted.wait()
            due_s = max(due_s + 1 / FPS, time.monotonic() - 1 / FPS)
            if self._stop.wait(max(0.0, due_s - time.monotonic())):
                return
            if not (CameraFault.FROZEN in self._lasting and jpeg):
                frame = self.picture(time.monotonic())
                if CameraFault.DARK in self._lasting:
                    frame //= 64
                if CameraFault.SMALL in self._lasting:
                    frame = np.asarray(cv2.resize(frame, SMALLER), np.uint8)
                jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
            gone = self._scene.slides and self._pictures > self._slide_pictures
            try:
                loop.call_soon_threadsafe(self._send, jpeg, gone)
            except RuntimeError:
                return  # the world has ended

    def _send(self, jpeg: bytes, gone: bool) -> None:
        head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
        part = head % (_BOUNDARY, len(jpeg)) + jpeg + b"\r\n"
        for viewer in self._viewers:
            if viewer.transport.get_write_buffer_size() < BEHIND_BYTES:
                viewer.write(part)
        if gone and self._scene.slides:
            self._slid.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._out:
            writer.transport.abort()
            return
        try:
            request = await reader.readuntil(b"\r\n\r\n")
            if not request.startswith(b"GET /shoe.mjpg "):
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                return
            kind = b"multipart/x-mixed-replace; boundary=" + _BOUNDARY
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n")
            line: socket.socket = writer.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
            self._viewers.add(writer)
            self._wanted.set()
            await reader.read()  # until the viewer has gone
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return  # a viewer that went, or that speaks no HTTP
        finally:
            self._viewers.discard(writer)
            if not self._viewers and not self._stop.is_set():
                self._wanted.clear()
            writer.close()
