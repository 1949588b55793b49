"""The disk under the journal is told before it bites."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path

import pytest

from controller.devices.inputs import Condition, Health
from controller.disk import Disk, watch

HUGE_MB = 10**9


def test_a_good_disk_has_nothing_to_say_and_nothing_is_left_behind(tmp_path: Path) -> None:
    assert Disk(tmp_path / "journal.db", 0)() == ""
    assert list(tmp_path.iterdir()) == []


def test_little_room_is_told_before_it_is_none(tmp_path: Path) -> None:
    said = Disk(tmp_path / "journal.db", HUGE_MB)()
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
def test_a_disk_that_takes_nothing_is_told(
    number: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", broken)
    assert words in Disk(tmp_path / "journal.db", 0)()


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    assert "No such file" in Disk(tmp_path / "gone" / "journal.db", 0)()


@pytest.mark.anyio
async def test_only_what_changes_is_told_to_the_table() -> None:
    told: list[Health] = []
    looks = ["", "", "full", "full", "fuller", ""]

    async def offer(health: Health) -> None:
        told.append(health)

    async def sleep(seconds: float) -> None:
        assert seconds == 60
        if not looks:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await watch(offer, {"disk": lambda: looks.pop(0)}, 60, sleep)
    assert told == [
        Health("disk", Condition.UP),
        Health("disk", Condition.DOWN, "full"),
        Health("disk", Condition.DOWN, "fuller"),
        Health("disk", Condition.UP),
    ]
