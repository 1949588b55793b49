"""A disk that fills up is reported before a commit fails."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from contextlib import closing
from pathlib import Path

import pytest

from controller.devices.displays import DeviceView
from controller.devices.inputs import Condition, Health
from controller.record import disk_space
from controller.record.disk_space import Disk, watch
from controller.record.journal import Journal
from controller.rules.messages import Message, message
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.facts import DeviceDown
from controller.table.views.english import say
from controller.table.views.public import public
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, setup

HUGE_MB = 10**9


class EnoughLooks(Exception):
    """Ends a watch."""


def test_a_good_disk_has_nothing_to_say_and_nothing_is_left_behind(tmp_path: Path) -> None:
    assert Disk(tmp_path, 0)() is None
    assert list(tmp_path.iterdir()) == []


def test_little_room_is_reported_before_it_is_none(tmp_path: Path) -> None:
    said = say(Disk(tmp_path, HUGE_MB)())
    assert "MB are free" in said
    assert "make room" in said


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "is read-only"),
        (errno.ENOSPC, "is full: make room now"),
        (errno.EIO, "cannot be written (Input/output error)"),
    ],
)
def test_a_disk_that_takes_nothing_is_reported(
    number: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", broken)
    assert words in say(Disk(tmp_path, 0)())


def test_a_folder_that_leads_to_itself_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "record"
    folder.symlink_to(folder)
    assert "cannot be written" in say(Disk(folder, 0)())


def test_a_pipe_in_the_place_of_the_probe_is_reported_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".probe")
    assert "cannot be written" in say(Disk(tmp_path, 0)())


def test_a_folder_that_is_gone_is_reported(tmp_path: Path) -> None:
    assert "No such file" in say(Disk(tmp_path / "gone", 0)())


@pytest.mark.anyio
async def test_a_disk_that_fills_is_on_every_display_and_in_the_record_before_it_is_full(
    tmp_path: Path,
) -> None:
    path = tmp_path / "record"
    service = Service(i.Start(setup(3), "0.0-test", (SCANNER,)), path)
    await service.recover()
    loop = asyncio.create_task(service.run())
    room = [0]

    def look() -> Message | None:
        return Disk(path, room[0])()

    async def sleep(seconds: float) -> None:
        if room[0]:
            raise asyncio.CancelledError
        room[0] = HUGE_MB

    with pytest.raises(asyncio.CancelledError):
        await watch(service.offer, {"disk": look}, 60, sleep)
    shown: dict[str, DeviceView] = {}
    async for _ in service.changes():
        shown = {each.name: each for each in service.scene.dealer.devices}
        if "disk" in shown and not shown["disk"].up:
            break
    assert "nearly full" in shown["disk"].why
    assert service.state is not None
    up = {each.name: each.up for each in public(service.state).devices}
    assert up["disk"] is False
    assert say(service.state.run.blind) != shown["disk"].why, "play goes on while there is room"
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    service.close()
    with closing(Journal(path)) as journal:
        facts = [each.fact for each in journal.newest_day.records()]
    (down,) = (each for each in facts if isinstance(each, DeviceDown))
    assert (down.device, down.why.code) == ("disk", "disk-nearly-full")


@pytest.mark.anyio
async def test_only_what_changes_is_reported_to_the_table() -> None:
    reports: list[Health] = []
    full, fuller = (message("disk-nearly-full", folder="/", free_mb=mb) for mb in (90, 80))
    looks = [None, None, full, full, fuller, None]

    async def offer(health: Health) -> None:
        reports.append(health)

    async def sleep(seconds: float) -> None:
        assert seconds == 60
        if not looks:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await watch(offer, {"disk": lambda: looks.pop(0)}, 60, sleep)
    assert reports == [
        Health("disk", Condition.UP),
        Health("disk", Condition.DOWN, full),
        Health("disk", Condition.DOWN, fuller),
        Health("disk", Condition.UP),
    ]


@pytest.mark.anyio
async def test_a_look_that_does_not_end_is_what_is_wrong_and_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disk_space, "LOOKS_S", 0.02)
    found: list[Health] = []
    goes_on, begun = threading.Event(), []

    def hangs() -> Message | None:
        begun.append(1)
        assert goes_on.wait(PATIENCE_S)
        return None

    async def take(health: Health) -> None:
        found.append(health)

    async def sleep(_: float) -> None:
        if found[-1] == Health("odd", Condition.UP):
            raise EnoughLooks
        if len(found) == 2:
            assert len(begun) == 1, "there is no second look beside it"
            goes_on.set()

    try:
        with pytest.raises(EnoughLooks):
            async with asyncio.timeout(PATIENCE_S):
                await watch(take, {"odd": hangs, "disk": lambda: None}, 1.0, sleep)
    finally:
        goes_on.set()
    assert [(each.device, each.condition) for each in found] == [
        ("odd", Condition.DOWN), ("disk", Condition.UP), ("odd", Condition.UP),
    ]  # fmt: skip
    assert found[0].why is not None
    assert "TimeoutError" in say(found[0].why)


@pytest.mark.anyio
async def test_a_check_with_a_defect_is_reported_once_and_ends_neither_the_others_nor_the_table(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found: list[Health] = []
    rounds = [KeyError("qh"), KeyError("qh"), None]

    def defective() -> Message | None:
        error = rounds.pop(0)
        if error is not None:
            raise error
        return None

    async def take(health: Health) -> None:
        found.append(health)

    async def sleep(_: float) -> None:
        if not rounds:
            raise EnoughLooks

    with pytest.raises(EnoughLooks):
        await watch(take, {"odd": defective, "disk": lambda: None}, 1.0, sleep)
    assert [(each.device, each.condition) for each in found] == [
        ("odd", Condition.DOWN), ("disk", Condition.UP), ("odd", Condition.UP),
    ]  # fmt: skip
    assert found[0].why is not None
    assert "KeyError" in say(found[0].why)
    assert sum("the check of the odd failed" in each.message for each in caplog.records) == 1
    assert "qh" not in caplog.text
