"""A configuration that is read anew: what the table runs by is what is on record, and is shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from controller.service.loop import Service
from controller.service.reload import take_over
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Start
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio


async def test_a_request_that_is_replaced_too_late_is_in_force_and_shown(tmp_path: Path) -> None:
    """A second SIGHUP gives the first one up; its setup may wait to be decided by then."""
    first = setup(3)
    second = replace(first, options=tuple(dict(first.options, min_bet=2_500).items()))
    service = Service(Start(first, "0.0-test", (SCANNER,)), tmp_path / "record")
    try:
        await service.recover()
        taking = asyncio.create_task(take_over(service, second, AlarmTimes(floor_s=90)))
        changes = service.changes()
        await anext(changes)
        while service._queue.empty:  # noqa: ASYNC110  (its turn comes with the next one)
            await asyncio.sleep(0)
        taking.cancel()
        loop = asyncio.create_task(service.run())
        async with asyncio.timeout(PATIENCE_S):
            async for _ in changes:
                if service.state is not None and service.state.setup == second:
                    break
        assert service.setup == second
        assert service.alarms.floor_s == 90
        loop.cancel()
        await asyncio.gather(taking, loop, return_exceptions=True)
    finally:
        service.close()


async def test_a_table_that_stops_is_what_it_was_taken_over_as(tmp_path: Path) -> None:
    first = setup(3)
    second = replace(first, options=tuple(dict(first.options, min_bet=2_500).items()))
    service = Service(Start(first, "0.0-test", (SCANNER,)), tmp_path / "record")
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await take_over(service, second, AlarmTimes())
        service.recorder.close()  # the record goes away under the table
        service.table.stop("the record went away")
        assert service.state is None
        assert service.setup == second
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()
