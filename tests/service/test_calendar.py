"""When gaming days end: real zones, hours that are skipped or come twice, labels that only rise."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.service.timekeeping.calendar import Calendar, CalendarError
from controller.table.gaming_day import GamingDay, Schedule
from tests.support.dealt.days import day, utc


def ms(text: str) -> int:
    return round(utc(text).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("zone", "ends", "label", "at"),
    [
        ("Europe/Helsinki", "06:00", "2026-11-22", "2026-11-23 04:00"),
        ("Europe/Helsinki", "06:00", "2026-07-01", "2026-07-02 03:00"),
        # The clocks go from 03:00 to 04:00 at 01:00 UTC: a time between ends the day there.
        ("Europe/Helsinki", "03:30", "2026-03-28", "2026-03-29 01:00"),
        ("Europe/Helsinki", "03:00", "2026-03-28", "2026-03-29 01:00"),
        # However far into the skipped hour it is: at the change itself, not a millisecond later.
        ("Europe/Helsinki", "03:10", "2026-03-28", "2026-03-29 01:00"),
        ("Europe/Helsinki", "03:59", "2026-03-28", "2026-03-29 01:00"),
        ("Europe/Helsinki", "04:00", "2026-03-28", "2026-03-29 01:00"),
        # They go from 04:00 back to 03:00 at 01:00 UTC: what comes twice counts the first time.
        ("Europe/Helsinki", "03:30", "2026-10-24", "2026-10-25 00:30"),
        ("Europe/Helsinki", "04:00", "2026-10-24", "2026-10-25 02:00"),
        ("America/New_York", "02:30", "2026-03-07", "2026-03-08 07:00"),
        ("America/New_York", "01:30", "2026-10-31", "2026-11-01 05:30"),
        # Half an hour is skipped, and comes twice.
        ("Australia/Lord_Howe", "02:15", "2026-10-03", "2026-10-03 15:30"),
        ("Australia/Lord_Howe", "02:25", "2026-10-03", "2026-10-03 15:30"),
        ("Australia/Lord_Howe", "01:45", "2026-04-04", "2026-04-04 14:45"),
        # A whole day that an island never had.
        ("Pacific/Apia", "06:00", "2011-12-29", "2011-12-30 10:00"),
        ("Asia/Kathmandu", "06:00", "2026-11-22", "2026-11-23 00:15"),
        ("UTC", "00:00", "2026-12-31", "2027-01-01 00:00"),
    ],
)
def test_a_day_ends_at_its_local_time(zone: str, ends: str, label: str, at: str) -> None:
    calendar = Calendar(Schedule(ends, zone))
    assert calendar.ends_ms(day(label)) == ms(at)


def test_the_label_is_that_of_the_day_that_began_last() -> None:
    calendar = Calendar(Schedule("06:00", "Europe/Helsinki"))
    assert calendar.label_at(ms("2026-11-23 03:59")) == day("2026-11-22")
    assert calendar.label_at(ms("2026-11-23 04:00")) == day("2026-11-23")


ZONES = ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]


@given(
    zone=st.sampled_from(ZONES),
    ends=st.times().map(lambda each: f"{each:%H:%M}"),
    first=st.dates(date(2005, 1, 1), date(2035, 1, 1)),
    offset=st.integers(0, 86_399_999),
)
def test_days_follow_each_other_and_every_moment_is_in_one(
    zone: str, ends: str, first: date, offset: int
) -> None:
    calendar = Calendar(Schedule(ends, zone))
    marks = [calendar.ends_ms(first + timedelta(days=n)) for n in range(4)]
    assert marks == sorted(marks)
    at = marks[0] + offset
    label = calendar.label_at(at)
    assert calendar.ends_ms(label - timedelta(days=1)) <= at < calendar.ends_ms(label)


def test_labels_only_rise_whatever_the_clock_says() -> None:
    schedule = Schedule("06:00", "Europe/Helsinki")
    calendar = Calendar(schedule)
    opened = GamingDay("2026-11-25", 0, schedule, 1)
    back = calendar.today(ms("2026-11-22 12:00"), opened, synchronised=True)
    assert (back.label, back.next_label) == ("2026-11-22", "2026-11-26")
    away = calendar.today(ms("2026-12-01 12:00"), opened, synchronised=True)
    assert away.next_label == "2026-12-01"


@pytest.mark.parametrize(
    ("ends", "zone", "words"),
    [
        ("25:00", "UTC", "is no time of day"),
        ("six", "UTC", "is no time of day"),
        ("06:00+02:00", "UTC", "local time"),
        ("06:00", "Europe/Atlantis", "is no IANA time zone"),
        ("06:00", "../etc/passwd", "is no IANA time zone"),
    ],
)
def test_a_schedule_that_means_nothing_is_refused(ends: str, zone: str, words: str) -> None:
    with pytest.raises(CalendarError, match=words):
        Calendar(Schedule(ends, zone))
