"""A service closes its gaming days: by the clock between rounds, at the start, or by the floor."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from controller.devices.safe import SAFE_HEADLINE
from controller.record.days.gaming_day import tidy_up_signed_days
from controller.record.days.retention import Retention, archive_days
from controller.record.files.database import wal_path
from controller.record.files.day_files import day_files
from controller.record.files.day_writer import is_closed
from controller.record.journal import Journal
from controller.record.reading.record_tail import RecordTail
from controller.record.reading.verify import verify
from controller.service import archivist
from controller.service.archivist import keep_days
from controller.service.loop import Service
from controller.service.ports import Clock
from controller.service.recorder import RecordSettings
from controller.service.timekeeping import wakeup
from controller.service.timekeeping.calendar import Almanac, Calendar
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.gaming_day import ClockDoubt
from tests.support.dealt.days import HELSINKI
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio
DAY_MS = 86_400_000
#: 2023-11-14 22:13 UTC: the gaming day ends at 04:00 UTC.
EVENING_MS = 1_700_000_000_000
END_MS = 1_700_020_800_000


class WallClock:
    """A wall clock in the test's hand; the monotonic one stands."""

    def __init__(self) -> None:
        self.wall_ms = EVENING_MS
        self.synchronised = True
        self.number = 0

    def nonce(self) -> bytes:
        self.number += 1
        return self.number.to_bytes(16, "big")

    @property
    def clock(self) -> Clock:
        return Clock(
            lambda: self.wall_ms, lambda: 1_000_000 * (self.wall_ms - EVENING_MS), self.nonce
        )


@asynccontextmanager
async def running(folder: Path, now: WallClock, copy: Path | None = None) -> AsyncIterator[Service]:
    service = Service(
        i.Start(setup(3), "0.0-test", (SCANNER,)),
        RecordSettings(folder, copy),
        clock=now.clock,
        almanac=Almanac(Calendar(HELSINKI), lambda: now.synchronised),
    )
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


async def label(service: Service, wanted: str) -> None:
    """Until the open day is that one."""
    async with asyncio.timeout(PATIENCE_S):
        async for _ in service.changes():
            assert not service.stopped, service.stopped
            state = service.state
            if state is not None and state.day is not None and state.day.label == wanted:
                return


async def test_a_day_closes_by_the_clock_while_the_table_runs(tmp_path: Path) -> None:
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now, tmp_path / "copy") as service:
        await label(service, "2023-11-14")
        assert (await service.submit(i.LoadPack(), None, None)).refused is None
        now.wall_ms = END_MS
        # Any input lets the loop look at the clock again; the day goes first.
        await service.submit(i.CutShoe(), None, None)
        await label(service, "2023-11-15")
    assert [day.label for day in day_files(folder)] == ["2023-11-14", "2023-11-15"]
    for each in (folder, tmp_path / "copy"):
        found = verify(each)
        assert (found.problems, found.signed) == ([], ["2023-11-14"])


