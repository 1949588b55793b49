"""A pit that is stopped in the very moment in which it loses the duty stops."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.bus.messages import RefillRequest
from controller.pit.archive import keeper
from controller.pit.archive.books.keeper import BookKeeper
from controller.pit.archive.duty import Duty
from controller.pit.archive.storage.database import open_database
from controller.record.reading.expected import Holders
from tests.support.patience import PATIENCE_S


@pytest.mark.anyio
async def test_a_stop_while_what_it_did_on_duty_ends_is_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending, may_end = asyncio.Event(), asyncio.Event()

    async def books(_: BookKeeper, _is_behind: Callable[[], bool]) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ending.set()
            await may_end.wait()

    async def nothing(*_: str | RefillRequest) -> None:
        """Looks at nothing, and nobody answers."""

    held = [True]
    monkeypatch.setattr(keeper, "DUTY_S", 0)
    monkeypatch.setattr(BookKeeper, "run", books)
    monkeypatch.setattr(Duty, "take", lambda _: bool(held and held.pop()))
    engine = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    archive = keeper.ArchiveKeeper(engine, Holders(tmp_path), nothing, lambda: 5_000)
    running = asyncio.ensure_future(archive.run(nothing, lambda _: None, lambda: None))
    async with asyncio.timeout(PATIENCE_S):
        await ending.wait()
        running.cancel()
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.wait((running,))
    assert running.cancelled()
    engine.dispose()


def test_a_pit_with_a_file_as_its_database_sees_that_the_one_that_archives_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    now_s = 100.0
    monkeypatch.setattr("controller.pit.archive.duty.monotonic", lambda: now_s)
    first, second = Duty(engine), Duty(engine)
    assert first.take()
    silent = []
    for asks in (True, False, False, True):
        if asks:
            file = tmp_path / "archive.db.archiving"
            os.utime(file, (1, 1))  # clocks of file systems are coarse
            assert first.take()
        assert not second.take()
        silent.append(second.silent_ms)
        now_s += 7
    assert silent == [0, 7_000, 14_000, 0]
    first.give_back()
    assert second.take()
    assert second.silent_ms is None
    second.give_back()
    engine.dispose()
