"""The whole product, as a new user starts it: five games, a power cut, an unplugged scanner."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

from controller.__main__ import main
from controller.access.read_directory import read_directory
from controller.record.journal import Journal
from controller.rules.games.registry import GAMES
from controller.rules.options import Plain
from controller.table.decide.consequences.round_in_play import resumed
from controller.table.evolve.evolve import evolve
from controller.table.facts import (
    CardDealtDown,
    CardTurned,
    DeviceDown,
    HoldRaised,
    Record,
    ResolutionChosen,
    RoundEnded,
)
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, Role
from controller.table.state.state import State
from controller.table.views.scene import displays
from tests.support.dealt.day import day, named
from tests.support.forms import quick_first
from tests.support.processes.town import Town


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller", "demo", "--headless", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=1_000, check=False)


def rounds_of(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("round ")]


def undisturbed(game: str, seed: int, seats: int, rounds: int, **options: Plain) -> list[str]:
    """The lines of a day in which nothing goes wrong, worked out without a table."""
    return [each.line for each in day(named(game, **options), seed, seats, rounds)]


class DemoDay(NamedTuple):
    """A short day in which much happens, at a pace and with house options of its own."""

    seed: int
    seats: int
    rounds: int = 2
    speed: int = 100
    options: Mapping[str, Plain] = MappingProxyType({})


DAYS = {
    "21-24-27": DemoDay(7, 2, speed=40),
    # A split, a double, a surrender.
    "finnish-27": DemoDay(286, 3),
    "casino-7-27": DemoDay(1, 3, options={"low_pays": "2:1", "min_bet": 2_000}),
    # A split, a double, a change of mind.
    "blackjack": DemoDay(39, 3),
    # A pass, a bet, a raise, a fold; a half of the pot is shared.
    "seven-twenty-seven": DemoDay(251, 4, rounds=1, speed=1_000),
}


#: In the quick form: a hidden card of the dealer. `endurance/breaking` and `sim_hw/test_tables`
#: deal all games there, without processes.
QUICK: Final = ("blackjack",)


@pytest.mark.parametrize("game", quick_first(GAMES, QUICK))
def test_every_game_is_dealt_by_the_seed_to_the_card_and_without_a_hold(game: str) -> None:
    """Whatever the pace: the rounds are worked out without a table."""
    at = DAYS[game]
    options = [f"--option={name}={value}" for name, value in at.options.items()]
    done = demo(
        "--game", game, "--rounds", str(at.rounds), "--seed", str(at.seed), "--seats",
        str(at.seats), "--speed", str(at.speed), *options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert rounds_of(done.stdout) == undisturbed(game, at.seed, at.seats, at.rounds, **at.options)
    assert " 0 holds" in done.stdout.splitlines()[-1]


@pytest.mark.long
def test_rounds_as_fast_as_the_machine_allows_are_no_babble(tmp_path: Path) -> None:
    """Four rounds of presses and the guard against chattering buttons held the table for 5 s."""
    done = demo(
        "--game", "blackjack", "--rounds", "6", "--seats", "3", "--dir", str(tmp_path / "demo")
    )
    assert done.returncode == 0, done.stderr
    journal = Journal(tmp_path / "demo" / "record")
    try:
        facts = [each.fact for each in journal.newest_day.records()]
    finally:
        journal.close()
    ended = max(at for at, fact in enumerate(facts) if isinstance(fact, RoundEnded))
    assert not [fact for fact in facts[:ended] if isinstance(fact, DeviceDown)]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "whist"], "there is no game 'whist'"),
        (["--rounds", "1", "--seats", "9"], "--seats: 21-24-27 is dealt to 1 to 7 players"),
        (
            ["--game", "seven-twenty-seven", "--rounds", "1", "--seats", "8"],
            "4 to 10 players; the demo's table has 7 spots: choose 4 to 7",
        ),
        (["--game", "blackjack", "--rounds", "1", "--option", "ante=5"], "has no option 'ante'"),
        (["--rounds", "1", "--speed", "0"], "--speed"),
        ([], "--rounds"),
        (["--rounds", "1", "--faults", "/nowhere"], "there is no file"),
    ],
)
def test_a_wrong_order_says_what_to_change(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = main(["demo", "--headless", *arguments])
    except SystemExit as ended:  # what the parser itself refuses
        status = ended.code
    assert status == 2
    assert says in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("game", ["21-24-27", "blackjack"])
def test_kill_9_in_mid_round_and_the_same_step_beneath_the_recount(
    tmp_path: Path, game: str
) -> None:
    town = Town(tmp_path, rounds=0, game=game, seats=3)
    try:
        before = town.until_scene(
            lambda scene: scene["phase"] == "round" and len(scene["hands"][0]["cards"]) > 1
        )
        town.service.kill()
        shown = state_of(tmp_path)
        assert shown.seq >= before["seq"]
        waiting = displays(resumed(shown))[0].headline
        town.start_service()
        town.end_after_a_round()
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
    assert displays(resumed(replace(at_recount, holds=())))[0].headline == waiting
    # No card was lost and none counted twice: the rounds are those of an undisturbed day.
    rounds = rounds_of("\n".join(town.world.lines))
    assert rounds == undisturbed(game, 7, 3, len(rounds))


def records_of(folder: Path) -> list[Record]:
    journal = Journal(folder / "record")
    try:
        return list(journal.newest_day.records())
    finally:
        journal.close()


def state_of(folder: Path) -> State:
    state = None
    for record in records_of(folder):
        state = evolve(state, record)
    assert state is not None
    return state


@pytest.mark.long
def test_an_unplugged_scanner_leads_to_a_recount_and_play_goes_on(tmp_path: Path) -> None:
    faults = tmp_path / "faults.toml"
    faults.write_text('[[fault]]\nround = 1\ncard = 5\nkind = "unplug"\nfor_s = 1.0\n')
    done = demo("--rounds", "2", "--seed", "3", "--seats", "3", "--faults", str(faults))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 holds" not in done.stdout.splitlines()[-1]
    assert rounds_of(done.stdout) == undisturbed("21-24-27", 3, 3, 2)


@pytest.mark.long
def test_a_hidden_card_that_was_not_read_is_entered_at_its_reveal(tmp_path: Path) -> None:
    """Blackjack at three boxes: card 8 lies face down. The plug is pulled at round 2's."""
    faults = tmp_path / "faults.toml"
    faults.write_text(
        """
        fault = [
            {round = 1, card = 2, kind = "miss_code"},
            {round = 1, card = 8, kind = "miss_code"},
            {round = 2, card = 8, kind = "unplug", for_s = 1.0},
        ]
        """
    )
    folder = tmp_path / "demo"
    done = demo(
        "--game", "blackjack", "--rounds", "2", "--seed", "7", "--seats", "3",
        "--faults", str(faults), "--dir", str(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert rounds_of(done.stdout) == undisturbed("blackjack", 7, 3, 2)
    facts = [record.fact for record in records_of(folder)]
    assert [each.card.known for each in facts if isinstance(each, CardDealtDown)] == [False, False]
    assert len([each for each in facts if isinstance(each, CardTurned)]) == 2
    raised = [each.reason for each in facts if isinstance(each, HoldRaised)]
    # When the day is over the world goes first, and a service that notices holds once more.
    assert raised[:2] == [Reason.UNREADABLE, Reason.RECOUNT]


FORGOTTEN = """\
[[fault]]
round = 1
card = 3
kind = "power_cut"
"""


@pytest.mark.long
def test_at_a_table_with_people_the_floor_comes_and_gives_its_pin(tmp_path: Path) -> None:
    faults = tmp_path / "faults.toml"
    faults.write_text(FORGOTTEN)
    folder = tmp_path / "run"
    done = demo(
        "--people", "--rounds", "1", "--seats", "2", "--seed", "7", "--speed", "60",
        "--faults", str(faults), "--dir", str(folder),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    journal = Journal(folder / "record")
    facts = [record.fact for record in journal.newest_day.records()]
    journal.close()
    chosen = [fact for fact in facts if isinstance(fact, ResolutionChosen)]
    eino = read_directory(folder / "people.toml").find("eino").id
    counted = (Resolution.COUNT, (Person(eino, Role.FLOOR),), "Looked at the felt")
    # What else the power cut left is settled by whoever may: a card without its code is the
    # dealer's to enter, anything else waits for the floor.
    others = {
        (Resolution.ENTER_CARD, (), ""),
        (Resolution.RELEASE, (Person(eino, Role.FLOOR),), "Looked at the felt"),
    }
    said = [(each.resolution, each.by, each.reason) for each in chosen]
    assert said[:1] == [counted]
    assert set(said[1:]) <= others
    people = json.loads((folder / "world.json").read_text())["people"]
    directory = (folder / "people.toml").read_text()
    assert {each["role"] for each in people} == {"dealer", "floor"}
    assert all(f'"{each["pin"]}"' not in directory for each in people), "kept as hashes alone"
    assert (folder / "world.json").stat().st_mode & 0o077 == 0
    assert (folder / "people.toml").stat().st_mode & 0o077 == 0
