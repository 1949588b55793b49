"""The newest day's file, replayed bit by bit while the day is written.

What the next day takes over is derived from the file before the day closes (`gaming_day`). To
replay the whole of a long day then would keep the table waiting: 40,000 records take more than a
second. So the file is read while the table plays, some records at a time and soon after they were
written; as the day closes, only its last records are left to be read.
"""

from __future__ import annotations

import logging
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from controller.record.files.chain_store import ChainReader
from controller.record.files.database import UNREADABLE, JournalDamaged, JournalError
from controller.record.files.day_files import openings_path
from controller.record.files.head_anchor import Position
from controller.record.files.openings import Openings
from controller.record.reading.replay import Decoded, replayed
from controller.table.state.state import State

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Replay:
    """How far the day was replayed: the state after the record `head`, None before the first."""

    head: Position
    state: State | None = None


class _DayFile:
    """A day's file and its openings, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reader = ChainReader(path)
        try:
            self._openings = Openings(openings_path(path), missing_is_damage=True)
        except BaseException:
            self.reader.close()
            raise
        self._decoded = Decoded(self._openings)

    def read_on(self, replay: _Replay, most: int | None) -> None:
        """Go on with the next `most` records, None: with all. Raises `JournalError`."""
        with closing(self.reader.rows(replay.head)) as rows:
            few = islice(rows, most)
            for _, _, after in replayed(self.path, few, self._decoded, replay.state):
                replay.state = after
        replay.head = self.reader.head

    def close(self) -> None:
        """Close the files."""
        self.reader.close()
        self._openings.close()


class FollowedDay:
    """The newest day as its file tells it; one thread's at a time.

    After a start there are two replays. The one that the start made goes on at once, so that a day
    whose end is due can close. Another one begins anew at the first record, and takes its place
    once it has come as far: then nothing of what a day is compared with comes from the start that
    the live table's state comes from, too.
    """

    def __init__(self) -> None:
        self._file: _DayFile | None = None
        self._replay: _Replay | None = None
        self._anew: _Replay | None = None
        self._given_up = False

    def resume(self, state: State, head: Position) -> None:
        """Go on from a start's replay, which came to `state` at record `head`."""
        # A copy, down to the last dictionary: what goes wrong with the live one is to be noticed.
        self._replay = _Replay(head, deepcopy(state))

    @property
    def head(self) -> Position | None:
        """The last record that was read; None before anything was."""
        return self._replay.head if self._replay else None

    def follow(self, path: Path, end: Position, most: int) -> bool:
        """Read up to `most` records of the day at `path`, up to `end`; whether more are left.

        A file that cannot be followed is logged; it stops nothing before the day closes.
        """
        if self._given_up:
            return False
        try:
            return self._follow(path, end, most)
        except (JournalError, OSError, *UNREADABLE) as error:
            log.error("%s does not hold: `tablectl verify` the record. %s", path.name, error)
            self.close()
            self._given_up = True
            return False

    def _follow(self, path: Path, end: Position, most: int) -> bool:
        file = self._opened(path)
        first, anew = self._first(), self._anew
        if first.head.seq < end.seq:
            file.read_on(first, most)
        elif anew is not None:
            file.read_on(anew, most)
            if anew.head.seq >= first.head.seq:
                self._replay, self._anew = anew, None
        return first.head.seq < end.seq or self._anew is not None

    def whole(self, path: Path, end: Position) -> State:
        """The state at `end`, the last record of the day at `path`: what is left is read.

        A file that could not be followed is read from its first record. Raises `JournalError`.
        """
        file = self._opened(path)
        replay = self._first()
        file.read_on(replay, None)
        if replay.head != end or replay.state is None:
            what = "it does not end with what was written last"
            raise JournalDamaged(path, what, replay.head.seq)
        return replay.state

    def _opened(self, path: Path) -> _DayFile:
        if self._file is None:
            self._file = _DayFile(path)
            first = _Replay(self._file.reader.beginning.after)
            if self._replay is None:
                self._replay = first
            else:
                self._anew = first
        return self._file

    def _first(self) -> _Replay:
        assert self._replay is not None
        return self._replay

    def close(self) -> None:
        """Close the files and begin anew, with whichever day comes next."""
        if self._file is not None:
            self._file.close()
        self._file = self._replay = self._anew = None
        self._given_up = False
