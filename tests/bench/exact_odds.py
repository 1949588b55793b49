"""Seconds of exact odds from the command line: imports, tables and all, on one core.

CPU seconds of a process of its own, so that a busy machine changes little. Each option's values
are computed one by one; the slowest is what the row shows.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from controller.rules.games.registry import GAMES
from tests.bench.table import BenchLine
from tests.odds.test_option_pairs import VALUES

#: Blackjack as possibly-wrong/blackjack computes it, which is strategy and expectation, without the
#: standard deviation: three times the 0.57 s of its author.
POSSIBLY_WRONG = ("peek=true", "double_after_split=true", "resplit=true")
POSSIBLY_WRONG_GOAL = 1.71
GOALS = {"published": 2.0, "advise": 2.0, "best": 5.0, "best-composition": 10.0}


def seconds(
    game: str,
    strategy: str,
    *options: str,
    words: tuple[str, ...] = (),
    compiled: Path | None = None,
) -> float:
    """CPU seconds of `tablectl odds` with further `words`.

    `compiled`: where compiled code is kept, if not as usual.
    """
    asked = [sys.executable, "-m", "controller", "odds", game, "--strategy", strategy, "--json"]
    asked += words
    for option in options:
        asked += ["--option", option]
    cache = {} if compiled is None else {"NUMBA_CACHE_DIR": str(compiled)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(asked, check=True, capture_output=True, env={**os.environ, **cache})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tried(values: Mapping[str, tuple[object, ...]]) -> Iterator[tuple[str, ...]]:
    """Every value of every option, each beside the defaults of the others."""
    yield ()
    for name, several in values.items():
        for value in several:
            yield (f"{name}={value}".lower(),)


def lines() -> list[BenchLine]:
    """The rows of this part."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds("blackjack", "best", compiled=Path(folder))
    rows.append(BenchLine("exact odds, blackjack, best, not yet compiled, CPU s", f"{cold:.1f}"))
    for name, game in GAMES.items():
        if game.vying:
            continue
        first = "published" if game.published else "advise"
        for strategy in (first, "best", "best-composition"):
            several = tried(VALUES.get(name, {}))
            worst, option = max((seconds(name, strategy, *each), each) for each in several)
            # The slowest of many is the one that a busy neighbour met: it is measured again.
            worst = min(worst, *(seconds(name, strategy, *option) for _ in range(2)))
            what = f"exact odds, {name}, {strategy}, slowest: {' '.join(option) or 'defaults'}"
            rows.append(_line(what, worst, GOALS[strategy]))
    words = ("--near-sd",)
    alike = min(
        seconds("blackjack", "best-composition", *POSSIBLY_WRONG, words=words) for _ in range(3)
    )
    what = "exact odds, blackjack as possibly-wrong computes it, best-composition"
    rows.append(_line(what, alike, POSSIBLY_WRONG_GOAL))
    return rows


def _line(what: str, seconds: float, goal: float) -> BenchLine:
    return BenchLine(f"{what}, CPU s", f"{seconds:.2f}", "", f"{goal:g}", seconds <= goal)


if __name__ == "__main__":
    from tests.bench.table import print_table

    print_table(lines())
