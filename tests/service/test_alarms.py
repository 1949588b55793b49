"""The service wakes the table when it asked for it, and an alarm is what it was after a restart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.devices.inputs import Condition, Health
from controller.devices.scene import Light, Sound
from controller.record.journal import Journal
from controller.service.loop import Service
from controller.service.ports import Clock
from controller.table import inputs as i
from controller.table.alarms import Level
from controller.table.facts import AlarmEscalated, DeviceUp, Fact
from tests.service.test_loop import SEATS, RememberingOutput, ask
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

NS_PER_S = 1_000_000_000


class AheadClock:
    """The monotonic clock, which a test may let run ahead, and a wall clock beside it."""

    def __init__(self) -> None:
        self.ahead_ns = 0
        self.wall_ahead_ms = 0

    def pass_s(self, seconds: float) -> None:
        self.ahead_ns += round(seconds * NS_PER_S)
        self.wall_ahead_ms += round(seconds * 1_000)

    @property
    def clock(self) -> Clock:
        return Clock(
            wall_ms=lambda: time.time_ns() // 1_000_000 + self.wall_ahead_ms,
            mono_ns=lambda: time.monotonic_ns() + self.ahead_ns,
        )


@asynccontextmanager
async def running(path: Path, now: AheadClock) -> AsyncIterator[tuple[Service, RememberingOutput]]:
    service = Service(i.Start(setup(SEATS), "0.0-test", (SCANNER,)), path, clock=now.clock)
    wall = RememberingOutput(path)
    service.outputs.append(wall)
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        yield service, wall
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


def written(path: Path) -> list[Fact]:
    journal = Journal(path)
    try:
        return [record.fact for record in journal.newest_day.records()]
    finally:
        journal.close()


def escalated(path: Path) -> list[Level]:
    return [each.level for each in written(path) if isinstance(each, AlarmEscalated)]


async def test_nobody_touches_anything_and_the_alarm_goes_further(tmp_path: Path) -> None:
    now = AheadClock()
    async with running(tmp_path / "record", now) as (service, wall):
        await ask(service, i.CallFloor())
        assert wall.shown[-1].sound is Sound.HELD
        now.pass_s(19.9)
        # Whatever comes makes the loop look at the clock; from here on nothing comes.
        await service.offer(Health(SCANNER, Condition.UP))
        shown = await wall.until(lambda scene: scene.sound is Sound.REMIND)
        assert shown.dealer.alarm is not None
        assert shown.dealer.seq == wall.shown[-1].dealer.seq
    assert escalated(tmp_path / "record") == [Level.DEALER], "it was written before it sounded"


async def test_what_is_due_goes_before_inputs_that_never_pause(tmp_path: Path) -> None:
    now = AheadClock()
    async with running(tmp_path / "record", now) as (service, wall):
        await ask(service, i.CallFloor())
        now.pass_s(200)
        for _ in range(50):
            await service.offer(Health(SCANNER, Condition.UP))
        await wall.until(lambda scene: scene.sound is Sound.ALARM)
        state = service.state
        assert state is not None
        assert state.alarms[0].level is Level.PIT
    facts = written(tmp_path / "record")
    steps = [each for each in facts if isinstance(each, DeviceUp | AlarmEscalated)]
    # The loop had asked for one input already when the time came.
    assert isinstance(steps[0], DeviceUp)
    assert [type(each) for each in steps[1:4]] == [AlarmEscalated] * 3


async def test_no_alarm_no_timer_and_no_record_by_itself(tmp_path: Path) -> None:
    now = AheadClock()
    async with running(tmp_path / "record", now) as (service, wall):
        now.pass_s(86_400)
        await service.offer(Health(SCANNER, Condition.UP))
        await ask(service, i.LoadPack())
        assert wall.shown[-1].sound is Sound.QUIET
    assert escalated(tmp_path / "record") == []


async def test_after_a_power_cut_it_calls_where_it_was(tmp_path: Path) -> None:
    path, now = tmp_path / "record", AheadClock()
    async with running(path, now) as (service, wall):
        await ask(service, i.CallFloor())
        now.pass_s(61)
        await service.offer(Health(SCANNER, Condition.UP))
        await wall.until(lambda scene: scene.lights[0] is Light.CALLING)
    later = AheadClock()  # another boot: another monotonic clock
    later.ahead_ns = -time.monotonic_ns()
    later.wall_ahead_ms = now.wall_ahead_ms
    async with running(path, later) as (service, wall):
        assert wall.shown[0].lights == (Light.CALLING,) * SEATS
        assert wall.shown[0].sound is Sound.CALL
        later.pass_s(120)
        await service.offer(Health(SCANNER, Condition.UP))
        await wall.until(lambda scene: scene.sound is Sound.ALARM)
    assert escalated(path) == [Level.DEALER, Level.FLOOR, Level.PIT]


async def test_a_stopped_table_asks_for_no_timer(tmp_path: Path) -> None:
    now = AheadClock()
    async with running(tmp_path / "record", now) as (service, wall):
        await ask(service, i.CallFloor())
        service.table.stop("the disk is gone")
        now.pass_s(200)
        await service.offer(Health(SCANNER, Condition.UP))
        await service.ping()
        assert wall.shown[-1].dealer.phase == "safe"
    assert escalated(tmp_path / "record") == []
