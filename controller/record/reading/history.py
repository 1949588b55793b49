"""What an auditor asks of a record: what happened then, and who said so. One line for each record.

Nothing here writes, and nothing needs the openings. A damaged record is read up to its damage.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, time
from pathlib import Path
from typing import NamedTuple, TypeVar

from controller.record.files.chain_store import Row
from controller.record.files.database import JournalError
from controller.record.files.day_files import DayFile
from controller.record.files.span import Span, beginning_after
from controller.record.reading.report_text import wall_time
from controller.record.reading.round_report import carried_into
from controller.record.reading.rounds import RoundLine, rounds, rounds_of, scan, zone_of
from controller.rules.frozen import frozen
from controller.table.facts import Record
from controller.table.logbook.entries import entry
from controller.table.roles import NOBODY_NAMED, PersonId
from controller.table.state.parts import Rounds
from controller.table.state.state import State
from controller.table.views.logbook import LogLine, line

T = TypeVar("T")


class LoggedRecord(NamedTuple):
    """A record with its row, what it says, and the state after it."""

    row: Row
    record: Record
    line: LogLine
    state: State


@frozen
class LogQuery:
    """Which lines are asked for; what is empty leaves none out.

    `since` and `until` are times of day where the table stands, both included; they may go past
    midnight. `marks`: one of them is enough. `by` is a person's id or name. `round` 0: any.
    """

    since: time | None = None
    until: time | None = None
    marks: frozenset[str] = frozenset()
    by: str = ""
    round: int = 0

    def takes(self, line: LogLine, at: datetime) -> bool:
        """Whether that line, at that local time, is asked for."""
        if self.marks and self.marks.isdisjoint(line.marks):
            return False
        if self.round and line.round != self.round:
            return False
        if self.by and not any(_is(self.by, each) for each in line.by):
            return False
        since, until = self.since or time.min, self.until or time.max
        if since <= until:
            return since <= at.time() <= until
        return at.time() >= since or at.time() <= until


def _is(asked: str, shown: str) -> bool:
    """Whether `Aino (floor)` or `Person 0e170001 (floor)` is who is asked for."""
    name = shown.rpartition(" (")[0].lower()
    return asked.lower() in (name, name.removeprefix("person "))


def logged_records(
    span: Span, names: Mapping[PersonId, str] = NOBODY_NAMED
) -> Iterator[LoggedRecord]:
    """Every record of a span with what it says; people by `names`. Raises `JournalError`."""
    before: State | None = None
    for row, record, state in scan(span):
        said = entry(before or state, record)
        yield LoggedRecord(row, record, line(said, state.words, names), state)
        before = state


def logbook(
    folder: Path,
    asked: LogQuery,
    first: str = "",
    last: str = "",
    names: Mapping[PersonId, str] = NOBODY_NAMED,
) -> Iterator[tuple[LogLine, datetime]]:
    """The lines that are asked for, each with its time where the table stands.

    Raises `JournalError`, after the lines before the damage of a damaged record.
    """
    for each in logged_records(Span(folder, first, last), names):
        at = local_time(each.record.at_ms, each.state)
        if asked.takes(each.line, at):
            yield each.line, at


class ListPage(NamedTuple):
    """Which part of a list is asked for: `most` of the newest `before` that number (0: any)."""

    most: int
    before: int = 0


def _newest(found: Iterable[T], part: ListPage, number: Callable[[T], int]) -> Iterator[T]:
    """That part, the newest first. Raises `JournalError` after it."""
    window: deque[T] = deque(maxlen=part.most)
    failed: JournalError | None = None
    try:
        for each in found:
            if not part.before or number(each) < part.before:
                window.append(each)
    except JournalError as error:
        failed = error
    yield from reversed(window)
    if failed is not None:
        raise failed


def newest_entries(
    folder: Path,
    asked: LogQuery,
    part: ListPage,
    first: str = "",
    last: str = "",
    names: Mapping[PersonId, str] = NOBODY_NAMED,
) -> Iterator[tuple[LogLine, datetime]]:
    """The same from the newest back, as many as `part` says; by the number of the record.

    No day is read that is older than needed. Raises `JournalError` of the newest damaged day that
    was read, after all lines: those before its damage, and those of the days before it.
    """
    wanted, before = part
    failed: JournalError | None = None
    for day in reversed(Span(folder, first, last).days):
        if not wanted:
            break
        try:
            if before and beginning_after(day).seq + 1 >= before:
                continue
            lines = logbook(folder, asked, day.label, day.label, names)
            for each in _newest(lines, ListPage(wanted, before), lambda found: found[0].seq):
                wanted -= 1
                yield each
        except JournalError as error:
            failed = failed or error
    if failed is not None:
        raise failed


def local_time(at_ms: int, state: State) -> datetime:
    """A wall time in the table's own zone, or in UTC at a table without a calendar."""
    return wall_time(at_ms, zone_of(state))


def newest_rounds(
    folder: Path, marks: frozenset[str], part: ListPage, first: str = "", last: str = ""
) -> Iterator[RoundLine]:
    """The rounds that have all of these marks, from the newest back; by the number of the round.

    No day is read that is older than needed, and none whose rounds are all newer. Raises
    `JournalError` of the newest damaged day that was read, after all rounds: those before its
    damage, and those of the days before it.
    """
    wanted, before = part
    failed: JournalError | None = None
    days = Span(folder, first, last).days
    for day in reversed(days):
        if not wanted:
            break
        numbers: list[int] = []
        try:
            if before and _first_round(day) >= before:
                continue
            states = (state for _, _, state in scan(Span(folder, day.label, day.label)))
            # What a later day corrects of a round is known by then: each counts as it stands last.
            found = _noting(rounds_of(states, recalled=day != days[0]), numbers)
            lines = (each for each in found if _has(each, marks))
            for each in _newest(lines, ListPage(wanted, before), lambda line: line.number):
                wanted -= 1
                yield each
        except JournalError as error:
            failed = failed or error
        before = min(filter(None, (before, *numbers)), default=0)
    if failed is not None:
        raise failed


def _first_round(day: DayFile) -> int:
    """The oldest round that a day can say something of, also by a correction; 0: of any."""
    carried = carried_into(day)
    if carried is None:
        return 0
    played: int = carried.fields["counts"].rounds
    recalled: Rounds = carried.fields["rounds"]
    return min((each.number for each in recalled.past), default=played)


def _noting(found: Iterable[RoundLine], numbers: list[int]) -> Iterator[RoundLine]:
    for each in found:
        numbers.append(each.number)
        yield each


def _has(each: RoundLine, marks: frozenset[str]) -> bool:
    return marks <= {badge.mark for badge in each.badges}


def rounds_with(
    folder: Path, marks: frozenset[str], first: str = "", last: str = ""
) -> Iterator[RoundLine]:
    """The rounds of a span that have all of these marks. Raises `JournalError`."""
    return (each for each in rounds(folder, first, last) if _has(each, marks))
