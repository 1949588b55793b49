"""Pins, a scanner's line and a camera's stream for the drivers' tests."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from gpiozero.pins import local, mock
from gpiozero.pins.mock import MockFactory

from drivers.io.camera import video_source
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_shoe import CameraShoe
from tests.drivers.dealing import BEAM, HandledShoe
from tests.drivers.outside import ScannerLine, watching
from tests.endurance.breaking.loop import VirtualClock, VirtualLoop
from tests.support.stream import FPS, HEIGHT, WIDTH, RecordingReader, Stream, streaming

Backend = tuple[str, dict[str, Any]]
"""What anyio runs a test on."""

SLOW_MS = 30_000
"""So long may a camera be silent: its frames come from a thread beside the driver's, which a busy
machine may leave waiting for seconds, and a camera that is lost tells nobody of a card.
"""


@pytest.fixture
def virtual_time() -> Iterator[Backend]:
    """Time that goes on when nothing else happens: for devices on pins alone, without descriptors.

    A module takes it as its `anyio_backend`. Nothing is waited for, and no machine is too busy.
    """
    clock = VirtualClock()
    with ExitStack() as stack:
        stack.enter_context(clock.as_the_systems())
        for pins in (mock, local):  # they took their clock by its name
            stack.enter_context(patch.object(pins, "monotonic", lambda: clock.now_ns / 1e9))
        yield "asyncio", {"loop_factory": lambda: VirtualLoop(clock)}


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory(revision="c04170")  # a Raspberry Pi 5
    yield factory
    factory.reset()


@pytest.fixture(autouse=True)
def cameras_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cameras' names are the machine's, on which other tests run at the same time."""
    monkeypatch.setattr(video_source, "LOCKS", f"tablectl-camera-{os.getpid()}")


@pytest.fixture
def line(tmp_path: Path) -> Iterator[ScannerLine]:
    made = ScannerLine(tmp_path / "scanner")
    made.plug()
    yield made
    made.unplug()


@pytest.fixture
def stream() -> Iterator[Stream]:
    with streaming() as stream:
        yield stream


@pytest.fixture
def settings(stream: Stream) -> CameraSettings:
    return CameraSettings(
        stream.url, WIDTH, HEIGHT, fps=FPS, open_ms=SLOW_MS, read_ms=SLOW_MS, frozen_ms=500
    )


@pytest.fixture
def reader() -> RecordingReader:
    return RecordingReader()


@pytest.fixture
async def shoe(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> AsyncIterator[HandledShoe]:
    async with watching(CameraShoe(settings, reader, BEAM, pins)) as watched:
        yield HandledShoe(stream, pins, watched, reader)
