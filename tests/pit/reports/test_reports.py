"""Reports say what the record says, in every form; a span without data is said in words."""

from __future__ import annotations

import csv
import io
from collections import ChainMap, Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html import unescape
from zoneinfo import ZoneInfo

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from controller.odds.live.leak_watch import ALARM
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.archive.books.schema import TALLIES
from controller.pit.house_time import HouseTime
from controller.pit.reports.asked import BadSpan, By, ReportSpan, read_by, read_span
from controller.pit.reports.chips import table_chips
from controller.pit.reports.handover.handover import give, take
from controller.pit.reports.report.files import as_csv
from controller.pit.reports.report.lines import wilson
from controller.pit.reports.report.report import SECTIONS, BookDays, days_of, report, section
from controller.pit.reports.report.sections import ColumnKind, ReportSection, columns
from controller.record.reading.expected import Holders, Results
from controller.table import facts as f
from tests.pit.accounts.known import known_in
from tests.pit.reports.conftest import PlayedPit
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.support.dealt.days import CalendarPit, utc
from tests.support.dealt.journals import dealing
from tests.support.filmed import FilmedTable
from tests.support.forms import quick_first

pytestmark = pytest.mark.anyio

DAYS = ReportSpan("2023-11-14", "2023-11-15")
PACE = {"21-24-27": 55.0}
KATHMANDU = HouseTime("Asia/Kathmandu")


def of(
    pit: PlayedPit, name: str, by: By = By.TABLE, span: ReportSpan = DAYS
) -> list[dict[str, object]]:
    """The rows of a part, by the names of their columns."""
    found = section(pit.known.engine, name, span, by, PACE)
    names = [each.name for each in found.columns]
    assert len(set(names)) == len(names)
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def paid(table: CalendarPit) -> int:
    """What the players gained in all, by the record."""
    ended = sum(it.fact.net for it in table.records if isinstance(it.fact, f.RoundEnded))
    later = [
        it.fact for it in table.records
        if isinstance(it.fact, f.RoundCorrected | f.SettledRoundVoided)
    ]  # fmt: skip
    return ended + sum(amount for each in later for _, amount in each.owed)


def zip_by(*parts: list[dict[str, object]]) -> list[dict[str, object]]:
    """The lines of several parts of one report, side by side."""
    return [dict(ChainMap(*each)) for each in zip(*parts, strict=True)]


async def test_a_table_without_a_calendar_hides_no_days_of_the_others(pit: PlayedPit) -> None:
    """Its rounds are of no gaming day: the page said that the books had no day yet."""
    filmed = FilmedTable()
    filmed.whole()
    pit.archive.add("T8", filmed.pit.records)
    pit.archive.keep()
    assert days_of(pit.known.engine) == BookDays(DAYS.first, DAYS.last)
    page = await pit.enters("Boss", PitRole.PIT_BOSS).get(f"/reports?from={DAYS.first}")
    assert "The books have no day yet" not in page.text
    assert 'id="money"' in page.text


@pytest.mark.parametrize("by", quick_first(By, list(By)[:2]))
def test_whatever_it_is_by_the_sums_are_those_of_the_record(pit: PlayedPit, by: By) -> None:
    money, pace, errors = (of(pit, part, by) for part in ("money", "pace", "errors"))
    facts = [each.fact for each in pit.table.records]
    kinds = Counter(type(each) for each in facts)
    assert sum(int(str(each["rounds"])) for each in money) == kinds[f.RoundEnded]
    assert sum(int(str(each["win"])) for each in money) == -paid(pit.table)
    wagered = sum(
        amount or 0 for each in facts if isinstance(each, f.BetsClosed)
        for _, amount in each.wagers
    )  # fmt: skip
    void = {each.number for each in facts if isinstance(each, f.SettledRoundVoided)}
    assert len(void) == 1
    wagered -= sum(
        amount or 0 for each in facts if isinstance(each, f.BetsClosed) and each.number in void
        for _, amount in each.wagers
    )  # fmt: skip
    in_play = [it for it in facts if isinstance(it, f.BetsClosed)][-1]
    assert sum(int(str(each["wagered"])) for each in money) == wagered - sum(
        amount or 0 for _, amount in in_play.wagers
    )
    assert sum(int(str(each["decisions"])) for each in errors) == kinds[f.HandSettled]
    # What is held in the round in play counts once that is over.
    open_holds = sum(isinstance(it, f.HoldRaised) for it in facts[facts.index(in_play) :])
    assert open_holds == 1
    assert sum(int(str(each["holds"])) for each in errors) == kinds[f.HoldRaised] - open_holds
    assert all(each["target_an_hour"] == 55.0 for each in pace)
    decisions = [each["target_decisions_an_hour"] for each in pace if each["rounds"]]
    hands = [(it["decisions"], it["rounds"]) for it in zip_by(pace, errors) if it["rounds"]]
    assert decisions == [55.0 * float(str(many)) / float(str(of)) for many, of in hands]
    if by in (By.DEALER, By.HOUR):
        bought = sum(
            chips.chip * chips.pieces for each in facts if isinstance(each, f.ChipsBought)
            for chips in each.chips
        )  # fmt: skip
        assert sum(int(str(each["drop"] or 0)) for each in money) == bought == 2_000
        assert {each["boxes_to_count"] for each in money} == {None}, "nobody counts them by that"
    else:
        assert sum(int(str(each["drop"] or 0)) for each in money) == 12_300


