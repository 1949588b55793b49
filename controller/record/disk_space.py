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
from controller.host.defects import report
from controller.rules.messages import Message, message

DISK: Final = "disk"
COPY: Final = "second copy"
PICTURES: Final = "pictures"
DAYS: Final = "closed days"
#: As much as a page of most disks: a smaller write may find room where a commit does not.
PROBE_BYTES: Final = 4096
#: A look that takes longer is what is wrong: a disk may stall for seconds.
LOOKS_S: Final = 30.0

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

    A disk that does not answer, or a device's own look that hangs, holds nobody up: looks are taken
    in a thread, and after `LOOKS_S` the next one does not wait for it.
    """
    known: dict[str, Message | None] = {}
    looking: dict[str, asyncio.Future[Message | None]] = {}
    try:
        while True:
            for name, check in checks.items():
                # One that has not come back is no reason for a second one beside it.
                if name not in looking:
                    looking[name] = asyncio.ensure_future(asyncio.to_thread(check))
                await asyncio.wait((looking[name],), timeout=LOOKS_S)
                why, error = _found(name, looking[name])
                if looking[name].done():
                    del looking[name]
                if name not in known or why != known[name]:
                    known[name] = why
                    if error is not None:
                        report(f"the check of the {name} failed", error)
                    await offer(Health(name, Condition.UP if why is None else Condition.DOWN, why))
            await sleep(every_s)
    finally:
        for each in looking.values():
            each.cancel()


def _found(
    name: str, look: asyncio.Future[Message | None]
) -> tuple[Message | None, Exception | None]:
    """What a look found. A defect in it is what is wrong then, and so is that it does not end: it
    ends no table, and after a new start it would be there again.
    """
    error = look.exception() if look.done() else TimeoutError()
    if isinstance(error, Exception):
        return message("check-failed", device=name, detail=type(error).__name__), error
    return look.result(), None
