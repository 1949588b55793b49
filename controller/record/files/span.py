"""A span of gaming days, read one after the other, each against where the next one begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from controller.record.files.chain_store import ChainReader, open_newest
from controller.record.files.database import JournalError
from controller.record.files.day_files import DayFile, day_files, newest_day
from controller.record.files.head_anchor import Position, anchor_path

OnProgress = Callable[[int, int], None]
"""Called periodically with how many records of a span were read, and how many it has."""


class Span:
    """The gaming days `first` to `last` (labels, both included; empty: to the end) of a record.

    `days` are there, the oldest first. `reaches_end`: its last is the folder's. `anchored`: the
    span reaches the record's end, which its head anchor knows; an archive of closed days has none.
    """

    def __init__(
        self,
        folder: Path,
        first: str = "",
        last: str = "",
        on_progress: OnProgress | None = None,
    ) -> None:
        """Raises `JournalError` where there is no such day, `JournalDamaged`."""
        self.folder = folder
        self._on_progress = on_progress
        self._all = day_files(folder)
        self.days = [
            day for day in self._all if first <= day.label and (not last or day.label <= last)
        ]
        self.reaches_end = self.days[-1:] == self._all[-1:]
        self.anchored = anchor_path(folder).exists() and self.reaches_end
        if not self._all:
            newest_day(folder)  # raises where the anchor knows of some
            raise JournalError(f"there is no record at {folder}: name the folder of one")
        if not self.days:
            there = f"{self._all[0].label} to {self._all[-1].label}"
            raise JournalError(f"no such gaming day is in {folder}: there are {there}")

    def reader(self, day: DayFile, *, to_its_end: bool = True) -> ChainReader:
        """A day opened for reading; the caller closes it. Raises `JournalError`.

        `to_its_end`: it is held against what is known of its end.
        """
        reader = self._opened(day) if to_its_end else ChainReader(day.path)
        if self._on_progress is not None:
            try:
                reader.on_read = self._progress(self._on_progress)
            except BaseException:
                reader.close()
                raise
        return reader

    def _progress(self, on_progress: OnProgress) -> Callable[[int], None]:
        """Turns the number of a record into a part of the span."""
        after = self.after().seq
        with closing(ChainReader(self.days[-1].path)) as newest:
            count = newest.last().seq - after
        return lambda seq: on_progress(min(seq - after, count), count)

    def _opened(self, day: DayFile) -> ChainReader:
        at = self._all.index(day)
        if at + 1 < len(self._all):
            return ChainReader(day.path, ends=beginning_after(self._all[at + 1]))
        if self.anchored:
            newest = open_newest(self.folder)
            assert newest is not None
            if newest.beginning.label == day.label:
                return newest
            # It was closed since this span was made: it ends where the day after it begins.
            newest.close()
            self._all = day_files(self.folder)
            return self._opened(day)
        return ChainReader(day.path)

    def after(self) -> Position:
        """The last record before the span."""
        return beginning_after(self.days[0])

    def readers(self) -> Iterator[ChainReader]:
        """Each day in turn, opened for reading and closed again."""
        for day in self.days:
            with closing(self.reader(day)) as reader:
                yield reader

    def holds(self, mark: Position) -> bool:
        """Whether the span has this very record at this place."""
        for day in reversed(self.days):
            with closing(ChainReader(day.path)) as reader:
                if reader.beginning.after.seq < mark.seq or day == self.days[0]:
                    return reader.holds(mark)
        return False


def beginning_after(day: DayFile) -> Position:
    """The last record before a day."""
    with closing(ChainReader(day.path)) as reader:
        return reader.beginning.after
