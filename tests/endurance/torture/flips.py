"""Every bit flip and every cut of a small store, in an order of its own that can be gone on with.

    python -m tests.endurance.torture.flips --count 20000 --total flips.json

Each run takes the next `--count` of all the ways to spoil the store and adds to the running total.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from tests.endurance.torture.damage import KilledRecord, Spoilt, StoreOutcome, judge, make

#: Ways lie in the order of their files; steps of this many, a prime, mix them.
STRIDE: Final = 999_983


def ways(store: KilledRecord) -> list[tuple[str, int]]:
    """Each file with the number of ways to spoil it: eight flips and one cut a byte."""
    return [(name, 9 * len(content)) for name, content in sorted(store.files.items())]


def way(store: KilledRecord, number: int) -> Spoilt:
    """The way of that number."""
    for name, count in ways(store):
        if number < count:
            at, what = divmod(number, 9)
            return Spoilt(name, at, what if what < 8 else None)
        number -= count
    raise IndexError(number)


def run(count: int, total: dict[str, int], folder: Path) -> list[str]:
    """The next `count` ways; adds to `total` and returns what was lost."""
    store = make(folder / "made")
    everything = sum(each for _, each in ways(store))
    lost = []
    for number in range(total.get("done", 0), min(everything, total.get("done", 0) + count)):
        spoilt = way(store, number * STRIDE % everything)
        outcome = judge(store, spoilt, folder / "spoilt")
        kind = "cut" if spoilt.bit is None else "flip"
        for key in (f"{kind} {outcome.value}", f"{spoilt.file} {kind} {outcome.value}"):
            total[key] = total.get(key, 0) + 1
        total["done"] = number + 1
        if outcome is StoreOutcome.LOST:
            lost.append(str(spoilt))
    total["of"] = everything
    return lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="how many ways this time (2000)")
    parser.add_argument("--total", type=Path, help="where the running total is kept")
    arguments = parser.parse_args()
    totals = arguments.total.read_text() if arguments.total and arguments.total.exists() else "{}"
    total: dict[str, int] = json.loads(totals)
    with tempfile.TemporaryDirectory(prefix="tablectl-flips-") as name:
        lost = run(arguments.count, total, Path(name))
    if arguments.total:
        arguments.total.write_text(json.dumps(total, indent=1, sort_keys=True))
    for key, value in sorted(Counter(total).items()):
        sys.stdout.write(f"{value:9,}  {key}\n")
    for each in lost:
        sys.stdout.write(f"LOST: {each}\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
