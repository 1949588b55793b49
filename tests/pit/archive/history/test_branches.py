"""A table's own history stands: the archive is as if it had never had the other, which it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, Table, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.branches.rows import BranchRow, branches, decide, is_waiting
from controller.pit.archive.commit import Overtaken
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import open_database
from controller.record.days.gaming_day import rows_of
from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position, genesis
from controller.table.facts import Record
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import new_postgresql
from tests.records.dealing import two_days
from tests.support.dealt.journals import IDENTITY
from tests.support.forms import quick_first

GAME = "21-24-27"
#: Holds, a void, corrections and chips are in it, on both sides of each of these records.
PLACES = [0, 1, 40, 80, 111, 150, 199, 240]
FORK = ArchiveFinding(FindingKind.FORK, 400, "another record than the archive has")


@pytest.fixture(scope="module")
def played() -> list[Record]:
    return two_days(GAME).records


def otherwise(played: list[Record], common: int) -> list[Record]:
    """The table's other history: the same up to there, and later by a moment from there on."""
    return [*played[:common], *(it._replace(at_ms=it.at_ms + 7) for it in played[common:])]


@contextmanager
def archive_in(folder: Path) -> Iterator[Archived]:
    folder.mkdir()
    engine = open_database(f"sqlite:///{folder / 'archive.db'}")
    yield Archived(engine)
    engine.dispose()


def rows(engine: Engine, *tables: Table) -> dict[str, list[tuple[Any, ...]]]:
    with engine.connect() as connection:
        return {
            it.name: sorted(map(tuple, connection.execute(select(it)).all()), key=repr)
            for it in tables
        }


def derived(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """All that follows from the records, and they themselves."""
    return rows(
        engine, s.TABLES, s.RECORDS, s.ROUNDS, s.HANDS, s.HOLDS, s.MONEY, s.PEOPLE, *b.BOOKS
    )


def accepted(archive: Archived) -> BranchRow:
    """Somebody says that the table's own history stands."""
    archive.store.find("T1", FORK)
    with archive.engine.begin() as connection:
        (finding,) = findings(connection, only_open=True, most=9)
        assert finding.has_parted
        assert decide(connection, finding, "Aino", "the disk died", 6_000)
        assert not decide(connection, finding, "Eino", "again", 6_000), "once is enough"
        assert is_waiting(connection, "T1")
    (found,) = archive.store.waiting_branches()
    return found


def chained(records: list[Record]) -> list[Row]:
    return list(rows_of(records, genesis(IDENTITY)))


def place(records: list[Record], seq: int) -> Position:
    return Position(seq, chained(records)[seq - 1].hash) if seq else genesis(IDENTITY)


def taken_back(archive: Archived, played: list[Record], common: int) -> None:
    branch, cursor = accepted(archive), archive.store.cursor("T1")
    assert cursor is not None
    archive.store.set_aside(branch, cursor, place(played, common))


@pytest.mark.parametrize("common", quick_first(PLACES, [111]))
def test_the_archive_is_as_if_it_had_never_had_the_other_history(
    tmp_path: Path, played: list[Record], common: int
) -> None:
    own = otherwise(played, common)
    with archive_in(tmp_path / "parted") as parted, archive_in(tmp_path / "never") as never:
        parted.add("T1", played)
        parted.keep()
        taken_back(parted, played, common)
        if common:
            never.add("T1", played, last=common)
            before = derived(parted.engine)
            # The books follow; the time and software of a table's row are as the table says next.
            for name in ("records", "rounds", "hands", "holds", "money", "people"):
                assert before[name] == derived(never.engine)[name], name
        parted.add("T1", own, first=common + 1)
        never.add("T1", own, first=common + 1)
        parted.keep()
        never.keep()
        assert derived(parted.engine) == derived(never.engine)
        set_aside = rows(parted.engine, s.SET_ASIDE)["set_aside"]
        assert [each[1:] for each in sorted(set_aside)] == [
            (each.seq, each.version, each.body, each.hash) for each in chained(played)[common:]
        ]
        with parted.engine.connect() as connection:
            (said,) = branches(connection, 9)
            assert findings(connection, only_open=True, most=9) == []
            assert not is_waiting(connection, "T1")
        assert (said.who, said.reason, said.done_ms, said.said) == (
            "Aino", "the disk died", 5_000, "",
        )  # fmt: skip
        assert (said.first_seq, said.last_seq) == (common + 1, len(played))
        assert said.last_hash == chained(played)[-1].hash.hex()


def test_postgresql_is_taken_back_as_sqlite_is(tmp_path: Path, played: list[Record]) -> None:
    own = otherwise(played, 111)
    with archive_in(tmp_path / "never") as never:
        engine = open_database(new_postgresql())
        parted = Archived(engine)
        parted.add("T1", played)
        parted.keep()
        taken_back(parted, played, 111)
        parted.add("T1", own, first=112)
        never.add("T1", own)
        parted.keep()
        never.keep()
        found, wanted = derived(engine), derived(never.engine)
        set_aside = len(rows(engine, s.SET_ASIDE)["set_aside"])
        engine.dispose()
    assert found == wanted
    assert set_aside == len(played) - 111


def test_books_that_are_kept_meanwhile_are_read_anew(tmp_path: Path, played: list[Record]) -> None:
    """Whoever keeps them was further, and has to notice whether or not the table is further yet."""
    own = otherwise(played, 150)
    with archive_in(tmp_path / "parted") as parted, archive_in(tmp_path / "never") as never:
        parted.add("T1", played, last=400)
        parted.keep()
        unseen = parted.another()
        while unseen.follow():
            pass
        taken_back(parted, played, 150)
        parted.keep()  # the table has not gone on yet
        parted.add("T1", own, first=151)
        parted.keep()
        never.add("T1", own)
        never.keep()
        assert rows(parted.engine, *b.BOOKS) == rows(never.engine, *b.BOOKS)
        while True:
            try:
                if not unseen.follow():
                    break
            except Exception as error:  # noqa: BLE001  (its kind is what is looked at)
                assert type(error).__name__ == "BooksOvertaken"  # noqa: PT017
        assert rows(parted.engine, *b.BOOKS) == rows(never.engine, *b.BOOKS)


def test_an_archive_that_went_on_meanwhile_is_not_taken_back(
    tmp_path: Path, played: list[Record]
) -> None:
    with archive_in(tmp_path / "parted") as parted:
        parted.add("T1", played, last=200)
        branch, cursor = accepted(parted), parted.store.cursor("T1")
        assert cursor is not None
        parted.add("T1", played, first=201, last=210)
        before = derived(parted.engine)
        with pytest.raises(Overtaken, match="no longer at record 200"):
            parted.store.set_aside(branch, cursor, place(played, 100))
        assert derived(parted.engine) == before
        assert parted.store.waiting_branches() == [branch]
