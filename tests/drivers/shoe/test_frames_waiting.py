"""Frames that wait: a busy loop holds few of them, and none is read whose card has left."""

from __future__ import annotations

import asyncio
import threading
import time
import weakref

import numpy as np
import pytest

from controller.devices.inputs import Doubt
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_passage import PassageTiming
from drivers.shoe.camera_session import FRAMES_WAITING_MAX, CameraSession
from drivers.vision.frame_reading import FrameReading
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

FRAMES = 40


class EagerCamera:
    """Has many frames at once, each with its number in it, and as many again when it may go on."""

    def __init__(self) -> None:
        self.frames: list[weakref.ref[Frame]] = []
        self.given, self.may_go_on = threading.Event(), threading.Event()
        self._closed = threading.Event()
        self._random = np.random.default_rng(27)

    def grab(self) -> None:
        if len(self.frames) == FRAMES:
            self.given.set()
            self.may_go_on.wait(PATIENCE_S)
        elif len(self.frames) == 2 * FRAMES:
            self._closed.wait(PATIENCE_S)

    def take(self) -> Frame:
        frame = self._random.integers(60, 200, (48, 64, 3), np.uint8)
        frame[0, 0] = len(self.frames)
        self.frames.append(weakref.ref(frame))
        return frame

    def has(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        self.may_go_on.set()
        self._closed.set()

    @property
    def held(self) -> int:
        """How many of its frames somebody has still."""
        return sum(each() is not None for each in self.frames)


async def test_a_busy_loop_holds_few_frames_and_reads_the_later_ones() -> None:
    camera, later_read = EagerCamera(), threading.Event()

    def reader(frame: Frame) -> FrameReading:
        if frame[0, 0, 0] >= FRAMES:
            later_read.set()
        return FrameReading(None, Doubt.NO_CARD)

    session = CameraSession(
        "camera", CameraSettings("none"), PassageTiming(0, 600_000, 0, 1, Doubt.BEAM_STUCK),
        reader, camera, by_motion=False, passing=lambda _: None,
    )  # fmt: skip
    session.edge(True, time.monotonic_ns())
    session.begin()
    try:
        # The loop does nothing meanwhile: this is the fault.
        assert camera.given.wait(PATIENCE_S)
        # One more is in the hand of the thread that grabs.
        assert camera.held <= FRAMES_WAITING_MAX + 1
        await asyncio.sleep(0)  # now it takes what waits
        camera.may_go_on.set()
        assert await asyncio.to_thread(later_read.wait, PATIENCE_S)
    finally:
        camera.close()
        await session.end()


class CameraByHand:
    """Has a frame when it is asked for one."""

    def __init__(self) -> None:
        self.waiting = threading.Event()
        self._next = threading.Semaphore(0)
        self._random = np.random.default_rng(27)

    def ask(self) -> None:
        self.waiting.clear()
        self._next.release()

    def grab(self) -> None:
        self.waiting.set()
        self._next.acquire(timeout=PATIENCE_S)

    def take(self) -> Frame:
        return self._random.integers(60, 200, (48, 64, 3), np.uint8)

    def has(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        self._next.release()


async def test_a_frame_that_waits_is_not_read_when_its_card_had_left_before_it_came() -> None:
    camera, reading, may_end = CameraByHand(), threading.Event(), threading.Event()
    read = 0

    def reader(_: Frame) -> FrameReading:
        nonlocal read
        read += 1
        reading.set()
        may_end.wait(PATIENCE_S)
        return FrameReading(None, Doubt.NO_CARD)

    session = CameraSession(
        "camera", CameraSettings("none", read_ms=60_000),
        PassageTiming(0, 600_000, 0, 1, Doubt.BEAM_STUCK),
        reader, camera, by_motion=False, passing=lambda _: None,
    )  # fmt: skip
    session.edge(True, time.monotonic_ns())
    session.begin()
    try:
        assert await asyncio.to_thread(camera.waiting.wait, PATIENCE_S)
        camera.ask()
        assert await asyncio.to_thread(reading.wait, PATIENCE_S)
        assert await asyncio.to_thread(camera.waiting.wait, PATIENCE_S)
        left_ns = time.monotonic_ns()
        camera.ask()
        # It grabs again: the second frame is on its way to the loop, before this wait's own end.
        assert await asyncio.to_thread(camera.waiting.wait, PATIENCE_S)
        session.edge(False, left_ns)
        may_end.set()
        told = await asyncio.wait_for(session.queue.take(), PATIENCE_S)
        assert told is not None
        assert (told.doubt, told.passed_ns) == (Doubt.NOT_SEEN, left_ns)
        assert read == 1
    finally:
        may_end.set()
        camera.close()
        await session.end()
