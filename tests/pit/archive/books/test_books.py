"""The books of a table say what its own pages say, whoever keeps them and however often."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.entries import BooksOvertaken
from controller.pit.archive.books.rack_rows import rack_rows
from controller.pit.archive.books.win import wins
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import open_database
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.facts import CardDealt, CardDealtDown, CardTurned, Record, RoundEnded
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.queries.win import win_of
from controller.table.views.english import say
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.records.dealing import two_days
from tests.support.dealt.days import CalendarPit
from tests.support.forms import quick_first
from tests.table.money.cage import chips, rack_table, sign

GAME = "21-24-27"


@pytest.fixture(scope="module")
def played() -> CalendarPit:
    return two_days(GAME)


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        yield Archived(engine)


def everything(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the books."""
    with engine.connect() as connection:
        return {
            each.name: sorted(map(tuple, connection.execute(select(each)).all()), key=repr)
            for each in b.BOOKS
        }


def test_what_shifts_of_the_rack_won_is_what_the_table_says(
    archive: Archived, played: CalendarPit
) -> None:
    archive.add("T1", played.records)
    archive.keep()
    with archive.engine.connect() as connection:
        rack = rack_rows(connection, "T1")
        assert rack_rows(connection, "T2") is None
    assert rack is not None
    money = played.state.money
    found = list(wins(rack))
    assert [row["number"] for row, _ in found] == [each.number for each in money.shifts] == [1, 2]
    for (_, mine), shift in zip(found, money.shifts, strict=True):
        theirs = win_of(money, (shift,), played.state.counts.rounds, say)
        # The words are each reader's own.
        assert len(mine.missing) == len(theirs.missing)
        assert replace(mine, missing=()) == replace(theirs, missing=())
    assert found[0][1].closer, "it was closed"
    kinds = {"opener", "fill", "buy_in", "box", "closer", "count"}
    assert {each["kind"] for each in rack.slips} == kinds
    assert [each["void_reason"] for each in rack.slips if each["void_ms"]] == ["never came"]


@pytest.mark.parametrize("kept_between", [False, True])
def test_boxes_that_were_put_after_a_closer_that_is_void_are_of_its_shift(
    archive: Archived, kept_between: bool
) -> None:
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    sign(pit, i.CloseRack(chips(30, 34, 30), box="A8"))
    sign(pit, i.ChangeBox("A9"))
    before = len(pit.records)
    sign(pit, i.VoidSlip(2, "counted wrong"))
    archive.add("T1", pit.records[:before])
    if kept_between:
        archive.keep()
    archive.add("T1", pit.records, first=before + 1)
    archive.keep()
    with archive.engine.connect() as connection:
        rack = rack_rows(connection, "T1")
    assert rack is not None
    money = pit.state.money
    theirs = [each.since for each in money.shifts[0].slips]
    assert [each["since"] for each in rack.slips] == theirs == [0, 0, 0, 1]
    assert (rack.box, rack.box_since) == (money.box, money.box_since) == ("A9", 1)
    assert [row["closed_ms"] for row in rack.shifts] == [None]


@pytest.mark.parametrize("game", quick_first(sorted(GAMES), ["finnish-27", "seven-twenty-seven"]))
def test_figures_are_those_of_the_record(archive: Archived, game: str) -> None:
    records = two_days(game).records
    archive.add("T1", records)
    archive.keep()
    ended = [each.fact for each in records if isinstance(each.fact, RoundEnded)]
    with archive.engine.connect() as connection:
        columns = (b.TALLIES.c[name] for name in ("rounds", "dummies", "cards", "by_hand", "void"))
        sums = connection.execute(select(*map(func.sum, columns))).one()
        reads = connection.execute(
            select(*(func.sum(b.READS.c[name]) for name in ("cards", "by_hand")))
        ).one()
        shown = {each[0] for each in connection.execute(select(b.ROUND_CARDS.c.card))}
    rounds, dummies, cards, by_hand, void = map(int, sums)
    assert rounds + dummies == len(ended)
    assert void == 1
    finished = records[: records.index(last_end(records)) + 1]
    dealt = [it.fact for it in finished if isinstance(it.fact, CardDealt | CardDealtDown)]
    assert cards == len(dealt) == sum(map(int, reads))
    assert by_hand == sum(each.source == ENTERED_BY_HAND for each in dealt) == int(reads[1])
    open_cards = [it.fact for it in finished if isinstance(it.fact, CardDealt | CardTurned)]
    assert shown >= {each.card.code for each in open_cards}


