"""Power cuts, worked out from what the real service did to its files; and a start on each.

`python -m tests.endurance.torture.cuts --count 5000` is the long form.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.endurance.torture.cuts import Log, StartOutcome, dealt, judge, moments, run
from tests.endurance.torture.damage import tell
from tests.support.faults.power import PowerLog, cuts
from tests.support.forms import is_long_form
from tests.support.processes.below import Below, DiskChange, Op, compiled
from tests.support.processes.real_table import SHUFFLE, RealTable, safe, standing

CUTS, AFTER_EIO = 160 if is_long_form() else 48, 40


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return dealt(tmp_path_factory.mktemp("cuts") / "day", seed=1)


def test_after_any_power_cut_all_that_was_shown_is_there_and_a_lying_disk_is_noticed(
    log: Log, tmp_path: Path
) -> None:
    """Writes that were not synced are dropped, torn and reordered, from the first file on."""
    assert len(log.events) > 40
    found, wrong = run(log, CUTS, seed=1, at=tmp_path / "left")
    assert not wrong
    assert found[f"disk honest: {StartOutcome.THERE.value}"] == CUTS // 2
    for lie in (".day-wal", "head"):
        assert found[f"disk lies about {lie}: {StartOutcome.NOTICED.value}"]


def test_the_first_start_may_be_cut_off_anywhere(log: Log, tmp_path: Path) -> None:
    """Before the first record is shown a store comes to be: whole, or begun again."""
    first = next(n for n, each in enumerate(log.entries) if each.op is Op.PICTURE and each.at > 0)
    for shown, left in cuts(log.entries, log.folder, [(at, at) for at in range(first)]):
        assert judge(left, shown, log.events, tmp_path / "left") is StartOutcome.THERE, sorted(left)


def test_without_syncs_of_files_records_would_be_gone_and_the_anchor_or_the_chain_notices(
    log: Log, tmp_path: Path
) -> None:
    """The cuts find out a store that does not sync; while its files are there nothing is lost."""
    none = [each for each in log.entries if each.op is not Op.SYNC or each.path == str(log.folder)]
    found = {
        judge(left, shown, log.events, tmp_path / "left")
        for shown, left in cuts(none, log.folder, moments(none, 40, Random(1)))
    }
    assert found == {StartOutcome.THERE, StartOutcome.NOTICED}


def test_without_any_sync_a_whole_record_is_lost_unnoticed(log: Log, tmp_path: Path) -> None:
    """No file is there at all: this is what the sync of the folder is for, and `LOST` is found."""
    none = [each for each in log.entries if each.op is not Op.SYNC]
    asked = moments(none, 400, Random(1))
    gone = [
        (shown, left)
        for shown, left in cuts(none, log.folder, asked)
        if shown and not any(".day" in name for name in left)
    ]
    assert gone
    assert StartOutcome.LOST in {
        judge(left, shown, log.events, tmp_path / "left") for shown, left in gone
    }


def entry(op: Op, at: int = 0, data: bytes = b"", path: str = "/d/f") -> DiskChange:
    return DiskChange(op, 7, at, path, data)


def left_of(*entries: DiskChange) -> set[bytes | None]:
    """All that one file could be left as."""
    power = PowerLog("/d")
    for each in entries:
        power.take(each)
    return {power.left(Random(seed)).get("f") for seed in range(200)}


def test_what_is_synced_stays_and_what_is_not_is_dropped_torn_or_reordered() -> None:
    begun = [entry(Op.OPEN, -1), entry(Op.SYNC, path="/d")]
    two = b"a" * 512 + b"b" * 512
    assert left_of(*begun, entry(Op.WRITE, 0, two), entry(Op.SYNC)) == {two}
    torn = left_of(*begun, entry(Op.WRITE, 0, two))
    assert torn == {b"", two, two[:512], bytes(512) + two[512:]}
    over = left_of(*begun, entry(Op.WRITE, 0, b"old"), entry(Op.WRITE, 0, b"new"))
    assert over == {b"", b"old", b"new"}
    assert left_of(entry(Op.OPEN, -1)) == {None, b""}


def test_what_a_failed_sync_left_in_memory_is_lost_unless_its_page_is_written_again() -> None:
    begun = [entry(Op.OPEN, -1), entry(Op.SYNC, path="/d"), entry(Op.WRITE, 0, b"a" * 512)]
    begun.append(entry(Op.SYNC_FAILED))
    assert left_of(*begun, entry(Op.SYNC)) == {b""}
    assert left_of(*begun, entry(Op.WRITE, 8192, b"b"), entry(Op.SYNC)) == {bytes(8192) + b"b"}
    again = left_of(*begun, entry(Op.WRITE, 512, b"b"), entry(Op.SYNC))
    assert again == {b"a" * 512 + b"b"}


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Below]:
    made = Below(compiled(tmp_path), tmp_path / "record", log=True)
    yield made
    made.close()


@pytest.fixture
async def table(tmp_path: Path, below: Below) -> AsyncIterator[RealTable]:
    async with standing(RealTable(tmp_path)) as built:
        built.below = below.environment
        yield built


@pytest.mark.anyio
@pytest.mark.long
async def test_a_start_after_a_failed_sync_puts_what_it_reads_on_the_disk_first(
    table: RealTable, below: Below, tmp_path: Path
) -> None:
    """What the system believes to be written since then, and is not, is lost by no later cut."""
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    await table.open_bets()
    below.fail_syncs(errno.EIO)
    assert (await table.post("place_wager", seat=1, amount=5_000)).status_code == 503
    await table.until_scene(safe)
    service.kill()
    await service.wait()
    below.fail_syncs(0)
    begun = len(below.log())
    service = await table.start_service()
    await table.until_scene(lambda scene: bool(scene["holds"]))
    await table.count_felt()
    for seat in (2, 3):
        await table.ask("place_wager", seat=seat, amount=5_000)
    service.kill()
    await service.wait()
    entries = below.log()
    printed = await asyncio.to_thread(tell, table.record)
    chance = Random(1)
    asked = [(chance.randint(begun, len(entries)), each) for each in range(AFTER_EIO)]
    for shown, left in cuts(entries, table.record, asked):
        outcome = judge(left, shown, printed, tmp_path / "left")
        assert outcome is StartOutcome.THERE, (shown, sorted(left))
