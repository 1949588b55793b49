"""The house's time: its gaming days as moments, what a person typed, hours that come twice."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.problems import ConfigError
from controller.pit.house_time import HouseTime
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
        ("2026-10-25", "2026-10-24 21:00", "2026-10-25 22:00"),
        # It was half past three twice, and in March never: what either means is in it.
        ("2026-10-25T03:30", "2026-10-25 00:30", "2026-10-25 01:31"),
        ("2026-03-29T03:30", "2026-03-29 00:30", "2026-03-29 01:31"),
    ],
)
def test_what_somebody_typed_leaves_nothing_out(typed: str, from_: str, to: str) -> None:
    assert HELSINKI.moments(typed) == (ms(from_), ms(to) - 1)


def test_the_house_is_read_from_the_pits_configuration(tmp_path: Path) -> None:
    path = tmp_path / "pit.toml"
    path.write_text(BUS + '[house]\nzone = "Europe/Helsinki"\nday_ends = "05:00"\n')
    assert load_pit(path).house == HouseTime("Europe/Helsinki", "05:00")
    path.write_text(BUS + '[house]\nzone = "Mars/Olympus"\nday_ends = "25:00"\n')
    with pytest.raises(ConfigError) as refused:
        load_pit(path)
    assert "house.zone: 'Mars/Olympus' is no IANA time zone" in str(refused.value)
    assert "house.day_ends: '25:00' is no time of day: write HH:MM" in str(refused.value)
