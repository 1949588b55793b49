"""The checkpoint that a table began from is held against its records while the table plays on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.devices.scene import SAFE_HEADLINE, Light
from controller.record import checkpoint
from controller.record import replay_process as rerun
from controller.record.checkpoint import checkpoint_path, read_checkpoint, recover, write_checkpoint
from controller.record.codec import encode
from controller.record.journal import Journal
from controller.record.recheck import CHECKPOINT
from controller.record.snapshot import unpack
from controller.service.loop import Service
from controller.service.ports import TableStopped
from controller.table import inputs as i
from controller.table.facts import DeviceDown, DeviceUp, Fact, Record, RoundEnded
from controller.table.irregularities.holds import Reason
from controller.table.views.english import say
from tests.support.journals import records, write_journal
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

DAY = records(9, 400, "blackjack")
AT = 250


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal of 400 records with a checkpoint at 250, long enough to begin from it."""
    monkeypatch.setattr(checkpoint, "REPLAY_RECORDS", 100)
    path = tmp_path / "journal.db"
    write_journal(path, DAY[:AT])
    with closing(Journal(path)) as journal:
        state = recover(journal)
        assert state is not None
        write_checkpoint(path, journal.head, state)
    write_journal(path, DAY[AT:])
    return path


def forge(path: Path) -> None:
    """The checkpoint says of one round more than was played; its checksum is right."""
    point = read_checkpoint(path)
    assert point is not None
    with closing(Journal(path)) as journal:
        state = unpack(point.body, journal.opening)
    write_checkpoint(path, point.mark, replace(state, rounds_played=state.rounds_played + 1))


def damage(path: Path, record: Record) -> None:
    """Another byte where the record lies."""
    content = path.read_bytes()
    at = content.index(encode(record)[:40])
    path.write_bytes(content[:at] + b"#" + content[at + 1 :])


@asynccontextmanager
async def begun(path: Path) -> AsyncIterator[Service]:
    """A service that has begun on the journal at `path`."""
    service = Service(i.Start(setup(5, "blackjack"), "0.0-test", (SCANNER,)), path)
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


def facts(path: Path) -> list[Fact]:
    """What is on record."""
    with closing(Journal(path)) as journal:
        return [each.fact for each in journal.records()]


async def test_a_checkpoint_that_agrees_is_told_and_recorded(path: Path) -> None:
    async with begun(path) as service:
        assert service.state is not None
        assert CHECKPOINT not in service.state.devices
        await service.recheck()
        assert service.state.devices[CHECKPOINT] == ""
        assert not service.stopped
    assert DeviceUp(CHECKPOINT) in facts(path)


async def test_a_table_that_began_from_a_forged_checkpoint_stops_and_says_why(path: Path) -> None:
    forge(path)
    async with begun(path) as service:
        assert service.state is not None  # it plays on until the check is through
        await service.recheck()
        assert "not what the records say at 250" in service.stopped
        assert service.scene.dealer.headline == SAFE_HEADLINE
        assert "replays every record" in service.scene.dealer.told
        assert service.scene.lights == (Light.HELD,) * 5
        with pytest.raises(TableStopped, match="The checkpoint was deleted"):
            await service.submit(i.LoadPack(), None, None)
    assert not checkpoint_path(path).exists()
    assert [each.device for each in facts(path) if type(each) is DeviceDown] == [CHECKPOINT]
    async with begun(path) as service:
        assert service.state is not None
        assert service.state.rounds_played == sum(type(each.fact) is RoundEnded for each in DAY)
        assert service.state.held_for(Reason.RECOUNT)
        await service.recheck()  # there is nothing to compare: every record was replayed
        assert CHECKPOINT not in service.state.devices


async def test_damage_before_the_checkpoint_stops_the_table(path: Path) -> None:
    damage(path, DAY[100])
    async with begun(path) as service:
        assert not service.stopped
        await service.recheck()
        assert "record 101 is not what was written. Records 1 to 100 are whole" in service.stopped


async def test_a_check_that_could_not_be_made_is_no_agreement(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerun, "COMMAND", (sys.executable, "-c", "raise SystemExit(3)"))
    async with begun(path) as service:
        await service.recheck()
        assert service.state is not None
        assert "could not be checked (status 3)" in say(service.state.devices[CHECKPOINT])
        assert not service.stopped
        assert checkpoint_path(path).exists()
