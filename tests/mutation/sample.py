"""Which mutants are tried, by which tests each is judged, and what became of them."""

from __future__ import annotations

import fnmatch
import random
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

#: What is mutated, and the tests that judge it, those that die soonest first.
JUDGES: Final = {
    "controller/rules": (
        "tests/golden",
        "tests/rules",
        "tests/contracts",
        "tests/table",
        "tests/odds",
    ),
    "controller/table": (
        "tests/table",
        "tests/records",
        "tests/golden",
        "tests/rules",
        "tests/web",
    ),
}
#: These read the sources, and would fail for a mutant that changes nothing.
READ_THE_SOURCES: Final = ("-k", "not has_words")

#: Mutants that change nothing (unions of types, members of an enum compared by `is` or `==`, a
#: cache that is left out), and those that a test notices as another of the same place.
POINTLESS: Final = (
    "*BitOr*", "*BitAnd*", "*BitXor*", "*LShift*", "*RShift*", "*_Pow", "*RemoveDecorator",
    "*_Is", "*_Is_Eq", "*_Is_NotEq", "*_IsNot_Eq", "*_IsNot_NotEq", "*_Is_[GL]*", "*_IsNot_[GL]*",
    "*_Eq_[GL]*", "*_NotEq_[GL]*", "*_Eq_IsNot", "*_NotEq_IsNot", "*_[GL]*_IsNot",
)  # fmt: skip


class Mutant(NamedTuple):
    """One change: where, by which operator, at its how-manieth place in the file."""

    file: str
    line: int
    operator: str
    occurrence: int

    @property
    def name(self) -> str:
        """As `--only` takes it: `controller/table/decide/judge.py:41 NumberReplacer 3`."""
        return f"{self.file}:{self.line} {self.operator.rpartition('/')[2]} {self.occurrence}"


class Fate(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    NOT_JUDGED = "not judged"


def telling(mutants: Iterable[Mutant], only: str = "*") -> list[Mutant]:
    """Those that could change what is done, and whose name is as `only` says."""
    return sorted(
        each
        for each in mutants
        if not any(fnmatch.fnmatchcase(each.operator, one) for one in POINTLESS)
        and fnmatch.fnmatchcase(each.name, only)
    )


def sampled(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many of them, by a seed; all, if there are no more."""
    return sorted(random.Random(seed).sample(mutants, min(count, len(mutants))))


def judges(file: str) -> tuple[str, ...]:
    """The tests that a mutant of this file must not pass."""
    (found,) = (tests for folder, tests in JUDGES.items() if Path(file).is_relative_to(folder))
    return found


def report(fates: dict[Mutant, Fate]) -> tuple[str, list[Mutant]]:
    """A line for people, and the mutants that did not die."""
    left = [mutant for mutant, fate in fates.items() if fate is not Fate.KILLED]
    return f"{len(fates) - len(left)} of {len(fates)} mutants died", left
