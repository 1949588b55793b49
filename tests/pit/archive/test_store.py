"""Transactions of the archive, on SQLite and on a real PostgreSQL: all of a message, or nothing."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, func, inspect, select, text, update
from sqlalchemy.exc import DBAPIError

from controller.bus.messages import HeadNews, RecordBatch, RefillRequest, encode, mark_of
from controller.pit.accounts import schema as accounts
from controller.pit.alerts import schema as alerts
from controller.pit.archive.archivist import Archivist
from controller.pit.archive.books import schema as books
from controller.pit.archive.commit import Overtaken
from controller.pit.archive.duty import Duty
from controller.pit.archive.findings.finding_rows import MOST_OF_A_KIND
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.heads import SaidByHeads
from controller.pit.archive.overview import overview
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import ArchiveRefused, open_database
from controller.pit.archive.store import Store
from controller.pit.directories import schema as people
from controller.pit.reports.handover import schema as handovers
from controller.record.days.gaming_day import rows_of
from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position, genesis
from controller.table.facts import HandSettled, RoundEnded
from tests.pit.archive.databases import KINDS, address_of
from tests.pit.archive.messages import message, rows
from tests.records.dealing import two_days
from tests.support.dealt.journals import IDENTITY, identity_of, records

COUNT = 400


@pytest.fixture(scope="module")
def journal() -> list[Row]:
    return rows(7, COUNT)


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with address_of(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    made = open_database(address)
    yield made
    made.dispose()


def store_of(engine: Engine) -> Store:
    made = Store(engine, lambda: 5_000)
    made.load()
    return made


def archived(engine: Engine) -> list[Row]:
    table = s.RECORDS
    query = select(table.c.seq, table.c.version, table.c.body, table.c.hash).order_by(table.c.seq)
    with engine.connect() as connection:
        return [Row(*each) for each in connection.execute(query)]


def found(engine: Engine) -> list[tuple[str, str, int, bool]]:
    shown = overview(engine, 0, "", archives=True)
    return [(it.table, it.kind, it.seq, it.settled_ms is None) for it in shown.findings]


def send(store: Store, *batches: RecordBatch) -> int:
    return store.take([("T1", each) for each in batches]).records


def test_records_and_what_follows_from_them_are_written_once(
    engine: Engine, journal: list[Row]
) -> None:
    store = store_of(engine)
    assert send(store, message(journal, 1, 150), message(journal, 151, 300)) == 300
    assert send(store, message(journal, 200, 390), message(journal, 1, 40)) == 90
    assert send(store_of(engine), message(journal, 1, COUNT)) == COUNT - 390
    assert archived(engine) == journal
    facts = [each.fact for each in records(7, COUNT)]
    settled = [each for each in facts if isinstance(each, HandSettled)]
    ended = [each for each in facts if isinstance(each, RoundEnded)]
    assert ended
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(s.HANDS)) == len(settled)
        nets = select(s.ROUNDS.c.number, s.ROUNDS.c.net).where(s.ROUNDS.c.ended_ms.is_not(None))
        assert {(it[0], it[1]) for it in connection.execute(nets)} == {
            (each.number, each.net) for each in ended
        }
        paid = select(s.MONEY.c.round, func.sum(s.MONEY.c.amount)).group_by(s.MONEY.c.round)
        money = {it[0]: int(it[1]) for it in connection.execute(paid)}
        assert all(money[each.number] == each.net for each in ended)
    assert found(engine) == []


def derived_of(engine: Engine, name: str) -> dict[str, list[tuple[object, ...]]]:
    """What follows from the records of a table, but for its id."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with engine.connect() as connection:
        id_ = connection.scalar(select(s.TABLES.c.id).where(s.TABLES.c.name == name))
        for table in (s.ROUNDS, s.HANDS, s.HOLDS, s.MONEY):
            columns = [each for each in table.c if each.name != "table_id"]
            of = select(*columns).where(table.c.table_id == id_)
            found[table.name] = sorted(map(tuple, connection.execute(of)), key=repr)
    return found


