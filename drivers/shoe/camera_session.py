"""One opened camera: the thread that grabs, the thread that looks, and what they tell the loop."""

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
from drivers.event_queue import EventQueue
from drivers.io.frame_delay import FrameDelay
from drivers.io.frame_quality import (
    Flaw,
    Frame,
    FreezeDetector,
    RepeatDetector,
    fingerprint,
    light_flaw,
    small_grey,
)
from drivers.io.video_source import VideoSource, camera_lost
from drivers.settings import CameraSettings
from drivers.shoe.camera_passage import CameraPassages, Look, PassageTiming
from drivers.shoe.motion import MotionDetector

log: Final = logging.getLogger(__name__)

ReadFrame = Callable[[Frame], Look]
"""Looks at one frame, on a thread of its own."""

#: How often a frame is looked at for its light and for standing still, card or no card.
CHECK_NS: Final = 250_000_000
#: A hand before the lens is no broken camera: so many such looks in a row are.
FLAWED_MAX: Final = 4
#: Frames that are so late are of no use, and where they stay so the machine is too slow.
LATE_MAX_NS: Final = 1_000_000_000
BEHIND_MAX: Final = 20
_MS: Final = 1_000_000


def look_at(frame: Frame, reader: ReadFrame) -> Look:
    """What one frame of a passage tells; too dark or too bright it has no vote."""
    if light_flaw(small_grey(frame)):
        return Look(None, Doubt.POOR_PICTURE)
    return reader(frame)


