"""The whole product, as a new user starts it: rounds, a power cut, an unplugged scanner."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal import Journal
from controller.table.evolve import evolve
from controller.table.facts import HoldRaised, Record
from controller.table.holds import Reason
from controller.table.scene import displays
from controller.table.state import State
from tests.support.town import Town

pytestmark = pytest.mark.timeout(300)


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller", "demo", "--headless", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def rounds_of(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("round ")]


def test_the_same_seed_gives_the_same_rounds_and_no_hold() -> None:
    one = demo("--rounds", "4", "--seed", "7")
    assert one.returncode == 0, one.stderr
    assert len(rounds_of(one.stdout)) == 4
    assert " 0 holds" in one.stdout.splitlines()[-1]
    # At another speed: timing changes no round.
    two = demo("--rounds", "2", "--seed", "7", "--speed", "40")
    assert rounds_of(two.stdout) == rounds_of(one.stdout)[:2]
    other = demo("--rounds", "2", "--seed", "8")
    assert rounds_of(other.stdout) != rounds_of(one.stdout)[:2]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "whist"], "there is no game 'whist'"),
        (["--rounds", "1", "--seats", "9"], "--seats"),
        (["--rounds", "1", "--speed", "0"], "--speed"),
        ([], "--rounds"),
        (["--rounds", "1", "--faults", "/nowhere"], "there is no file"),
    ],
)
def test_a_wrong_order_says_what_to_change(arguments: list[str], says: str) -> None:
    done = demo(*arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_kill_9_in_mid_round_and_the_same_step_beneath_the_recount(tmp_path: Path) -> None:
    town = Town(tmp_path, rounds=3)
    try:
        before = town.until_scene(
            lambda scene: scene["phase"] == "round" and scene["hands"][0]["total"] != ""
        )
        town.service.kill()
        shown = state_of(tmp_path)
        assert shown.seq >= before["seq"]
        waiting = displays(shown)[0].headline
        town.start_service()
        assert town.world.finish() == 0, town.world.lines
    finally:
        town.close()
    # Beneath the recount stood the very step that waited before.
    at_recount = None
    for record in records_of(tmp_path):
        at_recount = evolve(at_recount, record)
        if isinstance(record.fact, HoldRaised):
            break
    assert at_recount is not None
    assert [hold.reason for hold in at_recount.holds] == [Reason.RECOUNT]
    assert displays(replace(at_recount, holds=()))[0].headline == waiting
    # No card was lost and none counted twice: the rounds are those of an undisturbed day.
    undisturbed = demo("--rounds", "3", "--seed", "7")
    assert rounds_of("\n".join(town.world.lines)) == rounds_of(undisturbed.stdout)


def records_of(folder: Path) -> list[Record]:
    journal = Journal(folder / "journal.db")
    try:
        return list(journal.records())
    finally:
        journal.close()


def state_of(folder: Path) -> State:
    state = None
    for record in records_of(folder):
        state = evolve(state, record)
    assert state is not None
    return state


def test_an_unplugged_scanner_leads_to_a_recount_and_play_goes_on(tmp_path: Path) -> None:
    faults = tmp_path / "faults.toml"
    faults.write_text('[[fault]]\nround = 1\ncard = 5\nkind = "unplug"\nfor_s = 1.0\n')
    done = demo("--rounds", "3", "--seed", "3", "--faults", str(faults))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(rounds_of(done.stdout)) == 3
    assert " 0 holds" not in done.stdout.splitlines()[-1]
    assert rounds_of(demo("--rounds", "3", "--seed", "3").stdout) == rounds_of(done.stdout)
