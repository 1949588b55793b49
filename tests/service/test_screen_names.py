"""Names of players at a distance are shown while they have a seat, and stand in no record."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.access.durable_file import put_in_place
from controller.service.loop import Service
from controller.service.screen_names import names_path
from controller.table import inputs as i
from tests.service.test_windows import WINDOW
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio
NAME = "Zacharias"


@asynccontextmanager
async def studio(record: Path) -> AsyncIterator[Service]:
    """A table whose players are elsewhere."""
    service = Service(i.Start(replace(setup(3), windows=WINDOW), "0.0-test", (SCANNER,)), record)
    await service.recover()
    loop = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


def shown(service: Service) -> list[str]:
    return [each.name for each in service.scene.players.players]


def with_name(folder: Path) -> list[str]:
    """The files below a folder that have the name in them."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return [each.name for each in files if NAME.encode() in each.read_bytes()]


async def test_a_name_is_shown_for_as_long_as_its_player_has_a_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    record = tmp_path / "record"
    async with studio(record) as service:
        assert (await service.submit(i.TakeSeat(1, "p1", f" {NAME} "), "sit", None)).accepted
        assert (await service.submit(i.TakeSeat(2, "p2", "Bea"), None, None)).accepted
        taken = await service.submit(i.TakeSeat(2, "p3", "Cai"), None, None)
        assert taken.refused is not None
        assert shown(service) == [NAME, "Bea"]
    kept = names_path(record)
    assert json.loads(kept.read_bytes()) == {"p1": NAME, "p2": "Bea"}
    assert kept.stat().st_mode & 0o777 == 0o600
    async with studio(record) as service:
        assert shown(service) == [NAME, "Bea"], "a start knows who sits there"
        assert (await service.submit(i.LeaveSeat(1), None, None)).accepted
        again = await service.submit(i.TakeSeat(1, "p1", f" {NAME} "), "sit", None)
        assert again.accepted, "a key sent twice acts once"
        assert shown(service) == ["Bea"]
    assert json.loads(kept.read_bytes()) == {"p2": "Bea"}
    assert len(list(record.iterdir())) > 3
    assert with_name(record) == []
    assert NAME not in caplog.text


async def test_a_name_that_was_being_written_as_the_service_was_killed_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each service writes under a name of its own until the file is whole."""
    record = tmp_path / "T[1]"

    def killed(_path: Path, _to: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as m:
        m.setattr("controller.access.durable_file.os.getpid", lambda: 4_294_967)
        m.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            put_in_place(names_path(record), json.dumps({"p1": NAME}).encode())
    assert with_name(tmp_path) == [".T[1].players.4294967.new"]
    async with studio(record) as service:
        assert with_name(tmp_path) == []
        assert shown(service) == []
        assert (await service.submit(i.TakeSeat(1, "p1", NAME), None, None)).accepted
    assert with_name(tmp_path) == ["T[1].players"]


async def test_a_file_of_names_that_is_lost_or_spoilt_keeps_no_table_from_starting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = tmp_path / "record"
    async with studio(record) as service:
        assert (await service.submit(i.TakeSeat(1, "p1", NAME), None, None)).accepted
    for spoilt in (b"\xff", b"[]", b'{"p1": 7}'):
        names_path(record).write_bytes(spoilt)
        caplog.clear()
        async with studio(record) as service:
            assert shown(service) == ["Player"]
        assert "players are shown without their names" in caplog.text


async def test_a_name_that_cannot_be_kept_is_shown_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = tmp_path / "record"
    names_path(record).mkdir()
    async with studio(record) as service:
        assert (await service.submit(i.TakeSeat(1, "p1", NAME), None, None)).accepted
        assert shown(service) == [NAME]
    assert "cannot be kept for the next start" in caplog.text
