"""Disk and clock fail below Python, under the real service: what the C library says is not so.

A small library between the service and its C library stalls, fails and misdates its calls.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from controller.record.journal import Journal
from controller.record.reading.verify import verify
from controller.table import facts as f
from tests.support.processes.below import Below, compiled
from tests.support.processes.real_table import BET, HELD, SHUFFLE, RealTable, safe, standing

pytestmark = pytest.mark.anyio

#: Longer than the test waits for anything: the sync goes on when it is let go.
STALL_MS = 600_000
HOUR_S, TEN_YEARS_S = 3_600, 10 * 365 * 86_400


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("below"))


@pytest.fixture
def below(library: Path, tmp_path: Path) -> Iterator[Below]:
    made = Below(library, tmp_path / "record")
    yield made
    made.close()


@pytest.fixture
async def table(tmp_path: Path, below: Below) -> AsyncIterator[RealTable]:
    async with standing(RealTable(tmp_path)) as built:
        built.below = below.environment
        yield built


def records(table: RealTable) -> list[f.Record]:
    """What is on record of a table without a service, every row checked."""
    with closing(Journal(table.record)) as journal:
        return list(journal.newest_day.records())


def wagers(table: RealTable) -> list[int]:
    """The seats whose bets are on record."""
    facts = [record.fact for record in records(table)]
    return [fact.seat for fact in facts if isinstance(fact, f.WagerPlaced)]


def audited(table: RealTable) -> int:
    """How many records an auditor finds, also while the service runs; all of them hold."""
    found = verify(table.record)
    assert found.good, found.problems
    return found.head.seq


async def betting(table: RealTable) -> asyncio.subprocess.Process:
    """A service at whose table the bets are open; seat 1 has one."""
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    await table.open_bets()
    await table.ask("place_wager", seat=1, amount=5_000)
    await table.until(lambda: table.spots()[0] == BET)
    return service


async def test_while_a_sync_stalls_safe_is_shown_and_then_the_table_goes_on(
    table: RealTable, below: Below
) -> None:
    service = await betting(table)
    below.stall(STALL_MS)
    asked = asyncio.create_task(table.post("place_wager", seat=2, amount=5_000))
    scene = await table.until_scene(safe)
    assert not scene["keys"]
    await table.until_all(HELD)
    assert not asked.done()
    assert below.stalled
    below.stall(0)
    assert (await asked).json()["accepted"]
    await table.until(lambda: table.spots()[1] == BET)
    await table.ask("place_wager", seat=3, amount=5_000)
    service.kill()
    await service.wait()
    assert wagers(table) == [1, 2, 3]


@pytest.mark.long
async def test_a_sync_that_fails_stops_the_table_and_is_not_tried_again(
    table: RealTable, below: Below
) -> None:
    service = await betting(table)
    await table.ask("close_bets")
    before = await table.until_scene(lambda scene: scene["phase"] == "round")
    below.fail_syncs(errno.EIO)
    await table.draw("8S")
    await table.until_scene(safe)
    await table.until_all(HELD)
    below.fail_syncs(0)
    tried = below.failed
    # The disk is well again: what it holds is not known all the same.
    await table.draw("9S")
    answer = await table.post("call_floor", key="again")
    assert (answer.status_code, await table.health()) == (503, 503)
    assert safe(await table.scene())
    assert below.failed == tried
    assert await table.stop(service) == 0
    known = audited(table)
    await table.start_service()
    scene = await table.until_scene(lambda scene: scene["phase"] == "round")
    # The card may be on record or not; the other one is not. People compare.
    assert scene["shoe"]["gone"] - before["shoe"]["gone"] in (0, 1)
    assert [hold["title"] for hold in scene["holds"]] == ["Recount"]
    assert audited(table) > known


@pytest.mark.long
async def test_a_disk_that_takes_no_more_stops_the_table_and_nothing_that_was_told_is_lost(
    table: RealTable, below: Below
) -> None:
    """Full, then read-only; in between room was made and the service started again."""
    service = await betting(table)
    for number, seat in ((errno.ENOSPC, 2), (errno.EROFS, 3)):
        key = f"seat-{seat}"
        below.fail_writes(number)
        answer = await table.post("place_wager", key=key, seat=seat, amount=5_000)
        assert answer.status_code == 503
        assert "could not be written" in table.log()
        await table.until_all(HELD)
        assert safe(await table.scene())
        below.fail_writes(0)
        answer = await table.post("place_wager", key=key, seat=seat, amount=5_000)
        assert answer.status_code == 503
        assert await table.stop(service) == 0
        assert wagers(table) == list(range(1, seat))
        service = await table.start_service()
        scene = await table.until_scene(lambda scene: bool(scene["holds"]))
        assert [hold["title"] for hold in scene["holds"]] == ["Recount"]
        await table.count_felt()
        answer = await table.post("place_wager", key=key, seat=seat, amount=5_000)
        assert answer.status_code == 200


@pytest.mark.long
async def test_the_wall_clock_may_step_in_mid_round_and_across_a_kill(
    table: RealTable, below: Below
) -> None:
    """Back an hour, forward ten years, and a start with the wrong one."""
    service = await betting(table)
    below.set_clock(-HOUR_S)
    await table.ask("place_wager", seat=2, amount=5_000)
    await table.ask("close_bets")
    await table.until_scene(lambda scene: scene["phase"] == "round")
    await table.draw("8S")
    gone = (await table.until_scene(lambda scene: scene["shoe"]["gone"] == 2))["shoe"]["gone"]
    below.set_clock(TEN_YEARS_S)
    await table.draw("9S")
    await table.until_scene(lambda scene: scene["shoe"]["gone"] == gone + 1)
    assert await table.health() == 200
    service.kill()
    await service.wait()
    below.set_clock(-HOUR_S)
    await table.start_service()
    scene = await table.until_scene(lambda scene: bool(scene["holds"]))
    assert scene["shoe"]["gone"] == gone + 1
    await table.count_felt()
    await table.draw("TS")
    await table.until_scene(lambda scene: scene["shoe"]["gone"] == gone + 2)
    audited(table)
    assert await table.stop(table.running[-1]) == 0
    times = [record.at_ms for record in records(table)]
    steps_s = [(later - each) // 1000 for each, later in pairwise(times)]
    assert min(steps_s) < -TEN_YEARS_S
    assert max(steps_s) > TEN_YEARS_S
    assert any(-HOUR_S - 60 < step < -HOUR_S + 60 for step in steps_s)
