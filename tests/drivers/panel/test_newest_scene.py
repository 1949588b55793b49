"""The newest scene is taken, whenever it was put."""

from __future__ import annotations

import asyncio
import time

import pytest

from drivers.panel.displays.newest_scene import NewestScene
from tests.drivers.outside import picture

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("turns", range(6))
async def test_a_scene_that_is_put_as_the_time_is_over_is_not_lost(turns: int) -> None:
    """Whatever turn of the event loop it comes in: before, while or after the time is called."""
    newest, scene = NewestScene(), picture(())
    taken = asyncio.create_task(newest.take(time.monotonic_ns()))
    for _ in range(turns):
        await asyncio.sleep(0)
    newest.put(scene)
    first = await taken
    if first is None:
        async with asyncio.timeout(60):
            first = await newest.take()
    assert first is scene
    assert await newest.take(time.monotonic_ns()) is None, "once"
