"""A pit with tables that were played, in its archive and its books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import KnownAccounts, database_in, known_in
from tests.pit.archive.books.archived import Archived
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.records.dealing import two_days
from tests.support.dealt.days import CalendarPit


class PlayedPit:
    """A pit whose table T1 was played for two days; its pages, and people who ask for them."""

    def __init__(self, known: KnownAccounts, table: CalendarPit, *, archived: bool = False) -> None:
        """`archived`: the table is in the archive of `known`, and in its books."""
        self.known, self.table = known, table
        self.archive = Archived(known.engine)
        if not archived:
            self.archive.add("T1", table.records)
            self.archive.keep()
        self.app: FastAPI = app_of(known)

    def enters(self, name: str, *roles: PitRole) -> Browser:
        """Somebody with these roles, in a browser."""
        return Browser(self.app, self.known.enters(self.known.add(name, *roles)).session)


@pytest.fixture(scope="session")
def two_days_played() -> CalendarPit:
    return two_days("21-24-27")


@pytest.fixture(scope="session")
def two_days_archived(
    tmp_path_factory: pytest.TempPathFactory, two_days_played: CalendarPit
) -> bytes:
    """The database of a pit that has archived them, and nobody's account: it is made once."""
    folder = tmp_path_factory.mktemp("archived")
    known = known_in(folder)
    PlayedPit(known, two_days_played)
    known.engine.dispose()
    return database_in(folder).read_bytes()


@pytest.fixture
def pit(
    tmp_path: Path, two_days_played: CalendarPit, two_days_archived: bytes
) -> Iterator[PlayedPit]:
    database_in(tmp_path).write_bytes(two_days_archived)
    known = known_in(tmp_path)
    made = PlayedPit(known, two_days_played, archived=True)
    cursor = made.archive.store.cursor("T1")
    assert cursor is not None
    assert cursor.at.seq == len(two_days_played.records)
    yield made
    known.engine.dispose()
