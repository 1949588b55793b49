"""Where a table's line has records from: what the journal has just written, else the disk, which is
read in a thread of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position
from controller.record.newest_rows import NewestRows
from controller.record.reading.record_tail import RecordTail

_T = TypeVar("_T")


class RecordSource:
    """The record in `folder`; `newest` is what the journal wrote last of it."""

    def __init__(self, folder: Path, newest: NewestRows) -> None:
        self._newest = newest
        self._tail = RecordTail(folder)
        self._reading = ThreadPoolExecutor(1, "tablectl-bus")

    async def head(self) -> tuple[bytes, Position] | None:
        """The table's identity and its last record; None where nothing is recorded.

        Raises `JournalError`.
        """
        return await self._read(self._tail.head)

    async def after(self, sent: Position) -> tuple[Sequence[Row], bool]:
        """What is recorded after that, as much as one message takes, and whether it is all.

        Raises `CannotGoOn`, `JournalError`.
        """
        rows = self._newest.after(sent)
        return (rows, True) if rows is not None else await self._read(partial(self._after, sent))

    def _after(self, sent: Position) -> tuple[Sequence[Row], bool]:
        return self._tail.after(sent), self._tail.at_end

    async def asked(self, mark: Position, most: int) -> list[Row]:
        """What an archive asks for again: up to `most` records after one, from the disk.

        Raises `CannotGoOn`, `JournalError`.
        """
        return await self._read(partial(self._tail.after, mark, most))

    async def close(self) -> None:
        """Close the files."""
        await self._read(self._tail.close)
        self._reading.shutdown(wait=False)

    async def _read(self, what: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, what)
