"""The end of a gaming day as the table decides it: when, by whom, and what the clock may not do."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import timedelta
from random import Random
from typing import get_type_hints

import pytest

from controller.devices.inputs import Condition, Health
from controller.rules.games.registry import GAMES
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.alarms import Trouble
from controller.table.evolve.carry_over import (
    CARRIED,
    DROPPED,
    carry_over,
    covers,
    difference,
    from_forms,
    public_form,
)
from controller.table.gaming_day import JUMP_MS, LATE_MS, ClockDoubt
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.state import parts, remote_players
from controller.table.state.answers import Answers
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.public import public
from tests.records.dealing import correction
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, on_the_next_day, some_round
from tests.support.pit import SCANNER

FLOOR = (Person(PersonId("Aino"), Role.FLOOR),)
HOUR_MS = 3_600_000


def facts(pit: CalendarPit, kind: type) -> list[f.Fact]:
    return [each.fact for each in pit.records if isinstance(each.fact, kind)]


@pytest.fixture
def pit() -> CalendarPit:
    table = CalendarPit("21-24-27")
    some_round(Croupier(table, Random(1)))
    return table


def in_play() -> CalendarPit:
    table = CalendarPit("21-24-27")
    croupier = Croupier(table, Random(1))
    croupier.open_bets()
    table.bet(1)
    table.no_more_bets()
    return table


def state_fields() -> Iterator[str]:
    """The fields of the state, "part.field" for one of its parts."""
    types = get_type_hints(State)
    for each in fields(State):
        kind = types[each.name]
        if is_dataclass(kind) and kind.__module__ in (parts.__name__, remote_players.__name__):
            yield from (f"{each.name}.{inner.name}" for inner in fields(kind))
        else:
            yield each.name


def test_every_field_of_the_state_is_carried_or_dropped_with_a_reason() -> None:
    ruled = [*CARRIED, *DROPPED]
    assert sorted(ruled) == sorted(state_fields()), (
        "give the field a rule in controller/table/evolve/carry_over.py: CARRIED, or DROPPED "
        "with the reason"
    )
    assert all(reason for reason in DROPPED.values())
    assert not any("pin" in name or "password" in name for name in CARRIED)


#: The form on record, which every version reads: names, and the fields of what is one object.
ON_RECORD = {
    "setup": None, "setup_seq": None, "shoe": None,
    "clock": ["table_ns", "since_seq", "since_ms"],
    "run": ["software", "decisions", "card_sources", "simulated", "alarm_times", "print_key"],
    "devices": None, "spots": None, "phase": None, "dealer": None,
    "betting": ["wagers", "last_wagers", "button"], "window": None, "players": None,
    "rounds": ["latest", "past", "pictures", "decided_at"], "kept_cards": None, "ledger": None,
    "recount": None, "holds": None, "alarms": None, "counts": ["rounds", "holds", "alarms"],
    "commands": ["refusal", "answered"],
    "pit": ["closed", "notes", "asked_ms", "asked_seq", "directory"], "money": None,
}  # fmt: skip


def test_parts_of_the_state_may_move_and_the_form_on_record_stays(pit: CalendarPit) -> None:
    """In this order, too: a day that is closed by another version has the very same bytes."""
    form = public_form(carry_over(pit.state))
    assert list(form) == list(ON_RECORD)
    for name, kept in ON_RECORD.items():
        if kept is not None:
            assert list(form[name]) == ["is", *kept], name
    assert {form[name]["is"] for name, kept in ON_RECORD.items() if kept} == {
        "TableClock", "ServiceRun", "Betting", "Rounds", "Counts", "Commands", "PitWord",
    }  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_what_is_carried_is_the_same_on_the_next_day_field_by_field(name: str) -> None:
    pit = CalendarPit(name)
    croupier = Croupier(pit, Random(4))
    for _ in range(12):
        some_round(croupier)
    pit.give(i.CallFloor(), key="call")
    pit.give(Health("leds", Condition.DOWN))
    again = on_the_next_day(pit.state)
    expected, found = dict(carry_over(pit.state).fields), dict(carry_over(again).fields)
    # The keys are of the new day, of which nothing is answered yet.
    assert not found["commands"].answered
    expected["commands"] = replace(expected["commands"], answered=Answers())
    assert found.keys() == expected.keys()
    for field, value in expected.items():
        assert repr(found[field]) == repr(value), field
    assert difference(carry_over(pit.state), carry_over(again)) in ("", "commands.answered")
    assert len(again.rounds.past) == 10
    assert again.holds == pit.state.holds


def test_a_day_closes_by_the_clock_and_the_next_one_begins(pit: CalendarPit) -> None:
    before = pit.state
    assert before.day is not None
    assert pit.give(i.DayCheck()).records == (), "it is not time yet"
    pit.close_day()
    assert [type(each.fact).__name__ for each in pit.records[-2:]] == ["DayClosed", "DayOpened"]
    state = pit.state
    assert state.day is not None
    assert (state.day.label, state.day.closed) == ("2023-11-15", False)
    assert state.day.ends_ms == before.day.ends_ms + 24 * HOUR_MS
    assert state.shoe.number == before.shoe.number
    assert state.seq == len(pit.records)


def test_a_round_in_play_is_finished_first() -> None:
    pit = in_play()
    assert pit.close_day().records == ()
    assert "between rounds" in pit.give(i.CloseDay()).refused
    assert pit.state.phase is Phase.ROUND
    assert pit.state.day is not None
    assert pit.state.day.label == "2023-11-14"


def test_open_holds_and_placed_bets_go_along(pit: CalendarPit) -> None:
    pit.bet(2, 5_000)
    pit.give(i.CallFloor())
    holds, wagers = pit.state.holds, pit.state.betting.wagers
    assert holds
    assert wagers
    pit.close_day()
    assert (pit.state.holds, pit.state.betting.wagers) == (holds, wagers)
    assert [each.about for each in pit.state.alarms] == [str(holds[0].number)]
    assert pit.resolve(Resolution.RELEASE).refused == ""


def test_the_floor_closes_a_day_and_nobody_twice(pit: CalendarPit) -> None:
    assert pit.give(i.CloseDay(), by=FLOOR).refused == ""
    assert pit.state.day is not None
    assert pit.state.day.label == "2023-11-15"
    assert "has not begun by the calendar" in pit.give(i.CloseDay(), by=FLOOR).refused


def test_with_roles_it_takes_the_floor() -> None:
    from dataclasses import replace

    pit = CalendarPit("21-24-27")
    pit.setup = replace(pit.setup, roles=True)
    pit.start()
    assert "floor" in pit.give(i.CloseDay()).refused
    assert pit.give(i.CloseDay(), by=FLOOR).refused == ""
    closed = facts(pit, f.DayClosed)[-1]
    assert isinstance(closed, f.DayClosed)
    assert closed.by == FLOOR


def doubt_of(pit: CalendarPit) -> ClockDoubt | None:
    assert pit.state.day is not None
    return pit.state.day.doubt


def titles(pit: CalendarPit) -> list[str]:
    """How the pit sees the alarms about the day."""
    return [e.title for e in public(pit.state).alarms if e.trouble == Trouble.DAY.value]


def test_a_clock_that_is_not_synchronised_closes_nothing_until_it_is(pit: CalendarPit) -> None:
    pit.synchronised = False
    pit.close_day()
    assert doubt_of(pit) is ClockDoubt.NOT_SYNCHRONISED
    assert [each.trouble for each in pit.state.alarms] == [Trouble.DAY]
    assert "The clock is not synchronised: close gaming day 2023-11-14 by hand" in titles(pit)
    assert pit.give(i.DayCheck()).records == ()
    pit.synchronised = True
    pit.give(i.DayCheck())
    assert doubt_of(pit) is None
    assert pit.state.day is not None
    assert pit.state.day.label == "2023-11-15"
    assert pit.state.alarms == ()


def test_a_clock_behind_the_last_record_closes_nothing(pit: CalendarPit) -> None:
    day = pit.state.day
    assert day is not None
    pit.set_clock_ms(day.ends_ms + 1_000)
    pit.give(Health(SCANNER, Condition.UP))
    pit.set_clock_ms(day.ends_ms - HOUR_MS)
    pit.give(i.DayCheck())
    assert doubt_of(pit) is ClockDoubt.BEHIND
    assert "The clock is behind the record: close gaming day 2023-11-14 by hand" in titles(pit)
    pit.set_clock_ms(day.ends_ms + HOUR_MS)
    pit.give(i.DayCheck())
    assert doubt_of(pit) is None


@pytest.mark.parametrize("started", [True, False])
def test_a_clock_that_jumped_closes_nothing_and_the_floor_does(
    pit: CalendarPit, started: bool
) -> None:
    away = timedelta(hours=37).total_seconds()
    pit.set_clock_ms(pit.now_ms + round(away * 1_000))
    if started:
        pit.start()
    pit.give(i.DayCheck())
    assert doubt_of(pit) is ClockDoubt.JUMPED
    silent = f"Over {JUMP_MS // HOUR_MS} hours without a record: check the clock, then close"
    assert f"{silent} gaming day 2023-11-14 by hand" in titles(pit)
    assert pit.give(i.DayCheck()).records == () or facts(pit, f.DayOverdue)
    assert facts(pit, f.DayClosed) == []
    assert pit.give(i.CloseDay(), by=FLOOR).refused == ""
    assert doubt_of(pit) is None
    assert pit.state.day is not None
    assert pit.state.day.label >= "2023-11-15"


@pytest.mark.parametrize("command", [Health(SCANNER, Condition.UP), i.DayCheck(), i.CallFloor()])
def test_a_jump_of_the_clock_is_noticed_whatever_comes_first_after_it(
    command: i.TableInput, pit: CalendarPit
) -> None:
    pit.set_clock_ms(pit.now_ms + round(timedelta(hours=40).total_seconds() * 1_000))
    pit.give(command)
    pit.give(i.DayCheck())
    assert doubt_of(pit) is ClockDoubt.JUMPED
    assert facts(pit, f.DayClosed) == []


def test_a_jump_of_the_clock_in_a_round_is_noticed() -> None:
    pit = in_play()
    pit.set_clock_ms(pit.now_ms + round(timedelta(hours=40).total_seconds() * 1_000))
    pit.give(i.DayCheck())
    assert doubt_of(pit) is ClockDoubt.JUMPED
    assert facts(pit, f.DayOverdue)


def test_a_day_that_came_due_while_the_table_was_off_is_closed_at_the_start(
    pit: CalendarPit,
) -> None:
    day = pit.state.day
    assert day is not None
    pit.set_clock_ms(day.ends_ms + HOUR_MS)
    pit.start()
    pit.give(i.DayCheck())
    closed = [each for each in pit.records if isinstance(each.fact, f.DayClosed)]
    started = [each for each in pit.records if isinstance(each.fact, f.ServiceStarted)]
    assert len(closed) == 1
    assert started[-1].seq < closed[0].seq, "the build that closes it is on record"


def test_a_day_two_hours_late_alarms_even_in_mid_round() -> None:
    pit = in_play()
    day = pit.state.day
    assert day is not None
    pit.set_clock_ms(day.ends_ms + LATE_MS + 1)
    pit.give(i.DayCheck())
    assert (Trouble.DAY, "overdue") in [(e.trouble, e.about) for e in pit.state.alarms]
    assert "Gaming day 2023-11-14 is two hours overdue: close it" in titles(pit)
    assert len(facts(pit, f.DayOverdue)) == 1
    pit.give(i.DayCheck())
    assert len(facts(pit, f.DayOverdue)) == 1


def test_another_schedule_is_on_record_and_moves_the_end(pit: CalendarPit) -> None:
    from controller.service.timekeeping.calendar import Calendar
    from controller.table.gaming_day import Schedule

    day = pit.state.day
    assert day is not None
    pit.calendar = Calendar(Schedule("05:00", "Europe/Helsinki"))
    pit.start()
    assert pit.state.day is not None
    assert pit.state.day.ends_ms == day.ends_ms - HOUR_MS
    assert len(facts(pit, f.DayRescheduled)) == 1
    pit.start()
    assert len(facts(pit, f.DayRescheduled)) == 1


def test_a_late_correction_is_a_fact_of_today_that_names_day_and_round() -> None:
    pit = CalendarPit("blackjack")
    croupier = Croupier(pit, Random(7))
    for _ in range(3):
        some_round(croupier)
    pit.close_day()
    net = {each.number: each.net for each in pit.state.rounds.past}
    asked = correction(pit, 2)
    assert asked is not None
    assert pit.give(asked).refused == ""
    fact = facts(pit, f.RoundCorrected)[-1]
    assert isinstance(fact, f.RoundCorrected)
    assert (fact.day, fact.number) == ("2023-11-14", 2)
    after = {each.number: each.net for each in pit.state.rounds.past}
    assert after[2] == fact.net
    assert {number: after[number] for number in (1, 3)} == {n: net[n] for n in (1, 3)}


def test_a_round_of_another_day_can_be_voided_and_says_of_which() -> None:
    pit = CalendarPit("blackjack")
    croupier = Croupier(pit, Random(7))
    some_round(croupier)
    pit.close_day()
    pit.give(i.Happened(Reason.MISDEAL, 1))
    assert pit.resolve(Resolution.VOID).refused == ""
    fact = facts(pit, f.SettledRoundVoided)[-1]
    assert isinstance(fact, f.SettledRoundVoided)
    assert (fact.day, fact.number) == ("2023-11-14", 1)


def test_a_round_older_than_the_last_ten_is_refused_in_words() -> None:
    pit = CalendarPit("blackjack")
    croupier = Croupier(pit, Random(7))
    for _ in range(6):
        some_round(croupier)
    pit.close_day()
    for _ in range(6):
        some_round(croupier)
    edit = i.EditAsked(0, EditKind.REPLACE, "Kh")
    refused = pit.give(i.Correct(2, (edit,), "misread")).refused
    assert "2" in refused
    assert "can" in refused
    assert facts(pit, f.RoundCorrected) == []


def test_a_state_that_got_a_field_since_still_covers_what_stands_on_record() -> None:
    pit = CalendarPit("blackjack")
    some_round(Croupier(pit, Random(7)))
    now = public_form(carry_over(pit.state))
    older = {name: each for name, each in now.items() if name != "decided_at"}
    older["shoe"] = {name: each for name, each in now["shoe"].items() if name != "last_hidden"}
    assert covers(older, now)
    assert not covers(now, older)
    assert not covers({**older, "button": 9}, now)
    assert not covers({**older, "past": []}, now)


def test_a_carry_over_of_an_older_version_takes_the_defaults_of_what_came_later() -> None:
    """A day that was carried before a field was added to the state: opened, played on, verified."""
    pit = CalendarPit("blackjack")
    some_round(Croupier(pit, Random(4)))
    pit.give(i.CallFloor(), key="call")
    today = public_form(carry_over(pit.state))
    older = copy.deepcopy(today)
    del older["dealer"], older["commands"]["answered"], older["counts"]["alarms"]
    assert covers(older, today)
    taken = from_forms(older, "", None, lambda digest: None)
    assert "dealer" not in taken.fields
    assert len(taken.fields["commands"].answered) == 0
    assert taken.fields["counts"].alarms == 0
    older["counts"]["rounds"] += 1
    assert not covers(older, today)


def test_only_a_day_that_is_closed_can_be_removed(pit: CalendarPit) -> None:
    assert pit.state.day is not None
    closed = pit.state.day.label
    assert pit.close_day().refused == ""
    now = pit.state.day.label
    assert closed < now
    pit.give(i.RemoveDays(((closed, True), (now, True), ("2999-01-01", False))))
    assert facts(pit, f.DayRemoved) == [f.DayRemoved(closed, True)]