def test_rounds_and_holds_that_go_on_are_changed_together_and_come_to_the_same(
    engine: Engine,
) -> None:
    """Few records at a time, as they are played, of several tables at once; and all in one."""
    changes = list[str]()

    @event.listens_for(engine, "before_cursor_execute")
    def seen(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        if sql.startswith(("UPDATE rounds", "UPDATE holds")):
            changes.append(sql)

    played = two_days("21-24-27").records
    names = [f"T{number}" for number in range(1, 6)]
    chained = {name: rows_of(played, genesis(identity_of(name))) for name in names}
    store = store_of(engine)

    def take(step: int, *tables: str) -> int:
        """So many records at a time; how many changes that took."""
        changes.clear()
        for first in range(1, len(played) + 1, step):
            last = min(first + step - 1, len(played))
            store.take([
                (name, message(chained[name], first, last, name, identity_of(name)))
                for name in tables
            ])  # fmt: skip
        return len(changes)

    alone = take(7, "T1")
    assert alone > 5
    assert take(7, "T2", "T3", "T4") == alone, "not for each table"
    assert take(len(played), "T5") == 0, "of what comes together nothing is changed"
    whole = derived_of(engine, "T5")
    for name in names[:4]:
        assert derived_of(engine, name) == whole, name
    columns = [each.name for each in s.ROUNDS.c if each.name != "table_id"]
    assert any(row[columns.index("corrections")] for row in whole["rounds"])
    assert whole["holds"]


def test_a_commit_that_fails_writes_nothing(engine: Engine, journal: list[Row]) -> None:
    store = store_of(engine)
    send(store, message(journal, 1, 100))
    with engine.begin() as connection:
        # What no software of ours does: the record that comes next lies there already.
        connection.execute(
            s.RECORDS.insert().values(table_id=1, seq=150, version=2, body=b"", hash=b"")
        )
    with pytest.raises((Overtaken, DBAPIError)):
        send(store, message(journal, 101, 200))
    cursor = store.cursor("T1")
    assert cursor is not None
    assert cursor.at.seq == 100
    assert [each.seq for each in archived(engine)] == [*range(1, 101), 150]


def test_of_two_pits_on_one_database_one_moves_the_cursor(
    engine: Engine, journal: list[Row]
) -> None:
    first, second = store_of(engine), store_of(engine)
    send(first, message(journal, 1, 50))
    with pytest.raises(Overtaken):
        send(second, message(journal, 1, 60))
    second.load()
    assert send(second, message(journal, 1, 60)) == 10
    with pytest.raises(Overtaken):
        send(first, message(journal, 51, 70))
    first.load()
    assert send(first, message(journal, 51, 70)) == 10
    assert archived(engine) == journal[:70]


def test_one_pit_is_on_duty(engine: Engine) -> None:
    first, second = Duty(engine), Duty(engine)
    assert first.take()
    assert first.take(), "still"
    assert not second.take()
    first.give_back()
    assert second.take()
    assert not first.take()
    second.give_back()


def test_a_disk_without_locks_leaves_no_file_open_at_each_try(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    duty = Duty(engine)
    path = f"{engine.url.database}.archiving"
    for _ in range(3):
        with pytest.raises(OSError, match="No locks available"):
            duty.take()
    held = (each for each in Path("/proc/self/fd").iterdir() if each.is_symlink())
    assert [each for each in held if os.path.realpath(each) == path] == []


def test_findings_are_named_once_and_settled(engine: Engine, journal: list[Row]) -> None:
    store = store_of(engine)
    send(store, message(journal, 1, 50))
    forged = [*journal[:60], journal[60]._replace(body=b"forged"), *journal[61:]]
    for _ in range(3):
        assert send(store, message(forged, 1, 100)) == (10 if _ == 0 else 0)
    assert found(engine) == [("T1", "broken", 61, True)]
    assert overview(engine, 0, "", archives=True).findings[0].count == 3
    send(store, message(journal, 61, 100))
    assert found(engine) == [("T1", "broken", 61, False)]
    assert archived(engine) == journal[:100]


def test_another_tables_subject_and_another_table_of_the_name(
    engine: Engine, journal: list[Row]
) -> None:
    store = store_of(engine)
    send(store, message(journal, 1, 20))
    assert store.take([("T2", message(journal, 1, 20))]).records == 0
    other = bytes(32)
    assert send(store, message(rows(8, 20, other), 1, 20, identity=other)) == 0
    assert found(engine) == [("T1", "two_tables", 0, True), ("T2", "other_table", 0, True)]
    assert archived(engine) == journal[:20]


def compare(store: Store, news: HeadNews, before: int) -> None:
    """Hold a head against the archive, as `look_at_head`."""
    store.hear(SaidByHeads(compared=[(news.table, news, before)]))


def test_a_table_that_was_put_back_is_named_and_settled_when_it_is_whole_again(
    engine: Engine, journal: list[Row]
) -> None:
    store = store_of(engine)
    send(store, message(journal, 1, 50))

    def head(seq: int) -> HeadNews:
        mark = mark_of(Position(seq, journal[seq - 1].hash))
        return HeadNews("T1", IDENTITY.hex(), mark, 0, "")

    compare(store, head(40), 40)
    assert found(engine) == []
    compare(store, head(40), 50)
    assert found(engine) == [("T1", "behind", 41, True)]
    compare(store, head(50), 50)
    assert found(engine) == [("T1", "behind", 41, False)]


def test_a_head_that_is_behind_waits_for_nobody_who_writes(
    engine: Engine, journal: list[Row]
) -> None:
    """Of a table that plays it is, often: hundreds of them would hold everything up."""
    store = store_of(engine)
    send(store, message(journal, 1, 50))
    news = HeadNews("T1", IDENTITY.hex(), mark_of(Position(40, journal[39].hash)), 0, "")
    written = list[str]()

    @event.listens_for(engine, "before_cursor_execute")
    def seen(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        written.append(sql)

    with engine.begin() as writer:
        writer.execute(update(s.TABLES).values(software="written meanwhile"))
        written.clear()
        compare(store, news, 40)
    assert [each for each in written if not each.startswith(("SELECT", "BEGIN"))] == []
    assert "BEGIN IMMEDIATE" not in written


async def nobody_answers(_name: str, _request: RefillRequest) -> None:
    """No table is there."""


@pytest.mark.anyio
async def test_heads_that_are_late_are_no_record_that_became_shorter(
    engine: Engine, journal: list[Row]
) -> None:
    """A busy pit hears them long after the records that came since."""
    store = store_of(engine)
    send(store, message(journal, 1, 50))
    archivist = Archivist(store, nobody_answers, lambda: 5_000)

    async def hear(seq: int) -> None:
        mark = mark_of(Position(seq, journal[seq - 1].hash))
        news = HeadNews("T1", IDENTITY.hex(), mark, 5_000, "")
        await archivist.heads.look({"T1": encode(news)})

    for seq in (20, 30, 44, 50):
        await hear(seq)
        assert found(engine) == [], seq
    await hear(47)
    assert found(engine) == [("T1", "behind", 48, True)], "it was further once"
    await hear(50)
    assert found(engine) == [("T1", "behind", 48, False)]
    # Put back to further than it had said: it says the same once more.
    send(store, message(journal, 51, 60))
    await hear(55)
    assert found(engine) == [("T1", "behind", 48, False)]
    await hear(55)
    assert ("T1", "behind", 56, True) in found(engine)


def test_two_histories_are_one_finding_whatever_shows_it(engine: Engine) -> None:
    store = store_of(engine)
    for kind in (FindingKind.FORK, FindingKind.BEHIND):
        for seq in (45, 47, 41, 43, 49):
            store.find("T1", ArchiveFinding(kind, seq, f"at {seq}"))
    assert sorted(found(engine)) == [("T1", "behind", 41, True), ("T1", "fork", 41, True)]
    rows_ = overview(engine, 0, "", archives=True).findings
    assert [(each.text, each.count) for each in rows_] == [("at 41", 5)] * 2
    # Software before this one made a row for each record that showed it.
    with engine.begin() as connection:
        for seq in (50, 60):
            row = {"name": "T2", "kind": "fork", "seq": seq, "text": "", "count": 1}
            connection.execute(s.FINDINGS.insert().values(row | {"since_ms": 1, "last_ms": 1}))
    store.find("T2", ArchiveFinding(FindingKind.FORK, 45, "at 45"))
    of_two = sorted(each[2] for each in found(engine) if each[0] == "T2")
    assert of_two == [45, 60]


def test_what_newer_software_wrote_is_archived_and_named(engine: Engine) -> None:
    from controller.record.files.chain_store import chain  # the chain of a record that is not ours
    from controller.record.files.head_anchor import genesis

    body = b'["NewFact/1",1,1,"",{"software":"9.0"}]'
    row = Row(1, 2, body, chain(genesis(IDENTITY).hash, 1, 2, body))
    assert send(store_of(engine), message([row], 1, 1)) == 1
    assert archived(engine) == [row]
    assert found(engine) == [("T1", "unreadable", 1, True)]
    assert "tablectl 9.0" in overview(engine, 0, "", archives=True).findings[0].text


def test_a_build_that_is_told_by_one_table_is_not_named_for_another(
    engine: Engine, journal: list[Row]
) -> None:
    from controller.record.files.chain_store import chain  # the chain of a record that is not ours
    from controller.record.files.head_anchor import genesis

    other, body = bytes(32), b'["NewFact/1",1,1,"",{}]'
    row = Row(1, 2, body, chain(genesis(other).hash, 1, 2, body))
    store = store_of(engine)
    send(store, message(journal, 1, 20))
    store.take([("T2", message([row], 1, 1, "T2", other))])
    assert found(engine) == [("T2", "unreadable", 1, True)]
    text = overview(engine, 0, "", archives=True).findings[0].text
    assert "was written by a newer tablectl: start that" in text


def test_migrations_make_the_schema_that_the_code_has(engine: Engine) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    with engine.connect() as connection:
        # All tables are of the same metadata, once their modules are imported.
        for each in (
            accounts.USERS,
            books.TALLIES,
            handovers.HANDOVERS,
            alerts.ALERTS,
            people.ISSUED,
        ):
            assert each.metadata is s.METADATA
        assert compare_metadata(MigrationContext.configure(connection), s.METADATA) == []
    assert {"records", "rounds", "findings"} <= {*inspect(engine).get_table_names()}


def test_an_archive_of_newer_software_is_left_alone(address: str) -> None:
    engine = open_database(address)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(ArchiveRefused, match="the schema 9999, which newer software wrote"):
        open_database(address)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("what", "is no URL"),
        ("mysql://x", "names mysql"),
        ("sqlite://", "names no file"),
        ("sqlite:////nowhere/at/all.db", "cannot be opened"),
        ("postgresql://pit:secret@127.0.0.1:1/x", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_is_refused_in_words(address: str, said: str) -> None:
    with pytest.raises(ArchiveRefused, match=said) as refused:
        open_database(address)
    assert "secret" not in str(refused.value)


def test_a_finding_is_held_beside_its_table(engine: Engine) -> None:
    store = store_of(engine)
    store.find("T9", ArchiveFinding(FindingKind.CLOCK, 0, "a day behind"))
    store.hear(SaidByHeads(over=[("T1", FindingKind.CLOCK)]))
    assert found(engine) == [("T9", "clock", 0, True)]
    store.hear(SaidByHeads(over=[("T9", FindingKind.CLOCK)]))
    assert found(engine) == [("T9", "clock", 0, False)]
    with engine.begin() as connection:
        connection.execute(update(s.FINDINGS).values(text="x"))


def test_forged_records_without_end_fill_no_database(engine: Engine) -> None:
    """Who holds a table's password sends what they like, each with another number."""
    store = store_of(engine)
    for seq in range(1, 4 * MOST_OF_A_KIND):
        store.find("T1", ArchiveFinding(FindingKind.BROKEN, seq, "x" * 10_000))
    store.find("T2", ArchiveFinding(FindingKind.FORK, 1, "of another table"))
    rows_ = overview(engine, 0, "", archives=True).findings
    ours = [each for each in rows_ if each.table == "T1"]
    assert len(ours) == MOST_OF_A_KIND
    assert sum(each.count for each in ours) == 4 * MOST_OF_A_KIND - 1, "each is counted"
    assert max(len(each.text) for each in ours) <= 500
    assert [each.table for each in rows_ if each.table != "T1"] == ["T2"]


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Users and sessions of the pit stand in it too."""
    path = tmp_path / "archive.db"
    open_database(f"sqlite:///{path}").dispose()
    assert path.stat().st_mode & 0o777 == 0o600
    (tmp_path / "folder").mkdir()
    with pytest.raises(ArchiveRefused, match="cannot be opened"):
        open_database(f"sqlite:///{tmp_path / 'folder'}")
