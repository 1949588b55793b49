"""The disk under the record, watched like a device: reported before it is full, not after.

Once a minute a small file is written, made durable and removed, and the free space is read. What
is found goes to the table as the health of a device named `disk`.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from controller.devices.inputs import Condition, Health
from controller.log.defects import report
from controller.rules.messages import Message, message

DISK: Final = "disk"
COPY: Final = "second copy"
PICTURES: Final = "pictures"
DAYS: Final = "closed days"
#: As much as a page of most disks: a smaller write may find room where a commit does not.
PROBE_BYTES: Final = 4096

Check = Callable[[], Message | None]
"""Looks at something; returns what is wrong and what to do, None if nothing is."""


class Disk:
    """The disk that holds the record in `folder`; calling it takes one look (blocking)."""

    def __init__(self, folder: Path, min_free_mb: int) -> None:
        # A symbolic link may lead to itself: that is said by the look, which finds no disk there.
        self._folder = Path(os.path.realpath(folder))
        self._probe = self._folder / ".probe"
        self._min_free_mb = min_free_mb

    def __call__(self) -> Message | None:
        """What is wrong with the disk, and what to do; None if nothing is."""
        try:
            self._write()
            found = os.statvfs(self._folder)
        except OSError as error:
            return self._failed(error)
        free_mb = found.f_bavail * found.f_frsize // 1_000_000
        if free_mb < self._min_free_mb:
            return message("disk-nearly-full", folder=str(self._folder), free_mb=free_mb)
        return None

    def _failed(self, error: OSError) -> Message:
        folder = str(self._folder)
        if error.errno == errno.EROFS:
            return message("disk-read-only", folder=folder)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return message("disk-full", folder=folder)
        detail = error.strerror or type(error).__name__
        return message("disk-cannot-be-written", folder=folder, detail=detail)

    def _write(self) -> None:
        # A pipe in its place is refused instead of waited for.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(self._probe, flags, 0o600)
        try:
            os.write(descriptor, bytes(PROBE_BYTES))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
            self._probe.unlink()


async def watch(
    offer: Callable[[Health], Awaitable[None]],
    checks: Mapping[str, Check],
    every_s: float,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Take each look at once and then every `every_s` seconds; offer what changed, until cancelled.

    A disk that does not answer holds nobody up: looks are taken in a thread.
    """
    known: dict[str, Message | None] = {}
    while True:
        for name, check in checks.items():
            why, error = await _look(name, check)
            if name not in known or why != known[name]:
                known[name] = why
                if error is not None:
                    report(f"the check of the {name} failed", error)
                await offer(Health(name, Condition.UP if why is None else Condition.DOWN, why))
        await sleep(every_s)


async def _look(name: str, check: Check) -> tuple[Message | None, Exception | None]:
    """What `check` finds. A defect in it is what is wrong then: it ends no table, and after a new
    start it would be there again.
    """
    looking = asyncio.ensure_future(asyncio.to_thread(check))
    try:
        await asyncio.wait((looking,))
    finally:
        looking.cancel()
    error = looking.exception()
    if isinstance(error, Exception):
        return message("check-failed", device=name, detail=type(error).__name__), error
    return looking.result(), None
