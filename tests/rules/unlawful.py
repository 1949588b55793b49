"""Lawful cases to be broken, and where the engine or the second opinion refuses the result."""

from __future__ import annotations

import pickle
from typing import Any, TypeVar

from controller.commands.deal import answer
from tests.reference import DecisionRefused, play_case
from tests.reference.table import NoCards
from tests.rules.rounds import Case, seeded_case

Plain = TypeVar("Plain")


def copied(data: Plain) -> Plain:
    """Plain data of its own, to be broken; five times as quick as a deep copy."""
    again: Plain = pickle.loads(pickle.dumps(data, pickle.HIGHEST_PROTOCOL))
    return again


def lawful_cases(game: str, seed: int, rounds: int) -> list[tuple[Case, list[list[str]]]]:
    """Lawful cases, and what was allowed at each of their decisions."""
    cases = []
    for number in range(rounds):
        case, report = seeded_case(f"{seed}/{game}/{number}")
        if report:
            free = [step["allowed"] for step in report["steps"] if not step["forced"]]
            assert len(free) == len(case["decisions"])
            cases.append((case, free))
    return cases


def refused_at(case: Any) -> Any:
    """Where a case is refused; "nowhere" if it is not."""
    answered = answer(case)
    assert set(answered) in ({"id", "result"}, {"id", "refused"})
    if "result" in answered:
        return "nowhere"
    assert set(answered["refused"]) == {"at", "why"}
    assert answered["refused"]["why"]
    assert isinstance(answered["refused"]["why"], str)
    return answered["refused"]["at"]


def opinion(case: Case) -> Any:
    """Where the second opinion refuses a case of a lawful set-up."""
    try:
        play_case(case)
    except DecisionRefused as refused:
        return refused.at
    except NoCards:
        return None
    return "nowhere"
