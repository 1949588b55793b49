"""Hands that draw cards past a camera and a beam, in these tests."""

from __future__ import annotations

import asyncio

from gpiozero.pins.mock import MockFactory

from controller.devices.inputs import Reading
from drivers.settings import BeamSettings
from tests.drivers.outside import Seen, pin
from tests.support.stream import Stream, ground, picture_of

BEAM = BeamSettings(pin=5, stuck_ms=600)


class Shoe:
    """A camera with a beam, and the hands that draw cards past them."""

    def __init__(self, stream: Stream, pins: MockFactory, seen: Seen) -> None:
        self.stream = stream
        self.pins = pins
        self.seen = seen

    async def show(self, *codes: str, frames: int = 3) -> None:
        self.stream.show(picture_of(*codes) if codes else ground())
        await asyncio.to_thread(self.stream.wait, frames)

    def beam(self, *, broken: bool) -> None:
        move = pin(self.pins, BEAM.pin)
        (move.drive_low if broken else move.drive_high)()

    async def draw(self, *codes: str, next_up: str | None = None) -> Reading:
        """A card is drawn (seen as these, one after the other); `next_up` then lies there."""
        self.beam(broken=True)
        for each in codes:
            await self.show(each)
        self.beam(broken=False)
        await self.show(*([next_up] if next_up else []), frames=1)
        return await self.seen.reading()


def code(told: Reading) -> str | None:
    kind = told.card.open() if told.card else None
    return kind.code if kind else None
