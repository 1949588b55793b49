"""Reads by table, pack and scanner; shoes that were added up; the sequential test. Blocks."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Select, func, select

from controller.odds.live.leak_watch import ALARM
from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FoldState
from controller.pit.archive.storage.schema import TABLES
from controller.pit.reports.asked import ReportSpan
from controller.pit.reports.people import person_words
from controller.pit.reports.report.sections import ColumnKind, ReportSection, columns

_READS: Final = columns(
    ("table", "Table", ColumnKind.TEXT),
    ("pack", "Pack", ColumnKind.TEXT),
    ("scanner", "Scanner", ColumnKind.TEXT),
    ("cards", "Cards", ColumnKind.COUNT),
    ("misreads", "Misreads", ColumnKind.COUNT),
    ("misreads_per_1000", "per 1,000", ColumnKind.RATE),
    ("by_hand", "By hand", ColumnKind.COUNT),
    ("by_hand_per_1000", "per 1,000", ColumnKind.RATE),
)
_SHOES: Final = columns(
    ("table", "Table", ColumnKind.TEXT),
    ("shoe", "Shoe", ColumnKind.COUNT),
    ("at", "At", ColumnKind.TIME),
    ("pack", "Pack", ColumnKind.TEXT),
    ("verdict", "Verdict", ColumnKind.TEXT),
    ("clean", "As the house wants it", ColumnKind.YES_NO),
    ("scanned", "Scanned", ColumnKind.YES_NO),
    ("left", "Cards left", ColumnKind.COUNT),
    ("missing", "Missing", ColumnKind.COUNT),
    ("unread", "Unread", ColumnKind.COUNT),
    ("too_many", "Too many", ColumnKind.TEXT),
    ("too_few", "Too few", ColumnKind.TEXT),
)
_TEST: Final = columns(
    ("table", "Table", ColumnKind.TEXT),
    ("rounds", "Rounds since the last warning", ColumnKind.COUNT),
    ("level", "Of what warns", ColumnKind.PER_CENT),
    ("warned_at", "Warned at", ColumnKind.TIME),
    ("round", "After round", ColumnKind.COUNT),
    ("dealer", "Whose rounds say most", ColumnKind.TEXT),
    ("for_players", "Players win too much", ColumnKind.YES_NO),
)
#: Shoes are listed this far, those that are not clean first.
MOST_SHOES: Final = 500


def _in_span(query: Select[Any], table: Any, span: ReportSpan) -> Select[Any]:
    query = query.join(TABLES, TABLES.c.id == table.table_id).where(
        table.day >= span.first, table.day <= span.last
    )
    return query.where(TABLES.c.name == span.table) if span.table else query


def reads(connection: Connection, span: ReportSpan) -> ReportSection:
    """Misreads and entries by hand."""
    r = b.READS.c
    sums = [func.sum(r[name]) for name in ("cards", "misreads", "by_hand")]
    query = _in_span(select(TABLES.c.name, r.pack, r.source, *sums), r, span)
    query = query.group_by(TABLES.c.name, r.pack, r.source).order_by(
        TABLES.c.name, r.pack, r.source
    )
    rows = []
    for table, pack, source, *found in connection.execute(query):
        cards, misreads, by_hand = map(int, found)
        read = cards + by_hand
        rows.append((
            table, pack or "not named", source or "none", cards, misreads,
            1_000 * misreads / read if read else None, by_hand,
            1_000 * by_hand / read if read else None,
        ))  # fmt: skip
    about = (
        "A misread is a card that its reader could not tell, told wrong, or did not see leave the"
        " shoe. What is entered by hand counts for the scanner that read before it."
    )
    return ReportSection(
        "reads", "Misreads and entries by hand", about, _READS, tuple(rows), "No card was dealt."
    )


def shoes(connection: Connection, span: ReportSpan) -> ReportSection:
    """How shoes added up."""
    s = b.SHOES.c
    query = _in_span(select(TABLES.c.name, b.SHOES), s, span)
    query = query.order_by(s.clean, s.at_ms.desc()).limit(MOST_SHOES)
    rows = tuple(
        (row["name"], row["number"], row["at_ms"], row["pack"] or "not named", row["verdict"],
         row["clean"], row["scanned"], row["cards_left"], row["missing"], row["unread"],
         _cards(row["many"]), _cards(row["few"]))
        for row in connection.execute(query).mappings()
    )  # fmt: skip
    about = f"Those that the house looks into first; {MOST_SHOES} at most."
    return ReportSection(
        "shoes", "Shoes added up", about, _SHOES, rows,
        "No shoe was added up: a table does where [shoe] reconcile says so.",
    )  # fmt: skip


def _cards(text: str) -> str:
    return ", ".join(f"{card} by {count}" for card, count in json.loads(text))


def leak_test(connection: Connection, span: ReportSpan) -> ReportSection:
    """Where the sequential test stands now, and its warnings of the span."""
    standing = select(TABLES.c.name, b.FOLLOWED.c.kept).join(
        TABLES, TABLES.c.id == b.FOLLOWED.c.table_id
    )
    if span.table:
        standing = standing.where(TABLES.c.name == span.table)
    rows: list[tuple[Any, ...]] = []
    tables = 0
    for table, fold_json in connection.execute(standing.order_by(TABLES.c.name)):
        watch = msgspec.json.decode(fold_json, type=FoldState).watch
        if watch.rounds:
            tables += 1
            level = 100 * watch.level / ALARM
            rows.append((table, watch.rounds, level, None, None, None, None))
    rows.sort(key=lambda each: -each[2])
    k = b.LEAKS.c
    names = names_on_records(connection)
    warned = _in_span(select(TABLES.c.name, b.LEAKS), k, span).order_by(k.at_ms.desc())
    rows = [
        (row["name"], None, None, row["at_ms"], row["round"],
         person_words(row["dealer"], names) if row["dealer"] else "all", row["for_players"])
        for row in connection.execute(warned).mappings()
    ] + rows  # fmt: skip
    about = (
        "One sequential test a table, of every round against what it was worth by the plays that"
        f" were made. While a table is fair, {ALARM:,.0f} of its rounds lie between two false"
        " alarms on average (ten years at a round a minute), however often somebody looks"
    )
    if tables > 1:
        about += f"; of these {tables} tables together, a false alarm in {ALARM / tables:,.0f}"
    return ReportSection(
        "test", "Luck or leak", f"{about}.", _TEST, tuple(rows),
        "No round could be held against an expectation.",
    )  # fmt: skip
