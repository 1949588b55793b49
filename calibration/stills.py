"""Pictures from the shoe's camera while a table is calibrated: the newest one, and things at rest.

Here, and only here, frames are kept and shown: a table that is calibrated is closed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import cv2
import numpy as np

from controller.devices.contracts import DeviceError
from drivers.frames import Camera, open_camera
from drivers.picture import Frame
from drivers.settings import CameraSettings
from drivers.vision.edges import Points

T = TypeVar("T")

#: A thing is at rest when so many frames in a row show it at the same place, in pixels.
REST_FRAMES: Final = 3
REST_PX: Final = 2.5
#: It is another thing once it has moved by more than this, or was out of the picture.
MOVED_PX: Final = 25.0
_JPEG: Final = 80


@dataclass(frozen=True, slots=True)
class Still(Generic[T]):
    """Something at rest: what was made of each of its frames, the frames, and where it lies."""

    found: tuple[T, ...]
    frames: tuple[Frame, ...]
    corners: Points


class Stills:
    """The camera, open. Must be used inside a running loop."""

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings
        self._newest: Frame | None = None
        self._number = 0
        self._came = asyncio.Event()
        self._error: DeviceError | None = None
        self._stop = threading.Event()
        self._lain: Points | None = None

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[Stills]:
        """Hold the camera, with its settings locked and read back. Raises `DeviceError`."""
        camera = await asyncio.to_thread(open_camera, self._settings)
        loop = asyncio.get_running_loop()
        grabber = threading.Thread(target=self._grab, args=(camera, loop), daemon=True)
        grabber.start()
        try:
            yield self
        finally:
            self._stop.set()
            await asyncio.to_thread(grabber.join, self._settings.read_ms / 1_000 + 1)

    def jpeg(self) -> bytes | None:
        """The newest picture for a page; None while there is none."""
        if self._newest is None:
            return None
        done, jpeg = cv2.imencode(".jpg", self._newest, [cv2.IMWRITE_JPEG_QUALITY, _JPEG])
        return bytes(jpeg) if done else None

    async def next(self) -> Frame:
        """The next frame that comes. Raises `DeviceError` when the camera is lost."""
        if self._error is None:
            self._came.clear()
            await self._came.wait()
        if self._error is not None:
            raise self._error
        assert self._newest is not None
        return self._newest

    async def rest(self, look: Callable[[Frame], tuple[T, Points] | None]) -> Still[T]:
        """The next thing that comes to rest and is not the last one; `look` finds it in a frame.

        Raises `DeviceError` when the camera is lost.
        """
        found: list[tuple[T, Points, Frame]] = []
        while True:
            frame = await self.next()
            seen = look(frame)
            if seen is None:
                found, self._lain = [], None
                continue
            what, corners = seen
            if self._lain is not None and _apart(self._lain, corners) < MOVED_PX:
                continue
            self._lain = None
            if found and _apart(found[0][1], corners) > REST_PX:
                found = []
            found.append((what, corners, frame))
            if len(found) == REST_FRAMES:
                self._lain = corners
                return Still(
                    tuple(each[0] for each in found), tuple(each[2] for each in found), corners
                )

    def _grab(self, camera: Camera, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while not self._stop.is_set():
                camera.grab()
                self._tell(loop, camera.take())
        except DeviceError as error:
            self._tell(loop, error)
        finally:
            camera.close()

    def _tell(self, loop: asyncio.AbstractEventLoop, came: Frame | DeviceError) -> None:
        try:
            loop.call_soon_threadsafe(self._take, came)
        except RuntimeError:
            return  # the calibration is over

    def _take(self, came: Frame | DeviceError) -> None:
        if isinstance(came, DeviceError):
            self._error = came
        else:
            self._newest = came
            self._number += 1
        self._came.set()


def _apart(one: Points, other: Points) -> float:
    """How far two shapes lie apart, at the corner that moved most, in pixels."""
    if one.shape != other.shape:
        return float("inf")
    return float(np.abs(one - other).max())
