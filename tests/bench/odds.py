"""Rounds a second of the compiled kernel, on one core and on two, beside a loop written in C."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from controller.odds.simulated.program import advised, program
from controller.odds.simulated.simulate import simulate
from controller.odds.tables.states import by_card
from controller.odds.tables.tabulate import tabulate
from controller.rules.games.registry import GAMES, game
from tests.bench.table import BenchLine

ROUNDS = 20_000_000
SEATS = 7
GOAL = 10_000_000
LOOP = Path(__file__).with_name("loop.c")


def rate(name: str, seats: int = 1, threads: int = 1) -> float:
    """Rounds of one seat that are dealt a second, tables and compilation left out.

    One thread's seconds are those of its processor, as the loop in C counts them: a busy neighbour
    changes little.
    """
    clock = time.process_time if threads == 1 else time.perf_counter
    played = game(name)
    tables = tabulate(played, 1_000, letters=by_card)
    ready = program(played, tables, advised(played, tables.cards), seats)
    cut = played.options.cut_after
    simulate(ready, cut, 1, threads=threads)
    began = clock()
    found = simulate(ready, cut, ROUNDS // seats, threads=threads)
    return found.rounds * seats / (clock() - began)


def rate_in_c() -> float | None:
    """Rounds a second of 21-24-27 as a loop in C; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "loop")
        subprocess.run([compiler, "-O2", "-o", made, LOOP], check=True)
        finished = subprocess.run([made, str(ROUNDS)], check=True, capture_output=True, text=True)
    return float(finished.stdout.split()[0])


def lines() -> list[BenchLine]:
    """The rows of this part."""
    rows = []
    for name, each in GAMES.items():
        if not each.vying:
            goal = GOAL if name in ("21-24-27", "blackjack") else None
            found = rate(name)
            reached = None if goal is None else found >= goal
            what = f"kernel, {name}, one seat, rounds/s"
            rows.append(BenchLine(what, f"{found:,.0f}", "", f"{goal:,}" if goal else "", reached))
    one, two, seven = rate("21-24-27"), rate("21-24-27", threads=2), rate("21-24-27", SEATS)
    loop = rate_in_c()
    if loop is not None:
        share = one / loop
        rows.append(BenchLine("  to a loop in C", f"{share:.2f}", "", "half", share >= 0.5))
    rows.append(BenchLine("  two threads to one", f"{two / one:.2f}", "", "1.7", two >= 1.7 * one))
    rows.append(BenchLine("  a seat's rounds at seven seats to one", f"{seven / one:.2f}"))
    return rows