class CameraSession:
    """Watches an open camera until `end`. Made, told of edges and ended on the event loop."""

    def __init__(
        self,
        name: str,
        settings: CameraSettings,
        pace: PassageTiming,
        reader: ReadFrame,
        camera: VideoSource,
        *,
        by_motion: bool,
        passing: Callable[[bool], None],
    ) -> None:
        self.inbox: EventQueue[Reading] = EventQueue()
        self._name = name
        self._settings = settings
        self._reader = reader
        self._camera = camera
        self._passing = passing
        self._loop = asyncio.get_running_loop()
        self._sightings = CameraPassages(name, pace)
        self._motion = MotionDetector() if by_motion else None
        self._eyes = ThreadPoolExecutor(1, thread_name_prefix=f"{name} looks")
        self._grabber = threading.Thread(target=self._grab, name=f"{name} grabs", daemon=True)
        self._stop = threading.Event()
        self._wanted = threading.Event()
        self._learn_anew = threading.Event()
        self._busy = False
        self._newest: tuple[int, Frame] | None = None
        self._due: asyncio.TimerHandle | None = None
        self._dog: asyncio.TimerHandle | None = None
        self._grabbed_ns = time.monotonic_ns()

    def begin(self) -> None:
        """Start the threads."""
        self._grabber.start()
        self._look_out()

    async def end(self) -> None:
        """Stop the threads and let go of the camera; bounded by the time-out of a read."""
        self._stop.set()
        self._newest = None
        for timer in (self._due, self._dog):
            if timer is not None:
                timer.cancel()
        self._passing(False)
        patience_s = self._settings.read_ms / 1_000 + 0.5
        await asyncio.to_thread(self._grabber.join, patience_s)
        await asyncio.to_thread(self._eyes.shutdown)

    def edge(self, began: bool, at_ns: int) -> None:
        """A card has come into the way, or gone."""
        if began:
            self._sightings.began(at_ns)
            self._passing(True)
            self._after([])
        else:
            self._passing(False)
            self._after(self._sightings.ended(at_ns))

    # On the grabbing thread

    def _grab(self) -> None:
        stillness, repeats = FreezeDetector(self._settings.frozen_ms), RepeatDetector()
        checked_ns = flawed = behind = 0
        lateness = FrameDelay(self._settings.fps)
        try:
            while not self._stop.is_set():
                self._camera.grab()
                at_ns = self._grabbed_ns = time.monotonic_ns()
                late_ns = lateness.of(at_ns)
                check = at_ns - checked_ns >= CHECK_NS
                if not (check or self._motion or self._wanted.is_set()):
                    continue  # not even decoded
                frame = self._camera.take()
                print_ = fingerprint(frame)
                # What a hanging driver sends again is not this card: it would be the last one.
                again = repeats.again(print_)
                if check:
                    checked_ns = at_ns
                    behind = behind + 1 if late_ns > LATE_MAX_NS else 0
                    if behind >= BEHIND_MAX:
                        raise DeviceError(
                            f"the camera's frames come late: fewer than the {self._settings.fps} a"
                            " second of [camera] fps. Write how many it gives, or give the machine"
                            " less to do"
                        )
                    flaw = light_flaw(small_grey(frame))
                    flawed = flawed + 1 if flaw else 0
                    if stillness.frozen(print_, at_ns):
                        flaw, flawed = Flaw.FROZEN, FLAWED_MAX
                    if flaw and flawed >= FLAWED_MAX:
                        raise DeviceError(f"the camera sees nothing: {flaw.value}")
                if self._motion is not None:
                    self._move(self._motion, frame, at_ns)
                if self._wanted.is_set() and not again:
                    self._tell(self._came, frame, at_ns, late_ns)
        except DeviceError as error:
            self._tell(self.inbox.fail, error)
        finally:
            self._camera.close()

    def _move(self, motion: MotionDetector, frame: Frame, at_ns: int) -> None:
        if self._learn_anew.is_set():
            self._learn_anew.clear()
            motion.learn_anew()
        if edge := motion.feed(frame, at_ns):
            if edge[0]:
                self._wanted.set()  # this very frame is the first
            self._tell(self.edge, *edge)

    def _tell(self, what: Callable[..., None], *of: object) -> None:
        try:
            self._loop.call_soon_threadsafe(self._hear, what, *of)
        except RuntimeError:
            return  # the loop has ended, and the table with it

    # On the loop

    def _hear(self, what: Callable[..., None], *of: object) -> None:
        if not self._stop.is_set():
            what(*of)

    def _came(self, frame: Frame, at_ns: int, late_ns: int) -> None:
        """A frame that may be of a passage: the newest waits to be looked at, no other is kept."""
        # Where motion tells the passages, frames are late together with their edges.
        number = self._sightings.owner(at_ns, 0 if self._motion else late_ns)
        if number is None:
            return
        if self._newest is not None:
            self._after(self._sightings.look(self._newest[0], None, at_ns))
        self._newest = number, frame
        self._look_at_newest()

    def _look_at_newest(self) -> None:
        if self._busy or self._newest is None or self._stop.is_set():
            return
        (number, frame), self._newest = self._newest, None
        self._busy = True

        def looked(done: Future[Look]) -> None:
            self._tell(self._looked, number, done)

        told = self._eyes.submit(look_at, frame, self._reader)
        told.add_done_callback(looked)

    def _looked(self, number: int, done: Future[Look]) -> None:
        self._busy = False
        error = done.exception()
        if error is not None:
            # Never its text, which could tell a card.
            log.error("the reader of the %s failed: %s", self._name, type(error).__name__)
            self.inbox.fail(
                DeviceError(
                    f"the reader of the {self._name} failed ({type(error).__name__}): it is opened"
                    " again by itself; if this goes on, call the technician"
                )
            )
            return
        self._after(self._sightings.look(number, done.result(), time.monotonic_ns()))
        self._look_at_newest()

    def _after(self, told: list[Reading]) -> None:
        """Tell what is certain, and see when time has something to say."""
        for reading in told:
            if reading.passed_ns is None:
                self._passing(False)  # it stays: the lights are needed
                if self._motion is not None:
                    self._learn_anew.set()
                    self._sightings.ended(time.monotonic_ns())
            if not self.inbox.has_room:
                self.inbox.fail(
                    DeviceLost(
                        f"the table did not take what the {self._name} saw for too long: compare"
                        " the cards on the felt with the display"
                    )
                )
                return
            self.inbox.put(reading)
        if self._sightings.watching:
            self._wanted.set()
        else:
            self._wanted.clear()
        if self._due is not None:
            self._due.cancel()
            self._due = None
        due_ns = self._sightings.due_ns
        if due_ns is not None:
            self._due = self._loop.call_at(due_ns / 1e9, self._time_passes)

    def _time_passes(self) -> None:
        self._due = None
        self._after(self._sightings.tick(time.monotonic_ns()))

    def _look_out(self) -> None:
        """A read that hangs is noticed here, whatever the camera's library promises."""
        silent_ms = (time.monotonic_ns() - self._grabbed_ns) // _MS
        if silent_ms > self._settings.read_ms:
            self.inbox.fail(camera_lost(f"no frame came for {silent_ms / 1_000:.1f} s"))
            return
        self._dog = self._loop.call_later(self._settings.read_ms / 2_000, self._look_out)
