"""The rounds of a span of days, as the record has them by now.

Nothing here writes, and nothing needs the openings. Days are read one after the other; a damaged
record is read up to its damage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from controller.record.files.chain_store import Row
from controller.record.files.database import JournalDamaged, RecordOfAnotherBuild
from controller.record.files.day_files import openings_path
from controller.record.files.openings import Openings
from controller.record.files.span import OnProgress, Span
from controller.record.reading.replay import Decoded, replayed
from controller.rules.frozen import frozen
from controller.table.facts import Record
from controller.table.recorded.round import RecordedRound
from controller.table.state.state import State
from controller.table.views.logbook import Badge
from controller.table.views.replay import round_badges


@frozen
class RoundLine:
    """A round in a list of rounds. `ended_ms` is 0 while it is in play; `zone` is the table's."""

    number: int
    shoe: int
    started_ms: int
    ended_ms: int
    net: int
    void: bool
    dummy: bool = False
    badges: tuple[Badge, ...] = ()
    zone: str = "UTC"


Scan = Iterator[tuple[Row, Record, State]]


def scan(span: Span, *, with_openings: bool = False) -> Scan:
    """Every record with the state after it, in order, each day's chain and end checked.

    Raises `JournalDamaged` at the first that was changed, is missing, or does not follow from the
    ones before it.
    """
    state: State | None = None
    for reader in span.readers():
        with ExitStack() as stack:
            openings = None
            if with_openings:
                beside = openings_path(reader.path)
                openings = stack.enter_context(closing(Openings(beside, missing_is_damage=False)))
            for row, record, after in replayed(
                reader.path, reader.rows(), Decoded(openings), state
            ):
                state = after
                yield row, record, after


# -- what happened --


def rounds(
    folder: Path, first: str = "", last: str = "", on_progress: OnProgress | None = None
) -> Iterator[RoundLine]:
    """Every round of a span of days as the record has it by now, the one in play last.

    A round is listed once it can no longer be corrected or voided. Raises `JournalError`, after
    the rounds before the damage of a damaged record, or before what newer software wrote.
    """
    return rounds_of(state for _, _, state in scan(Span(folder, first, last, on_progress)))


def rounds_of(states: Iterable[State], *, recalled: bool = False) -> Iterator[RoundLine]:
    """The same of the states after each record of a span.

    `recalled`: with those of the days before that the span can still correct.
    """
    latest: State | None = None
    played_before: int | None = 0 if recalled else None
    try:
        for state in states:
            if played_before is None:
                played_before = state.counts.rounds
            if latest is not None and state.rounds.past is not latest.rounds.past:
                recent = {each.number for each in state.rounds.past}
                for each in latest.rounds.past:
                    if each.number not in recent and each.number > played_before:
                        yield round_line(each, latest)
            latest = state
    except (JournalDamaged, RecordOfAnotherBuild):
        yield from _recalled(latest, played_before)
        raise
    else:
        yield from _recalled(latest, played_before)
        if latest is not None and (line := _in_play(latest)):
            yield line


def _recalled(state: State | None, after: int | None) -> Iterator[RoundLine]:
    """The rounds that the state recalls, those of the days before the span left out."""
    if state is None:
        return iter(())
    return (round_line(each, state) for each in state.rounds.past if each.number > (after or 0))


def round_line(past: RecordedRound, state: State) -> RoundLine:
    """A round as `state` has it."""
    return RoundLine(
        past.number, past.shoe, past.started_ms, past.ended_ms, past.net, past.void,
        past.dummy, round_badges(past, state.rounds.pictures), zone_of(state),
    )  # fmt: skip


def _in_play(state: State) -> RoundLine | None:
    return round_line(state.in_play, state) if state.in_play else None


def zone_of(state: State) -> str:
    """The table's own time zone (IANA), UTC at a table without a calendar."""
    return state.day.schedule.zone if state.day else "UTC"
