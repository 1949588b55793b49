"""No question to SQLite looks through all rounds of a table, or of the pit, for a few of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import event

from controller.pit.archive.books import schema as b
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import open_database
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.chips import table_chips
from controller.pit.reports.handover.handover import draft
from controller.pit.reports.report.report import report
from controller.pit.reports.search.lead import RoundSearch
from controller.pit.reports.search.search import find_rounds
from tests.pit.archive.books.archived import Archived
from tests.records.dealing import two_days

#: By the table alone, or by nothing at all; of holds those that are open have an index alone.
WHOLE = re.compile(
    r"SEARCH (\w+) USING (?:COVERING )?(?:PRIMARY KEY|INDEX \w+) \(table_id=\?\)"
    r"|SCAN (\w+)(?! USING INDEX holds_open)\b"
)
LARGE = {each.name for each in (
    s.RECORDS, s.ROUNDS, s.HANDS, s.MONEY, s.PEOPLE, s.HOLDS, b.STOPS, b.ROUND_CARDS,
    b.ROUND_AMOUNTS, b.SHOES,
)}  # fmt: skip
ASKED: dict[str, Callable[[Archived], object]] = {
    "seat": lambda it: find_rounds(it.engine, RoundSearch(seat=1)),
    "card and seat": lambda it: find_rounds(it.engine, RoundSearch(cards=("7h",), seat=1)),
    "rank": lambda it: find_rounds(it.engine, RoundSearch(cards=("Qc", "Qd", "Qh", "Qs"))),
    "rank and amount": lambda it: find_rounds(
        it.engine, RoundSearch(cards=("Qc", "Qd", "Qh", "Qs"), amount=1_000)
    ),
    "card, amount, dealer": lambda it: find_rounds(
        it.engine, RoundSearch(cards=("As",), amount=1_000, dealer="d1")
    ),
    "reason": lambda it: find_rounds(it.engine, RoundSearch(reason="floor")),
    "number": lambda it: find_rounds(it.engine, RoundSearch(number=2)),
    "report": lambda it: report(it.engine, ReportSpan("2023-11-14", "2023-11-14"), By.TABLE, {}),
    "handover": lambda it: draft(it.engine, 1_700_000_000_000),
    "the archive": lambda it: it.add("T2", two_days("21-24-27").records),
    "books": Archived.keep,
    "chips": lambda it: table_chips(it.engine, "T1"),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archived]:
    engine = open_database(f"sqlite:///{tmp_path_factory.mktemp('plans') / 'archive.db'}")
    # As many as are ever used at once: no test is the first to open one, which stays in the pool.
    with engine.connect(), engine.connect():
        archive = Archived(engine)
    archive.add("T1", two_days("21-24-27").records)
    yield archive
    engine.dispose()


@pytest.fixture
def plans(archive: Archived) -> Iterator[dict[str, str]]:
    """The steps of each statement that is put to the database."""
    found: dict[str, str] = {}

    def look(_: object, cursor: Any, statement: str, values: Any, __: object, many: bool) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")) and statement not in found:
            explained = cursor.connection.execute(
                f"EXPLAIN QUERY PLAN {statement}", values[0] if many else values
            )
            found[statement] = "\n".join(row[3] for row in explained)

    event.listen(archive.engine, "before_cursor_execute", look)
    yield found
    event.remove(archive.engine, "before_cursor_execute", look)


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_few_is_found_by_an_index(
    archive: Archived, plans: dict[str, str], asked: str
) -> None:
    ASKED[asked](archive)
    assert plans
    for statement, plan in plans.items():
        if statement.startswith("DELETE"):
            continue  # all of a table's books, before they are made anew
        for found in WHOLE.finditer(plan):
            assert LARGE.isdisjoint(found.groups()), f"{statement}\n{plan}"
    if asked == "handover":
        every = "\n".join(plans.values())
        assert {"holds_open", "rounds_put_right", "slips_taken"} <= set(
            re.findall(r"INDEX (\w+)", every)
        )
