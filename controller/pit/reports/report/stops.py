"""Holds by their reasons, and who answered them how soon. Blocks."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import Final

from sqlalchemy import Connection, select

from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.books import schema as b
from controller.pit.archive.storage.schema import TABLES
from controller.pit.reports.asked import ReportSpan
from controller.pit.reports.people import people
from controller.pit.reports.report.sections import ColumnKind, ReportColumn, ReportSection, columns

_REASONS: Final = (
    ReportColumn("reason", "Reason", ColumnKind.TEXT),
    ReportColumn("holds", "Holds", ColumnKind.COUNT, bar=True),
    *columns(
        ("open", "Open", ColumnKind.COUNT),
        ("answered_s", "Answered after (median)", ColumnKind.SECONDS),
        ("longest_s", "Longest answer", ColumnKind.SECONDS),
        ("held_s", "Held in all", ColumnKind.SECONDS),
        ("is_dealer_error", "Dealer's error", ColumnKind.YES_NO),
    ),
)
_PEOPLE: Final = columns(
    ("person", "Answered by", ColumnKind.TEXT),
    ("holds", "Holds", ColumnKind.COUNT),
    ("answered_s", "After (median)", ColumnKind.SECONDS),
    ("longest_s", "Longest", ColumnKind.SECONDS),
)
_NONE: Final = "No table was held."


def holds_and_answers(
    connection: Connection, span: ReportSpan
) -> tuple[ReportSection, ReportSection]:
    """Holds that began in the span by reason, and by who answered them."""
    s = b.STOPS.c
    query = (
        select(s.reason, s.error, s.began_ms, s.answered_ms, s.answered_by, s.released_ms)
        .join(TABLES, TABLES.c.id == s.table_id)
        .where(s.day >= span.first, s.day <= span.last)
    )
    if span.table:
        query = query.where(TABLES.c.name == span.table)
    by_reason: dict[str, list[tuple[float | None, float | None, bool]]] = defaultdict(list)
    by_person: dict[str, list[float]] = defaultdict(list)
    names = names_on_records(connection)
    for reason, error, began_ms, answered_ms, answered_by, released_ms in connection.execute(query):
        answered = None if answered_ms is None else max(0, answered_ms - began_ms) / 1_000
        held = None if released_ms is None else max(0, released_ms - began_ms) / 1_000
        by_reason[reason].append((answered, held, error))
        if answered is not None:
            for each in people(answered_by, names) or ("nobody who signed",):
                by_person[each].append(answered)
    reasons = []
    for reason, found in sorted(by_reason.items(), key=lambda item: (-len(item[1]), item[0])):
        answers = [each[0] for each in found if each[0] is not None]
        ended = [each[1] for each in found if each[1] is not None]
        reasons.append((
            reason.replace("_", " "), len(found), len(found) - len(ended),
            median(answers) if answers else None, max(answers, default=None), sum(ended),
            found[0][2],
        ))  # fmt: skip
    answers_of = [
        (person, len(found), median(found), max(found))
        for person, found in sorted(by_person.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return (
        ReportSection(
            "holds", "Holds by reason", "A hold is answered when people say how it is settled.",
            _REASONS, tuple(reasons), _NONE,
        ),
        ReportSection(
            "answers", "Time to answer by person",
            "A hold that two people signed counts for both.", _PEOPLE, tuple(answers_of), _NONE,
        ),
    )  # fmt: skip
