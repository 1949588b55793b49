"""What a table has just written goes to the bus from memory, and from the disk wherever that has a
gap: the same bytes, in order, each once.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from controller.assembly.pit_bus import forward, line_to
from controller.assembly.wiring import load
from controller.bus.forwarder import Forwarder
from controller.config.bus_section import BusSection
from controller.record.files.chain_store import ChainReader, Row
from controller.record.files.day_files import day_files, openings_path
from controller.record.files.head_anchor import Position
from controller.record.journal import Journal
from controller.record.newest_rows import MOST_ROWS, NewestRows
from controller.record.reading.record_tail import RecordTail
from controller.table.facts import DayClosed, Record
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.bus.test_forwarder import (
    RecordListener,
    forwarding,
    listening,
    lost,
    until,
    well,
)
from tests.bus.test_section import table as bus_table
from tests.record.days.dealt_days import dealt
from tests.service.test_loop import deal_to_the_first_choice, running
from tests.support.dealt.days import commits
from tests.support.dealt.journals import records

pytestmark = pytest.mark.anyio
#: Records of the first day that are written before a line begins.
BEFORE = 3


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


class JournalTable:
    """A table whose journal tells its line what it has written: `given`, commit by commit."""

    def __init__(self, folder: Path, broker: NatsServer, given: list[Record]) -> None:
        self.folder = folder / "record"
        self.commits = list(commits(given))
        closing_day = (any(isinstance(each.fact, DayClosed) for each in it) for it in self.commits)
        #: Which of the commits closes the first day.
        self.rolls_over = next((at for at, closes in enumerate(closing_day) if closes), -1)
        self.newest = NewestRows()
        self.journal = Journal(self.folder)
        self.journal.recover()
        self.journal.on_written = self.newest.add
        self.written = 0
        self.write(BEFORE)
        password = folder / "T1.password"
        password.write_text(PASSWORDS["T1"])
        self.line = Forwarder(
            "T1", self.folder, BusSection((broker.url,), "T1", password), newest=self.newest,
            status=lambda: (self.seq, b"{}"), clock_ms=lambda: 1_000, software="0.1.0+test",
        )  # fmt: skip

    @property
    def seq(self) -> int:
        return self.journal.head.seq

    def write(self, count: int) -> None:
        """So many further commits are on the disk."""
        for commit in islice(self.commits, self.written, self.written + count):
            self.journal.write(commit)
            self.written += 1

    def commit(self, count: int = 1) -> None:
        self.write(count)
        self.line.wake()

    def rows(self) -> list[Row]:
        """What lies on the disk, of all days."""
        found: list[Row] = []
        for day in day_files(self.folder):
            with closing(ChainReader(day.path)) as reader:
                found += reader.rows()
        return found


@pytest.fixture
def table(tmp_path: Path, broker: NatsServer) -> Iterator[JournalTable]:
    """Two days of blackjack."""
    made = JournalTable(tmp_path, broker, dealt(days=2).records)
    with closing(made.journal):
        yield made


@pytest.fixture
def long_day(tmp_path: Path, broker: NatsServer) -> Iterator[JournalTable]:
    """A day of more records than are kept."""
    made = JournalTable(tmp_path, broker, records(5, 2 * MOST_ROWS))
    with closing(made.journal):
        yield made


@pytest.fixture
def read_after(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """After which records the disk was read from."""
    marks, after = list[int](), RecordTail.after

    def counted(tail: RecordTail, mark: Position, *bounds: int) -> list[Row]:
        marks.append(mark.seq)
        return after(tail, mark, *bounds)

    monkeypatch.setattr(RecordTail, "after", counted)
    return marks


async def begun(pit: RecordListener, table: JournalTable, read_after: list[int]) -> int:
    """The line is up, and was told of a record; the number of the last one before that."""
    await pit.announced()
    seq = table.seq
    table.commit()
    await pit.until(table.seq)
    read_after.clear()
    return seq


async def test_what_was_written_is_sent_as_it_lies_on_the_disk_and_is_not_read_from_there(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    async with listening(broker) as pit, forwarding(table):
        seq = await begun(pit, table, read_after)
        for count in (1, 1, 3, 10):
            table.commit(count)
            await pit.until(table.seq)
        table.line.wake()  # something else is shown
        await until(lambda: table.line._woken is None and not table.line._news.is_set())
        assert read_after == []
        assert pit.rows == table.rows()[seq:]
        assert table.line.link.problem() is None


async def test_a_service_forwards_from_what_its_journal_has_just_written(
    tmp_path: Path, broker: NatsServer, read_after: list[int]
) -> None:
    (tmp_path / "T1.password").write_text(PASSWORDS["T1"])
    servers = f'servers = ["{broker.url}"]\nuser = "T1"\npassword_file = "T1.password"'
    config = load(bus_table(tmp_path, servers))
    async with running(config.record.folder) as (service, _), listening(broker) as pit:
        mirroring = asyncio.ensure_future(forward(line_to(config, service), service))
        try:
            await pit.announced()
            await deal_to_the_first_choice(service)
            journal = service.recorder.journal
            assert journal is not None
            await pit.until(journal.head.seq)
        finally:
            mirroring.cancel()
            await asyncio.gather(mirroring, return_exceptions=True)
    assert read_after in ([], [pit.rows[0].seq - 1]), "once, before the first one that was told"
    assert len(pit.rows) > 4, "more than one commit"


async def test_what_comes_while_the_line_is_away_is_sent_from_memory_and_disk(
    long_day: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    """A broker that is down: for a moment, and for longer than the memory reaches."""
    table = long_day
    async with listening(broker) as pit, forwarding(table):
        seq = await begun(pit, table, read_after)
        broker.kill()
        table.commit(2)
        await lost(table)
        broker.start()
        await pit.until(table.seq)
        await well(table)
        assert read_after == [], "it was kept"
        broker.kill()
        last = table.seq
        while table.seq <= last + MOST_ROWS:
            table.commit()
        await lost(table)
        broker.start()
        await pit.until(table.seq)
        await well(table)
        assert set(read_after) == {last}, "the first hundred; the rest was kept"
        table.commit()
        await pit.until(table.seq)
        assert set(read_after) == {last}
        # What the broker had taken as it died may come twice: an archive passes over it.
        assert list(dict.fromkeys(pit.rows)) == table.rows()[seq:]


async def test_the_next_day_is_read_from_its_file_and_then_goes_on_from_memory(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    table.write(table.rolls_over - table.written - 1)
    async with listening(broker) as pit, forwarding(table):
        seq = await begun(pit, table, read_after)
        last = table.seq
        table.commit(1)
        await pit.until(table.seq)
        assert len(day_files(table.folder)) == 2
        assert read_after[:1] == [last]
        table.commit(1)
        await pit.until(table.seq)
        read_after.clear()
        table.commit(3)
        await pit.until(table.seq)
        assert read_after == []
        assert pit.rows == table.rows()[seq:]


async def test_a_roll_over_that_came_as_the_line_was_away(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    table.write(table.rolls_over - table.written - 4)
    async with listening(broker) as pit, forwarding(table):
        seq = await begun(pit, table, read_after)
        broker.kill()
        table.commit(10)
        assert len(day_files(table.folder)) == 2
        await lost(table)
        broker.start()
        await pit.until(table.seq)
        assert list(dict.fromkeys(pit.rows)) == table.rows()[seq:]


async def test_what_a_failed_write_left_on_the_disk_is_read_from_there(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    """The journal is at its end then; what the disk holds is what there is."""
    async with listening(broker) as pit, forwarding(table):
        await begun(pit, table, read_after)
        table.newest.add(())
        table.line.wake()
        await until(lambda: read_after == [table.seq])
        assert table.line.link.problem() is None


async def test_a_service_that_starts_again_sends_what_it_writes_from_then_on(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    async with listening(broker) as pit:
        async with forwarding(table):
            await begun(pit, table, read_after)
        had = list(pit.rows)
        table.write(4)  # nobody forwards: the archive asks for these
        again = table.seq
        table.line = Forwarder(
            "T1", table.folder, table.line._settings, newest=table.newest,
            status=lambda: (table.seq, b"{}"), clock_ms=lambda: 1_000, software="0.1.0+test",
        )  # fmt: skip
        pit.heads.clear()
        async with forwarding(table):
            await pit.announced()
            assert pit.heads[-1].head.seq == again
            table.commit(2)
            await pit.until(table.seq)
        assert pit.rows == had + table.rows()[again:]


async def test_no_opening_of_a_hidden_card_is_sent_from_memory(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    """What opens a commitment is nowhere in what came, unless a record has opened it."""
    async with listening(broker) as pit, forwarding(table):
        await begun(pit, table, read_after)
        table.commit(table.rolls_over - table.written)
        await pit.until(table.seq)
        came = b"".join(row.body for row in pit.rows)
        assert b"CardDealtDown" in came
        assert pit.rows[-1].seq - pit.rows[0].seq == len(pit.rows) - 1
    recorded = b"".join(row.body for row in table.rows())
    beside = openings_path(day_files(table.folder)[-1].path)
    with closing(sqlite3.connect(beside)) as openings:
        nonces = [each.hex().encode() for (each,) in openings.execute("SELECT nonce FROM openings")]
    hidden = [each for each in nonces if each not in recorded]
    assert hidden
    assert not [each for each in hidden if each in came]


@pytest.mark.long
async def test_a_broker_that_stands_still_gets_it_all_once_it_goes_on(
    table: JournalTable, broker: NatsServer, read_after: list[int]
) -> None:
    async with listening(broker) as pit, forwarding(table):
        seq = await begun(pit, table, read_after)
        broker.freeze()
        for _ in range(20):
            table.commit()
        assert await lost(table)
        broker.thaw()
        await pit.until(table.seq)
        await well(table)
        assert list(dict.fromkeys(pit.rows)) == table.rows()[seq:]
