"""The shoe's camera: each card that passes it is one reading, voted by the frames of its passage.

A frame outside a passage is checked for light and stillness alone and dropped: the next card may
lie in the picture, and nobody, the program included, may know it before it is drawn.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Press, Reading
from controller.rules.messages import message
from drivers.io.camera.camera_settings import check_size
from drivers.io.camera.frame_quality import Frame, light_problem, small_grey
from drivers.io.camera.video_source import VideoSource, open_video_source
from drivers.io.pins import Factory
from drivers.settings.camera import CameraSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.camera_passage import PassageTiming
from drivers.shoe.camera_session import CameraSession, ReadFrame
from drivers.shoe.exit_beam import ExitBeam
from drivers.shoe.strobe import Strobe

#: So long after a strobe was lit the first good frame may come.
LIT_S: Final = 1.0


class CameraShoe:
    """Reads each card that passes the camera.

    `beam` marks the passages and needs the pin factory; without it motion does. Where another
    device has the beam (`own_beam` false), its edges come by `edge`. `passing` is called when a
    card begins to pass (True) and when it has gone; `opened` with the first good frame each time
    the camera was opened, on a thread of its own: it must neither store it nor look where cards
    come.
    """

    def __init__(
        self,
        settings: CameraSettings,
        read: ReadFrame,
        beam: BeamSettings | None = None,
        factory: Factory = None,
        name: str = "camera",
        *,
        own_beam: bool = True,
        passing: Callable[[bool], None] = lambda _: None,
        opened: Callable[[Frame], None] = lambda _: None,
    ) -> None:
        if (settings.trigger == "beam") is (beam is None):
            raise ValueError(
                'trigger = "beam" needs [beam]; without one write trigger = "motion", in a shoe'
                " where the next card at rest is out of the picture"
                if beam is None
                else 'there is a [beam], which tells more than motion: write trigger = "beam"'
            )
        self._name = name
        self._settings = settings
        self._read = read
        self._passing = passing
        self._when_opened = opened
        by_beam = beam is not None
        self._timing = PassageTiming(
            glitch_ms=beam.glitch_ms if beam else 0,
            stuck_ms=beam.stuck_ms if beam else settings.stuck_ms,
            latency_ms=settings.latency_ms if by_beam else 0,
            frames_min=settings.frames_min,
            stuck=Doubt.BEAM_STUCK if by_beam else Doubt.IN_VIEW,
        )
        self._by_beam = by_beam
        self._beam = ExitBeam(name, beam, factory) if beam and own_beam else None
        self._session: CameraSession | None = None
        self._given_up: asyncio.Future[VideoSource] | None = None
        self.on_card_coming: Callable[[], None] | None = None
        """As in `AnnouncesCards`."""
        self._strobe = (
            None if settings.strobe is None
            else Strobe(settings.strobe, factory, name, self._strobe_failed)
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Open camera and beam; a first good frame has come. Raises `DeviceError`."""
        await self.close()
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise

    async def _open(self) -> None:
        if self._given_up is not None and not self._given_up.done():
            # It would say that another program has the camera: that is our own thread.
            raise DeviceLost(message("camera-does-not-answer"))
        if self._strobe is not None:
            self._strobe.open()
            self._strobe.shine(True)  # and no longer than it may, if the camera takes its time
        camera = await self._on_a_thread(lambda: open_video_source(self._settings))
        try:
            if self._strobe is not None:
                self._strobe.shine(True)  # again, if it went out
        except DeviceError:
            await asyncio.to_thread(camera.close)
            raise
        camera = await self._on_a_thread(lambda: self._seen(camera))
        self._session = CameraSession(
            self._name, self._settings, self._timing, self._read, camera,
            by_motion=not self._by_beam, passing=self._passing,
        )  # fmt: skip
        self._session.begin()
        if self._strobe is not None:
            self._strobe.shine(False)
        if self._beam is not None:
            self._beam.open(self.edge)

    async def _on_a_thread(self, opens: Callable[[], VideoSource]) -> VideoSource:
        opening = asyncio.ensure_future(asyncio.to_thread(opens))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            # The thread cannot be stopped: what it opens is closed when it is there.
            opening.add_done_callback(_close_unwanted)
            self._given_up = opening
            raise

    def _seen(self, camera: VideoSource) -> VideoSource:
        """The camera, after its first frame was checked; closed where that is no good one."""
        try:
            self._when_opened(self._first_frame(camera))
        except BaseException:
            camera.close()
            raise
        return camera

    def _first_frame(self, camera: VideoSource) -> Frame:
        """A good frame. Raises `DeviceError` where none comes in time."""
        until_s = time.monotonic() + (LIT_S if self._strobe is not None else 0)
        # Automatic settings that were just switched off may take a frame to show.
        for _ in range(2):
            camera.grab()
        while True:
            frame = camera.take()
            try:
                self.check(frame)
            except DeviceError:
                # Those that waited in the camera were taken before the lamp was lit again.
                if time.monotonic() >= until_s:
                    raise
                camera.grab()
            else:
                return frame

    def check(self, frame: Frame) -> None:
        """Raises `DeviceError` for a frame of the wrong size or without a picture in it."""
        check_size(frame, self._settings)
        if problem := light_problem(small_grey(frame)):
            raise DeviceError(problem)

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        """The cards, as they leave. Raises `DeviceError` when the camera is lost."""
        session = self._session
        assert session is not None, "it is opened first"
        while True:
            try:
                reading = await session.queue.take()
            except DeviceError:
                for left in self.flush():
                    yield left
                raise
            if reading is not None:
                yield reading

    def flush(self) -> list[Reading]:
        """No frame will come any more: the cards that have left and were not reported yet."""
        return [] if self._session is None else self._session.flush()

    def edge(self, covered: bool, at_ns: int) -> None:
        """The beam was broken or cleared; on the loop."""
        if self._session is None:
            return
        self._session.edge(covered, at_ns)
        if self._strobe is not None:
            try:
                self._strobe.shine(covered)
            except DeviceError as error:
                self._strobe_failed(error)
        if covered and self.on_card_coming is not None:
            self.on_card_coming()

    def _strobe_failed(self, error: DeviceError) -> None:
        """Without its light the camera reads nothing: it is lost, and opened again."""
        if self._session is not None:
            self._session.queue.fail(error)

    async def watch(self) -> AsyncGenerator[Reading]:
        """A reading for each card that leaves while the camera is away; none without a beam."""
        if self._beam is not None:
            async with aclosing(self._beam.watch()) as left:
                async for reading in left:
                    yield reading

    async def close(self) -> None:
        """Release camera and beam."""
        session, self._session = self._session, None
        try:
            if self._beam is not None:
                self._beam.close()
        finally:
            try:
                if self._strobe is not None:
                    self._strobe.close()
            finally:
                if session is not None:
                    await session.end()


def _close_unwanted(opening: asyncio.Future[VideoSource]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
