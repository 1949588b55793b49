"""A camera of the tests: a real MJPEG stream over HTTP that shows what a test puts before it.

Cards are white rectangles with a row of black or white squares, which `reader` here tells; the
shop's own reader has tests of its own. A sensor's noise makes every frame another one.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import DECK_52, JOKER, Card, card
from drivers.io.camera.frame_quality import Frame
from drivers.vision.frame_reading import FrameReading
from tests.support.patience import PATIENCE_S

WIDTH, HEIGHT, FPS = 320, 240, 50
FRAME_S = 1 / FPS
#: A frame that is on its way has gone by then, where somebody takes it.
FRAME_ENDS_S = 5.0
_CARDS = sorted((*DECK_52, JOKER), key=lambda each: each.code)
_BITS = 6


def ground(level: int = 40) -> Frame:
    """The picture at rest, without a card."""
    return np.full((HEIGHT, WIDTH, 3), level, np.uint8)


def picture_of(*codes: str, frame: Frame | None = None) -> Frame:
    """A picture with these cards in it, side by side."""
    drawn = ground() if frame is None else frame.copy()
    for place, code in enumerate(codes):
        left = 40 + 140 * place
        cv2.rectangle(drawn, (left, 40), (left + 110, 200), (245, 245, 245), -1)
        number = _CARDS.index(card(code)) + 1
        for bit in range(_BITS):
            if number >> bit & 1:
                at = left + 7 + 16 * bit
                cv2.rectangle(drawn, (at, 60), (at + 10, 90), (0, 0, 0), -1)
    return drawn


def read(frame: Frame) -> FrameReading:
    """The tests' reader."""
    grey = frame[:, :, 1]
    there = [left for left in (40, 180) if grey[150, left + 50] > 180]
    if len(there) != 1:
        return FrameReading(None, Doubt.SEVERAL if there else Doubt.NOT_RECOGNISED)
    number = sum(1 << bit for bit in range(_BITS) if grey[75, there[0] + 12 + 16 * bit] < 120)
    if not 0 < number <= len(_CARDS):
        return FrameReading(None, Doubt.NOT_RECOGNISED)
    evidence = cv2.imencode(".jpg", frame)[1].tobytes()
    return FrameReading(_CARDS[number - 1], confidence=0.9, evidence=evidence)


class RecordingReader:
    """The tests' reader, which keeps what it was given to look at."""

    def __init__(self) -> None:
        self.cards: list[Card | None] = []

    def __call__(self, frame: Frame) -> FrameReading:
        reading = read(frame)
        self.cards.append(reading.card)
        return reading


class Stream:
    """The stream. `show` puts a picture before the lens; frames of it follow each other."""

    def __init__(self) -> None:
        self._picture = ground()
        self._noise = np.random.default_rng(1)
        self._sent = threading.Condition()
        self._count = 0
        self._closing = False
        self._waiting: list[Frame] = []
        self._lines: set[socket.socket] = set()
        self.noisy = True
        self.hanging = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/shoe.mjpg"

    def show(self, picture: Frame) -> None:
        self._picture = picture

    def burst(self, picture: Frame, frames: int) -> None:
        """So many frames of a picture go out at once, as out of a buffer."""
        self._waiting = [picture] * frames

    def wait(self, frames: int) -> None:
        """Until so many more frames were sent."""
        with self._sent:
            until = self._count + frames
            assert self._sent.wait_for(lambda: self._count >= until, timeout=PATIENCE_S)

    def plug(self) -> None:
        """Begin to serve, at the same address as before."""
        stream = self
        self._closing = False

        class FrameHandler(BaseHTTPRequestHandler):
            #: Whoever looks no more and does not hang up would be waited for at the end.
            timeout = PATIENCE_S

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                with stream._sent:
                    stream._lines.add(self.connection)
                try:
                    self._stream()
                finally:
                    with stream._sent:
                        stream._lines.discard(self.connection)
                        stream._sent.notify_all()

            def _stream(self) -> None:
                self.send_response(200)
                kind = "multipart/x-mixed-replace; boundary=frame"
                self.send_header("Content-Type", kind)
                self.end_headers()
                stream._serve(self.wfile.write)

        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), FrameHandler)
        self._server.daemon_threads = False
        self._port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def _serve(self, write: Callable[[bytes], Any]) -> None:
        pause = threading.Event()
        try:
            while not self._closing:
                if not self.hanging.is_set():
                    waited, self._waiting = self._waiting, []
                    for picture in [*waited, self._picture]:
                        self._send(self._jpeg(picture), write)
                pause.wait(1 / FPS)
        except OSError:
            return  # who looked is gone

    def _send(self, jpeg: bytes, write: Callable[[bytes], Any]) -> None:
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
        write(head.encode() + b"\r\n\r\n" + jpeg + b"\r\n")
        with self._sent:
            self._count += 1
            self._sent.notify_all()

    def _jpeg(self, picture: Frame) -> bytes:
        if self.noisy:
            noise = self._noise.integers(-3, 4, picture.shape, dtype=np.int16)
            picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
        return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()

    def unplug(self) -> None:
        """Stop: the line is cut, and nobody answers; safe to do twice."""
        self._closing = True
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            with self._sent:
                self._sent.wait_for(lambda: not self._lines, timeout=FRAME_ENDS_S)
                # Who looks and takes nothing, as a test that failed may, would hold it for ever.
                for line in self._lines:
                    with suppress(OSError):  # it has gone in the meantime
                        line.shutdown(socket.SHUT_RDWR)
            server.server_close()
            self._thread.join()


@contextmanager
def streaming() -> Iterator[Stream]:
    """A stream that runs."""
    stream = Stream()
    stream.plug()
    try:
        yield stream
    finally:
        stream.unplug()
