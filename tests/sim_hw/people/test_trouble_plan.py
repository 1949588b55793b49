"""A training's trouble: from the seed, more of it with each round, and less where it is asked."""

from collections import Counter

import pytest

from controller.commands.demo.order import TROUBLE as ASKED_FOR
from controller.training.kinds import KINDS
from sim_hw.devices.faults import CameraFault, Fault, FaultKind
from sim_hw.people.people_trouble import HAPPENS, SAYS
from sim_hw.people.trouble_plan import (
    EXPOSED,
    LEVELS,
    PeopleTrouble,
    PlannedTrouble,
    TroublePlan,
    kinds_at,
)
from sim_hw.settings import TROUBLE, ReaderKind

SCANNER = kinds_at(ReaderKind.SERIAL, hides=True)


def day(level: str, seed: int = 1, rounds: int = 40) -> list[list[PlannedTrouble]]:
    plan = TroublePlan(seed, level, SCANNER)
    return [plan.of_round(round_) for round_ in range(1, rounds + 1)]


def name_of(trouble: PlannedTrouble) -> str:
    return trouble.kind if isinstance(trouble, PeopleTrouble) else trouble.kind.value


def test_the_same_seed_makes_the_same_trouble_and_another_one_another() -> None:
    assert day("some", 1) == day("some", 1)
    assert day("some", 1) != day("some", 2)


@pytest.mark.parametrize("level", ["few", "some", "many"])
def test_there_is_more_of_it_with_each_round(level: str) -> None:
    counts = [len(each) for each in day(level)]
    assert 0 < sum(counts[:20]) < sum(counts[20:])
    assert max(counts) <= LEVELS[level].most + 1


def test_each_level_makes_more_than_the_one_below_it() -> None:
    totals = [sum(map(len, day(level))) for level in LEVELS]
    assert totals == sorted(set(totals))
    assert totals[0] == 0


def test_every_kind_comes_once_before_the_first_comes_again() -> None:
    names = [name_of(each) for round_ in day("many", rounds=60) for each in round_]
    for at in range(0, len(names) - len(SCANNER), len(SCANNER)):
        assert Counter(names[at : at + len(SCANNER)]) == Counter(SCANNER)


def test_a_fault_comes_in_its_round_to_one_of_its_first_cards() -> None:
    for number, troubles in enumerate(day("many"), 1):
        for each in troubles:
            assert each.round == number
            if isinstance(each, Fault):
                assert 1 <= each.card <= 4
                assert (each.for_s > 0) is (each.kind is FaultKind.UNPLUG)


def test_less_goes_down_by_one_level_and_ends_at_none() -> None:
    plan = TroublePlan(1, "some", SCANNER)
    assert plan.less()
    assert plan.level == "few"
    assert plan.less()
    assert plan.level == "none"
    assert not plan.less()
    assert all(plan.of_round(number) == [] for number in range(20, 40))


def test_the_report_knows_all_that_the_world_can_do() -> None:
    faults = {each.value for each in (*FaultKind, *CameraFault)}
    assert faults | set(SAYS) | set(HAPPENS) == set(KINDS)


def test_command_line_and_world_know_the_same_levels() -> None:
    assert tuple(LEVELS) == TROUBLE == ASKED_FOR


def test_a_camera_makes_trouble_of_its_own() -> None:
    assert set(kinds_at(ReaderKind.CAMERA, hides=True)).isdisjoint({"garbage", "unplug"})
    assert set(kinds_at(ReaderKind.BOTH, hides=True)) > set(SCANNER)


def test_no_hidden_card_is_seen_where_none_lies() -> None:
    assert set(SCANNER) - set(kinds_at(ReaderKind.SERIAL, hides=False)) == {EXPOSED}
