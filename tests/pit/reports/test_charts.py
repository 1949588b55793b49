"""Charts say in words what they show; an hour in which nothing was dealt is a gap."""

from __future__ import annotations

import json

from controller.pit.house_time import HouseTime
from controller.pit.reports.asked import By
from controller.pit.reports.report.charts import MOST_POINTS, charts
from controller.pit.reports.report.sections import Cell, ColumnKind, ReportSection, columns

HOUR_MS = 3_600_000
EIGHT_MS = 1_795_168_800_000  # 2026-11-20 10:00 UTC


def money(*rows: tuple[Cell, ...]) -> ReportSection:
    heads = columns(
        ("hour", "From", ColumnKind.TIME), ("currency", "Currency", ColumnKind.TEXT),
        ("win", "Win", ColumnKind.MONEY), ("theory", "Theory", ColumnKind.MONEY),
    )  # fmt: skip
    return ReportSection("money", "Money by hour", "", heads, rows, "")


def test_each_currency_has_its_own_and_an_empty_hour_is_a_gap() -> None:
    found = charts(
        money(
            (EIGHT_MS, "EUR", -1_250, 800), (EIGHT_MS, "USD", 5, None),
            (EIGHT_MS + 2 * HOUR_MS, "EUR", 90_000, 800),
            (EIGHT_MS + 2 * HOUR_MS, "USD", 7, None),
        ),
        By.HOUR,
    )  # fmt: skip
    euro, dollar = found
    assert euro.words == (
        "Money by hour, EUR. Win: from -12.50 (2026-11-20 10:00) to 900.00 (2026-11-20 12:00)."
        " Theory: 8.00 throughout."
    )
    data = json.loads(euro.data)
    assert data["times_s"] == [EIGHT_MS // 1_000 + at * 3_600 for at in range(3)]
    assert [each["values"] for each in data["series"]] == [[-12.5, None, 900.0], [8.0, None, 8.0]]
    assert [each.name for each in dollar.series] == ["Win"], "what is not known is no line at zero"


def test_a_chart_by_hour_says_its_times_by_the_clocks_of_the_house() -> None:
    # The clocks went from 04:00 back to 03:00, at 01:00 UTC: two hours are called three.
    first_ms = 1_792_886_400_000  # 2026-10-25 00:00 UTC
    rows = money((first_ms, "EUR", 1_00, None), (first_ms + HOUR_MS, "EUR", 3_00, None))
    (chart,) = charts(rows, By.HOUR, HouseTime("Europe/Helsinki"))
    assert chart.words == (
        "Money by hour, EUR. Win: from 1.00 (2026-10-25 03:00 +03:00)"
        " to 3.00 (2026-10-25 03:00 +02:00)."
    )
    assert json.loads(chart.data)["zone"] == "Europe/Helsinki"


def test_a_chart_goes_on_through_a_change_of_the_clocks_by_half_an_hour() -> None:
    house = HouseTime("Australia/Lord_Howe")
    first_ms = 1_775_311_200_000  # 2026-04-04 14:00 UTC, 01:00 there; at 15:00 02:00 is 01:30 again
    half_ms = first_ms + HOUR_MS
    rows = money((first_ms, "EUR", 1_00, None), (half_ms + HOUR_MS // 2, "EUR", 3_00, None))
    (chart,) = charts(rows, By.HOUR, house)
    assert chart.times_s == tuple(
        each // 1_000 for each in (first_ms, half_ms, half_ms + HOUR_MS // 2)
    )
    assert [each.values for each in chart.series] == [(1.0, None, 3.0)]


def test_one_point_and_a_smear_are_no_charts() -> None:
    assert charts(money((EIGHT_MS, "EUR", 1, 1)), By.HOUR) == ()
    late_ms = EIGHT_MS + MOST_POINTS * HOUR_MS
    assert charts(money((EIGHT_MS, "EUR", 1, 1), (late_ms, "EUR", 1, 1)), By.HOUR) == ()
    assert charts(money((EIGHT_MS, "EUR", 1, 1), (late_ms, "EUR", 1, 1)), By.TABLE) == ()


def test_a_gaming_day_stands_at_its_midnight() -> None:
    heads = columns(
        ("day", "Day", ColumnKind.TEXT), ("rounds_an_hour", "Rounds/h", ColumnKind.RATE),
        ("target_an_hour", "Target", ColumnKind.RATE),
    )  # fmt: skip
    rows = (("2026-11-20", 48.25, None), ("2026-11-21", 51.0, None))
    (chart,) = charts(ReportSection("pace", "Pace by day", "", heads, rows, ""), By.DAY)
    assert chart.words == "Pace by day. Rounds/h: from 48.2 (2026-11-20) to 51.0 (2026-11-21)."
    assert json.loads(chart.data)["zone"] is None
    assert (chart.step_s, chart.times_s[1] - chart.times_s[0]) == (86_400, 86_400)
