"""The service is killed at random moments of the games: nothing lost, nothing twice.

`python -m tests.endurance.torture.kills --kills 1000` is longer still than the long form here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.commands.demo.wiring import SPOTS
from controller.record.journal import Journal
from controller.rules.cards import card
from controller.table.facts import Record
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.table.display_reader import Display, HoldShown, KeyShown
from tests.endurance.torture.account import DayVerdict, judge, recorded, rounds_by, states_of
from tests.endurance.torture.company import locked
from tests.endurance.torture.killday import DayOrder, Kill, WitnessedDay
from tests.endurance.torture.kills import add, report
from tests.endurance.torture.moments import Killer, KillMoment, KillPlan, plan
from tests.support.dealt.journals import records

#: The long form deals ten in each day of all five games.
KILLS, A_DAY = 50, 10
SEED = 1
#: The quick form deals one day of Blackjack, hidden card and all, with kills before the write,
#: after the commit and after the lights.
QUICK_KILLS, QUICK_DAY = 5, 3
SEATS = 5


@pytest.mark.timeout(1_800)
def test_killed_at_many_moments_of_the_games_and_each_card_and_payout_is_there_once(
    tmp_path: Path, long_form: bool
) -> None:
    command = [
        sys.executable, "-m", "tests.endurance.torture.kills", "--seed", str(SEED),
        "--state", str(tmp_path / "kills"),
    ]  # fmt: skip
    if long_form:
        command += ["--kills", str(KILLS), "--a-day", str(A_DAY)]
    else:
        day, kills = str(QUICK_DAY), str(QUICK_KILLS)
        command += ["--day", day, "--kills", kills, "--a-day", kills]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1_500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if not long_form:
        assert re.search(rf"^{QUICK_KILLS} kills: 1 days, \d+ rounds, [1-9]\d* cards", done.stdout)
        assert f"none wrong in {QUICK_KILLS}" in done.stdout
        return
    total = json.loads((tmp_path / "kills" / f"total-{SEED}.json").read_text())
    assert (total["kills"], total["days"]) == (KILLS, KILLS // A_DAY)
    assert total["cards"] > KILLS
    assert f"none wrong in {KILLS}" in done.stdout


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_across_a_kill_guarded_lights_are_held_and_what_takes_the_floor_stays_locked(
    tmp_path: Path,
) -> None:
    command = [
        sys.executable, "-m", "tests.endurance.torture.kills", "--kills", "3", "--seed", "5",
        "--form", "both", "--state", str(tmp_path),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=1_500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    total = json.loads((tmp_path / "total-both-5.json").read_text())
    assert total["kills"] == 3
    assert 0 < total["held_ms"] < 3_000
    assert total["tried"] > 0
    assert "0 times not held within 3 s, 0 holds unlocked without the floor" in done.stdout


# The judge itself: what a kill could do is found out.


@pytest.fixture(name="whole")
def _whole(tmp_path: Path) -> tuple[WitnessedDay, list[Record]]:
    """A short day of Blackjack, hidden cards and all, of which the world saw what is on record."""
    written = records(5, 150, "blackjack")
    with closing(Journal(tmp_path / "record")) as journal:
        assert list(journal.newest_day.records()) == []
        journal.write(written)
    day = WitnessedDay(DayOrder(5, 0, "blackjack", 0), tmp_path)
    for number, each in enumerate(recorded(written)):
        assert each.kind is not None
        day.exits.append((each.shoe, PhysicalCard(each.kind, number)))
    day.lines = rounds_by(written, states_of(written))
    assert day.lines
    return day, written


def judged(day: WitnessedDay) -> DayVerdict:
    return judge(day, SPOTS[:SEATS])


def test_a_day_on_record_as_the_world_saw_it_is_good(
    whole: tuple[WitnessedDay, list[Record]],
) -> None:
    day, _ = whole
    verdict = judged(day)
    assert verdict.good, verdict.problems
    assert verdict.cards == len(day.exits)


def test_a_card_that_is_not_on_record_is_lost(whole: tuple[WitnessedDay, list[Record]]) -> None:
    day, _ = whole
    day.exits.append(day.exits[0])
    assert (judged(day).lost, judged(day).twice) == (1, 0)


def test_a_record_without_a_card_was_counted_twice(
    whole: tuple[WitnessedDay, list[Record]],
) -> None:
    day, _ = whole
    del day.exits[-1]
    assert (judged(day).lost, judged(day).twice) == (0, 1)


def test_a_card_recorded_as_another_is_found(whole: tuple[WitnessedDay, list[Record]]) -> None:
    day, _ = whole
    shoe, lay = day.exits[3]
    day.exits[3] = shoe, PhysicalCard(card("2c" if lay.kind != card("2c") else "3c"), 3)
    assert judged(day).other == 1


def test_a_payout_that_the_witness_saw_otherwise_is_found(
    whole: tuple[WitnessedDay, list[Record]],
) -> None:
    day, _ = whole
    day.lines[0] = day.lines[0].replace("net ", "net 1")
    assert judged(day).wrong_pay == 1


DARK_PICTURE = Display(
    seq=0, round=0, phase="", tone="", headline="", why="", refusal="", keys=(), hands=(),
    dealer=None, holds=(), down={}, shoe=1, gone=0, cut_after=0, shoe_state="",
)  # fmt: skip


def killed(records: list[Record], at: int, shown: int) -> Kill:
    """Killed when record `at` was the last, with the picture of record `shown` on the display."""
    state = states_of(records)[shown - 1]
    picture = replace(DARK_PICTURE, seq=shown, phase=state.phase.value, gone=state.shoe.gone)
    kill = Kill(KillPlan(KillMoment.CLOCK, 1, 0.0), at_ns=records[at - 1].mono_ns + 1)
    return replace(kill, shown=picture)


def test_a_picture_that_was_shown_and_is_not_on_record_is_found(
    whole: tuple[WitnessedDay, list[Record]],
) -> None:
    day, written = whole
    day.kills = [killed(written, at=40, shown=60)]
    verdict = judged(day)
    assert verdict.unkept == 1
    assert "record 60 was shown, 40 are there" in verdict.problems[0]


def test_a_picture_that_says_otherwise_than_the_record_is_found(
    whole: tuple[WitnessedDay, list[Record]],
) -> None:
    day, written = whole
    day.kills = [killed(written, at=60, shown=50)]
    verdict = judged(day)
    assert verdict.unkept == 1
    assert "shown was" in verdict.problems[0]


def test_a_lamp_that_no_record_lit_is_found(whole: tuple[WitnessedDay, list[Record]]) -> None:
    """At the start the shoe is to be loaded: magenta, and nothing is green."""
    day, written = whole
    _, green, _ = SPOTS[0]
    day.kills = [Kill(KillPlan(KillMoment.CLOCK, 1, 0.0), written[1].mono_ns + 1, pins={green: 1})]
    assert judged(day).wrong_lights == 1


def test_lights_that_are_not_held_and_a_hold_that_the_dealer_clears_are_found(
    whole: tuple[WitnessedDay, list[Record]],
) -> None:
    day, written = whole
    kill = Kill(KillPlan(KillMoment.CLOCK, 1, 0.0), written[1].mono_ns + 1)
    day.kills = [replace(kill, unheld="not held", tried=3, unlocked=["it was answered 200"])]
    verdict = judged(day)
    assert (verdict.unheld, verdict.tried, verdict.unlocked) == (1, 3, 1)
    assert len(verdict.problems) == 2


def test_what_takes_the_floor_is_asked_for_in_vain_by_name() -> None:
    """The ways that are tried after a kill are those of the table of roles."""
    key = KeyShown({"do": "resolve"}, "", "")
    ways = {"count": key, "enter_card": key, "void": key}
    picture = replace(DARK_PICTURE, holds=(HoldShown(1, "Recount", "", ways),))
    assert len(locked(picture)) == 2


def test_the_total_says_the_bound_only_while_nothing_went_wrong() -> None:
    total: dict[str, int] = {}
    add(total, DayVerdict(kills=300))
    assert "fewer than 1.00%" in report(total)
    add(total, DayVerdict(kills=10, lost=1, problems=["a card is lost"]))
    assert "confidence" not in report(total)
    assert "1 cards lost" in report(total)


def test_a_seed_says_the_moments() -> None:
    plans = [plan(Random("7/3/kills")) for _ in range(2)]
    assert plans[0] == plans[1]
    chance = Random("7/3/kills")
    assert {plan(chance).moment for _ in range(400)} == set(KillMoment)


def test_the_killer_kills_once_at_the_nth_moment() -> None:
    killer, done = Killer(), list[str]()
    try:
        killer.arm(KillPlan(KillMoment.PIN, 2, 0.0), lambda: done.append("killed"))
        killer.notice(KillMoment.PIN)
        killer.notice(KillMoment.CODE)
        assert done == []
        killer.notice(KillMoment.PIN)
        killer.notice(KillMoment.PIN)
        killer.fire()
        assert done == ["killed"]
    finally:
        killer.close()
