"""What tables announce of their records is looked at together, and the newest of each alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from controller.bus.messages import HeadNews, RefillRequest, decode, encode, mark_of
from controller.pit.archive import heads as archive_heads
from controller.pit.archive.archivist import Archivist
from controller.pit.archive.cursor import Cursor
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.findings.findings import FindingKind
from controller.pit.archive.heads import CLOCK_MS, Heads, SaidByHeads
from controller.pit.archive.store import Store
from controller.record.files.head_anchor import Position
from tests.pit.archive.databases import KINDS, database_of
from tests.pit.archive.messages import message, rows
from tests.support.dealt.journals import identity_of
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
NAMES = [f"T{number}" for number in range(1, 41)]
NOW_MS = 10 * CLOCK_MS
ARCHIVED = 50
JOURNALS = {name: rows(7, 60, identity_of(name)) for name in NAMES}


def head(name: str, seq: int, at_ms: int = NOW_MS) -> bytes:
    """That table's record goes so far."""
    mark = mark_of(Position(seq, JOURNALS[name][seq - 1].hash))
    return encode(HeadNews(name, identity_of(name).hex(), mark, at_ms, "test"))


def cursor(name: str) -> Cursor:
    return Cursor(identity_of(name), Position(ARCHIVED, JOURNALS[name][ARCHIVED - 1].hash))


def nobody_is_asked(name: str, _begun: Cursor | None) -> None:
    raise AssertionError(name)


@asynccontextmanager
async def looking(hear: Callable[[SaidByHeads], Awaitable[None]]) -> AsyncIterator[Heads]:
    """An archive that has 50 records of each table."""
    made = Heads(cursor, nobody_is_asked, hear, lambda: NOW_MS)
    run = asyncio.ensure_future(made.run())
    yield made
    run.cancel()
    await asyncio.wait((run,))


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0)


def compared(said: SaidByHeads) -> dict[str, int]:
    return {name: news.head.seq for name, news, _ in said.compared}


async def test_heads_that_come_while_the_archive_writes_are_looked_at_together() -> None:
    """Each by itself would wait for a transaction: those of a large pit come faster."""
    heard: list[dict[str, int]] = []
    written = asyncio.Event()

    async def hear(said: SaidByHeads) -> None:
        heard.append(compared(said))
        await written.wait()

    async with looking(hear) as heads:
        heads.put("T1", head("T1", 40))
        await until(lambda: len(heard) == 1)
        for seq in (41, 42, 43):
            for name in NAMES:
                heads.put(name, head(name, seq))
        written.set()
        await until(lambda: len(heard) == 2)
    assert heard == [{"T1": 40}, dict.fromkeys(NAMES, 43)]


async def test_an_error_of_one_tables_head_takes_no_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[str] = []

    async def hear(said: SaidByHeads) -> None:
        names = compared(said)
        if "T2" in names:
            raise KeyError("T2")
        heard.extend(names)

    async with looking(hear) as heads:
        for name in NAMES:
            heads.put(name, head(name, 40))
        await until(lambda: len(heard) == len(NAMES) - 1)
    assert "T2" not in heard
    assert "a head of a table was passed over: KeyError" in caplog.text


async def test_a_database_that_is_away_is_asked_again_with_the_next_heads(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[dict[str, int]] = []

    async def hear(said: SaidByHeads) -> None:
        heard.append(compared(said))
        if len(heard) == 1:
            raise OperationalError("SELECT", None, Exception("it is away"))

    async with looking(hear) as heads:
        for seq in (40, 45):
            heads.put("T1", head("T1", seq))
            await until(lambda: {"T1": seq} in heard)  # noqa: B023
    assert heard == [{"T1": 40}, {"T1": 45}]
    assert "the database takes nothing (it is away)" in caplog.text


async def test_names_without_end_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_heads, "MOST_WAITING", 3)
    heard: list[dict[str, int]] = []

    async def hear(said: SaidByHeads) -> None:
        heard.append(compared(said))

    async with looking(hear) as heads:
        for name in NAMES:
            heads.put(name, head(name, 40))
        heads.put("T3", head("T3", 44))
        await until(lambda: len(heard) == 1)
    assert heard == [{"T1": 40, "T2": 40, "T3": 44}]


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with database_of(request.param, tmp_path) as found:
        yield found


async def nobody_answers(_name: str, _request: RefillRequest) -> None:
    """No table is there."""


def archive_of(engine: Engine) -> Archivist:
    store = Store(engine, lambda: NOW_MS)
    store.take(
        (name, message(JOURNALS[name], 1, ARCHIVED, name, identity_of(name))) for name in NAMES
    )
    return Archivist(store, nobody_answers, lambda: NOW_MS)


def open_findings(engine: Engine) -> set[tuple[str, str]]:
    with engine.connect() as connection:
        return {(it.table, it.kind) for it in findings(connection, only_open=True, most=1_000)}


async def test_what_many_heads_say_is_written_in_one_transaction(engine: Engine) -> None:
    """As where the pit's own clock is wrong: of every table, and again every few seconds."""
    archivist = archive_of(engine)
    wrote: list[str] = []

    @event.listens_for(engine, "commit")
    def committed(_connection: object) -> None:
        wrote.append("commit")

    await archivist.heads.look({name: head(name, 50, at_ms=1) for name in NAMES})
    assert open_findings(engine) == {(name, FindingKind.CLOCK.value) for name in NAMES}
    assert len(wrote) == 1
    await archivist.heads.look({name: head(name, 50) for name in NAMES})
    assert open_findings(engine) == set()
    assert len(wrote) == 2
    await archivist.heads.look({name: head(name, 50) for name in NAMES})
    assert len(wrote) == 2, "nothing is open any more: nothing is to be written"


async def test_a_clock_that_was_put_right_while_the_pit_was_down_is_no_finding_for_ever(
    engine: Engine,
) -> None:
    archivist = archive_of(engine)
    await archivist.heads.look({"T1": head("T1", 50, at_ms=1), "T2": head("T2", 50, at_ms=1)})
    later = Archivist(Store(engine, lambda: NOW_MS), nobody_answers, lambda: NOW_MS)
    await later.load()
    await later.heads.look({"T1": head("T1", 50)})
    assert open_findings(engine) == {("T2", FindingKind.CLOCK.value)}


async def test_a_table_that_was_renamed_meanwhile_stops_no_other(engine: Engine) -> None:
    store = archive_of(engine)._store
    said = SaidByHeads()
    for name in ("T1", "T2"):
        said.compared.append((name, decode(head(name, 40), HeadNews), 50))
    del store._known["T1"]
    store.hear(said)
    assert open_findings(engine) == {("T2", FindingKind.BEHIND.value)}
