"""Records that are not to be had: a finding by table and number, which ends when they come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from controller.bus.messages import RecordBatch, RefillRefused, RefillRequest, encode, mark_of
from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.overview import overview
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.store import Store
from controller.record.files.head_anchor import Position
from tests.pit.archive.messages import message, rows
from tests.support.dealt.journals import IDENTITY

JOURNAL = rows(7, 30)
Answer = RecordBatch | RefillRefused | None
GONE = RefillRefused(
    "T1", IDENTITY.hex(), mark_of(Position(30, JOURNAL[29].hash)), fork=False,
    why="the days up to record 10 are no longer in the table's record: take them from its archive",
)  # fmt: skip


async def _archived(
    folder: Path, answer: Answer, then: Callable[[Archivist], Awaitable[None]]
) -> tuple[list[tuple[str, int, bool]], int, list[int]]:
    """What was found, where the archive stands and what was asked for, after records 11 to 15 of 30
    did not come, and after what came `then`.
    """
    engine = open_database(f"sqlite:///{folder / 'archive.db'}")
    store = Store(engine, lambda: 5_000)
    asked: list[int] = []
    was_asked = asyncio.Event()

    async def ask(_name: str, request: RefillRequest) -> Answer:
        asked.append(request.after.seq)
        was_asked.set()
        return answer

    archivist = Archivist(store, ask, lambda: 5_000)
    await archivist.load()
    writing = asyncio.ensure_future(archivist.run())
    await archivist.hear_records(Arrived("T1", encode(message(JOURNAL, 1, 10)), 1))
    await archivist.hear_records(Arrived("T1", encode(message(JOURNAL, 16, 20)), 2))
    await was_asked.wait()
    # What is waited for is in the database.
    while not (found := overview(engine, 0, "", archives=True).findings):  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert found[0].table == "T1"
    await then(archivist)
    writing.cancel()
    await asyncio.wait((writing,))
    shown = overview(engine, 0, "", archives=True)
    engine.dispose()
    listed = [(each.kind, each.seq, each.settled_ms is None) for each in shown.findings]
    return listed, shown.tables[0].seq, asked


async def _nothing(_: Archivist) -> None:
    """Nothing more comes."""


@pytest.mark.anyio
@pytest.mark.parametrize("answer", [GONE, None], ids=["its days are gone", "it does not answer"])
async def test_a_gap_is_named_and_nothing_beyond_it_is_archived(
    tmp_path: Path, answer: Answer
) -> None:
    assert await _archived(tmp_path, answer, _nothing) == ([("gap", 11, True)], 10, [10])


@pytest.mark.anyio
async def test_a_gap_ends_when_its_records_come(tmp_path: Path) -> None:
    async def come(archivist: Archivist) -> None:
        await archivist.hear_records(Arrived("T1", encode(message(JOURNAL, 11, 30)), 3))
        while await archivist.buffer_read() < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)

    assert await _archived(tmp_path, GONE, come) == ([("gap", 11, False)], 30, [10])
