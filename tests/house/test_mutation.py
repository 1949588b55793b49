"""The sample of mutation testing: the same by its seed, and a survivor is never left out."""

from pathlib import Path

import pytest

from tests.mutation.sample import JUDGES, Fate, Mutant, judges, report, sampled, telling

ROOT = Path(__file__).parents[2]
MANY = [Mutant("controller/table/judge.py", line, "core/AddNot", line) for line in range(50)]


def test_a_seed_names_the_same_mutants() -> None:
    once = sampled(MANY, 10, seed=3)
    assert (len(once), once) == (10, sampled(MANY, 10, seed=3))
    assert once != sampled(MANY, 10, seed=4)
    assert sampled(MANY, 99, seed=1) == MANY


def test_what_did_not_die_is_reported() -> None:
    line, left = report(
        dict(zip(MANY, [Fate.KILLED, Fate.SURVIVED, Fate.NOT_JUDGED], strict=False))
    )
    assert line == "1 of 3 mutants died"
    assert left == MANY[1:3]


@pytest.mark.parametrize(
    ("operator", "tells"),
    [
        ("core/AddNot", True),
        ("core/NumberReplacer", True),
        ("core/ReplaceComparisonOperator_Lt_LtE", True),
        ("core/ReplaceComparisonOperator_Is_IsNot", True),
        ("core/ReplaceComparisonOperator_Eq_NotEq", True),
        ("core/ReplaceBinaryOperator_Add_Sub", True),
        ("core/ReplaceBinaryOperator_BitOr_Add", False),
        ("core/ReplaceComparisonOperator_Is_Eq", False),
        ("core/ReplaceComparisonOperator_Eq_Is", False),
        ("core/RemoveDecorator", False),
    ],
)
def test_mutants_that_change_nothing_are_left_out(operator: str, tells: bool) -> None:
    mutant = Mutant("controller/rules/script/felt.py", 7, operator, 1)
    assert (telling([mutant]) == [mutant]) is tells


def test_mutants_are_chosen_by_name() -> None:
    assert telling(MANY, "controller/table/judge.py:7 *") == [MANY[7]]
    assert MANY[7].name == "controller/table/judge.py:7 AddNot 7"


@pytest.mark.parametrize("folder", JUDGES)
def test_what_is_mutated_and_its_judges_are_there(folder: str) -> None:
    assert all((ROOT / test).exists() for test in judges(f"{folder}/any.py"))
    assert list((ROOT / folder).rglob("*.py"))
