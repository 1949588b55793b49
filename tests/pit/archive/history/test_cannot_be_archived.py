"""What no database takes of one table is named, whatever the error is, and stops no other table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from controller.bus.messages import RecordBatch, RefillRequest, batch, encode
from controller.pit.archive import archivist as module
from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.books import follower as books
from controller.pit.archive.books import schema as b
from controller.pit.archive.books.entries import BookEntry
from controller.pit.archive.commit import Overtaken
from controller.pit.archive.derived import Derived
from controller.pit.archive.overview import overview
from controller.pit.archive.storage import schema as s
from controller.pit.archive.store import Store
from controller.record.days.gaming_day import rows_of
from controller.record.files.head_anchor import genesis
from controller.table.facts import Record
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.pit.archive.messages import message, rows
from tests.support.dealt.journals import IDENTITY, records
from tests.support.patience import PATIENCE_S

ODD = bytes(reversed(IDENTITY))


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with database_of(request.param, tmp_path) as found:
        yield found


def _person(person: str | None) -> dict[str, Any]:
    return {"seq": 1, "place": 9, "person": person, "role": "dealer", "act": "x", "at_ms": 1}


def _odd(_: Derived) -> None:
    raise KeyError("Th")


#: What a record of the odd table does to what is derived from it.
ODDITIES: dict[str, Callable[[Derived], None]] = {
    "a value that is none": lambda derived: derived.people.append(_person(None)),
    "two rows of one key": lambda derived: derived.people.extend([_person("a"), _person("b")]),
    "an error of ours": _odd,
}


def _odd_for(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The first record of a table whose clock stands at 77 is odd."""
    add = Derived.add

    def odd(derived: Derived, record: Record) -> None:
        add(derived, record)
        if record.seq == 1 and record.at_ms == 77:
            ODDITIES[what](derived)

    monkeypatch.setattr(Derived, "add", odd)


@pytest.mark.parametrize("what", ODDITIES)
def test_it_is_named_and_the_other_tables_go_on(
    engine: Engine, what: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "RETRY_S", 0)
    _odd_for(monkeypatch, what)
    odd = [each._replace(at_ms=77) for each in records(7, 5)]
    store = Store(engine, lambda: 5_000)

    async def ask(_name: str, _request: RefillRequest) -> RecordBatch | None:
        return None

    def seqs() -> dict[str, int]:
        with engine.connect() as connection:
            return {each.name: each.seq for each in connection.execute(select(s.TABLES))}

    async def run() -> None:
        archivist = Archivist(store, ask, lambda: 5_000)
        await archivist.load()
        writing = asyncio.ensure_future(archivist.run())
        for name, body in (("T1", _message_of("T1", odd)), ("T2", message(rows(7, 9), 1, 9, "T2"))):
            await archivist.hear_records(Arrived(name, encode(body), 1))
        async with asyncio.timeout(PATIENCE_S):
            while seqs() != {"T2": 9}:
                assert not writing.done(), writing.exception()
                await asyncio.sleep(0.01)
        writing.cancel()
        await asyncio.wait((writing,))

    asyncio.run(run())
    (found,) = overview(engine, 5_000, "", archives=True).findings
    assert (found.table, found.kind, found.settled_ms) == ("T1", "no_message", None)
    assert "Th" not in caplog.text.split("'")


def _message_of(name: str, of: list[Record]) -> RecordBatch:
    return batch(name, ODD, genesis(ODD), list(rows_of(of, genesis(ODD))))


def test_only_a_row_that_is_there_says_that_another_pit_was_quicker(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = rows(7, 5)
    first, second = Store(engine, lambda: 5_000), Store(engine, lambda: 5_000)
    first.take([("T1", message(journal, 1, 3))])
    with pytest.raises(Overtaken):
        second.take([("T1", message(journal, 1, 3))])
    _odd_for(monkeypatch, "a value that is none")
    with pytest.raises(IntegrityError):
        first.take([("T2", _message_of("T2", [records(7, 1)[0]._replace(at_ms=77)]))])


def test_books_of_which_the_database_takes_no_row_stand_alone(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were read anew for ever, and with them the books of every table."""

    def entry(id_: int, before: int | None, seq: int, at_ms: int, currency: str, *of: Any) -> Any:
        lost: Any = None if id_ == 1 else currency
        return BookEntry(id_, before, seq, at_ms, lost, *of)

    monkeypatch.setattr(books, "BookEntry", entry)
    archive = Archived(engine)
    for name in ("T1", "T2"):
        archive.add(name, records(7, 3))
    archive.keep()
    with engine.connect() as connection:
        assert connection.execute(select(b.FOLLOWED.c.table_id)).all() == [(2,)]
    (found,) = overview(engine, 5_000, "", archives=True).findings
    assert (found.table, found.kind) == ("T1", "books")
