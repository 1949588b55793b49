"""The books of many tables are read and written together, and a long round is not read over and
over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import event, func, select

from controller.pit.archive.books import keeper
from controller.pit.archive.books.follower import AGAIN_MS, WRITE_MS, Follower
from controller.pit.archive.books.schema import FOLLOWED
from controller.record.reading.expected import Holders
from controller.table.facts import BetsClosed, RoundEnded
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.support.dealt.journals import records
from tests.support.patience import PATIENCE_S

TABLES = 20


class _SeenTwice(Exception):
    """The test has seen what it waits for."""


class _Statements:
    """What a follower asks of the database."""

    def __init__(self, archive: Archived) -> None:
        self.transactions = 0
        self.read = 0
        event.listen(archive.engine, "begin", self._began)
        event.listen(archive.engine, "before_cursor_execute", self._asked)

    def _began(self, _connection: object) -> None:
        self.transactions += 1

    def _asked(self, _connection: object, _cursor: object, statement: str, *_: Any) -> None:
        self.read += statement.startswith("SELECT records.seq")


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        yield Archived(engine)


def test_tables_share_transactions(archive: Archived) -> None:
    names = [f"T{number}" for number in range(TABLES)]
    dealt = records(7, 100)
    for each in names:
        archive.add(each, dealt, 1, 50)
    archive.keep()
    for each in names:
        archive.add(each, dealt, 51)
    looked = _Statements(archive)
    assert archive.follower.follow() == TABLES * 50
    assert looked.read == TABLES
    assert looked.transactions == 2, "one to read, one to write"
    with archive.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(FOLLOWED)) == TABLES


def test_of_a_round_that_goes_on_records_are_not_read_over_and_over(archive: Archived) -> None:
    dealt = records(7, 100)
    begins = [each.seq for each in dealt if isinstance(each.fact, BetsClosed)]
    ends = [each.seq for each in dealt if isinstance(each.fact, RoundEnded)]
    # A round with some records between its beginning and its end.
    first, last = next(
        (one, two) for one, two in pairwise(sorted(begins + ends))
        if one in begins and two in ends and two - one > 5
    )  # fmt: skip
    now_ms = [1_000_000]
    follower = Follower(archive.engine, Holders(archive.nowhere), lambda: now_ms[0])
    archive.add("T1", dealt, 1, first + 1)
    assert follower.follow() == first + 1
    now_ms[0] += WRITE_MS
    archive.add("T1", dealt, first + 2, first + 2)
    assert follower.follow() == 1, "it is due, and the round goes on: nothing can be written"
    looked = _Statements(archive)
    for seq in range(first + 3, last):
        archive.add("T1", dealt, seq, seq)
        assert follower.follow() == 0
    assert looked.read == 0
    archive.add("T1", dealt, last, last)
    now_ms[0] += AGAIN_MS
    assert follower.follow() == last - first - 2
    with archive.engine.connect() as connection:
        assert connection.scalar(select(FOLLOWED.c.seq)) == last, "written as it has ended"


@pytest.mark.anyio
async def test_books_rest_where_few_records_came(
    archive: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "TOGETHER_S", 0.5)
    monkeypatch.setattr(keeper, "REST_S", PATIENCE_S)
    archive.add("T1", records(7, 100))
    looks = list[float]()

    def is_behind() -> bool:
        looks.append(monotonic())
        if len(looks) == 2:
            raise _SeenTwice
        return False

    books = keeper.BookKeeper(archive.engine, Holders(archive.nowhere), lambda: 5_000)
    with pytest.raises(_SeenTwice):
        await books.run(is_behind)
    # What was taken was some hundred records: what tables record meanwhile is taken with it.
    assert looks[1] - looks[0] >= 0.49
