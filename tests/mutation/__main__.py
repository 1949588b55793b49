"""Change the rules and the table here and there, and see whether a test fails (cosmic-ray).

    python -m tests.mutation --count 40 --seed 1      # make mutation
    python -m tests.mutation --only 'controller/table/decide/judge.py*'
    python -m tests.mutation --only '*/judge.py:41 *' --tests tests/table/decide/test_judge.py

A seeded sample by default: all mutants take days. The sources are changed in a copy of the
checkout, in `mutants/`; `tests/mutation/sample.py` says what is changed and which tests judge it.
Each survivor is printed as a diff. The exit status is 0 if all died, 1 if one survived, 2 if
nothing could be judged.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome

from tests.mutation.sample import (
    JUDGES,
    READ_THE_SOURCES,
    Fate,
    Mutant,
    judges,
    report,
    sampled,
    telling,
)

ROOT: Final = Path(__file__).resolve().parents[2]
COPY: Final = ROOT / "mutants"
#: A mutant that never ends has been noticed: so many times as long as the tests take by themselves.
PATIENCE: Final = 5


def copy_checkout() -> None:
    """Every file of the checkout that git knows, as it is now, into `mutants/`."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, COPY / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def specs(folder: str) -> dict[Mutant, MutationSpec]:
    """Every mutant of a folder's files."""
    files = sorted(Path(folder).rglob("*.py"))
    session = Path("session.sqlite")
    session.unlink(missing_ok=True)
    with use_db(session, WorkDB.Mode.create) as found:
        init(files, found, {})
        return {
            Mutant(
                str(spec.module_path), spec.start_pos[0], spec.operator_name, spec.occurrence
            ): spec
            for item in found.work_items
            for spec in item.mutations
        }


def pytest_command(tests: Iterable[str]) -> list[str]:
    """These tests, ended by the first that fails, with the sources of the folder it runs in."""
    return [sys.executable, "-m", "pytest", "-q", "-x", *READ_THE_SOURCES, *tests]


def seconds_without_a_mutant(tests: Iterable[str]) -> float | None:
    """How long the tests take as the sources are; None if one fails."""
    began = time.monotonic()
    status = subprocess.run(pytest_command(tests), check=False).returncode
    return None if status else time.monotonic() - began


def fate_of(spec: MutationSpec, tests: Iterable[str], timeout_s: float) -> tuple[Fate, str]:
    """What became of a mutant, and its diff (or, where it was not judged, why)."""
    result = mutate_and_test([spec], shlex.join(pytest_command(tests)), timeout_s)
    if result.worker_outcome is not WorkerOutcome.NORMAL:
        return Fate.NOT_JUDGED, str(result.output)
    fate = Fate.KILLED if result.test_outcome is TestOutcome.KILLED else Fate.SURVIVED
    return fate, str(result.diff)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many mutants (40)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--only", default="*", help="of these names, a glob")
    parser.add_argument("--tests", nargs="+", help="judged by these tests")
    arguments = parser.parse_args()
    copy_checkout()
    os.chdir(COPY)
    # The copy stands before the checkout that is installed, in every process of the tests.
    os.environ["PYTHONPATH"] = str(COPY)
    found: dict[Mutant, MutationSpec] = {}
    for folder in JUDGES:
        found |= specs(folder)
    could = telling(found, arguments.only)
    asked = sampled(could, arguments.count, arguments.seed)
    if not asked:
        print(f"no mutant is called {arguments.only}")
        return 2
    longest = seconds_without_a_mutant(
        arguments.tests or {one: 0 for each in asked for one in judges(each.file)}
    )
    if longest is None:
        print("nothing was judged: a test fails without a mutant")
        return 2
    fates: dict[Mutant, Fate] = {}
    for mutant in asked:
        fates[mutant], text = fate_of(
            found[mutant], arguments.tests or judges(mutant.file), PATIENCE * longest
        )
        print(f"{fates[mutant].value}: {mutant.name}")
        if fates[mutant] is not Fate.KILLED:
            print(text)
        sys.stdout.flush()
    line, left = report(fates)
    print(f"\n{line} (of {len(could)}, seed {arguments.seed})")
    for each in left:
        print(f"{fates[each].value}: {each.name}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
