"""The beam at the exit of a shoe: its edges go to the reader, and while that is away it counts.

A card that leaves while no code can be read has left all the same: it is reported as a reading
that says so, at once, and not when the reader is back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import replace

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt, Reading
from drivers.io.pin_edges import InputPin, OnEdge
from drivers.io.pins import Factory
from drivers.settings.shoe import BeamSettings
from drivers.shoe.beam_passage import BeamPassages


class ExitBeam:
    """The pin of a beam, lent to the reader of the shoe. `source` names that reader.

    The pin stays open while either the reader or `watch` has it, so that no edge falls between
    the two.
    """

    def __init__(self, source: str, settings: BeamSettings, factory: Factory) -> None:
        self._source = source
        # Nothing to wait for: no code will come.
        self._settings = replace(settings, late_code_ms=0)
        self._pin = InputPin(
            settings.pin, factory, "beam", pull_up=settings.pull_up, active_low=settings.active_low
        )
        self._is_open = False
        self._takes: OnEdge | None = None
        self._passages: BeamPassages | None = None
        self._left = 0
        self._woken = asyncio.Event()

    @property
    def active(self) -> bool:
        """Whether the beam, which must be open, is broken now. Raises `DeviceError`."""
        return self._pin.active

    def open(self, takes: OnEdge) -> None:
        """Edges go to the reader from now on; that it is broken already is the first of them.

        Raises `DeviceError`: then whoever watches goes on, and misses nothing.
        """
        try:
            self._open_pin()
            broken = self._pin.active
        except DeviceError:
            self.close()
            raise
        self._takes = takes
        self._passages = None
        self._woken.set()
        if broken:
            takes(True, time.monotonic_ns())

    def close(self) -> None:
        """The reader lets go of it; safe at any time. Raises `DeviceError`."""
        self._takes = None
        if self._passages is None:
            self._close_pin()

    async def watch(self) -> AsyncGenerator[Reading]:
        """A reading for each card that leaves while the reader is away, until that is back.

        Raises `DeviceError`.
        """
        passages = self._passages = BeamPassages(self._source, self._settings)
        self._takes = None
        self._left = 0
        self._woken.clear()
        try:
            self._open_pin()
            if self._pin.active:
                passages.covered(time.monotonic_ns())
            while True:
                while self._left:
                    self._left -= 1
                    yield Reading(self._source, None, Doubt.READER_AWAY, apart=True)
                if self._passages is not passages:
                    return
                await self._woken.wait()
                self._woken.clear()
        finally:
            if self._passages is passages:
                self._passages = None
            if self._takes is None:
                self._close_pin()

    def _edge(self, covered: bool, at_ns: int) -> None:
        if self._takes is not None:
            self._takes(covered, at_ns)
        elif (passages := self._passages) is not None:
            left = passages.covered(at_ns) if covered else passages.cleared(at_ns)
            self._left += len(left)
            self._woken.set()

    def _open_pin(self) -> None:
        if not self._is_open:
            self._pin.open(self._edge)
            self._is_open = True

    def _close_pin(self) -> None:
        self._is_open = False
        self._pin.close()
