"""The sheets of the shifts of a day: every round is on one of them, and on one alone."""

from __future__ import annotations

import random
from datetime import datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from controller.record.reading.rounds import rounds
from controller.record.reading.shift import ShiftSheet, shift_sheet
from controller.record.reading.shift_hours import Hours, _first_ms
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.record.days.dealt_days import write
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import HELSINKI, CalendarPit, some_round, utc
from tests.web.desk import PlayedDesk

DAY = "2023-11-15"
#: When rounds are begun, in local time; the day is opened at 06:03 and closed at 06:03.
MORNING = ("15 06:05", "15 13:50")
EVENING = ("15 14:00", "15 20:30", "15 21:59")
NIGHT = ("15 22:00", "15 23:30", "16 00:30", "16 05:50", "16 06:01")

pytestmark = pytest.mark.anyio


def at_ms(text: str) -> int:
    local = datetime.fromisoformat(f"2023-11-{text}").replace(tzinfo=ZoneInfo(HELSINKI.zone))
    return round(local.timestamp() * 1_000)


@pytest.fixture(scope="module")
def pit() -> CalendarPit:
    """A day of which the first and the last rounds are of the same time of day."""
    pit = CalendarPit()
    croupier = Croupier(pit, random.Random(7))
    for opened in ("15 06:03", "16 06:03"):
        pit.set_clock_ms(max(at_ms(opened), pit.now_ms))
        assert pit.close_day().refused == ""
        if opened.startswith("16"):
            break
        for text in (*MORNING, *EVENING, *NIGHT):
            pit.set_clock_ms(at_ms(text) + 20_000)
            some_round(croupier)
    return pit


@pytest.fixture
def folder(tmp_path: Path, pit: CalendarPit) -> Path:
    write(tmp_path / "record", pit.records)
    return tmp_path / "record"


def sheet(folder: Path, since: str = "", until: str = "") -> ShiftSheet:
    hours = (time.fromisoformat(each) if each else None for each in (since, until))
    return shift_sheet(folder, DAY, Hours(*hours))


def test_every_round_is_on_the_sheet_of_one_shift(folder: Path) -> None:
    played = list(rounds(folder, DAY, DAY))
    assert len(played) == len(MORNING + EVENING + NIGHT)
    shifts = [sheet(folder, *each) for each in (("", "14:00"), ("14:00", "22:00"), ("22:00", ""))]
    assert [each.rounds for each in shifts] == [len(MORNING), len(EVENING), len(NIGHT)]
    nets = []
    for count in (each.rounds for each in shifts):
        nets.append(sum(each.net for each in played[:count]))
        del played[:count]
    assert [each.players_net for each in shifts] == nets
    assert any(nets)
    whole = sheet(folder)
    for figure in ("rounds", "players_net", "cards", "shoes", "earlier_net"):
        assert getattr(whole, figure) == sum(getattr(each, figure) for each in shifts)


def test_a_sheet_that_is_signed_is_not_changed_by_what_a_later_shift_corrects(
    tmp_path: Path,
) -> None:
    """The difference is on the sheet of the shift that paid it."""
    pit = CalendarPit()
    croupier = Croupier(pit, random.Random(7))
    pit.set_clock_ms(at_ms("15 06:03"))
    assert pit.close_day().refused == ""
    for text in ("15 07:10", "15 08:00"):
        pit.set_clock_ms(at_ms(text) + 20_000)
        some_round(croupier)
    write(tmp_path / "signed", pit.records)
    signed = shift_sheet(tmp_path / "signed", DAY, Hours(None, time(14)))
    pit.set_clock_ms(at_ms("15 15:00"))
    number = max(each.number for each in pit.state.rounds.past if each.net)
    (net,) = (each.net for each in pit.state.rounds.past if each.number == number)
    pit.give(i.Happened(Reason.MISDEAL, number))
    assert pit.resolve(Resolution.VOID).refused == ""
    write(tmp_path / "record", pit.records)
    first, second = (
        shift_sheet(tmp_path / "record", DAY, hours)
        for hours in (Hours(None, time(14)), Hours(time(14), None))
    )
    assert signed.players_net
    assert (first.rounds, first.void, first.players_net) == (2, 0, signed.players_net)
    assert (first.earlier_net, second.earlier_net, second.players_net) == (0, -net, 0)
    whole = shift_sheet(tmp_path / "record", DAY)
    assert (whole.void, whole.earlier_net) == (1, 0)
    assert whole.players_net == sum(each.players_net + each.earlier_net for each in (first, second))


def test_the_first_and_the_last_shift_may_be_asked_for_by_the_days_own_time(folder: Path) -> None:
    assert sheet(folder, "06:00", "14:00") == sheet(folder, "", "14:00")
    assert sheet(folder, "22:00", "06:00") == sheet(folder, "22:00")
    assert sheet(folder, "06:00", "06:00") == sheet(folder)
    assert sheet(folder, "00:00", "01:00").rounds == 1


@pytest.mark.long
async def test_a_page_may_leave_either_time_empty(folder: Path, pit: CalendarPit) -> None:
    desk = PlayedDesk()
    desk.pit = pit
    app = create_app(desk, WebSettings(token="shift", record=folder))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://127.0.0.1:8027",
        headers={"Authorization": "Bearer shift"},
    ) as web:

        async def asked(hours: str) -> Any:
            answer = await web.get(f"/api/v1/record/shift?day={DAY}&{hours}")
            assert answer.status_code == 200, answer.text
            return answer.json()

        assert (await asked("since=22:00"))["rounds"] == len(NIGHT)
        assert (await asked("until=14:00"))["rounds"] == len(MORNING)
        assert (await asked("since=14:00&until=22:00"))["rounds"] == len(EVENING)


@pytest.mark.parametrize(
    ("clock", "after", "found"),
    [
        ("03:30", "2023-10-29 00:00", "2023-10-29 00:30"),  # comes twice: the first
        ("03:30", "2023-10-29 00:45", "2023-10-29 01:30"),  # the second
        ("03:30", "2023-10-29 01:31", "2023-10-30 01:30"),
        ("03:30", "2023-03-25 22:00", "2023-03-26 01:30"),  # skipped: as far after the change
    ],
)
def test_a_time_is_found_where_the_clocks_are_changed(clock: str, after: str, found: str) -> None:
    zone = ZoneInfo(HELSINKI.zone)
    first = _first_ms(time.fromisoformat(clock), round(utc(after).timestamp() * 1_000), zone)
    assert first == round(utc(found).timestamp() * 1_000)
