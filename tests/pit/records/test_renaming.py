"""A table that was renamed is archived once: it is named, and goes on under its new name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from controller.__main__ import main
from controller.bus.messages import RecordBatch, RefillRequest, encode
from controller.pit.accounts.audit.log import newest_rows
from controller.pit.archive import archivist as archivist_module
from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.commit import Overtaken
from controller.pit.archive.overview import overview
from controller.pit.archive.storage import schema as s
from controller.pit.archive.store import Store
from controller.pit.records.renaming import NotRenamed, rename
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.archive.messages import message, rows
from tests.support.patience import PATIENCE_S

JOURNAL = rows(7, 60)


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnownAccounts]:
    (tmp_path / "pit").mkdir()
    found = known_in(tmp_path / "pit")
    Store(found.engine, lambda: 5_000).take([("T1", message(JOURNAL, 1, 30))])
    yield found
    found.engine.dispose()


def tables(known: KnownAccounts) -> dict[str, int]:
    with known.engine.connect() as connection:
        return {each.name: each.seq for each in connection.execute(select(s.TABLES))}


def open_findings(known: KnownAccounts) -> list[tuple[str, str]]:
    found = overview(known.engine, 5_000, "", archives=True).findings
    return [(each.table, each.kind) for each in found if each.settled_ms is None]


def say_as(known: KnownAccounts, name: str, last: int = 40) -> Store:
    """The table speaks under that name."""
    store = Store(known.engine, lambda: 5_000)
    store.load()
    store.take([(name, message(JOURNAL, 1, last, name))])
    return store


def test_its_record_is_not_archived_twice_and_goes_on_once_it_was_said(
    known: KnownAccounts,
) -> None:
    store = say_as(known, "T9")
    assert tables(known) == {"T1": 30}
    assert open_findings(known) == [("T9", "two_names")]
    store.take([("T1", message(JOURNAL, 31, 35)), ("T9", message(JOURNAL, 1, 50, "T9"))])
    assert tables(known) == {"T1": 35}, "what it said before it was renamed may come late"
    rename(known.engine, "T1", "T9", "Aino", 6_000)
    assert tables(known) == {"T9": 35}
    assert open_findings(known) == []
    with pytest.raises(Overtaken, match="T9 was renamed"):
        store.take([("T9", message(JOURNAL, 1, 50, "T9"))])
    store.load()
    store.take([("T9", message(JOURNAL, 1, 50, "T9"))])
    assert tables(known) == {"T9": 50}
    with known.engine.connect() as connection:
        newest = newest_rows(connection, 1)[0]
    assert (newest.who, newest.act, newest.about) == ("Aino", "renamed_table", "T1: T9")


def test_a_pit_that_runs_takes_it_up_by_itself(
    known: KnownAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archivist_module, "RETRY_S", 0)
    store = say_as(known, "T9")

    async def nobody(_name: str, _request: RefillRequest) -> RecordBatch | None:
        return None

    async def run() -> None:
        archivist = Archivist(store, nobody, lambda: 5_000)
        await archivist.load()
        writing = asyncio.ensure_future(archivist.run())
        rename(known.engine, "T1", "T9", "Aino", 6_000)
        await archivist.hear_records(Arrived("T9", encode(message(JOURNAL, 1, 60, "T9")), 1))
        async with asyncio.timeout(PATIENCE_S):
            while tables(known) != {"T9": 60}:
                assert not writing.done()
                await asyncio.sleep(0.01)
        writing.cancel()
        await asyncio.wait((writing,))

    asyncio.run(run())
    assert open_findings(known) == []


def test_what_cannot_be_renamed_is_refused(known: KnownAccounts) -> None:
    with pytest.raises(NotRenamed, match="Nothing has come under the name of T9"):
        rename(known.engine, "T1", "T9", "Aino", 6_000)
    say_as(known, "T9")
    with pytest.raises(NotRenamed, match="no table T2"):
        rename(known.engine, "T2", "T9", "Aino", 6_000)
    with pytest.raises(NotRenamed, match="has a table T1 already"):
        rename(known.engine, "T1", "T1", "Aino", 6_000)
    assert tables(known) == {"T1": 30}


def test_it_is_done_by_a_command(
    known: KnownAccounts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say_as(known, "T9")
    config = tmp_path / "pit.toml"
    database = known.engine.url.database
    config.write_text(
        f'[bus]\nservers = ["nats://127.0.0.1"]\n[archive]\ndatabase = "sqlite:///{database}"\n'
    )
    assert main(["pit", str(config), "rename-table", "T2", "T9"]) == 1
    assert "no table T2" in capsys.readouterr().err
    assert main(["pit", str(config), "rename-table", "T1", "T9"]) == 0
    assert "T1 is T9, and its record goes on" in capsys.readouterr().out
    assert tables(known) == {"T9": 30}
