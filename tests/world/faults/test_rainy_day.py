"""Devices that fail, one after the other: each ends in a named state, with nothing lost.

The witness is the simulated world: it plays each round again from the cards that lie on its felt.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from controller.record.journal import Journal
from controller.table import facts as f
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.views.english import say
from sim_hw.devices.faults import Fault, FaultKind, load_faults
from tests.support.dealt.day import day, named
from tests.support.faults.fault_cases import CASES, as_markdown
from tests.support.faults.rain import RAIN
from tests.support.patience import MOST_NOT_SEEN, NOT_SEEN_IN_TIME
from tests.support.processes.town import Town

ROOT = Path(__file__).parents[3]
RAINY = ROOT / "sim_hw" / "rainy.toml"
GAME, SEED, SEATS = "21-24-27", 3, 3
#: At a rainy day's: each of its rounds has five cards and more, and its trouble at the third.
RAINY_SEATS = 1
#: People take 1.75 ms to pull a card: a service on a busy machine must see a pulled plug before.
SPEED = 200


class RainyDay(NamedTuple):
    """A day that was dealt: what the world printed, and the record."""

    lines: list[str]
    facts: list[f.Fact]

    @property
    def rounds(self) -> list[str]:
        return [line for line in self.lines if line.startswith("round ")]

    def raised(self, number: int) -> list[f.HoldRaised]:
        """What held the table in that round."""
        found, at = [], 0
        for fact in self.facts:
            if isinstance(fact, f.BetsClosed):
                at = fact.number
            elif isinstance(fact, f.RoundEnded):
                at = 0
            elif isinstance(fact, f.HoldRaised) and at == number:
                found.append(fact)
        return found

    def holds(self, number: int) -> list[Reason]:
        """Why the table was held in that round."""
        return [each.reason for each in self.raised(number)]

    def not_seen(self, number: int) -> int:
        """How many cards of that round a table that stood still had to have entered: it saw what
        happened meanwhile all at once.
        """
        return sum(NOT_SEEN_IN_TIME in say(each.message) for each in self.raised(number))


def dealt(folder: Path, rounds: int, faults: Path | None, *, seed: int, beam: bool) -> RainyDay:
    """A day at the simulated table, with or without a beam at the exit of the shoe."""
    folder.mkdir(parents=True, exist_ok=True)
    town = Rainy(folder, faults, beam=beam, rounds=rounds, seed=seed)
    try:
        assert town.world.finish(120) == 0, town.world.lines
    finally:
        town.service.close()
        town.close()
    return read(town.world.lines, folder)


def read(lines: list[str], folder: Path) -> RainyDay:
    """What was printed, and the record in that folder."""
    with closing(Journal(folder / "record")) as journal:
        return RainyDay(lines, [record.fact for record in journal.newest_day.records()])


class Rainy(Town):
    """A town with faults."""

    def __init__(
        self, folder: Path, faults: Path | None, *, beam: bool, rounds: int, seed: int
    ) -> None:
        self._faults, self._beam = faults, beam
        super().__init__(folder, rounds=rounds, seed=seed, seats=SEATS, speed=1_000, game=GAME)

    def prepare(self) -> None:
        path = self.folder / "world.json"
        order = json.loads(path.read_text())
        order["faults"] = str(self._faults) if self._faults else None
        if not self._beam:
            order["pins"]["beam"] = None
            self.config.write_text(re.sub(r"\[beam\]\n(.+\n)+", "", self.config.read_text()))
        path.write_text(json.dumps(order))


def undisturbed(seed: int, rounds: int, seats: int = SEATS) -> list[str]:
    """The lines of a day in which nothing goes wrong, worked out without a table."""
    return [each.line for each in day(named(GAME), seed, seats, rounds)]


# A rainy day, one trouble a round


@pytest.fixture(scope="module", name="rainy")
def _rainy(tmp_path_factory: pytest.TempPathFactory) -> tuple[RainyDay, dict[str, Fault]]:
    faults = {each.kind.value: each for each in load_faults(RAINY)}
    rounds = max(each.round for each in faults.values()) + 1
    folder = tmp_path_factory.mktemp("rain")
    command = [
        sys.executable, "-m", "controller", "demo", "--headless", "--game", GAME,
        "--rounds", str(rounds), "--seed", str(SEED), "--seats", str(RAINY_SEATS),
        "--speed", str(SPEED), "--faults", str(RAINY), "--dir", str(folder),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=1_000, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return read(done.stdout.splitlines(), folder), faults


@pytest.mark.parametrize("kind", FaultKind)
def test_each_trouble_of_a_rainy_day_ends_as_it_should(
    rainy: tuple[RainyDay, dict[str, Fault]], kind: FaultKind
) -> None:
    """`sim_hw/rainy.toml` has them all; the witness counts and pays as if nothing had happened."""
    day, faults = rainy
    number = faults[kind.value].round
    assert day.rounds[number - 1] == undisturbed(SEED, number, RAINY_SEATS)[-1]
    rain = RAIN[kind]
    holds = day.holds(number)
    if rain.reason is None:
        assert len(holds) == day.not_seen(number), holds
    else:
        # A card that was not seen in time is unreadable, too: it may come before the trouble.
        may_be_first = {rain.reason, rain.seen_late}
        assert holds[0] in may_be_first or NOT_SEEN_IN_TIME in say(day.raised(number)[0].message)
        assert rain.reason in holds


def test_a_rainy_day_holds_the_table_for_nothing_but_its_troubles(
    rainy: tuple[RainyDay, dict[str, Fault]],
) -> None:
    """But for the few cards that a busy machine does not see in time."""
    day, faults = rainy
    quiet = [faults[kind.value].round for kind, rain in RAIN.items() if rain.reason is None]
    assert sum(day.not_seen(number) for number in quiet) <= MOST_NOT_SEEN


def test_after_the_rain_the_table_goes_on(rainy: tuple[RainyDay, dict[str, Fault]]) -> None:
    day, faults = rainy
    rounds = max(each.round for each in faults.values()) + 1
    assert day.rounds == undisturbed(SEED, rounds, RAINY_SEATS)


# Without a beam


def faults_file(folder: Path, *faults: tuple[int, int, str]) -> Path:
    path = folder / "faults.json"
    names = ("round", "card", "kind")
    path.write_text(json.dumps({"fault": [dict(zip(names, each, strict=True)) for each in faults]}))
    return path


@pytest.mark.long
def test_without_a_beam_a_missed_card_is_called_for_and_entered(tmp_path: Path) -> None:
    faults = faults_file(tmp_path, (1, 3, "miss_code"))
    day = dealt(tmp_path / "day", 1, faults, seed=SEED, beam=False)
    # The first card comes after one that was burned unseen: that one is always asked for.
    assert day.holds(1) == [Reason.TWIN, Reason.FLOOR]
    assert day.rounds == undisturbed(SEED, 1)


@pytest.mark.long
def test_without_a_beam_people_tell_one_card_from_two_alike(tmp_path: Path) -> None:
    """Seed and round of two cards alike are looked for; a card before it is read twice."""
    seed, alike = two_alike()
    faults = faults_file(tmp_path, (1, alike - 2, "double"))
    day = dealt(tmp_path / "day", 1, faults, seed=seed, beam=False)
    # The first card comes after one that was burned unseen: that one is always asked for.
    assert day.holds(1) == [Reason.TWIN, Reason.TWIN, Reason.TWIN]
    resolutions = [each.resolution for each in day.facts if isinstance(each, f.HoldReleased)]
    assert resolutions[:3] == [Resolution.TWO, Resolution.ONE, Resolution.TWO]
    assert day.rounds == undisturbed(seed, 1)


@pytest.mark.long
def test_with_a_beam_two_cards_alike_are_two_cards(tmp_path: Path) -> None:
    seed, _ = two_alike()
    day = dealt(tmp_path / "day", 1, None, seed=seed, beam=True)
    assert day.holds(1) == []
    assert day.rounds == undisturbed(seed, 1)


def two_alike() -> tuple[int, int]:
    """A seed whose first round has two cards alike, one after the other; the second one's place.

    None before it is the like of its neighbour, and there are at least three.
    """
    for seed in range(10_000):
        cards = [each.card.kind for each in next(day(named(GAME), seed, SEATS, 1)).dealt]
        places = [at for at in range(1, len(cards)) if cards[at] == cards[at - 1]]
        if len(places) == 1 and places[0] >= 3:
            return seed, places[0] + 1
    raise AssertionError("no seed has two cards alike")


# The table of cases


def test_the_table_of_faults_is_that_of_the_tests() -> None:
    assert (ROOT / "tests" / "world" / "FAULTS.md").read_text() == as_markdown()


@pytest.mark.parametrize("proof", sorted({case.proof for case in CASES}))
def test_each_case_names_a_test_that_is_there(proof: str) -> None:
    path, _, name = proof.partition("::")
    tree = ast.parse((ROOT / path).read_text())
    assert name in {
        each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_fault_that_can_be_asked_for_is_on_the_list_and_rains() -> None:
    assert set(RAIN) == set(FaultKind) == {each.kind for each in load_faults(RAINY)}
