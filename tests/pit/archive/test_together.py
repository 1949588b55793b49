"""Records that come one soon after the other go into one transaction; the first waits for none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.bus.messages import RefillRequest, encode
from controller.pit.archive import archivist as archivist_module
from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.store import Store
from tests.pit.archive.messages import message, rows
from tests.support.patience import PATIENCE_S

JOURNAL = rows(7, 30)


@pytest.mark.anyio
async def test_what_comes_soon_after_a_transaction_is_written_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    store = Store(engine, lambda: 5_000)
    transactions = list[int]()
    take = store.take

    def counted(*of: object) -> object:
        taken = take(*of)  # type: ignore[arg-type]
        transactions.append(taken.records)
        return taken

    waits, go_on, real = asyncio.Event(), asyncio.Event(), asyncio.sleep

    async def pause(_s: float) -> None:
        waits.set()
        await go_on.wait()

    async def nobody(_name: str, _request: RefillRequest) -> None:
        """No table is asked for anything here."""

    async def archived(count: int) -> None:
        while archivist.records < count:
            await real(0.001)

    monkeypatch.setattr(store, "take", counted)
    # However slow the machine, the second message comes soon after the first.
    monkeypatch.setattr(archivist_module, "TOGETHER_S", 3_600)
    archivist = Archivist(store, nobody, lambda: 5_000)
    await archivist.load()
    monkeypatch.setattr(asyncio, "sleep", pause)
    writing = asyncio.ensure_future(archivist.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await archivist.hear_records(Arrived("T1", encode(message(JOURNAL, 1, 10)), 1))
            await archived(10)
            assert not waits.is_set(), "the first after a rest is written at once"
            await archivist.hear_records(Arrived("T1", encode(message(JOURNAL, 11, 12)), 2))
            await waits.wait()
            await archivist.hear_records(Arrived("T1", encode(message(JOURNAL, 13, 30)), 3))
            go_on.set()
            await archived(30)
    finally:
        monkeypatch.undo()
        writing.cancel()
        await asyncio.wait((writing,))
        engine.dispose()
    assert transactions == [10, 20]