def last_end(records: list[Record]) -> Record:
    """After this record the books were written: later a round was in play."""
    return [each for each in records if type(each.fact).__name__ in ("RoundEnded", "RoundVoided")][
        -1
    ]


def test_books_that_are_cut_off_anywhere_are_kept_once(tmp_path: Path, played: CalendarPit) -> None:
    whole = Archived(open_database(f"sqlite:///{tmp_path / 'whole.db'}"))
    whole.add("T1", played.records)
    whole.keep()
    parts = Archived(open_database(f"sqlite:///{tmp_path / 'parts.db'}"))
    steps = [*range(1, len(played.records), 37), len(played.records) + 1]
    for first, after in pairwise(steps):
        parts.add("T1", played.records, first, after - 1)
        parts.follower = parts.another()  # nothing is known but what was written
        parts.keep()
    assert everything(parts.engine) == everything(whole.engine)
    assert everything(whole.engine)["tallies"]
    # Books of another form are made again.
    with whole.engine.begin() as connection:
        connection.execute(update(b.FOLLOWED).values(form=0))
    before = everything(whole.engine)
    whole.follower = whole.another()
    whole.keep()
    assert everything(whole.engine) == before
    for each in (whole, parts):
        each.engine.dispose()


def test_of_two_that_keep_the_same_books_one_counts(archive: Archived, played: CalendarPit) -> None:
    half = len(played.records) // 2
    archive.add("T1", played.records, 1, half)
    archive.keep()
    other = archive.another()
    assert other.follow() >= 0  # it reads where they are
    archive.add("T1", played.records, half + 1)
    archive.keep()
    before = everything(archive.engine)
    with pytest.raises(BooksOvertaken):
        other.follow()
    while other.follow():  # and reads it anew
        pass
    assert everything(archive.engine) == before


def test_books_of_many_tables_are_written_together_or_not_at_all(
    archive: Archived, played: CalendarPit
) -> None:
    half = len(played.records) // 2
    names = [f"T{number}" for number in range(1, 6)]
    for name in names:
        archive.add(name, played.records, 1, half)
    archive.keep()
    other = archive.another()
    assert other.follow() >= 0  # it reads where they are
    archive.add("T3", played.records, half + 1)
    archive.keep()
    before = everything(archive.engine)
    for name in names:
        if name != "T3":
            archive.add(name, played.records, half + 1)
    with archive.engine.begin() as connection:
        # As another pit would leave it that keeps T3 alone.
        table = s.TABLES
        connection.execute(update(table).where(table.c.name == "T3").values(seq=table.c.seq + 1))
    with pytest.raises(BooksOvertaken):
        other.follow()
    assert everything(archive.engine) == before
    while other.follow():
        pass
    of_tables = everything(archive.engine)["tallies"]
    assert {row[2:] for row in of_tables if row[1] == 1} == {
        row[2:] for row in of_tables if row[1] == 5
    }
    with archive.engine.connect() as connection:
        rounds = connection.execute(
            select(b.TALLIES.c.table_id, func.sum(b.TALLIES.c.rounds)).group_by(
                b.TALLIES.c.table_id
            )
        ).all()
    assert len({int(each[1]) for each in rounds}) == 1, "of no table was anything counted twice"
