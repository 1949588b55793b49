"""An archive that is filled for benchmarks is the one that its tables' records make."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Engine, select

from controller.odds.live.leak_watch import LeakWatch
from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FoldState
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import open_database
from controller.table import facts
from tests.bench.pit.filled import RARE, ArchiveFilling, fill
from tests.bench.pit.sitting import FACTS, MOVES, archive, sittings


def rows(engine: Engine, table: Any) -> set[tuple[Any, ...]]:
    with engine.connect() as connection:
        return {tuple(each) for each in connection.execute(select(table))}


def fold_states(engine: Engine) -> list[FoldState]:
    """What the books read the next records with, but for the sequential test."""
    with engine.connect() as connection:
        query = select(b.FOLLOWED.c.kept).order_by(b.FOLLOWED.c.table_id)
        states = [msgspec.json.decode(each, type=FoldState) for each in connection.scalars(query)]
    return [replace(each, watch=LeakWatch()) for each in states]


def test_every_slip_of_a_sitting_moves() -> None:
    slips = [each for each in vars(facts).values() if "slip" in getattr(each, "__slots__", ())]
    assert len(slips) == 7
    assert all(FACTS[each]["slip"] == "slip" for each in slips)


@pytest.mark.long
def test_filled_rows_are_those_of_the_records(tmp_path: Path) -> None:
    games = ["21-24-27", "blackjack", "casino-7-27", "finnish-27", "seven-twenty-seven"]
    played = sittings([(game, seed) for game in games for seed in (1,)])
    filled = ArchiveFilling(10, 5, played)
    made = open_database(f"sqlite:///{tmp_path / 'made.db'}")
    fill(made, filled)
    whole = open_database(f"sqlite:///{tmp_path / 'whole.db'}")
    archive(whole, {
        f"T{number + 1}": [
            record for sitting, place in filled.places(number)
            for record in place.records(sitting.records)
        ]
        for number in range(filled.tables)
    })  # fmt: skip
    for table in MOVES:
        mine, theirs = rows(made, table), rows(whole, table)
        if table is b.ROUND_CARDS:
            rare = {each for each in mine if each[0] == RARE}
            assert len(rare) == 3
            mine -= rare
        if table is b.SLIPS:
            # Before the first box there was none.
            at = [each.name for each in table.columns].index("since")
            mine, theirs = ({row[:at] + row[at + 1 :] for row in each} for each in (mine, theirs))
        assert mine == theirs, table.name
        assert mine or table is b.SHOES, table.name
    assert fold_states(made) == fold_states(whole)
    heads = [
        {row[:2] + row[3:4] + row[5:6] + row[7:] for row in rows(each, s.TABLES)}
        for each in (made, whole)
    ]
    assert heads[0] == heads[1]
    with made.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    made.dispose()
    whole.dispose()
