"""Inputs are taken in the order in which they arrived; what is decided is finished first."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from controller.devices.inputs import Condition, Health, Reading
from controller.record.commit import Commit
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service.input_queue import QUEUE_INPUTS, InputQueue, QueuedInput
from controller.service.loop import Service
from controller.table import inputs as i
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio


def entry(arrived_ns: int) -> QueuedInput:
    return QueuedInput(i.CloseBets(), f"test:{arrived_ns}", arrived_ns)


async def test_the_first_to_arrive_is_the_first_to_be_taken() -> None:
    queue = InputQueue("run")
    for each in (30, 10, 20, 10):
        await queue.put(entry(each))
    taken = [await queue.get() for _ in range(4)]
    assert [each.arrived_ns for each in taken if each] == [10, 10, 20, 30]


async def test_what_is_decided_comes_before_what_arrived_before_it() -> None:
    queue = InputQueue("run")
    decided = replace(entry(50), decision=object())  # type: ignore[arg-type]
    await queue.put(entry(10))
    await queue.put(decided)
    assert await queue.get() is decided


async def test_an_input_is_taken_back_though_the_queue_is_full_by_then() -> None:
    queue = InputQueue("run")
    first = entry(5)
    await queue.put(first)
    assert await queue.get() is first
    for each in range(QUEUE_INPUTS):
        queue.put_nowait(entry(10 + each))
    with pytest.raises(asyncio.QueueFull):
        queue.put_nowait(entry(1))
    queue.take_back(first)
    assert await queue.get() is first


async def test_a_command_that_waited_for_the_loop_does_not_overtake_a_card_on_its_way_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card is decided and not written yet; the command reached the machine before it."""
    service = Service(i.Start(setup(3), "0.0-test", (SCANNER,)), tmp_path / "record")
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        await service.offer(Health(SCANNER, Condition.UP))
        for each in (i.LoadPack(), i.CutShoe()):
            assert (await service.submit(each, None, None)).accepted
        is_written = service.recorder.is_written
        slow = [True]

        def late(commit: Commit) -> bool:
            return not slow.pop() if slow else is_written(commit)

        monkeypatch.setattr(service.recorder, "is_written", late)
        await service.offer(Reading(SCANNER, Sealed(card("2c")), apart=True))
        assert not slow
        reply = await service.submit(i.PlaceWager(1, 1_000), None, None, (), 10**9)
        assert reply.accepted
        assert service.stopped == ""
        assert service.state is not None
        assert service.state.shoe.gone == 1
        assert service.state.seq == reply.seq
    finally:
        loop.cancel()
        with suppress(asyncio.CancelledError):
            await loop
        service.close()


async def test_inputs_that_arrived_at_once_stay_in_their_order() -> None:
    """Those of one request: what is taken back for an earlier one goes where it was."""
    queue = InputQueue("run")
    first, second = entry(5), entry(5)
    await queue.put(first)
    await queue.put(second)
    assert await queue.get() is first
    queue.take_back(first)
    assert await queue.arrived_by(4) is None
    assert [await queue.get(), await queue.get()] == [first, second]
