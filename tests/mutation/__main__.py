"""Change the rules and the table here and there, and see whether a test fails (mutmut).

    python -m tests.mutation --count 40 --seed 1      # make mutation
    python -m tests.mutation --only 'controller.table.judge.*'

A seeded sample by default: all mutants take days. What is mutated, and by what tests it is judged,
stands in pyproject.toml under [tool.mutmut]; the changed sources lie in `mutants/`. Each survivor
is printed as a diff. The exit status is 1 if one survived.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

MUTANTS: Final = Path("mutants")
MUTMUT: Final = (sys.executable, "-m", "mutmut")
#: Matches no mutant: the sources are changed and the tests timed, and nothing is run.
NONE: Final = "no.such.mutant"
#: How mutmut reports what became of a mutant, by the exit status of its tests.
SURVIVED, NO_TESTS = 0, 33


def statuses() -> dict[str, int | None]:
    """Every mutant by its name, and the exit status of its tests; None where none has run."""
    found: dict[str, int | None] = {}
    for path in sorted(MUTANTS.rglob("*.meta")):
        found |= json.loads(path.read_text())["exit_code_by_key"]
    return found


def sampled(names: list[str], count: int, seed: int) -> list[str]:
    """So many of them, by a seed; all, if there are no more."""
    return sorted(random.Random(seed).sample(names, min(count, len(names))))


def report(asked: list[str], found: dict[str, int | None]) -> tuple[str, list[str]]:
    """A line for people, and the mutants that no test noticed."""
    left = [name for name in asked if found.get(name) in (SURVIVED, NO_TESTS, None)]
    return f"{len(asked) - len(left)} of {len(asked)} mutants died", left


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many mutants (40)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--only", default="*", help="of these names, a glob")
    given = parser.parse_args()
    shutil.rmtree(MUTANTS, ignore_errors=True)
    subprocess.run([*MUTMUT, "run", NONE], check=False, capture_output=True)
    names = [name for name in statuses() if fnmatch.fnmatch(name, given.only)]
    if not names:
        print("nothing was mutated: run `python -m mutmut run` to see why")
        return 2
    asked = sampled(names, given.count, given.seed)
    if subprocess.run([*MUTMUT, "run", *asked], check=False).returncode:
        print("nothing was judged: a test fails without a mutant")
        return 2
    line, left = report(asked, statuses())
    for name in left:
        print(f"\nsurvived: {name}")
        sys.stdout.flush()
        subprocess.run([*MUTMUT, "show", name], check=False)
    print(f"\n{line} (of {len(names)}, seed {given.seed})")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
