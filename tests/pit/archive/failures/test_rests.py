"""An error of ours in what archives ends no pit: it is said, another pit may take over, and it is
tried again from what is committed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.bus.messages import RecordBatch, RefillRequest, encode
from controller.host import tried_again
from controller.pit.archive import branching, keeper
from controller.pit.archive.archivist import Archivist
from controller.pit.archive.branches.rewind import rewind as really
from controller.pit.archive.branches.rows import branches, decide
from controller.pit.archive.commit import Known
from controller.pit.archive.cursor import Cursor
from controller.pit.archive.duty import Duty
from controller.pit.archive.findings.finding_rows import add_finding, findings
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.keeper import ArchiveKeeper
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import TABLES
from controller.pit.archive.store import Store
from controller.record.files.head_anchor import Position
from controller.record.reading.expected import Holders
from tests.pit.archive.messages import message, rows
from tests.support.dealt.journals import identity_of
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    yield made
    made.dispose()


async def nobody(_name: str, _request: RefillRequest) -> RecordBatch | None:
    """No table answers."""


async def look() -> None:
    """Nothing is looked at."""


@asynccontextmanager
async def kept(engine: Engine) -> AsyncIterator[ArchiveKeeper]:
    """A pit's archive, until the test is over; it does not end by itself."""
    archive = ArchiveKeeper(engine, Holders(Path("nowhere")), nobody, lambda: 5_000)
    running = asyncio.ensure_future(archive.run(look, lambda _: None, lambda: None))
    try:
        yield archive
        assert not running.done()
    finally:
        running.cancel()
        await asyncio.wait((running,))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_it_rests_without_the_duty_and_begins_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tried_again, "AGAIN_S", 0.05)
    monkeypatch.setattr(keeper, "DUTY_S", 0.01)
    real, fails = Archivist.run, asyncio.Event()
    fails.set()

    async def run(archivist: Archivist) -> None:
        if fails.is_set():
            raise KeyError("Th")
        await real(archivist)

    monkeypatch.setattr(Archivist, "run", run)
    async with kept(engine) as archive:
        await until(lambda: caplog.text.count("nothing is archived: KeyError") > 1)
        assert [archive.failed_since_s is None, archive.judges] == [False, True]
        other = Duty(engine)
        await until(other.take)
        await until(lambda: archive.failed_since_s is None)
        assert not archive.judges, "another pit archives"
        fails.clear()
        other.give_back()
        await until(lambda: archive.archives)
        await archive.hear_records("T1", encode(message(rows(7, 9), 1, 9)), 1)

        def seqs() -> list[int]:
            with engine.connect() as connection:
                return list(connection.scalars(select(TABLES.c.seq)))

        await until(lambda: seqs() == [9])
    assert "'Th'" not in caplog.text


async def test_whoever_looks_on_judges_while_the_pit_that_archives_is_silent(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "DUTY_S", 0.01)
    monkeypatch.setattr(keeper, "ANSWER_S", 0.3)
    hung = Duty(engine)
    assert hung.take()
    async with kept(engine) as archive:
        await until(lambda: archive.silent_since_s is not None)
        assert not archive.judges
        await until(lambda: archive.judges)
        assert not archive.archives
        assert hung.take(), "it goes on"
        await until(lambda: not archive.judges)
    hung.give_back()


async def test_a_table_whose_records_cannot_be_set_aside_is_told_so_and_keeps_none_waiting(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(keeper, "DUTY_S", 0.01)
    monkeypatch.setattr(branching, "LOOK_S", 0.01)
    made = Store(engine, lambda: 5_000)
    journals = {name: rows(7, 9, identity_of(name)) for name in ("T1", "T2")}
    ends = {identity_of(name): journal[4].hash for name, journal in journals.items()}
    for name, journal in journals.items():
        made.take([(name, message(journal, 1, 9, name, identity_of(name)))])
        with engine.begin() as connection:
            add_finding(connection, name, ArchiveFinding(FindingKind.FORK, 5, "parted"), 5_000)
            (found, *_) = findings(connection, only_open=True, most=1)
            assert decide(connection, found, "Aino", "the disk died", 5_000)

    def rewind(connection: object, decode: object, name: str, *of: object) -> Known:
        if name == "T1":
            raise KeyError("Th")
        return really(connection, decode, name, *of)  # type: ignore[arg-type]

    async def common(cursor: Cursor, *_: object) -> Position:
        return Position(5, ends[cursor.identity])

    monkeypatch.setattr("controller.pit.archive.store.rewind", rewind)
    monkeypatch.setattr(branching, "last_common", common)

    def done() -> dict[str, tuple[str, int]]:
        with engine.connect() as connection:
            return {
                each.table: (each.said, each.last_seq)
                for each in branches(connection, 9) if each.done_ms is not None
            }  # fmt: skip

    async with kept(engine):
        await until(lambda: len(done()) == 2)
    why = "an error of this software kept the records from being set aside (KeyError)"
    assert done() == {"T1": (f"{why}: look at the service's log", 0), "T2": ("", 9)}
    assert "'Th'" not in caplog.text
