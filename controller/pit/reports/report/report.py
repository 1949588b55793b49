"""A report: what happened at the tables in a span of gaming days. Blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
from sqlalchemy import Connection, Engine, func, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FORM, FoldState
from controller.pit.archive.storage.schema import TABLES
from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.reports.asked import BadSpan, By, ReportSpan
from controller.pit.reports.report.dealers import dealers
from controller.pit.reports.report.lines import lines
from controller.pit.reports.report.racks import handovers, racks
from controller.pit.reports.report.sections import ReportSection
from controller.pit.reports.report.shoes import leak_test, reads, shoes
from controller.pit.reports.report.stops import holds_and_answers

#: The parts of a report, by the name of their files.
SECTIONS: Final = (
    "money", "pace", "errors", "dealers", "racks", "holds", "answers", "reads", "shoes", "test",
    "handovers",
)  # fmt: skip
#: Books of a table that goes on are behind by the round that is in play, and some seconds.
BEHIND_MS: Final = 10 * 60_000
#: Names of tables that a sentence lists.
_NAMED: Final = 6


@dataclass(frozen=True, slots=True)
class BookDays:
    """The first and the last gaming day that the books have, empty where they have none."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Report:
    """What happened in a span; `nothing` says in words that it has no data, empty where it has.

    `behind` says of which tables something of the span is not counted yet, empty: of none.
    """

    span: ReportSpan
    by: By
    nothing: str
    sections: tuple[ReportSection, ...]
    behind: str = ""


def days_of(engine: Engine) -> BookDays:
    """Which days the books have: a table without a calendar has none, and hides none of others.

    Raises `sqlalchemy.exc.DBAPIError`.
    """
    with engine.connect().execution_options(reads_only=True) as connection:
        return _days(connection)


def _days(connection: Connection) -> BookDays:
    # Each by itself is one look into the index.
    first = connection.scalar(select(func.min(b.TALLIES.c.day)).where(b.TALLIES.c.day > ""))
    last = connection.scalar(select(func.max(b.TALLIES.c.day)))
    return BookDays(first or "", last or "")


def report(
    engine: Engine, span: ReportSpan, by: By, target: Mapping[str, float],
    house: HouseTime = UTC_HOUSE,
) -> Report:  # fmt: skip
    """Everything of a span; handovers by the days of `house`, hours by its clocks.

    Raises `sqlalchemy.exc.DBAPIError`.
    """
    with engine.connect().execution_options(reads_only=True) as connection:
        found = (
            *lines(connection, span, by, target, house), dealers(connection, span),
            racks(connection, span),
            *holds_and_answers(connection, span), reads(connection, span),
            shoes(connection, span), leak_test(connection, span),
            handovers(connection, span, house),
        )  # fmt: skip
        nothing = "" if found[0].rows else _nothing(connection, span)
        behind = _behind(connection, span)
    return Report(span, by, nothing, found, behind)


def section(
    engine: Engine, name: str, span: ReportSpan, by: By, target: Mapping[str, float],
    house: HouseTime = UTC_HOUSE,
) -> ReportSection:  # fmt: skip
    """One part of a report. Raises `BadSpan` for a name of none, `DBAPIError`."""
    makers: dict[str, Callable[[Connection], ReportSection]] = {
        "money": lambda connection: lines(connection, span, by, target, house)[0],
        "pace": lambda connection: lines(connection, span, by, target, house)[1],
        "errors": lambda connection: lines(connection, span, by, target, house)[2],
        "dealers": lambda connection: dealers(connection, span),
        "racks": lambda connection: racks(connection, span),
        "holds": lambda connection: holds_and_answers(connection, span)[0],
        "answers": lambda connection: holds_and_answers(connection, span)[1],
        "reads": lambda connection: reads(connection, span),
        "shoes": lambda connection: shoes(connection, span),
        "test": lambda connection: leak_test(connection, span),
        "handovers": lambda connection: handovers(connection, span, house),
    }
    if name not in makers:
        raise BadSpan(f"{name[:40]!r} is no part of a report: use one of {', '.join(SECTIONS)}")
    with engine.connect().execution_options(reads_only=True) as connection:
        return makers[name](connection)


def _behind(connection: Connection, span: ReportSpan) -> str:
    """Tables whose books end before the span does, and before their records: they are made anew, by
    other software say, or stand.
    """
    of, to = TABLES.c, b.FOLLOWED.c
    query = select(of.name, of.at_ms, of.seq, to.form, to.at_ms, to.seq, to.kept).select_from(
        TABLES.outerjoin(b.FOLLOWED, to.table_id == of.id)
    )
    if span.table:
        query = query.where(of.name == span.table)
    found = []
    for name, at_ms, seq, form, kept_ms, kept_seq, kept in connection.execute(query):
        is_kept = form == FORM
        if not seq or (is_kept and (seq == kept_seq or at_ms - kept_ms <= BEHIND_MS)):
            continue
        if not is_kept or msgspec.json.decode(kept, type=FoldState).day <= span.last:
            found.append(name)
    if not found:
        return ""
    names = ", ".join(sorted(found)[:_NAMED])
    names += f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return (
        f"Not all that is archived of {names} is in these figures yet: their books are being kept,"
        " or stand, which the page of records says."
    )


def _nothing(connection: Connection, span: ReportSpan) -> str:
    if span.table and not connection.scalar(
        select(func.count()).select_from(TABLES).where(TABLES.c.name == span.table)
    ):
        return f"The archive has no table {span.table}: look at its name."
    days = _days(connection)
    if not days.first:
        return "The books have no day yet: no round was archived."
    return (
        f"Nothing was played in {span.words}. The books have {days.first} to {days.last}; what the"
        " archive still waits for stands on the page of records."
    )
