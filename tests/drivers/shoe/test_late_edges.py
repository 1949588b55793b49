"""A process that stood still hears its edges together: when they were is the kernel's to say."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from controller.devices.inputs import Doubt
from controller.rules.games.registry import game
from drivers.code_book import code_book
from drivers.io.pin_edges import AGO_MAX_S, InputPin
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.serial_shoe import SerialShoe
from tests.drivers.outside import ScannerLine, watching

pytestmark = pytest.mark.anyio

BEAM = 5


class LatePin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose edges are told late, with the time at which they were."""

    ago_s = 0.0

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        self._last_change = time.monotonic() - self.ago_s
        return changed

    def edge(self, high: bool, ago_s: float) -> None:
        self.ago_s = ago_s
        (self.drive_high if high else self.drive_low)()


@pytest.fixture
def pins() -> MockFactory:
    return MockFactory(pin_class=LatePin)


@pytest.mark.parametrize(
    ("ago_s", "told_s"), [(0.5, 0.5), (30.0, 30.0), (-5.0, 0.0), (AGO_MAX_S + 1, 0.0)]
)
async def test_an_edge_has_the_time_at_which_it_was(
    pins: MockFactory, ago_s: float, told_s: float
) -> None:
    edges: list[tuple[bool, int]] = []
    watched = InputPin(BEAM, pins, "beam", active_low=True)
    watched.open(lambda active, at_ns: edges.append((active, at_ns)))
    before_ns = time.monotonic_ns()
    pins.pin(BEAM).edge(False, ago_s)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    watched.close()
    ((active, at_ns),) = edges
    assert active
    assert (before_ns - at_ns) / 1e9 == pytest.approx(told_s, abs=0.2)


async def test_a_card_that_passed_while_the_process_stood_still_is_no_glitch(
    pins: MockFactory, tmp_path: Path
) -> None:
    line = ScannerLine(tmp_path / "scanner")
    line.plug()
    shoe = SerialShoe(
        ScannerSettings(line.link),
        code_book("tablectl-1", game("21-24-27").pack),
        BeamSettings(BEAM, late_code_ms=0),
        pins,
    )
    async with watching(shoe) as events:
        beam = pins.pin(BEAM)
        # Both edges come at once, of a passage of 60 ms that was half a second ago.
        beam.edge(False, 0.56)
        beam.edge(True, 0.50)
        reading = await events.reading()
        assert reading.doubt is Doubt.NO_CODE
    line.unplug()
