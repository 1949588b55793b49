"""The books wait while the archive is behind, and are kept once it is not."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import func, select

from controller.pit.archive.books import keeper
from controller.pit.archive.books.schema import FOLLOWED
from controller.pit.archive.storage.database import open_database, written_in_turn
from controller.record.reading.expected import Holders
from tests.pit.archive.books.archived import Archived
from tests.support.dealt.journals import records


class SeenEnough(Exception):
    """The test has seen what it waits for."""


@pytest.mark.anyio
async def test_books_wait_for_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "REST_S", 0)
    archive = Archived(open_database(f"sqlite:///{tmp_path / 'archive.db'}"))
    archive.add("T1", records(7, 100))
    books = keeper.BookKeeper(archive.engine, Holders(archive.nowhere), lambda: 5_000)
    counts: list[int | None] = []

    def is_behind() -> bool:
        """For three times; after the fifth look it is enough."""
        with archive.engine.connect() as connection:
            counts.append(connection.scalar(select(func.count()).select_from(FOLLOWED)))
        if len(counts) > 4:
            raise SeenEnough
        return len(counts) < 4

    with pytest.raises(SeenEnough):
        await books.run(is_behind)
    assert counts == [0, 0, 0, 0, 1]
    archive.engine.dispose()


def test_archive_and_books_write_in_turn(tmp_path: Path) -> None:
    archive = Archived(open_database(f"sqlite:///{tmp_path / 'archive.db'}"))
    archive.add("T1", records(7, 100))
    writers = [
        Thread(target=archive.add, args=("T2", records(7, 100)), daemon=True),
        Thread(target=archive.keep, daemon=True),
    ]
    with written_in_turn(archive.engine):
        for each in writers:
            each.start()
            each.join(0.2)
            assert each.is_alive(), "it has not written: somebody else does"
    for each in writers:
        each.join()
    archive.keep()
    with archive.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(FOLLOWED)) == 2
    archive.engine.dispose()