async def test_no_first_day_is_named_after_a_clock_that_nobody_believes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Raspberry Pi wakes up years ago; every later label would only rise from there."""
    monkeypatch.setattr(wakeup, "FIRST_CLOCK_S", 0.0)
    now, folder = WallClock(), tmp_path / "record"
    now.synchronised = False
    async with running(folder, now) as service:
        assert "would be called 2023-11-14" in service.stopped
        assert service.scene.dealer.headline == SAFE_HEADLINE
        in_step = asyncio.create_task(service.first_clock())
        await asyncio.sleep(0.05)
        assert not in_step.done()
        now.synchronised = True
        async with asyncio.timeout(PATIENCE_S):
            await in_step  # so its service is started again, and not left off
    assert day_files(folder) == []
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
    now.synchronised = False
    async with running(folder, now) as service:
        await label(service, "2023-11-14")  # a day that is open goes on


async def test_an_overdue_day_is_closed_at_the_start(tmp_path: Path) -> None:
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
    now.wall_ms = END_MS + DAY_MS // 2
    async with running(folder, now) as service:
        await label(service, "2023-11-15")
    assert verify(folder).problems == []


async def test_the_floor_closes_a_day_that_the_clock_may_not(tmp_path: Path) -> None:
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        now.synchronised = False
        now.wall_ms = END_MS
        await service.submit(i.LoadPack(), None, None)
        async with asyncio.timeout(PATIENCE_S):
            async for _ in service.changes():
                if service.state and service.state.day and service.state.day.doubt:
                    break
        assert service.state is not None
        assert service.state.day is not None
        assert service.state.day.doubt is ClockDoubt.NOT_SYNCHRONISED
        assert len(day_files(folder)) == 1
        assert (await service.submit(i.CloseDay(), "key-1", None)).refused is None
        await label(service, "2023-11-15")
        again = await service.submit(i.CloseDay(), "key-1", None)
        assert again.refused is None, "a key sent twice acts once, also across the day's change"
        await label(service, "2023-11-15")
    assert verify(folder).problems == []


@pytest.mark.parametrize("archived", [True, False])
async def test_a_day_that_goes_from_beside_the_table_is_on_record_first(
    archived: bool, tmp_path: Path
) -> None:
    now, folder, archive = WallClock(), tmp_path / "record", tmp_path / "archive"
    retention = Retention(1, archive) if archived else Retention(1, delete=True)
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        keeping = asyncio.create_task(keep_days(service, folder, retention))
        for number, wanted in enumerate(("2023-11-15", "2023-11-16")):
            now.wall_ms = END_MS + number * DAY_MS
            await service.submit(i.CutShoe(), None, None)
            await label(service, wanted)
        async with asyncio.timeout(PATIENCE_S):
            while len(day_files(folder)) > 2:
                await service.submit(i.CutShoe(), None, None)
                await asyncio.sleep(0)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    assert [day.label for day in day_files(folder)] == ["2023-11-15", "2023-11-16"]
    with closing(Journal(folder)) as journal:
        facts = [each.fact for each in journal.newest_day.records()]
    removed = [each for each in facts if isinstance(each, f.DayRemoved)]
    assert removed == [f.DayRemoved("2023-11-14", archived)]
    assert archive.exists() is archived
    found = verify(folder)
    assert found.problems == []
    assert not found.missing_before


async def test_a_day_that_closes_while_another_is_archived_waits_for_no_quarter_of_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not in the archive when that is looked at, and nothing was in the way."""
    archived, go_on = threading.Event(), threading.Event()

    def archive(folder: Path, retention: Retention) -> tuple[tuple[str, bool], ...]:
        found = archive_days(folder, retention)
        archived.set()
        go_on.wait(PATIENCE_S)
        return found

    monkeypatch.setattr(archivist, "archive_days", archive)
    now, folder = WallClock(), tmp_path / "record"
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        keeping = asyncio.create_task(
            keep_days(service, folder, Retention(1, tmp_path / "archive"))
        )
        now.wall_ms = END_MS
        await service.submit(i.CutShoe(), None, None)
        await label(service, "2023-11-15")
        assert await asyncio.to_thread(archived.wait, PATIENCE_S)
        now.wall_ms = END_MS + DAY_MS
        await service.submit(i.CutShoe(), None, None)
        await label(service, "2023-11-16")
        go_on.set()
        async with asyncio.timeout(PATIENCE_S):
            while len(day_files(folder)) > 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    assert verify(folder).problems == []


async def test_an_archive_that_was_away_gets_the_day_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(archivist, "REST_S", 0.01)
    now, folder, archive = WallClock(), tmp_path / "record", tmp_path / "archive"
    archive.write_text("no folder: what it hangs from is not mounted")
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        keeping = asyncio.create_task(keep_days(service, folder, Retention(0, archive)))
        now.wall_ms = END_MS
        await service.submit(i.CutShoe(), None, None)
        await label(service, "2023-11-15")
        async with asyncio.timeout(PATIENCE_S):
            while caplog.text.count("closed days stay as they are") < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            archive.unlink()
            day = day_files(folder)[0].path
            while not (archive / day.name).exists():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    assert verify(folder).problems == []


async def test_a_day_that_was_read_as_it_closed_is_tidied_up_and_archived_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bus and the feed have the newest day open, at every table that has one of them."""
    monkeypatch.setattr(archivist, "AGAIN_S", 0.01)
    loop, looked = asyncio.get_running_loop(), asyncio.Event()

    def tidied_up(folder: Path) -> bool:
        done = tidy_up_signed_days(folder)
        if not done:
            loop.call_soon_threadsafe(looked.set)
        return done

    monkeypatch.setattr(archivist, "tidy_up_signed_days", tidied_up)
    now, folder, archive = WallClock(), tmp_path / "record", tmp_path / "archive"
    async with running(folder, now) as service:
        await label(service, "2023-11-14")
        with closing(RecordTail(folder)) as tail:
            tail.head()
            keeping = asyncio.create_task(keep_days(service, folder, Retention(0, archive)))
            now.wall_ms = END_MS
            await service.submit(i.LoadPack(), None, None)
            await label(service, "2023-11-15")
            day = day_files(folder)[0].path
            async with asyncio.timeout(PATIENCE_S):
                await looked.wait()
            assert not is_closed(day)
            assert not archive.exists()
            tail.head()  # it is woken by what comes, and goes on with the new day
            async with asyncio.timeout(PATIENCE_S):
                while not (is_closed(day) and (archive / day.name).exists()):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        assert not wal_path(day).exists()
    assert verify(folder).problems == []
    assert (archive / day.name).read_bytes() == day.read_bytes()