@pytest.mark.long
def test_theory_is_what_the_table_itself_says(pit: PlayedPit) -> None:
    day = dealing(3)
    table = next(each for each in day if each.state.counts.rounds == 8)
    pit.archive.add("T7", table.records)
    pit.archive.keep()
    span = ReportSpan("2000-01-01", "2000-12-31", "T7")
    with pit.known.engine.connect() as connection:
        # A table without a calendar has no day.
        assert connection.scalar(select(TALLIES.c.day).where(TALLIES.c.day == "")) == ""
    assert of(pit, "money", span=span) == []
    results, holders = Results(), Holders(pit.archive.nowhere)
    for past in table.state.rounds.past:
        results = results.after(past, "", holders.held(past))
    (theirs,) = results.lines.values()
    shown = of(pit, "money", span=ReportSpan("", "", "T7"))[0]
    assert (shown["rounds"], shown["win"]) == (theirs.rounds, -theirs.net) == (8, -theirs.net)
    assert shown["theory"] == round(-theirs.expected)
    assert shown["mistakes"] == round(theirs.cost)
    assert shown["without_theory"] == 0


@pytest.mark.long
def test_the_test_says_its_rate_of_false_alarms(pit: PlayedPit) -> None:
    found = section(pit.known.engine, "test", DAYS, By.TABLE, {})
    assert f"{ALARM:,.0f} of its rounds lie between two false alarms" in found.about
    assert [each[0] for each in found.rows] == ["T1"]


def test_a_rack_has_both_wins_and_where_they_differ(pit: PlayedPit) -> None:
    first, second = of(pit, "racks")
    shifts = table_chips(pit.known.engine, "T1")
    assert shifts is not None
    theirs = shifts.shifts[-1].win
    assert theirs.difference
    assert (first["table"], first["shift"], first["currency"]) == ("T1", 1, "EUR")
    for name, amount in (
        ("opener", theirs.opener), ("closer", theirs.closer), ("drop", theirs.drop),
        ("win_by_chips", theirs.chips), ("win_by_rounds", theirs.rounds),
        ("difference", theirs.difference),
    ):  # fmt: skip
        assert first[name] == amount
    assert (first["first_round"], first["last_round"]) == (theirs.first_round, theirs.last_round)
    assert (second["difference"], second["closed_at"]) == (None, None)
    assert "the rack is open" in str(second["missing"])
    other_day = ReportSpan("2023-11-16", "2023-11-16")
    assert of(pit, "racks", span=other_day) == []


def test_a_handover_has_who_signed_it_by_number(pit: PlayedPit) -> None:
    goes = Identity(pit.known.add("Fia", PitRole.FLOOR), "Fia", frozenset({PitRole.FLOOR}))
    comes = Identity(pit.known.add("Bo", PitRole.PIT_BOSS), "Bo", frozenset({PitRole.PIT_BOSS}))
    at_ms = pit.table.now_ms
    number = give(pit.known.engine, goes, "a secret of the two", at_ms, "")
    (row,) = of(pit, "handovers")
    assert (row["given_by"], row["taken_by"], row["taken_at"]) == (goes.user, None, None)
    assert int(str(row["disputed"])) > 0
    take(pit.known.engine, comes, number, at_ms + 1, "")
    (row,) = of(pit, "handovers")
    assert (row["taken_by"], row["taken_at"]) == (comes.user, at_ms + 1)
    assert not {"Fia", "Bo", "a secret of the two"} & {str(each) for each in row.values()}
    assert of(pit, "handovers", span=ReportSpan("2023-11-20", "2023-11-20")) == []


