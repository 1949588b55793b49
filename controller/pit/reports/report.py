"""A report: what happened at the tables in a span of gaming days. Blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine, func, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.schema import TABLES
from controller.pit.reports.asked import BadSpan, By, ReportSpan
from controller.pit.reports.dealers import dealers
from controller.pit.reports.lines import lines
from controller.pit.reports.racks import handovers, racks
from controller.pit.reports.sections import ReportSection
from controller.pit.reports.shoes import leak_test, reads, shoes
from controller.pit.reports.stops import holds_and_answers

#: The parts of a report, by the name of their files.
SECTIONS: Final = (
    "money", "pace", "errors", "dealers", "racks", "holds", "answers", "reads", "shoes", "test",
    "handovers",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BookDays:
    """The first and the last gaming day that the books have, empty where they have none."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Report:
    """What happened in a span; `nothing` says in words that it has no data, empty where it has."""

    span: ReportSpan
    by: By
    nothing: str
    sections: tuple[ReportSection, ...]


def days_of(engine: Engine) -> BookDays:
    """Which days the books have. Raises `sqlalchemy.exc.DBAPIError`."""
    with engine.connect().execution_options(reads_only=True) as connection:
        return _days(connection)


def _days(connection: Connection) -> BookDays:
    # Each by itself is one look into the index.
    first = connection.scalar(select(func.min(b.TALLIES.c.day)))
    last = connection.scalar(select(func.max(b.TALLIES.c.day)))
    return BookDays(first or "", last or "")


def report(engine: Engine, span: ReportSpan, by: By, target: Mapping[str, float]) -> Report:
    """Everything of a span. Raises `sqlalchemy.exc.DBAPIError`."""
    with engine.connect().execution_options(reads_only=True) as connection:
        found = (
            *lines(connection, span, by, target), dealers(connection, span),
            racks(connection, span),
            *holds_and_answers(connection, span), reads(connection, span),
            shoes(connection, span), leak_test(connection, span), handovers(connection, span),
        )  # fmt: skip
        nothing = "" if found[0].rows else _nothing(connection, span)
    return Report(span, by, nothing, found)


def section(
    engine: Engine, name: str, span: ReportSpan, by: By, target: Mapping[str, float]
) -> ReportSection:
    """One part of a report. Raises `BadSpan` for a name of none, `DBAPIError`."""
    makers: dict[str, Callable[[Connection], ReportSection]] = {
        "money": lambda connection: lines(connection, span, by, target)[0],
        "pace": lambda connection: lines(connection, span, by, target)[1],
        "errors": lambda connection: lines(connection, span, by, target)[2],
        "dealers": lambda connection: dealers(connection, span),
        "racks": lambda connection: racks(connection, span),
        "holds": lambda connection: holds_and_answers(connection, span)[0],
        "answers": lambda connection: holds_and_answers(connection, span)[1],
        "reads": lambda connection: reads(connection, span),
        "shoes": lambda connection: shoes(connection, span),
        "test": lambda connection: leak_test(connection, span),
        "handovers": lambda connection: handovers(connection, span),
    }
    if name not in makers:
        raise BadSpan(f"{name[:40]!r} is no part of a report: use one of {', '.join(SECTIONS)}")
    with engine.connect().execution_options(reads_only=True) as connection:
        return makers[name](connection)


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
