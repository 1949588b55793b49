"""What becomes of closed days: archived while the table deals, taken away once it is on record."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from controller.record.days.gaming_day import tidy_up_signed_days
from controller.record.days.retention import Retention, archive_days, remove_days
from controller.record.files.database import JournalError
from controller.service.loop import Service
from controller.service.ports import TableStopped
from controller.table.inputs import RemoveDays

log = logging.getLogger(__name__)

#: The bus and the feed read the day that closes, and release it when the next one has begun;
#: whoever else reads it may take longer.
AGAIN_S: Final = 5.0
TRIES: Final = 60


async def keep_days(service: Service, folder: Path, retention: Retention) -> None:
    """At the start and after each change of the day, archive and remove what is due; no end.

    Copying goes on in a thread: no card waits for the archive.
    """
    looked_at = ""
    async for _ in service.changes():
        day = service.state.day if service.state else None
        if day is None or day.label == looked_at:
            continue
        looked_at = day.label
        try:
            await _tidy_up(folder)
            due = await asyncio.to_thread(archive_days, folder, retention)
            if due:
                # Once more after a cut between the two is no harm: the files are there still.
                await service.submit(RemoveDays(due), None, None)
                await asyncio.to_thread(remove_days, folder, [label for label, _ in due])
        except TableStopped:
            return
        except (OSError, JournalError) as error:
            log.warning("closed days stay as they are: %s", error)


async def _tidy_up(folder: Path) -> None:
    """Tidy up the days that were read as they closed. Raises `JournalError`, `OSError`."""
    for _ in range(TRIES):
        if await asyncio.to_thread(tidy_up_signed_days, folder):
            return
        await asyncio.sleep(AGAIN_S)
    log.warning(
        "a closed gaming day of %s is being read for minutes: it is tidied up later", folder
    )
