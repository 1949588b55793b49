"""Run every check and test, in lanes beside each other; nothing is tried twice.

    python -m tests.lanes              # make test: the quick form
    python -m tests.lanes --long       # make test-all: more seeds, examples, kills and sizes
    python -m tests.lanes --only core  # one lane

The output of a lane is printed whole when it is over, so that none stands inside another; that of
one which was stopped, as far as it came. Last comes a table of the lanes. The exit status is 0 if
every lane passed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import FrameType
from typing import Final

from tests.lanes.lane import LaneResult, Running, table
from tests.lanes.plan import ROOT, lanes

#: Memory as a file system: a record syncs its disk at each commit, which costs the neighbours
#: their time and proves nothing. What a power cut leaves is worked out from the calls (torture).
MEMORY: Final = Path("/dev/shm")
LEAST_BYTES: Final = 2 << 30


def _place() -> Path | None:
    """Where the lanes write; None for the system's own place."""
    try:
        free = os.statvfs(MEMORY)
    except OSError:
        return None
    return MEMORY if free.f_bavail * free.f_frsize >= LEAST_BYTES else None


def _stop(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _print_output(lane: Running) -> None:
    print(f"\n==== {lane.lane.name} " + "=" * (72 - len(lane.lane.name)))
    print(lane.output.read_text(errors="replace"), end="")
    sys.stdout.flush()


def run(*, long: bool, seed: int, only: str | None) -> list[LaneResult]:
    """Start the lanes, and print each as it ends."""
    asked = [lane for lane in lanes(long=long, seed=seed) if only in (None, lane.name)]
    results: list[LaneResult] = []
    with tempfile.TemporaryDirectory(prefix="lanes-", dir=_place()) as folder:
        Path(folder).chmod(0o1777)  # as the system's own place: some tests go there as others
        started = [Running(lane, Path(folder)) for lane in asked]
        print(f"running beside each other: {', '.join(each.lane.name for each in started)}")
        sys.stdout.flush()
        unprinted = list(started)
        with ThreadPoolExecutor(len(started) or 1) as waiting:
            try:
                running = {waiting.submit(each.wait): each for each in started}
                for over in as_completed(running):
                    results.append(over.result())
                    _print_output(running[over])
                    unprinted.remove(running[over])
            finally:
                for each in unprinted:
                    each.stop()
                    _print_output(each)
    return results


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.lanes", description=__doc__)
    parser.add_argument("--long", action="store_true", help="run the long form")
    parser.add_argument("--only", metavar="LANE", help="run this lane alone")
    parser.add_argument("--seed", type=int, help="of the long form's properties")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _stop)
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    results = run(long=arguments.long, seed=seed, only=arguments.only)
    print(f"\n{table(results)}")
    if arguments.long:
        print(f"the long form's properties had the seed {seed}: --seed {seed} runs them again")
    passed = bool(results) and not any(each.problem for each in results)
    print("every lane passed" if passed else "FAILED")
    return 0 if passed else 1


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
