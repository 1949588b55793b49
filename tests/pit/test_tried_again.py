"""A part that fails by a defect is reported, tried again and ends no other; what is over ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import insert

from controller.config.bus_section import BusSection
from controller.host import tried_again
from controller.pit.alerts.schema import ALERTS
from controller.pit.archive.storage.database import open_database
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import WallSettings
from tests.bus.nats_server import free_port
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


async def test_what_it_fails_of_is_never_said_and_a_stop_is_a_stop(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tried_again, "AGAIN_S", 0)
    goes_on = asyncio.Event()
    defects: list[Exception] = [KeyError("Th"), UnicodeError("Th")]

    async def part() -> None:
        if defects:
            raise defects.pop(0)
        goes_on.set()
        await asyncio.Event().wait()

    running = asyncio.ensure_future(tried_again.tried_again("nothing is sent", part))
    async with asyncio.timeout(PATIENCE_S):
        await goes_on.wait()
    running.cancel()
    await asyncio.wait((running,))
    assert running.cancelled()
    assert [each.getMessage().partition(" at\n")[0] for each in caplog.records] == [
        "nothing is sent: KeyError", "nothing is sent: UnicodeError",
    ]  # fmt: skip
    assert "Th" not in {*caplog.text.split(), *caplog.text.split("'")}


async def test_a_part_that_is_over_is_not_begun_again_and_of_several_errors_the_first_is_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tried_again, "AGAIN_S", 0)
    ends: list[ExceptionGroup[Exception] | None] = [
        ExceptionGroup("two", [ExceptionGroup("one", [KeyError("Th")]), ValueError("Th")]), None,
    ]  # fmt: skip

    async def part() -> None:
        if (error := ends.pop(0)) is not None:
            raise error

    async with asyncio.timeout(PATIENCE_S):
        await tried_again.tried_again("nothing is sent", part)
    assert not ends
    assert [each.getMessage().partition(" at\n")[0] for each in caplog.records] == [
        "nothing is sent: KeyError",
    ]


async def test_a_row_of_the_database_that_alerts_cannot_read_ends_no_pit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tried_again, "AGAIN_S", 0.01)
    engine = open_database(f"sqlite:///{tmp_path / 'pit.db'}")
    with engine.begin() as connection:
        connection.execute(
            insert(ALERTS).values(
                key="held:T1", kind="held", table_name="T1", text="", since_ms=1,
                opened_ms=1, count=1, step=-9, step_ms=1, answered_by="",
            )
        )  # fmt: skip
    (tmp_path / "password").write_text("nobody-listens")
    bus = BusSection((f"nats://127.0.0.1:{free_port()}",), "pit", tmp_path / "password")
    config = PitConfig(bus, ArchiveSection(), PitWebSection(), WallSettings(), tmp_path)
    pit = RunningPit(config, engine)
    running = asyncio.ensure_future(pit.run())
    async with asyncio.timeout(PATIENCE_S):
        while not running.done() and caplog.text.count("nobody judges alerts: IndexError") < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert not running.done()
    running.cancel()
    await asyncio.wait((running,))
    assert running.cancelled()
    engine.dispose()
