"""Tables that are asked for many records: archived together, each asked on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.bus.messages import HeadNews, RecordBatch, RefillRequest, encode, mark_of
from controller.pit.archive.archivist import Archivist
from controller.pit.archive.database import open_database
from controller.pit.archive.schema import TABLES
from controller.pit.archive.store import Store
from controller.record.files.head_anchor import Position
from tests.pit.archive.messages import message, rows
from tests.support.journals import IDENTITY

pytestmark = pytest.mark.anyio

JOURNAL = rows(7, 250)
LAST = Position(250, JOURNAL[-1].hash)
NAMES = [f"T{number}" for number in range(1, 11)]
Ask = Callable[[str, RefillRequest], Awaitable[RecordBatch]]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    yield made
    made.dispose()


async def _asked_for(engine: Engine, ask: Ask, is_over: Callable[[Archivist], bool]) -> Archivist:
    """An archive that has heard how far the tables are, and nothing else, until `is_over`."""
    ticks = count(1_000)
    archivist = Archivist(Store(engine, lambda: next(ticks)), ask, lambda: 1_000)
    await archivist.load()
    writing = asyncio.ensure_future(archivist.run())
    for name in NAMES:
        news = HeadNews(name, IDENTITY.hex(), mark_of(LAST), 1_000, "test")
        await archivist.hear_head(name, encode(news))
    while not is_over(archivist):  # noqa: ASYNC110
        await asyncio.sleep(0)
    writing.cancel()
    await asyncio.wait((writing,))
    return archivist


async def test_many_tables_are_archived_in_few_transactions(engine: Engine) -> None:
    asked: dict[str, list[int]] = {name: [] for name in NAMES}

    async def ask(name: str, request: RefillRequest) -> RecordBatch:
        after = request.after.seq
        asked[name].append(after)
        return message(JOURNAL, after + 1, min(after + 100, 250), name)

    def is_over(archivist: Archivist) -> bool:
        return archivist.records == 250 * len(NAMES) and all(it[-1] == 250 for it in asked.values())

    await _asked_for(engine, ask, is_over)
    assert all(each == [0, 100, 200, 250] for each in asked.values())
    with engine.connect() as connection:
        found = connection.execute(select(TABLES.c.seq, TABLES.c.hash, TABLES.c.archived_ms)).all()
    assert {(seq, hash_) for seq, hash_, _ in found} == {LAST}
    assert len({archived_ms for _, _, archived_ms in found}) < len(NAMES)


async def test_who_says_the_same_for_ever_is_asked_no_more(engine: Engine) -> None:
    asked = dict.fromkeys(NAMES, 0)

    async def ask(name: str, _request: RefillRequest) -> RecordBatch:
        asked[name] += 1
        assert asked[name] < 10, "it is asked for ever"
        return message(JOURNAL, 1, 100, name)

    def is_over(archivist: Archivist) -> bool:
        return archivist.records == 100 * len(NAMES) and not archivist.asks

    await _asked_for(engine, ask, is_over)
    assert set(asked.values()) == {2}


async def test_books_wait_while_records_of_a_long_time_come(engine: Engine) -> None:
    async def ask(name: str, request: RefillRequest) -> RecordBatch:
        after = request.after.seq
        return message(JOURNAL, after + 1, min(after + 100, 250), name)

    behind: list[bool] = []

    def is_over(archivist: Archivist) -> bool:
        behind.append(archivist.is_behind)
        return archivist.records == 250 * len(NAMES) and not archivist.is_behind

    await _asked_for(engine, ask, is_over)
    assert not behind[0]
    assert any(behind)
