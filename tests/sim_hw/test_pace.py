"""How fast a day goes: people as fast as was asked, devices alone as fast as the machine allows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from controller.commands.demo.files import REAL, write_files
from controller.commands.demo.order import SPEED_MAX, DemoOrder
from sim_hw.devices.faults import Faults
from sim_hw.settings import load_settings
from sim_hw.table.changes import Changes
from sim_hw.table.world import CATCH_UP_S, World
from tests.endurance.breaking.loop import VirtualClock, VirtualLoop

#: What a person takes for one act, and the machine for another one, in ms.
PERSON_MS = 1_000.0
MACHINE_MS = 4


def the_world(folder: Path, speed: float) -> World:
    order = DemoOrder("blackjack", 3, 1, speed, 1, True, None, 0, folder)
    write_files(order, folder, service_port=9)
    return World(load_settings(folder / "world.json"), Faults(()), Changes())


def time_of(act: Callable[[VirtualClock], Awaitable[None]]) -> float:
    """How long that takes in a virtual loop, in ms."""
    clock = VirtualClock()
    began_ns = clock.now_ns
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner, clock.as_the_systems():

        async def run() -> None:
            await act(clock)

        runner.run(run())
    return (clock.now_ns - began_ns) / 1e6


@pytest.mark.parametrize(("speed", "wanted_ms"), [(1, 20_000), (10, 2_000)])
def test_the_machines_own_time_is_no_part_of_the_peoples(
    tmp_path: Path, speed: float, wanted_ms: float
) -> None:
    """Twenty acts, the machine at work for 4 ms before each."""
    world = the_world(tmp_path, speed)

    async def acts(clock: VirtualClock) -> None:
        for _ in range(20):
            clock.now_ns += MACHINE_MS * 1_000_000
            await world.people_take(PERSON_MS)

    assert time_of(acts) == pytest.approx(wanted_ms, abs=1_001 * CATCH_UP_S)


def test_after_a_long_wait_people_take_their_time(tmp_path: Path) -> None:
    world = the_world(tmp_path, 1)

    async def acts(clock: VirtualClock) -> None:
        await world.people_take(PERSON_MS)
        clock.now_ns += 60 * 10**9
        await world.people_take(PERSON_MS)

    assert time_of(acts) == pytest.approx(62_000, abs=2_001 * CATCH_UP_S)


def test_devices_take_what_they_must_where_nobody_looks_on(tmp_path: Path) -> None:
    """A pause of the devices is the shortest that drivers and configuration take."""
    settings = the_world(tmp_path, SPEED_MAX).settings
    assert settings.wiring.debounce_ms == 1 < REAL.debounce_ms
    assert (settings.settle_ms, settings.beam_ms, settings.card_gap_ms) == (0, 1, 0)
    bits = 10
    assert bits / settings.baud < 0.00001
