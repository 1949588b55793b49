"""The panel and the table's camera before it: a file as framebuffer, seen as an MJPEG stream."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from sim_hw.loom.loopback import Loopback

LOOK_S: Final = 1 / 30
#: So often a frame is sent: the table's processor is the one that draws them.
FRAME_S: Final = 1 / 10
#: This many frames of one picture, each with other noise, are sent in turn; how strong that is. A
#: table reads each once (one that came before is a driver's that hangs): they are spread over most
#: of a card's passage, and a reader that starves on a busy machine is through when it has gone.
NOISES: Final = 8
NOISE: Final = 2
QUALITY: Final = 88
#: A corner that is brighter than this in green lights the photodiode.
BRIGHT: Final = 128
_BOUNDARY: Final = b"frame"
#: A viewer that is this far behind misses pictures, as with a camera: an old one is worth nothing.
BEHIND_BYTES: Final = 20_000
#: What the kernel keeps for a viewer: about one picture.
KERNEL_BYTES: Final = 65_536


class PanelCamera:
    """Looks at the panel thirty times a second, and sends ten frames of it. `on_corner` is called
    when the corner changes.

    `node`: that of a video loopback, which shows the same; empty: there is none.
    """

    def __init__(
        self, path: Path, size: tuple[int, int], port: int, on_corner: Callable[[bool], None],
        node: str = "",
    ) -> None:  # fmt: skip
        self._path = path
        self._size = size
        self._port = port
        self._on_corner = on_corner
        self._bright = False
        self._loopback = Loopback(node, size) if node else None
        self._lines: set[asyncio.StreamWriter] = set()
        self._viewers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._plugged = True
        self._noises: list[tuple[Any, Any]] = []
        self._shown = b""
        self._jpegs: list[bytes] = []
        self._turn = 0

    async def open(self) -> None:
        """Make a dark panel and serve what the camera sees of it.

        Raises `OSError`, `LoopbackError`.
        """
        self._path.write_bytes(bytes(4 * self._size[0] * self._size[1]))
        if self._loopback is not None:
            self._loopback.plug()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)

    async def look(self) -> None:
        """Look, until cancelled."""
        fd, clock = os.open(self._path, os.O_RDONLY), asyncio.get_running_loop().time
        due_s = clock()
        try:
            while True:
                bright = os.pread(fd, 4, 0)[1] > BRIGHT
                if bright != self._bright:
                    self._bright = bright
                    self._on_corner(bright)
                now_s = clock()
                if now_s >= due_s and (self._viewers or self._loopback is not None):
                    self._send(fd)
                    due_s = max(due_s + FRAME_S, now_s)
                await asyncio.sleep(LOOK_S)
        finally:
            os.close(fd)

    async def close(self) -> None:
        """Stop serving."""
        if self._loopback is not None:
            self._loopback.unplug()
        if self._server is not None:
            self._server.close()
            for line in self._lines:
                # One that takes nothing any more, or has asked nothing yet, would hold it for ever.
                line.transport.abort()
            await self._server.wait_closed()

    def _send(self, fd: int) -> None:
        jpeg = self._encoded(fd)
        if self._loopback is not None:
            self._loopback.show(jpeg)
        head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
        part = head % (_BOUNDARY, len(jpeg)) + jpeg + b"\r\n"
        for viewer in self._viewers:
            if viewer.transport.get_write_buffer_size() < BEHIND_BYTES:
                viewer.write(part)

    def plug(self, *, plugged: bool) -> None:
        """The camera's plug is put in or pulled: whoever looks through it loses it."""
        self._plugged = plugged
        if self._loopback is not None:
            (self._loopback.plug if plugged else self._loopback.unplug)()
        if not plugged:
            for line in self._lines:
                line.transport.abort()

    def _encoded(self, fd: int) -> bytes:
        """The picture with a sensor's noise: no two frames of a camera are the same."""
        import cv2  # noqa: PLC0415  (a table without a camera needs none)
        import numpy as np  # noqa: PLC0415

        wide, high = self._size
        if not self._noises:
            # Drawn once: that takes longer than a frame may.
            chance = np.random.default_rng(0)
            drawn = (chance.normal(0, NOISE, (high, wide, 3)).round() for _ in range(NOISES))
            self._noises = [
                (np.maximum(each, 0).astype(np.uint8), np.maximum(-each, 0).astype(np.uint8))
                for each in drawn
            ]
        shown = os.pread(fd, 4 * wide * high, 0)
        if shown != self._shown:
            self._shown, self._jpegs = shown, []
        if len(self._jpegs) < NOISES:
            pixels = np.frombuffer(shown, np.uint8).reshape(high, wide, 4)[:, :, :3]
            brighter, darker = self._noises[len(self._jpegs)]
            picture = cv2.subtract(cv2.add(pixels, brighter), darker)
            quality = [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
            self._jpegs.append(cv2.imencode(".jpg", picture, quality)[1].tobytes())
            return self._jpegs[-1]
        self._turn += 1
        return self._jpegs[self._turn % NOISES]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._plugged:
            writer.transport.abort()
            return
        self._lines.add(writer)
        # A viewer that goes, or that speaks no HTTP, is none.
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await reader.readuntil(b"\r\n\r\n")
            kind = b"multipart/x-mixed-replace; boundary=" + _BOUNDARY
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n")
            line: socket.socket = writer.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
            self._viewers.add(writer)
            await reader.read()
        self._viewers.discard(writer)
        self._lines.discard(writer)
        writer.close()
