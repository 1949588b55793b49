"""The shoe's camera while a table is calibrated: its newest frame, and things at rest before it.

Here, and only here, frames are stored and shown: a table that is calibrated is closed.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import cv2
import numpy as np

from calibration.measure import Measurement
from controller.devices.contracts import DeviceError
from drivers.io.camera.camera_settings import check_size
from drivers.io.camera.frame_quality import Frame
from drivers.io.camera.video_source import VideoSource, open_video_source
from drivers.settings.camera import CameraSettings
from drivers.vision.finding.card_edges import Points

T = TypeVar("T")

#: A thing is at rest when this many frames in a row show it at the same place, in pixels.
REST_FRAMES: Final = 3
REST_PX: Final = 2.5
#: It is another thing once it has moved by more than this, or was out of the picture.
MOVED_PX: Final = 25.0
#: A camera is asked for its settings once in this many frames.
HAS_EVERY: Final = 15
#: A reason why nothing was found becomes a hint once this many frames in a row had it.
HINT_FRAMES: Final = 60
#: Of this many last frames the lag is measured; frames that are later are of little use.
LAGS: Final = 300
LAG_AT_MOST_MS: Final = 200.0
HOLD_STILL: Final = "It moves: let it lie, or hold it still"
TAKE_AWAY: Final = "Take this one away first"
_JPEG: Final = 80


@dataclass(frozen=True, slots=True)
class StillCard(Generic[T]):
    """Something at rest: what was made of each of its frames, the frames, and where it lies."""

    found: tuple[T, ...]
    frames: tuple[Frame, ...]
    corners: Points


class StillCamera:
    """The camera, open. Must be used inside a running loop."""

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings
        self._newest: Frame | None = None
        #: When the newest frame was taken, or came where its source does not say, in ns.
        self.newest_ns = 0
        self._lags_ns: deque[int] = deque(maxlen=LAGS)
        self._has: dict[str, int] = {}
        self._came = asyncio.Event()
        self._error: DeviceError | None = None
        self._stop = threading.Event()
        self._lain: Points | None = None

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[StillCamera]:
        """Hold the camera, with its settings locked and read back. Raises `DeviceError`."""
        camera = await asyncio.to_thread(open_video_source, self._settings)
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

    def has(self) -> dict[str, int]:
        """The last reported values of its lockable settings, in its own units, by name."""
        return self._has

    def lag(self) -> Measurement | None:
        """How long after its sensor's time a frame is here; None where there is no such time."""
        lags = sorted(self._lags_ns)
        if not lags:
            return None
        return Measurement(
            "frames, from their sensor's time until they are here (95 of 100)",
            round(lags[len(lags) * 95 // 100] / 1e6, 1), "ms", at_most=LAG_AT_MOST_MS,
            remedy="Frames wait somewhere: another cable or port, fewer frames a second, or a"
            " machine with less to do",
        )  # fmt: skip

    async def next(self) -> Frame:
        """The next frame that comes. Raises `DeviceError` when the camera is lost."""
        if self._error is None:
            self._came.clear()  # a frame that came while the last was looked at is an old one
            await self._came.wait()
        if self._error is not None:
            raise self._error
        assert self._newest is not None
        return self._newest

    async def rest(
        self, look: Callable[[Frame], tuple[T, Points] | str], hint: Callable[[str], None]
    ) -> StillCard[T]:
        """The next thing that comes to rest and is not the last one; `look` finds it in a frame.

        Where it finds none it says why, or nothing where nothing is there; what holds the person
        up for long goes to `hint`. Raises `DeviceError` when the camera is lost.
        """
        found: list[tuple[T, Points, Frame]] = []
        reason = _RepeatedHint(hint)
        while True:
            frame = await self.next()
            result = look(frame)
            if isinstance(result, str):
                reason.repeat(result)
                found, self._lain = [], None
                continue
            what, corners = result
            if self._lain is not None and _apart(self._lain, corners) < MOVED_PX:
                reason.repeat(TAKE_AWAY)
                continue
            reason.repeat(HOLD_STILL)
            self._lain = None
            if found and _apart(found[0][1], corners) > REST_PX:
                found = []
            found.append((what, corners, frame))
            if len(found) == REST_FRAMES:
                self._lain = corners
                hint("")
                return StillCard(
                    tuple(each[0] for each in found), tuple(each[2] for each in found), corners
                )

    async def gone(self, there: Callable[[Frame], bool]) -> None:
        """Until several frames in a row do not show what is `there`. Raises `DeviceError`."""
        without = 0
        while without < REST_FRAMES:
            without = 0 if there(await self.next()) else without + 1

    def _grab(self, camera: VideoSource, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for number in itertools.count():
                if self._stop.is_set():
                    break
                sensor_time = camera.grab()
                at_ns = time.monotonic_ns()
                if sensor_time is not None:
                    self._lags_ns.append(at_ns - sensor_time.ns)
                    at_ns = sensor_time.ns
                if number % HAS_EVERY == 0:
                    self._has = camera.has()
                frame = camera.take()
                check_size(frame, self._settings)
                self._tell(loop, frame, at_ns)
        except DeviceError as error:
            self._tell(loop, error, 0)
        finally:
            camera.close()

    def _tell(self, loop: asyncio.AbstractEventLoop, came: Frame | DeviceError, at_ns: int) -> None:
        try:
            loop.call_soon_threadsafe(self._take, came, at_ns)
        except RuntimeError:
            return  # the calibration is over

    def fail(self, error: DeviceError) -> None:
        """Whoever waits for a frame gets this instead; on the event loop."""
        self._error = error
        self._came.set()

    def _take(self, came: Frame | DeviceError, at_ns: int) -> None:
        if isinstance(came, DeviceError):
            self._error = came
        else:
            self._newest, self.newest_ns = came, at_ns
        self._came.set()


class _RepeatedHint:
    """Passes a reason on as a hint, once, when it has lasted for many frames."""

    def __init__(self, hint: Callable[[str], None]) -> None:
        self._hint = hint
        self._text = ""
        self._times = 0

    def repeat(self, text: str) -> None:
        self._times = self._times + 1 if text == self._text else 1
        self._text = text
        if self._times == HINT_FRAMES:
            self._hint(text)


def _apart(one: Points, other: Points) -> float:
    """How far two shapes lie apart, in pixels, at the corner that moved most of those in both."""
    if one.shape != other.shape:
        return float("inf")
    moved = np.abs(one - other)
    both = moved[np.isfinite(moved)]
    return float(both.max()) if both.size else float("inf")
