"""A training's folder read: the table's record and the world's list, also while both grow. Blocks.

What `tablectl demo --train` writes while it runs and what `tablectl training` computes afterwards
come from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position
from controller.record.reading.record_tail import RecordTail
from controller.record.reading.replay import Decoded, replayed
from controller.table.state.state import State
from controller.training.moments import Moment, Transition, moments
from controller.training.report import TrainingReport, report
from controller.training.world_list import Line, TrainingError, parse_line, world_list

#: The files of a training in the demo's folder.
RECORD: Final = "record"
LIST: Final = "training.jsonl"


class TrainingFolder:
    """The training in `folder`; each `report()` reads what has come since the one before."""

    def __init__(self, folder: Path) -> None:
        self._list = folder / LIST
        self._record = folder / RECORD
        self._tail = RecordTail(self._record)
        self._mark: Position | None = None
        self._state: State | None = None
        self._cause = ""
        self._moments: list[Moment] = []
        self._lines: list[Line] = []
        self._read_bytes = 0

    def report(self) -> TrainingReport:
        """The report as of now. Raises `TrainingError`, `JournalError`, `CannotGoOn`."""
        self._read_list()
        if self._tail.head() is None:
            raise TrainingError(f"nothing is on record in {self._record} yet: deal first")
        if self._mark is None:
            self._mark = self._tail.position(0)
        while rows := self._tail.after(self._mark):
            self._moments += moments(self._transitions(rows), self._cause)
            self._mark = Position(rows[-1].seq, rows[-1].hash)
        return report(self._moments, world_list(self._lines))

    def close(self) -> None:
        """Close the files."""
        self._tail.close()

    @property
    def grown(self) -> tuple[int, int]:
        """What changes when there is more to read: the sizes of list and record's newest file."""
        sizes = [each.stat().st_size for each in self._record.glob("*") if each.is_file()]
        return self._list.stat().st_size if self._list.exists() else 0, sum(sizes)

    def _transitions(self, rows: list[Row]) -> Iterator[Transition]:
        for _, record, after in replayed(self._record, rows, Decoded(), self._state):
            yield self._state, record, after
            self._state, self._cause = after, record.cause

    def _read_list(self) -> None:
        if not self._list.is_file():
            raise TrainingError(
                f"there is no training in {self._list.parent}: give the folder of a"
                " `tablectl demo --train`"
            )
        with self._list.open("rb") as file:
            file.seek(self._read_bytes)
            new = file.read()
        # The last line may be half written yet.
        whole = new[: new.rfind(b"\n") + 1]
        for text in whole.splitlines():
            self._lines.append(parse_line(text, len(self._lines) + 1))
        self._read_bytes += len(whole)
