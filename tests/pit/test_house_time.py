"""The house's time: its gaming days as moments, what a person typed, hours that come twice."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.problems import ConfigError
from controller.pit.house_time import BadTime, HouseTime
from controller.pit.server.settings import load_pit
from controller.service.timekeeping.calendar import Calendar
from controller.table.gaming_day import Schedule
from tests.support.dealt.days import day, utc

HELSINKI = HouseTime("Europe/Helsinki")
HALF_PAST = HouseTime("Europe/Helsinki", "03:30")
BUS = '[bus]\nservers = ["nats://127.0.0.1:4222"]\n'


def ms(text: str) -> int:
    return round(utc(text).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("house", "label", "from_", "upto"),
    [
        (HELSINKI, "2026-11-26", "2026-11-26 04:00", "2026-11-27 04:00"),
        # The clocks are put on, and back: days of 23 and of 25 hours.
        (HELSINKI, "2026-03-28", "2026-03-28 04:00", "2026-03-29 03:00"),
        (HELSINKI, "2026-10-24", "2026-10-24 03:00", "2026-10-25 04:00"),
        # A time that they skip, and one that comes twice.
        (HALF_PAST, "2026-03-29", "2026-03-29 01:00", "2026-03-30 00:30"),
        (HALF_PAST, "2026-10-25", "2026-10-25 00:30", "2026-10-26 01:30"),
        (HouseTime(), "2026-11-26", "2026-11-26 06:00", "2026-11-27 06:00"),
    ],
)  # fmt: skip
def test_a_gaming_day_is_as_long_as_its_clocks_make_it(
    house: HouseTime, label: str, from_: str, upto: str
) -> None:
    assert house.days_ms(label, label) == (ms(from_), ms(upto))


@given(
    zone=st.sampled_from(["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    ends=st.times().map(lambda each: f"{each:%H:%M}"),
    first=st.dates(day("2005-01-01"), day("2035-01-01")),
)
def test_a_pit_and_its_tables_mean_the_same_day(zone: str, ends: str, first: date) -> None:
    _, upto_ms = HouseTime(zone, ends).days_ms(str(first), str(first))
    assert upto_ms == Calendar(Schedule(ends, zone)).ends_ms(first)


def test_an_hour_that_comes_twice_is_told_apart() -> None:
    marks = ["2026-10-24 23:30", "2026-10-25 00:30", "2026-10-25 01:30", "2026-10-25 02:30"]
    assert [HELSINKI.minute(ms(each)) for each in marks] == [
        "2026-10-25 02:30", "2026-10-25 03:30 +03:00", "2026-10-25 03:30 +02:00",
        "2026-10-25 04:30",
    ]  # fmt: skip
    assert HELSINKI.second(ms(marks[1])) == "2026-10-25 03:30:00 +03:00"


@given(
    zone=st.sampled_from(["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    at_min=st.integers(ms("2026-01-01 00:00") // 60_000, ms("2027-01-01 00:00") // 60_000),
)
def test_what_a_house_says_it_reads(zone: str, at_min: int) -> None:
    house, at_ms = HouseTime(zone), at_min * 60_000
    assert house.moments(house.typed(at_ms)) == (at_ms, at_ms + 59_999)


@pytest.mark.parametrize(
    ("typed", "from_", "to"),
    [
        ("2026-11-26T21:30", "2026-11-26 19:30", "2026-11-26 19:31"),
        ("2026-11-26T21:30+00:00", "2026-11-26 21:30", "2026-11-26 21:31"),
        ("2026-11-26", "2026-11-25 22:00", "2026-11-26 22:00"),
        # As people write it who know that standard better than the page's own example.
        ("20261126", "2026-11-25 22:00", "2026-11-26 22:00"),
        ("2026-11-26 21:30", "2026-11-26 19:30", "2026-11-26 19:31"),
        ("20261126T2130", "2026-11-26 19:30", "2026-11-26 19:31"),
        ("2026-11-26t21:30z", "2026-11-26 21:30", "2026-11-26 21:31"),
        ("2026-11-26T21:30-05", "2026-11-27 02:30", "2026-11-27 02:31"),
        ("2026-11-26T21", "2026-11-26 19:00", "2026-11-26 20:00"),
        ("2026-10-25", "2026-10-24 21:00", "2026-10-25 22:00"),
        # It was half past three twice, and in March never: what either means is in it.
        ("2026-10-25T03:30", "2026-10-25 00:30", "2026-10-25 01:31"),
        ("2026-03-29T03:30", "2026-03-29 00:30", "2026-03-29 01:31"),
    ],
)
def test_what_somebody_typed_leaves_nothing_out(typed: str, from_: str, to: str) -> None:
    assert HELSINKI.moments(typed) == (ms(from_), ms(to) - 1)


def test_a_second_that_somebody_typed_lasts_one() -> None:
    first_ms, last_ms = HELSINKI.moments("2026-11-26T21:30:15")
    assert (first_ms, last_ms) == (ms("2026-11-26 19:30") + 15_000, first_ms + 999)


@pytest.mark.parametrize(
    "typed",
    [
        "yesterday", "26.11.2026", "11/26/2026", "2026-13-01", "2026-02-30", "2026-11", "2026",
        "2026-11-26T", "2026-11-26T25:00", "2026-11-26T21:60", "2026-11-26T21.30", "21:30",
        "2026-11-26T21:30 02:00", "2026-11-26T21:30+25:00", "2026-W48-4", "0001-01-01",
        "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59", "\u0662026-11-26", "2026-11-26\n",
        "2026-11-26T21:3015", "2026-1126T21:30", " ", "<b>", "2026-11-26" * 100,
    ],
)  # fmt: skip
def test_what_is_no_time_gets_a_sentence(typed: str) -> None:
    for house in (HELSINKI, HouseTime("America/Los_Angeles"), HouseTime("Asia/Kathmandu")):
        for read in (house.moments, house.gaming_day):
            with pytest.raises(BadTime) as refused:
                read(typed)
            said = str(refused.value)
            assert f"write it like 2026-11-26 or 2026-11-26T21:30 ({house.zone})" in said
            assert len(said) < 160


@given(st.text(max_size=30) | st.from_regex(r"[0-9]{4}-?[01][0-9]-?[0-3][0-9]([T ].{0,20})?"))
def test_whatever_is_typed_is_a_time_or_gets_a_sentence(typed: str) -> None:
    try:
        first_ms, last_ms = HELSINKI.moments(typed)
    except BadTime:
        return
    assert first_ms < last_ms
    assert HELSINKI.gaming_day(typed)


def test_a_span_is_refused_by_the_name_of_its_field() -> None:
    assert HELSINKI.span({}) == (None, None)
    assert HELSINKI.span({"from": " ", "to": "2026-11-26"}) == (None, ms("2026-11-26 22:00") - 1)
    assert HELSINKI.span({"from": "2026-11-26T21:30"}) == (ms("2026-11-26 19:30"), None)
    with pytest.raises(BadTime, match="to: 'later' is no time"):
        HELSINKI.span({"from": "2026-11-26", "to": "later"})
    with pytest.raises(BadTime, match="give the earlier time first"):
        HELSINKI.span({"from": "2026-11-26", "to": "2026-11-25T23:59"})


@pytest.mark.parametrize(
    ("house", "typed", "label"),
    [
        (HELSINKI, "2026-11-26", "2026-11-26"),
        (HELSINKI, "20261126", "2026-11-26"),
        (HELSINKI, "2026-11-26T05:59", "2026-11-25"),
        (HELSINKI, "2026-11-26T06:00", "2026-11-26"),
        (HELSINKI, "2026-11-27T02", "2026-11-26"),
        (HELSINKI, "2026-11-26T03:59Z", "2026-11-25"),
        # Half past three, when the day begins, came twice: the first time.
        (HALF_PAST, "2026-10-25T03:30+02:00", "2026-10-25"),
        (HALF_PAST, "2026-10-25T03:29+03:00", "2026-10-24"),
    ],
)
def test_a_time_is_meant_as_the_gaming_day_in_which_it_lies(
    house: HouseTime, typed: str, label: str
) -> None:
    assert house.gaming_day(typed) == label
    assert house.days_ms(label, label)[0] <= house.moments(typed)[1]


ZONES = [
    "UTC", "Europe/Helsinki", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Adelaide",
    "Australia/Lord_Howe", "America/St_Johns",
]  # fmt: skip


@given(
    zone=st.sampled_from(ZONES),
    quarter=st.integers(ms("2020-01-01 00:00") // 900_000, ms("2030-01-01 00:00") // 900_000),
)
def test_an_hour_is_one_of_the_houses_clocks(zone: str, quarter: int) -> None:
    house, at_ms = HouseTime(zone), quarter * 900_000
    began_ms = house.hour_ms(at_ms)
    assert 0 <= at_ms - began_ms < 3_600_000
    began, at = (datetime.fromtimestamp(each / 1_000, ZoneInfo(zone)) for each in (began_ms, at_ms))
    assert (began.date(), began.hour, began.utcoffset()) == (at.date(), at.hour, at.utcoffset())
    next_ms = house.next_hour_ms(began_ms)
    assert at_ms < next_ms
    assert [house.hour_ms(each) for each in (began_ms, next_ms - 900_000, next_ms)] == [
        began_ms, began_ms, next_ms,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("zone", "first", "hours"),
    [
        ("Asia/Kathmandu", "2026-11-26 18:15", ["00:00", "01:00", "02:00"]),
        ("Australia/Adelaide", "2026-11-26 13:30", ["00:00", "01:00", "02:00"]),
        # Put on from 04:00 to 05:00 of Adelaide's neighbours' time: 02:00 to 03:00, and back.
        ("Australia/Adelaide", "2026-10-03 15:30", ["01:00", "03:00", "04:00"]),
        ("Australia/Adelaide", "2026-04-04 15:30", ["02:00", "02:00", "03:00"]),
        # By half an hour: from 02:00 to 02:30, and from 02:00 back to 01:30.
        ("Australia/Lord_Howe", "2026-10-03 14:30", ["01:00", "02:30", "03:00"]),
        ("Australia/Lord_Howe", "2026-04-04 14:00", ["01:00", "01:30", "02:00"]),
    ],
)
def test_hours_go_on_through_a_change_of_the_clocks(
    zone: str, first: str, hours: list[str]
) -> None:
    house, at_ms = HouseTime(zone), ms(first)
    shown = []
    for _ in hours:
        shown.append(house.minute(at_ms)[11:16])
        at_ms = house.next_hour_ms(at_ms)
    assert shown == hours


def test_the_house_is_read_from_the_pits_configuration(tmp_path: Path) -> None:
    path = tmp_path / "pit.toml"
    path.write_text(BUS + '[house]\nzone = "Europe/Helsinki"\nday_ends = "05:00"\n')
    assert load_pit(path).house == HouseTime("Europe/Helsinki", "05:00")
    path.write_text(BUS + '[house]\nzone = "Mars/Olympus"\nday_ends = "25:00"\n')
    with pytest.raises(ConfigError) as refused:
        load_pit(path)
    assert "house.zone: 'Mars/Olympus' is no IANA time zone" in str(refused.value)
    assert "house.day_ends: '25:00' is no time of day: write HH:MM" in str(refused.value)
