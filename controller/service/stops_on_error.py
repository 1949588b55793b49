"""What goes wrong with an input stops the table, and is the answer to whoever asked.

A broad `except` that goes on stands here, in `recovery`, in `bus.command_desk`, `bus.people_line`,
`bus.picture_desk`, `record.copies.replica` and in `drivers.supervision.supervise` alone, and of a
pit in `pit.line.line`, `pit.alerts.sender`, `pit.archive.archivist`, `pit.archive.branching`,
`pit.archive.books.follower`, `pit.archive.heads` and `pit.wall.wall`: here, because a defect of
ours or a damaged record must leave the table in its safe picture, whatever it was that failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from controller.host.defects import report
from controller.record.journal import JournalError
from controller.rules.messages import Message
from controller.service.input_queue import STOPPING, QueuedInput
from controller.service.live_table import DecidedDifferently, LiveTable
from controller.service.ports import TableStopped


@contextmanager
def stops_on_error(table: LiveTable, *entries: QueuedInput) -> Iterator[None]:
    """What fails inside stops the table, and is the answer to these inputs."""
    try:
        yield
    except asyncio.CancelledError:
        # Whether it was written is for the sender's key to find out.
        _fail(entries, STOPPING)
        raise
    except TableStopped as error:
        _fail(entries, error.why)
    except (JournalError, DecidedDifferently) as error:
        table.stop(str(error))
        _fail(entries, table.stopped)
    except Exception as error:  # noqa: BLE001  (see the head of this file)
        # Whatever it is, the table stops, and the record is whole.
        table.stop(report("a defect of the program", error))
        _fail(entries, table.stopped)


def _fail(entries: Iterable[QueuedInput], why: Message | str) -> None:
    for each in entries:
        each.fail(TableStopped(why))
