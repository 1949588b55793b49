"""The sample of mutation testing: the same by its seed, and a survivor is never left out."""

from tests.mutation.__main__ import report, sampled

NAMES = [f"mutant_{number}" for number in range(50)]


def test_a_seed_names_the_same_mutants() -> None:
    once = sampled(NAMES, 10, seed=3)
    assert (len(once), once) == (10, sampled(NAMES, 10, seed=3))
    assert once != sampled(NAMES, 10, seed=4)
    assert sampled(NAMES, 99, seed=1) == sorted(NAMES)


def test_what_survived_had_no_test_or_was_not_run_is_reported() -> None:
    found = {"killed": 1, "survived": 0, "untested": 33, "too slow": 36, "not run": None}
    line, left = report([*found, "unknown"], found)
    assert line == "2 of 6 mutants died"
    assert left == ["survived", "untested", "not run", "unknown"]
