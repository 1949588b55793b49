"""One opened camera: the thread that grabs frames, the one that reads them, and the event loop.

The grabbing thread keeps no frame; of a passage the newest waits for the reading thread. All state
of passages belongs to the event loop: the threads only call into it, so no lock is needed. Where
the loop is late, few frames wait for it: a large one is 6 MB, and thirty come in a second.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Reading
from controller.rules.messages import message
from drivers.event_queue import EventQueue
from drivers.io.camera.frame_quality import (
    Frame,
    FrameDelay,
    FreezeDetector,
    RepeatDetector,
    fingerprint,
    light_problem,
    small_grey,
)
from drivers.io.camera.sensor_time import SensorTime
from drivers.io.camera.video_source import VideoSource
from drivers.settings.camera import CameraSettings
from drivers.shoe import strobe
from drivers.shoe.camera_passage import CameraPassages, PassageFrame, PassageTiming
from drivers.shoe.motion import MotionDetector
from drivers.vision.frame_reading import FrameReading

log: Final = logging.getLogger(__name__)

ReadFrame = Callable[[Frame], FrameReading]
"""Reads one frame, on a thread of its own."""

#: How often a frame is checked for its light and for standing still, card or no card.
CHECK_NS: Final = 250_000_000
#: A hand before the lens is no broken camera: this many such checks in a row, a second, are.
FLAWED_MAX: Final = 4
#: Frames that are this late are of no use, and after this many such checks the machine is too slow.
LATE_MAX_NS: Final = 1_000_000_000
BEHIND_MAX: Final = 20
#: So many frames wait for a loop that is busy; later ones are told to it without their picture.
FRAMES_WAITING_MAX: Final = 8
_MS: Final = 1_000_000


def read_in_light(frame: Frame, read: ReadFrame) -> FrameReading:
    """What one frame of a passage shows; too dark or too bright it has no vote."""
    if light_problem(small_grey(frame)):
        return FrameReading(None, Doubt.POOR_IMAGE)
    return read(frame)


class CameraSession:
    """An open camera, until `end`. Made, given edges and ended on the event loop.

    Its readings come in `queue`; `passing` is called when a card begins to pass (True) and when
    it has gone (False).
    """

    def __init__(
        self,
        name: str,
        settings: CameraSettings,
        timing: PassageTiming,
        read: ReadFrame,
        camera: VideoSource,
        *,
        by_motion: bool,
        passing: Callable[[bool], None],
    ) -> None:
        self.queue: EventQueue[Reading] = EventQueue()
        self._name = name
        self._settings = settings
        self._read = read
        self._camera = camera
        self._passing = passing
        self._loop = asyncio.get_running_loop()
        self._passages = CameraPassages(name, timing)
        self._motion = MotionDetector() if by_motion else None
        self._reading_thread = ThreadPoolExecutor(1, thread_name_prefix=f"{name} reads")
        self._grabbing_thread = threading.Thread(
            target=self._grab_frames, name=f"{name} grabs", daemon=True
        )
        self._stop = threading.Event()
        self._wants_frames = threading.Event()
        self._reset_motion = threading.Event()
        self._room = threading.BoundedSemaphore(FRAMES_WAITING_MAX)
        self._busy = False
        self._newest: tuple[PassageFrame, Frame] | None = None
        self._tick_timer: asyncio.TimerHandle | None = None
        self._silence_timer: asyncio.TimerHandle | None = None
        self._grabbed_ns = time.monotonic_ns()
        self._lit_until_ns = 0

    def begin(self) -> None:
        """Start the threads."""
        self._grabbing_thread.start()
        self._check_silence()

    async def end(self) -> None:
        """Stop the threads and release the camera; bounded by the time-out of a read."""
        self._stop.set()
        self._newest = None
        for timer in (self._tick_timer, self._silence_timer):
            if timer is not None:
                timer.cancel()
        self._passing(False)
        patience_s = self._settings.read_ms / 1_000 + 0.5
        await asyncio.to_thread(self._grabbing_thread.join, patience_s)
        await asyncio.to_thread(self._reading_thread.shutdown)

    def edge(self, covered: bool, at_ns: int) -> None:
        """A card has come into the way, or gone."""
        self._lit_until_ns = at_ns + int(strobe.SHINES_MAX_S * 1e9) if covered else at_ns
        if covered:
            self._passages.began(at_ns)
            self._passing(True)
            self._report([])
        else:
            self._passing(False)
            self._report(self._passages.ended(at_ns))

    def flush(self) -> list[Reading]:
        """The cards that have left and will not be read any more."""
        return self._passages.flush()

    # On the grabbing thread

    def _grab_frames(self) -> None:
        freeze, repeats = FreezeDetector(self._settings.frozen_ms), RepeatDetector()
        checked_ns = flawed = behind = 0
        delay = FrameDelay(self._settings.fps)
        try:
            while not self._stop.is_set():
                sensor_time = self._camera.grab()
                at_ns = self._grabbed_ns = time.monotonic_ns()
                taken_ns = self._taken_ns(sensor_time)
                late_ns = delay.of(at_ns) if sensor_time is None else at_ns - sensor_time.ns
                if self._in_the_dark(at_ns):
                    checked_ns, flawed = at_ns, 0
                check = at_ns - checked_ns >= CHECK_NS
                if not (check or self._motion or self._wants_frames.is_set()):
                    continue  # not even decoded
                frame = self._camera.take()
                print_ = fingerprint(frame)
                # A driver that hangs sends its last frames again: they show the last card.
                repeated = repeats.again(print_)
                if check:
                    checked_ns = at_ns
                    behind = behind + 1 if late_ns > LATE_MAX_NS else 0
                    if behind >= BEHIND_MAX:
                        raise DeviceError(message("camera-frames-late", fps=self._settings.fps))
                    problem = light_problem(small_grey(frame))
                    flawed = flawed + 1 if problem else 0
                    if freeze.frozen(print_, at_ns):
                        raise DeviceError(message("camera-frozen"))
                    if problem and flawed >= FLAWED_MAX:
                        raise DeviceError(problem)
                if self._motion is not None:
                    self._detect_motion(self._motion, frame, at_ns)
                if self._wants_frames.is_set() and not repeated:
                    held = frame if self._room.acquire(blocking=False) else None
                    self._call(self._frame_came, held, at_ns, late_ns, taken_ns)
        except DeviceError as error:
            self._call(self.queue.fail, error)
        finally:
            self._camera.close()

    def _in_the_dark(self, at_ns: int) -> bool:
        """Whether the picture may be dark: a strobe shines for cards, and not for what stays."""
        return self._settings.strobe is not None and at_ns > self._lit_until_ns

    def _detect_motion(self, motion: MotionDetector, frame: Frame, at_ns: int) -> None:
        if self._reset_motion.is_set():
            self._reset_motion.clear()
            motion.reset()
        if edge := motion.feed(frame, at_ns):
            if edge[0]:
                self._wants_frames.set()  # this very frame is the first
            self._call(self.edge, *edge)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        """Call on the event loop, unless the session has ended by then; from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._called, function, *arguments)
        except RuntimeError:
            return  # the loop has ended, and the table with it

    # On the event loop

    def _called(self, function: Callable[..., None], *arguments: object) -> None:
        if not self._stop.is_set():
            function(*arguments)

    def _taken_ns(self, sensor_time: SensorTime | None) -> int | None:
        """The earliest moment at which the frame may have been taken, where its sensor says it."""
        # Where passages are found by motion, frames are late together with their edges.
        if sensor_time is None or self._motion is not None:
            return None
        if sensor_time.exposure_began:
            return sensor_time.ns
        return sensor_time.ns - self._settings.latency_ms * _MS

    def _frame_came(
        self, frame: Frame | None, at_ns: int, late_ns: int, taken_ns: int | None
    ) -> None:
        """A frame that may be of a passage: the newest one waits to be read, no other is held.

        None: it came while the loop was late, and is not read.
        """
        if frame is not None:
            self._room.release()
        of = self._passages.owner(at_ns, 0 if self._motion else late_ns, taken_ns)
        if of is None:
            return
        if frame is None:
            self._report(self._passages.add(of, None, at_ns))
            return
        if self._newest is not None:
            self._report(self._passages.add(self._newest[0], None, at_ns))
        self._newest = of, frame
        self._read_newest()

    def _read_newest(self) -> None:
        if self._busy or self._newest is None or self._stop.is_set():
            return
        (of, frame), self._newest = self._newest, None
        if not self._passages.counts(of):
            # Its card had left by then, which was known later: reading it would only be waited for.
            self._report(self._passages.add(of, None, time.monotonic_ns()))
            return
        self._busy = True

        def done(future: Future[FrameReading]) -> None:
            self._call(self._frame_read, of, future)

        self._reading_thread.submit(read_in_light, frame, self._read).add_done_callback(done)

    def _frame_read(self, of: PassageFrame, future: Future[FrameReading]) -> None:
        self._busy = False
        error = future.exception()
        if error is not None:
            kind = type(error).__name__  # never its text, which could name a card
            log.error("the reader of the %s failed: %s", self._name, kind)
            failed = message("frame-reader-failed", device=self._name, detail=kind)
            self.queue.fail(DeviceError(failed))
            return
        self._report(self._passages.add(of, future.result(), time.monotonic_ns()))
        self._read_newest()

    def _report(self, readings: list[Reading]) -> None:
        """Queue what is certain, and set the timer for what time will decide."""
        for reading in readings:
            if reading.passed_ns is None:
                self._passing(False)  # something stays: the lights are needed again
                if self._motion is not None:
                    self._reset_motion.set()
                    self._passages.ended(time.monotonic_ns())
            if not self.queue.has_room:
                self.queue.fail(DeviceLost(message("readings-not-taken", device=self._name)))
                return
            self.queue.put(reading)
        if self._passages.wants_frames:
            self._wants_frames.set()
        else:
            self._wants_frames.clear()
        if self._tick_timer is not None:
            self._tick_timer.cancel()
            self._tick_timer = None
        due_ns = self._passages.due_ns
        if due_ns is not None:
            self._tick_timer = self._loop.call_at(due_ns / 1e9, self._tick)

    def _tick(self) -> None:
        self._tick_timer = None
        self._report(self._passages.tick(time.monotonic_ns()))

    def _check_silence(self) -> None:
        """Notices a read that hangs, whatever time-out the camera's library promises."""
        silent_ms = (time.monotonic_ns() - self._grabbed_ns) // _MS
        if silent_ms > self._settings.read_ms:
            self.queue.fail(DeviceLost(message("camera-silent", silent_ms=silent_ms)))
            return
        delay_s = self._settings.read_ms / 2_000
        self._silence_timer = self._loop.call_later(delay_s, self._check_silence)
