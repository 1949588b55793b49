"""What becomes known of a shift or a day after it was told is told, and nothing is told wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, update

from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.archive.books import schema as b
from controller.pit.archive.storage import schema as s
from controller.pit.reports.asked import By, ReportSpan
from controller.pit.reports.handover.handover import LATE_MS, draft, give, take
from controller.pit.reports.report.lines import lines
from controller.pit.reports.report.report import report
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.databases import KINDS, database_of
from tests.pit.reports.conftest import PlayedPit
from tests.support.dealt.journals import records

HOUR_MS = 3_600_000
NOW_MS = 1_795_000_000_000
FIA = Identity(1, "Fia", frozenset({PitRole.FLOOR}))
BO = Identity(2, "Bo", frozenset({PitRole.PIT_BOSS}))


@pytest.fixture(params=KINDS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archived]:
    """A table of which little is archived."""
    with database_of(request.param, tmp_path) as engine:
        made = Archived(engine)
        made.add("T1", records(7, 3))
        made.keep()
        yield made


def hold(engine: Engine, number: int, began_ms: int, answer: str = "") -> None:
    with engine.begin() as connection:
        connection.execute(
            insert(b.STOPS).values(
                table_id=1, number=number, seq=100 + number, day="2026-11-28", shift=1,
                game="blackjack", dealer="", round=9, reason="payout", source="", pack="",
                error=False, began_ms=began_ms, answered_by="[]", answer=answer,
            )
        )  # fmt: skip


def slip(engine: Engine, number: int, at_ms: int, **of: object) -> None:
    values = {
        "table_id": 1, "slip": number, "seq": 200 + number, "shift": 1, "kind": "fill",
        "at_ms": at_ms, "amount": 50_000, "chips": "[]", "box": "", "placed": "", "since": 0,
        "taken": 0, "rolled": False, "signed": "[]", "void_reason": "", "void_by": "[]",
        "currency": "EUR", "day": "2026-11-27", "game": "blackjack", "dealer": "", "seat": 0, **of,
    }  # fmt: skip
    with engine.begin() as connection:
        connection.execute(insert(b.SLIPS).values(values))


def handed_over(engine: Engine, now_ms: int) -> list[str]:
    """A handover, signed by both; what it told as disputed."""
    number = give(engine, FIA, "", now_ms, "192.0.2.7")
    take(engine, BO, number, now_ms + 1, "192.0.2.7")
    return [each.what for each in draft(engine, now_ms + 2).newest[0].shown.disputed]


def test_what_is_known_after_a_handover_was_signed_is_in_the_next(archive: Archived) -> None:
    engine = archive.engine
    hold(engine, 1, NOW_MS - HOUR_MS)
    hold(engine, 2, NOW_MS - HOUR_MS, "paid")
    slip(engine, 1, NOW_MS - HOUR_MS)
    assert sorted(handed_over(engine, NOW_MS)) == [
        "hold 1, payout: not answered", "hold 2, payout: paid"
    ]  # fmt: skip
    # The table was cut off, the hold is answered, and the slip was a mistake.
    hold(engine, 3, NOW_MS - HOUR_MS, "paid")
    with engine.begin() as connection:
        connection.execute(update(b.STOPS).where(b.STOPS.c.number == 1).values(answer="refused"))
        void = {"void_ms": NOW_MS + HOUR_MS, "void_reason": "twice"}
        connection.execute(update(b.SLIPS).values(void))
    late = [
        "hold 1, payout: refused", "hold 3, payout: paid", "slip 1 (fill) does not hold: twice"
    ]  # fmt: skip
    assert sorted(handed_over(engine, NOW_MS + 8 * HOUR_MS)) == late
    assert handed_over(engine, NOW_MS + 16 * HOUR_MS) == []
    assert handed_over(engine, NOW_MS + LATE_MS + 17 * HOUR_MS) == []


def test_what_was_before_the_first_handover_is_nobodys(archive: Archived) -> None:
    hold(archive.engine, 1, NOW_MS - 100 * HOUR_MS)
    assert handed_over(archive.engine, NOW_MS) == []
    assert handed_over(archive.engine, NOW_MS + 8 * HOUR_MS) == []


@pytest.mark.parametrize(
    ("by", "first", "last", "whole"),
    [
        (By.DAY, "2026-11-27", "2026-11-28", False),
        (By.TABLE, "2026-11-27", "2026-11-28", True),
        (By.TABLE, "2026-11-27", "2026-11-27", False),
        (By.SHIFT, "2026-11-27", "2026-11-27", False),
        (By.SHIFT, "2026-11-27", "2026-11-28", True),
    ],
)
def test_a_rack_that_stays_open_over_the_end_of_a_day_has_no_hold_by_days(
    archive: Archived, by: By, first: str, last: str, *, whole: bool
) -> None:
    counted = {"rounds": 5, "wagered": 100_000, "net": -8_000}
    figures = {
        **{each.name: 0 for each in b.TALLIES.columns if not each.primary_key}, **counted
    }  # fmt: skip
    shift = {
        "table_id": 1, "number": 1, "day": "2026-11-27", "games": '["blackjack"]',
        "currency": "EUR", "currencies": "[]", "opened_ms": NOW_MS,
        "closed_ms": NOW_MS + 1, "first_round": 1, "last_round": 9, "rounds": 9, "untracked": 0,
        "players_net": 0, "outside": 0, "unclosed": json.dumps(["2026-11-27"]),
    }  # fmt: skip
    slip(archive.engine, 1, NOW_MS, kind="box", box="A", placed="B")
    slip(archive.engine, 2, NOW_MS, kind="count", taken=1, amount=80_000)
    with archive.engine.begin() as connection:
        connection.execute(insert(b.RACK_SHIFTS).values(shift))
        for day in ("2026-11-27", "2026-11-28"):
            connection.execute(
                insert(b.TALLIES).values(
                    day=day, table_id=1, quarter_ms=0, shift=1, game="blackjack", dealer="",
                    currency="EUR", **figures,
                )
            )  # fmt: skip
    with archive.engine.connect() as connection:
        money = lines(connection, ReportSpan(first, last), by, {})[0]
    (row, *_) = money.rows
    of = dict(zip((each.name for each in money.columns), row, strict=True))
    assert of["drop"] == 80_000
    assert of["hold"] == (pytest.approx(20) if whole else None)


def test_a_report_says_of_which_tables_the_books_are_behind(pit: PlayedPit) -> None:
    span = ReportSpan("2023-11-14", "2023-11-15")
    assert report(pit.known.engine, span, By.TABLE, {}).behind == ""
    with pit.known.engine.begin() as connection:
        connection.execute(update(b.FOLLOWED).values(form=1))  # as other software kept them
    behind = report(pit.known.engine, span, By.TABLE, {}).behind
    assert behind.startswith("Not all that is archived of T1 is in these figures yet")
    with pit.known.engine.begin() as connection:
        connection.execute(update(s.TABLES).values(seq=0))
    assert report(pit.known.engine, span, By.TABLE, {}).behind == ""
