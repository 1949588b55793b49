"""Scanner and camera on one shoe: one device, up while both are, with one reading for each card."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace

from controller.devices.contracts import DeviceError, DeviceLost, InputDevice
from controller.devices.inputs import Press, Reading, Repeats, SpotSensed
from controller.rules.messages import message
from drivers.event_queue import EventQueue
from drivers.shoe.camera_shoe import CameraShoe
from drivers.shoe.reading_fusion import Needs, ReadingFusion
from drivers.shoe.serial_shoe import SerialShoe


class FusedShoe:
    """Joins a scanner that has the beam and a camera that gets its edges.

    `patience_ms` is how long after one reader's reading the other's may come.
    """

    def __init__(
        self,
        scanner: SerialShoe,
        camera: CameraShoe,
        needs: Needs,
        patience_ms: int,
        name: str = "shoe",
    ) -> None:
        self._name = name
        self._scanner = scanner
        self._camera = camera
        self._needs: Needs = needs
        self._patience_ms = patience_ms
        scanner.on_edge = camera.edge
        self.on_card_coming: Callable[[], None] | None = None
        """As in `AnnouncesCards`."""
        scanner.on_card_coming = self._announce

    @property
    def name(self) -> str:
        """The device's name on displays and in metrics."""
        return self._name

    async def open(self) -> None:
        """Open both readers. Raises `DeviceError`."""
        await self.close()
        try:
            await self._camera.open()  # first, so that no edge of the beam is missed
            await self._scanner.open()
        except BaseException:
            await self.close()
            raise

    async def inputs(self) -> AsyncGenerator[Reading | Repeats]:
        """The cards, as they leave. Raises `DeviceError` when either reader is lost."""
        fusion = ReadingFusion(self._name, self._scanner.name, self._needs, self._patience_ms)
        queue: EventQueue[Reading | Repeats] = EventQueue()
        pumps = [
            asyncio.create_task(self._pump(each, queue), name=f"{self._name}: {each.name}")
            for each in (self._scanner, self._camera)
        ]

        def ended(pump: asyncio.Task[None]) -> None:
            # A defect of one reader's is the end of both: the other would seem to work alone.
            if not pump.cancelled() and isinstance(error := pump.exception(), Exception):
                queue.fail(error)

        for pump in pumps:
            pump.add_done_callback(ended)
        try:
            while True:
                try:
                    reading = await queue.take(fusion.due_ns)
                except DeviceError:
                    for each in self._left(fusion):
                        yield each
                    raise
                at_ns = time.monotonic_ns()
                if isinstance(reading, Repeats):
                    yield replace(reading, source=self._name)
                    continue
                for each in fusion.tick(at_ns) if reading is None else fusion.add(reading, at_ns):
                    yield each
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    def _left(self, fusion: ReadingFusion) -> list[Reading]:
        """The cards that have left and that one of the readers, or both, will not read any more."""
        readings: list[Reading] = []
        for each in (*self._scanner.flush(), *self._camera.flush()):
            readings += fusion.add(each, time.monotonic_ns())
        return readings + fusion.flush()

    def _announce(self) -> None:
        if self.on_card_coming is not None:
            self.on_card_coming()

    async def watch(self) -> AsyncGenerator[Reading]:
        """A reading for each card that leaves while either reader is away."""
        async with aclosing(self._scanner.watch()) as left:
            async for reading in left:
                yield replace(reading, source=self._name)

    async def close(self) -> None:
        """Release both readers."""
        try:
            await self._scanner.close()
        finally:
            await self._camera.close()

    async def _pump(self, device: InputDevice, queue: EventQueue[Reading | Repeats]) -> None:
        """Pass on the readings of one reader, until it fails."""
        try:
            async with aclosing(device.inputs()) as readings:
                async for reading in readings:
                    assert not isinstance(reading, Press | SpotSensed)
                    if not queue.has_room:
                        raise DeviceLost(message("readings-not-taken", device=self._name))
                    queue.put(reading)
        except DeviceError as error:
            queue.fail(error)