def _handovers(pit: PlayedPit, day: str, house: HouseTime) -> ReportSection:
    return section(pit.known.engine, "handovers", ReportSpan(day, day), By.TABLE, {}, house)


@pytest.mark.parametrize(
    ("house", "at", "day"),
    [
        # Nine in the morning where the house is, on the day before by UTC.
        (HouseTime("Pacific/Auckland"), "2026-11-25 20:00", "2026-11-26"),
        # One in the morning: the evening's gaming day, whose date was yesterday's.
        (HouseTime("Europe/Helsinki"), "2026-11-25 23:00", "2026-11-25"),
        (HouseTime("Europe/Helsinki"), "2026-11-26 03:59", "2026-11-25"),
        (HouseTime("Europe/Helsinki"), "2026-11-26 04:00", "2026-11-26"),
        (HouseTime("America/Los_Angeles", "04:00"), "2026-11-26 11:00", "2026-11-25"),
    ],
)
def test_a_handover_stands_under_the_gaming_day_of_the_house(
    pit: PlayedPit, house: HouseTime, at: str, day: str
) -> None:
    goes = Identity(pit.known.add("Fia", PitRole.FLOOR), "Fia", frozenset({PitRole.FLOOR}))
    give(pit.known.engine, goes, "", round(utc(at).timestamp() * 1_000), "")
    seen = {
        each: len(_handovers(pit, each, house).rows)
        for each in ("2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27")
    }
    assert seen == {**dict.fromkeys(seen, 0), day: 1}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "Asia/Kathmandu"])
def test_the_figures_of_an_hour_are_of_an_hour_of_the_house(pit: PlayedPit, zone: str) -> None:
    began = [
        it.at_ms for it in pit.table.records if isinstance(it.fact, f.BetsClosed | f.DummyBegan)
    ][:-1]  # the last one is in play
    hours = Counter(
        f"{datetime.fromtimestamp(each / 1_000, ZoneInfo(zone)):%Y-%m-%d %H}:00" for each in began
    )
    house = HouseTime(zone)
    rows = section(pit.known.engine, "pace", DAYS, By.HOUR, PACE, house).rows
    dealt = {house.minute(int(str(row[0]))): row[1] for row in rows if row[1]}
    assert dealt == hours
    # An hour in which nothing but a hold was has its target, too.
    assert {row[5] for row in rows} == {PACE["21-24-27"]}


async def test_pages_say_times_by_the_clocks_of_the_house_and_files_by_utc(pit: PlayedPit) -> None:
    boss = pit.known.enters(pit.known.add("Aino", PitRole.PIT_BOSS)).session
    here = Browser(app_of(pit.known, KATHMANDU), boss)
    asked = "from=2023-11-14&to=2023-11-15&by=hour"
    ((at_ms, *_), *_) = section(pit.known.engine, "money", DAYS, By.HOUR, PACE, KATHMANDU).rows
    assert isinstance(at_ms, int)
    began = datetime.fromtimestamp(at_ms / 1_000, UTC)
    page = unescape((await here.get(f"/reports?{asked}")).text)
    assert "From (Asia/Kathmandu)" in page
    assert f"{began + timedelta(hours=5, minutes=45):%Y-%m-%d %H:%M}</th>" in page
    assert "each from 06:00 on (Asia/Kathmandu)" in page
    assert "UTC" not in page
    file = (await here.get(f"/reports/money.csv?{asked}")).text
    assert f"\n{began:%Y-%m-%dT%H:%M}:00.000+00:00," in file.replace("\r", "")
    for address in ("/rounds", "/handover", "/tables/T1/chips", "/sessions", "/alerts", "/records"):
        answer = await here.get(address)
        assert answer.status_code == 200
        assert "UTC" not in answer.text, address
    found = unescape((await here.get("/rounds")).text)
    assert "Began (Asia/Kathmandu)" in found


@pytest.mark.long
def test_holds_stand_with_who_answered_them(pit: PlayedPit) -> None:
    holds = of(pit, "holds")
    records = pit.table.records
    begun = max(it.seq for it in records if isinstance(it.fact, f.BetsClosed))
    raised = Counter(
        it.fact.reason.value.replace("_", " ") for it in records
        if isinstance(it.fact, f.HoldRaised) and it.seq < begun
    )  # fmt: skip  # those of the round in play come with it
    assert {each["reason"]: each["holds"] for each in holds} == raised
    assert sum(int(str(each["holds"])) for each in of(pit, "answers")) >= len(holds)


