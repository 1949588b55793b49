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
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import TABLES
from controller.pit.archive.store import Store
from controller.record.files.head_anchor import Position
from tests.pit.archive.messages import message, rows
from tests.support.dealt.journals import identity_of
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

NAMES = [f"T{number}" for number in range(1, 11)]
JOURNALS = {name: rows(7, 250, identity_of(name)) for name in NAMES}
Ask = Callable[[str, RefillRequest], Awaitable[RecordBatch]]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    yield made
    made.dispose()


def last(name: str) -> Position:
    """Where a table's record ends."""
    return Position(250, JOURNALS[name][-1].hash)


def part(name: str, first: int, to: int) -> RecordBatch:
    """Records of a table in one message."""
    return message(JOURNALS[name], first, to, name, identity_of(name))


async def _asked_for(engine: Engine, ask: Ask, is_over: Callable[[Archivist], bool]) -> Archivist:
    """An archive that has heard how far the tables are, and nothing else, until `is_over`."""
    ticks = count(1_000)
    archivist = Archivist(Store(engine, lambda: next(ticks)), ask, lambda: 1_000)
    await archivist.load()
    writing = asyncio.ensure_future(archivist.run())
    for name in NAMES:
        news = HeadNews(name, identity_of(name).hex(), mark_of(last(name)), 1_000, "test")
        await archivist.heads.look({name: encode(news)})
    async with asyncio.timeout(PATIENCE_S):
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
        return part(name, after + 1, min(after + 100, 250))

    def is_over(archivist: Archivist) -> bool:
        return archivist.records == 250 * len(NAMES) and all(it[-1] == 250 for it in asked.values())

    await _asked_for(engine, ask, is_over)
    assert all(each == [0, 100, 200, 250] for each in asked.values())
    with engine.connect() as connection:
        found = connection.execute(
            select(TABLES.c.name, TABLES.c.seq, TABLES.c.hash, TABLES.c.archived_ms)
        ).all()
    assert {name: (seq, hash_) for name, seq, hash_, _ in found} == {n: last(n) for n in NAMES}
    assert len({archived_ms for *_, archived_ms in found}) < len(NAMES)


async def test_who_says_the_same_for_ever_is_asked_no_more(engine: Engine) -> None:
    asked = dict.fromkeys(NAMES, 0)

    async def ask(name: str, _request: RefillRequest) -> RecordBatch:
        asked[name] += 1
        assert asked[name] < 10, "it is asked for ever"
        return part(name, 1, 100)

    def is_over(archivist: Archivist) -> bool:
        return archivist.records == 100 * len(NAMES) and not archivist.asks

    await _asked_for(engine, ask, is_over)
    assert set(asked.values()) == {2}


async def test_books_wait_while_records_of_a_long_time_come(engine: Engine) -> None:
    async def ask(name: str, request: RefillRequest) -> RecordBatch:
        after = request.after.seq
        return part(name, after + 1, min(after + 100, 250))

    behind: list[bool] = []

    def is_over(archivist: Archivist) -> bool:
        behind.append(archivist.is_behind)
        return archivist.records == 250 * len(NAMES) and not archivist.is_behind

    await _asked_for(engine, ask, is_over)
    assert not behind[0]
    assert any(behind)
