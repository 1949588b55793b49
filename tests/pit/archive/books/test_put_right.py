"""A round that is put right later has other wagers and another theory, in the hour of that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import func, select

from controller.pit.archive.books import schema as b
from controller.record.reading.expected import Holders, Results
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.records.dealing import SEATS, corrected, square
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round

GAME = "21-24-27"
_SUMS = (
    "rounds", "wagered", "net", "held_rounds", "held_wagered", "held_net", "theory", "mistakes",
    "corrections", "void",
)  # fmt: skip


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    with database_of(request.param, tmp_path) as engine:
        yield Archived(engine)


def sums(archive: Archived) -> dict[str, int]:
    """The figures of all hours."""
    with archive.engine.connect() as connection:
        row = connection.execute(select(*(func.sum(b.TALLIES.c[each]) for each in _SUMS))).one()
    return {name: int(each) for name, each in zip(_SUMS, row, strict=True)}


def assert_as_the_table_says(archive: Archived, pit: CalendarPit) -> None:
    """Wagers, win and theory are those of its rounds as they stand now."""
    results, holders = Results(), Holders(archive.nowhere)
    for past in pit.state.rounds.past:
        if not past.void:
            results = results.after(past, "", holders.held(past))
    (theirs,) = results.lines.values()
    mine = sums(archive)
    assert (mine["net"], mine["held_net"]) == (theirs.net, theirs.net)
    assert (mine["wagered"], mine["held_wagered"]) == (theirs.wagered, theirs.wagered)
    # Each round's is rounded to a thousandth of a minor unit, before and after.
    rounded = 2 * (mine["corrections"] + mine["void"] + len(pit.state.rounds.past))
    assert abs(mine["theory"] + mine["mistakes"] + 1_000 * theirs.expected) <= rounded
    assert abs(mine["mistakes"] - 1_000 * theirs.cost) <= rounded


def keep(archive: Archived, pit: CalendarPit, first: int = 1) -> int:
    """Archive what came since, and keep the books; the number of the next record."""
    archive.add("T1", pit.records, first)
    archive.keep()
    return len(pit.records) + 1


def wager(pit: CalendarPit, number: int, amount: int) -> None:
    """It is found that another amount lay on the first spot of a round."""
    bets = (it.fact for it in pit.records if isinstance(it.fact, f.BetsClosed))
    seat = next(each.wagers[0][0] for each in bets if each.number == number)
    edit = i.EditAsked(seat, EditKind.WAGER, amount=amount)
    assert pit.give(i.Correct(number, (edit,), "another wager")).refused == ""
    square(pit)


def test_wagers_and_theory_follow_a_correction_and_another_and_a_void(archive: Archived) -> None:
    pit = CalendarPit(GAME, SEATS)
    croupier = Croupier(pit, Random(27))
    for _ in range(3):
        some_round(croupier)
    some_round(croupier)
    croupier.open_bets()
    after = keep(archive, pit)
    assert_as_the_table_says(archive, pit)
    before = sums(archive)

    pit.wait(7_200)
    wager(pit, 2, 5_000)
    after = keep(archive, pit, after)
    assert_as_the_table_says(archive, pit)
    assert sums(archive)["wagered"] != before["wagered"]
    wager(pit, 2, 7_000)  # what was put right is put right again
    corrected(pit, 3)  # and a card was misread
    after = keep(archive, pit, after)
    assert_as_the_table_says(archive, pit)
    assert sum(isinstance(it.fact, f.RoundCorrected) for it in pit.records) == 3

    pit.give(i.Happened(Reason.MISDEAL, 4))
    assert pit.resolve(Resolution.VOID).refused == ""
    square(pit)
    assert any(isinstance(it.fact, f.SettledRoundVoided) for it in pit.records)
    keep(archive, pit, after)
    assert_as_the_table_says(archive, pit)
    found = sums(archive)
    # They were dealt, and are of the hour in which they were; so is what they came to then.
    assert (found["rounds"], found["held_rounds"]) == (4, 4)
    assert (found["corrections"], found["void"]) == (3, 1)
    with archive.engine.connect() as connection:
        hour = b.TALLIES.c.quarter_ms // 3_600_000
        hours = connection.execute(
            select(func.sum(b.TALLIES.c.wagered), func.sum(b.TALLIES.c.net))
            .group_by(hour)
            .order_by(hour)
        ).all()
    assert tuple(map(int, hours[0])) == (before["wagered"], before["net"])
