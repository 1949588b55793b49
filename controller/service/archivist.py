"""What becomes of closed days: archived while the table deals, taken away once it is on record."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.record.days.gaming_day import tidy_up_signed_days
from controller.record.days.retention import Retention, archive_days, lacks_days, remove_days
from controller.record.files.database import JournalError
from controller.service.input_queue import STOPPING
from controller.service.loop import Service
from controller.service.ports import TableStopped
from controller.table.inputs import RemoveDays

log = logging.getLogger(__name__)

#: The bus and the feed read the day that closes, and release it when the next one has begun;
#: whoever else reads it may take longer.
AGAIN_S: Final = 5.0
TRIES: Final = 60
#: After an archive that could not be reached, or a day that could not be read.
REST_S: Final = 900.0


async def keep_days(service: Service, folder: Path, retention: Retention) -> None:
    """At the start and after each change of the day, archive and remove what is due, again and
    again where that fails; no end.

    Copying goes on in a thread: no card waits for the archive.
    """
    looked_at = ""
    try:
        async for _ in service.changes():
            if _label(service) in ("", looked_at):
                continue
            looked_at = _label(service)
            while not await _could_keep(service, folder, retention):
                # Nobody tells when the archive is there again; another day may close meanwhile.
                with suppress(TimeoutError):
                    async with asyncio.timeout(REST_S):
                        await _another_day(service, looked_at)
                looked_at = _label(service) or looked_at
    except TableStopped:
        return


def _label(service: Service) -> str:
    """The label of the day that is open; empty while there is none."""
    day = service.state.day if service.state else None
    return "" if day is None else day.label


async def _another_day(service: Service, label: str) -> None:
    """Returns once another day than that one is open. Raises `TableStopped`."""
    async for _ in service.changes():
        if _label(service) not in ("", label):
            return
    raise TableStopped(STOPPING)


async def _could_keep(service: Service, folder: Path, retention: Retention) -> bool:
    """Archive and remove what is due; False: something was in the way. Raises `TableStopped`."""
    try:
        await _tidy_up(folder)
        due = await asyncio.to_thread(archive_days, folder, retention)
        if due:
            # Once more after a cut between the two is no harm: the files are there still.
            await service.submit(RemoveDays(due), None, None)
            await asyncio.to_thread(remove_days, folder, [label for label, _ in due])
        return not await asyncio.to_thread(lacks_days, folder, retention)
    except (OSError, JournalError) as error:
        log.warning("closed days stay as they are, and are looked at again soon: %s", error)
        return False


async def _tidy_up(folder: Path) -> None:
    """Tidy up the days that were read as they closed. Raises `JournalError`, `OSError`."""
    for _ in range(TRIES):
        if await asyncio.to_thread(tidy_up_signed_days, folder):
            return
        await asyncio.sleep(AGAIN_S)
    log.warning(
        "a closed gaming day of %s is being read for minutes: it is tidied up later", folder
    )
