"""Pins and a scanner's line for the drivers' tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from tests.drivers.outside import Line


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory(revision="c04170")  # a Raspberry Pi 5
    yield factory
    factory.reset()


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    made = Line(tmp_path / "scanner")
    made.plug()
    yield made
    made.unplug()
