"""A table that was really put back to an older backup and went on: named, said which one stands,
and archived on, over a real broker.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.bus.messages import RecordBatch, RefillRefused, RefillRequest, batch, mark_of
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.branches.fork_point import NoForkPoint, TableIsAway, last_common
from controller.pit.archive.branches.rows import decide
from controller.pit.archive.cursor import Cursor
from controller.pit.archive.findings.finding_rows import findings
from controller.pit.archive.overview import Overview
from controller.pit.archive.storage.schema import SET_ASIDE
from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
from controller.record.days.gaming_day import rows_of
from controller.record.files.head_anchor import Position, genesis
from tests.bus.nats_server import NatsServer
from tests.bus.test_forwarder import ForwardedTable, forwarding
from tests.pit.archive.test_pit import archived, broker, engine, pit_at, running, until, verified
from tests.support.dealt.journals import IDENTITY, records

__all__ = ["broker", "engine"]
from tests.pit.sign_in.pages_of import records_for

pytestmark = pytest.mark.anyio
KEPT, LOST = 20, 45


def put_back(table: ForwardedTable, copy: Path) -> None:
    """The disk died; the backup is put in its place, and the table deals on from there."""
    shutil.rmtree(table.folder)
    restore([copy], table.folder)
    again = table.records_from(KEPT)
    table.to_come = [each._replace(at_ms=each.at_ms + 60_000) for each in again]
    table.line = table.new_line()


async def test_a_table_that_was_put_back_goes_on_once_somebody_says_so(
    tmp_path: Path, broker: NatsServer, engine: Engine
) -> None:
    table = ForwardedTable(tmp_path, broker)
    async with running(pit_at(broker, engine, tmp_path)) as pit:
        async with forwarding(table):
            await until(pit, verified(3))
            table.commit(KEPT - 3)
            backup(table.folder, tmp_path / "copy")
            table.commit(LOST - KEPT)
            await until(pit, verified(LOST))
        put_back(table, tmp_path / "copy")
        lost = archived(engine)[KEPT:]
        async with forwarding(table):
            table.commit(5)
            shown = await until(pit, lambda it: any(_parted(it)))
            (open_,) = [each for each in shown.findings if each.settled_ms is None]
            assert open_.table == "T1"
            page = records_for(PitRole.AUDITOR, shown)
            assert "Which one stands?" in page
            with engine.begin() as connection:
                (found,) = findings(connection, only_open=True, most=9)
                assert decide(connection, found, "Aino", "the disk died", 2_000)
            await until(pit, lambda it: [each.seq for each in it.tables] == [table.seq])
            assert archived(engine) == [tuple(each) for each in table.rows()]
            # What is live goes on as it did.
            table.commit(LOST)
            shown = await until(pit, verified(table.seq))
    assert [each for each in shown.findings if each.settled_ms is None] == []
    assert archived(engine) == [tuple(each) for each in table.rows()]
    (said,) = shown.branches
    assert (said.table, said.who, said.first_seq, said.last_seq) == ("T1", "Aino", KEPT + 1, LOST)
    with engine.connect() as connection:
        aside = connection.execute(select(SET_ASIDE).order_by(SET_ASIDE.c.seq)).all()
    assert [tuple(each)[1:] for each in aside] == lost
    assert f"records {KEPT + 1} to {LOST}" in records_for(PitRole.FLOOR, shown)


def _parted(shown: Overview) -> list[bool]:
    return [each.has_parted for each in shown.findings]


Ask = Callable[[RefillRequest], Awaitable[RecordBatch | RefillRefused | None]]
DEALT = records(7, 300)
ARCHIVED = list(rows_of(DEALT, genesis(IDENTITY)))


def a_table(common: int, oldest: int = 0) -> Ask:
    """A table that has the archive's records from `oldest` to `common`, and others after it."""
    later = (each._replace(at_ms=each.at_ms + 7) for each in DEALT[common:])
    own = list(rows_of([*DEALT[:common], *later], genesis(IDENTITY)))

    async def ask(request: RefillRequest) -> RecordBatch | RefillRefused:
        seq = request.after.seq
        mark = genesis(IDENTITY) if seq == 0 else Position(seq, own[seq - 1].hash)
        if seq < oldest or mark_of(mark) != request.after:
            head = mark_of(Position(300, own[-1].hash))
            return RefillRefused("T1", IDENTITY.hex(), head, fork=seq >= oldest, why="")
        return batch("T1", IDENTITY, mark, ARCHIVED[seq : seq + 1] if seq < common else ())

    return ask


async def _hash_of(seq: int) -> bytes | None:
    return ARCHIVED[seq - 1].hash


CURSOR = Cursor(IDENTITY, Position(300, ARCHIVED[299].hash))


@pytest.mark.parametrize("common", [0, 1, 2, 149, 150, 151, 298, 299, 300])
@pytest.mark.parametrize("oldest", [0, 100])
async def test_where_two_histories_part_is_found_by_halving(common: int, oldest: int) -> None:
    asked: list[int] = []
    table = a_table(common, oldest)

    async def ask(request: RefillRequest) -> RecordBatch | RefillRefused | None:
        asked.append(request.after.seq)
        return await table(request)

    if common < oldest:
        with pytest.raises(NoForkPoint, match="no longer has the records after"):
            await last_common(CURSOR, ask, _hash_of)
    else:
        at = await last_common(CURSOR, ask, _hash_of)
        assert at.seq == common
    assert len(asked) <= 11


async def test_a_table_that_is_away_or_another_one_is_asked_in_vain() -> None:
    async def away(_: RefillRequest) -> None:
        return None

    with pytest.raises(TableIsAway):
        await last_common(CURSOR, away, _hash_of)

    async def other(_: RefillRequest) -> RecordBatch:
        await asyncio.sleep(0)
        return batch("T1", bytes(32), genesis(bytes(32)), ())

    with pytest.raises(NoForkPoint, match="another record goes by"):
        await last_common(CURSOR, other, _hash_of)
