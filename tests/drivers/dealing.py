"""Hands that draw cards past a camera and a beam, in these tests."""

from __future__ import annotations

import asyncio

from gpiozero.pins.mock import MockFactory

from controller.devices.inputs import Reading
from controller.rules.cards import card
from drivers.settings.shoe import BeamSettings
from tests.drivers.outside import EventCollector, pin, until
from tests.support.stream import RecordingReader, Stream, ground, picture_of

#: A card that passes takes as long as a busy machine takes for its frames.
BEAM = BeamSettings(pin=5, stuck_ms=30_000)


class HandledShoe:
    """A camera with a beam, and the hands that draw cards past them."""

    def __init__(
        self, stream: Stream, pins: MockFactory, events: EventCollector, reader: RecordingReader
    ) -> None:
        self.stream = stream
        self.pins = pins
        self.events = events
        self.reader = reader

    async def show(self, *codes: str, frames: int = 3) -> None:
        """So many frames of the picture are sent."""
        self.stream.show(picture_of(*codes) if codes else ground())
        await asyncio.to_thread(self.stream.wait, frames)

    async def look(self, *codes: str, looks: int = 2) -> None:
        """The picture is there until the reader has seen it so often."""
        self.stream.show(picture_of(*codes) if codes else ground())
        wanted = card(codes[0]) if len(codes) == 1 else None
        before = self.reader.cards.count(wanted)
        await until(lambda: self.reader.cards.count(wanted) >= before + looks)

    def beam(self, *, broken: bool) -> None:
        move = pin(self.pins, BEAM.pin)
        (move.drive_low if broken else move.drive_high)()

    async def draw(self, *codes: str, next_up: str | None = None) -> Reading:
        """A card is drawn (seen as these, one after the other); `next_up` then lies there."""
        self.beam(broken=True)
        for each in codes:
            await self.look(each)
        self.beam(broken=False)
        await self.show(*([next_up] if next_up else []), frames=1)
        return await self.events.reading()


def code(reading: Reading) -> str | None:
    kind = reading.card.open() if reading.card else None
    return kind.code if kind else None