async def test_a_span_without_data_is_said_in_words(pit: PlayedPit) -> None:
    boss = pit.enters("Aino", PitRole.PIT_BOSS)
    page = unescape((await boss.get("/reports?from=2001-01-01&to=2001-01-31")).text)
    assert "Nothing was played in 2001-01-01 to 2001-01-31. The books have 2023-11-14 to" in page
    page = unescape((await boss.get("/reports?table=T9")).text)
    assert "The archive has no table T9" in page
    for wrong, said in (
        ("from=2023-13-01", "is no day: write it like 2026-11-26"),
        ("from=2023-11-15&to=2023-11-14", "give the earlier day first"),
        ("from=1900-01-01&to=2023-11-14", "is longer than"),
        ("by=weather", "is nothing to sum up by"),
    ):
        answer = await boss.get(f"/reports?{wrong}")
        assert answer.status_code == 422
        assert said in unescape(answer.text)
    # What was typed stands there to be mended.
    answer = await boss.get("/reports?from=14.11.2023&to=2023-11-15&table=T1")
    assert 'name="from" value="14.11.2023"' in answer.text
    assert 'name="to" value="2023-11-15"' in answer.text
    newest = await boss.get("/reports")
    assert 'name="from" value="2023-11-15"' in newest.text
    assert '<option value="2023-11-15"></option><option value="2023-11-14">' in newest.text
    assert "T1" in newest.text


def test_an_archive_without_any_book_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    known = known_in(tmp_path_factory.mktemp("empty"))
    found = report(known.engine, DAYS, By.TABLE, {})
    assert "no day yet" in found.nothing
    assert not any(each.rows for each in found.sections)
    known.engine.dispose()


async def test_files_have_what_the_page_has(pit: PlayedPit) -> None:
    auditor = pit.enters("Aud", PitRole.AUDITOR)
    asked = "from=2023-11-14&to=2023-11-15&by=table"
    for part in SECTIONS:
        text = await auditor.get(f"/reports/{part}.csv?{asked}")
        assert text.status_code == 200
        rows = list(csv.DictReader(io.StringIO(text.text)))
        made = await auditor.get(f"/reports/{part}.parquet?{asked}")
        table = pq.read_table(io.BytesIO(made.content))
        assert table.num_rows == len(rows) == len(of(pit, part))
        if part == "money":
            assert Decimal(rows[0]["win"]) == Decimal(-paid(pit.table)).scaleb(-2)
            assert table.column("win").to_pylist() == [Decimal(rows[0]["win"])]
    money = await auditor.api.report("money", first="2023-11-14", last="2023-11-15", by="table")
    assert money.rows[0]["win"] == -paid(pit.table)
    assert (await auditor.get("/reports/weather.csv")).status_code == 422


def test_a_text_is_no_formula_of_a_spreadsheet() -> None:
    heads = columns(("pack", "Pack", ColumnKind.TEXT), ("win", "Win", ColumnKind.MONEY))
    made = as_csv(ReportSection("x", "", "", heads, (("=1+1", -105),), ""))
    assert made == "pack,win\r\n'=1+1,-1.05\r\n"


@pytest.mark.parametrize(
    ("errors", "decisions", "low", "high"),
    # The first two by Newcombe, Statistics in Medicine 17 (1998), table I.
    [(0, 20, 0.0, 161.1), (15, 148, 62.4, 160.5), (0, 0, None, None)],
)
def test_the_interval_is_wilsons(
    errors: int, decisions: int, low: float | None, high: float | None
) -> None:
    found = wilson(errors, decisions)
    assert tuple(None if each is None else round(each, 1) for each in found) == (low, high)


def test_what_is_no_span_is_refused() -> None:
    assert read_span({"to": "2026-01-05"}, "2026-02-01") == ReportSpan("2026-01-05", "2026-01-05")
    assert read_by("") is By.TABLE
    # A time is meant as the gaming day in which it lies.
    typed, house = {"from": "2026-01-05T02:00", "to": "2026-01-05T21:30"}, HouseTime()
    assert read_span(typed, "", house) == ReportSpan("2026-01-04", "2026-01-05")
    assert read_span(typed, "", HouseTime("UTC", "01:00")) == ReportSpan("2026-01-05", "2026-01-05")
    with pytest.raises(BadSpan):
        read_span({"from": "yesterday"}, "2026-02-01")
