"""The closed days beside a running table, watched like a device: damage is said, play goes on."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

from controller.record.files.chain_store import ChainReader
from controller.record.files.database import JournalDamaged, JournalError
from controller.record.files.day_files import DayFile, day_files, files_of, signature_path
from controller.record.files.signing import check_signature
from controller.record.files.span import beginning_after
from controller.rules.messages import Message, message

_Stamp = tuple[tuple[str, int, int], ...]


class ClosedDays:
    """The closed days of the record in `folder`; calling it takes one look (blocking).

    A day is looked at again when one of its files has changed: its pages, its signature, and that
    it ends where the next one begins. Every link of its chain is for `tablectl verify`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[_Stamp, Message | None]] = {}

    def __call__(self) -> Message | None:
        """What is wrong with the oldest closed day that is damaged; None if nothing is."""
        try:
            days = day_files(self._folder)
        except JournalError:
            return None  # the disk itself is watched, too
        found = [self._look(day, after, after == days[-1]) for day, after in pairwise(days)]
        return next((each for each in found if each is not None), None)

    def _look(self, day: DayFile, after: DayFile, newest: bool) -> Message | None:
        stamp = _stamp(day)
        known = self._known.get(day.label)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            problem = _problem(day, after, newest)
        except JournalError:
            return None  # it cannot be read now and is looked at again; the disk is watched, too
        self._known[day.label] = (stamp, problem)
        return problem


def _stamp(day: DayFile) -> _Stamp:
    """What changes when a file of a day does."""
    found = []
    for each in files_of(day.path):
        try:
            now = each.stat()
        except OSError:
            continue
        if not each.name.endswith("-shm"):
            found.append((each.name, now.st_size, now.st_mtime_ns))
    return tuple(found)


def _problem(day: DayFile, after: DayFile, newest: bool) -> Message | None:
    """What is wrong with a closed day. Raises `JournalError` where it cannot be read."""
    damaged = message("closed-day-damaged", day=day.label, path=str(day.path))
    try:
        with closing(ChainReader(day.path)) as reader:
            reader.check_pages()
            ends = reader.last()
            if ends != beginning_after(after):
                return damaged
            if signature_path(day.path).exists():
                check_signature(day.path, reader.beginning, ends)
            elif not newest:
                # The newest closed day is signed at the next start; no older one ever is.
                return message("closed-day-not-signed", day=day.label, path=str(day.path))
    except JournalDamaged:
        return damaged
    return None
