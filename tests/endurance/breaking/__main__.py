"""Break a table all night: `python -m tests.endurance.breaking --seeds 1-1000 --hours 1 --crashes`.

Each run is one process' work in virtual time and prints one line. A run in which anything went
wrong prints what, and the command that does it again; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from controller.rules.games.registry import GAMES
from sim_hw.devices.faults import FaultError, load_faults
from tests.endurance.breaking.order import RunOrder, RunOutcome
from tests.endurance.breaking.run import run


def main(arguments: Sequence[str]) -> int:
    """Run what is asked; returns the exit status."""
    asked = _parser().parse_args(arguments)
    try:
        if asked.faults:
            load_faults(asked.faults)
    except FaultError as error:
        print(error, file=sys.stderr)
        return 2
    runs = bad = kills = rounds = 0
    virtual_s = real_s = 0.0
    for order in _orders(asked):
        outcome = run(order)
        print(line(outcome), flush=True)
        if outcome.problem:
            bad += 1
            print(f"  WRONG: {outcome.problem}\n  again: {order.command}", flush=True)
        runs, kills, rounds = runs + 1, kills + outcome.kills, rounds + outcome.rounds
        virtual_s, real_s = virtual_s + outcome.virtual_s, real_s + outcome.real_s
    if runs > 1:
        print(
            f"{runs} runs, {bad} of them wrong: {virtual_s / 3600:.1f} virtual hours, {rounds}"
            f" rounds, {kills} kills, {virtual_s / real_s:.0f} times real time"
        )
    return 1 if bad else 0


def line(outcome: RunOutcome) -> str:
    """A run in one line."""
    order, met = outcome.order, outcome.met
    parts = [
        f"{order.game} seed {order.seed}: {outcome.virtual_s / 3600:.2f} h",
        f"{outcome.rounds} rounds",
        f"{outcome.cards} cards",
        f"{outcome.records} records",
        f"{outcome.holds} holds",
        f"{outcome.kills} kills",
        f"{outcome.stopped} stops",
        f"{outcome.times_real:.0f} times real time",
        _counted(met) or "nothing went wrong",
        f"journal {outcome.journal[:12]}",
    ]
    return ", ".join(parts)


def _counted(met: Counter[str]) -> str:
    return " ".join(f"[{name} {count}]" for name, count in sorted(met.items()))


def _orders(asked: argparse.Namespace) -> Iterator[RunOrder]:
    first, last = asked.seeds or (asked.seed, asked.seed)
    games = [asked.game] if asked.game else list(GAMES)
    for seed in range(first, last + 1):
        for name in games:
            yield RunOrder(seed, name, asked.hours, asked.faults, asked.crashes, asked.calm)


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    try:
        found = int(first), int(last or first)
    except ValueError:
        raise argparse.ArgumentTypeError("seeds are a range, such as 1-1000") from None
    if found[0] > found[1]:
        raise argparse.ArgumentTypeError("the first seed is the smaller one, as in 1-1000")
    return found


def _hours(text: str) -> float:
    hours = float(text)
    if not 0 < hours <= 10_000:
        raise argparse.ArgumentTypeError("virtual hours are above 0, up to 10000")
    return hours


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m tests.endurance.breaking", description=__doc__)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--seeds", type=_range, metavar="A-B", help="one run for each")
    made.add_argument("--hours", type=_hours, default=1.0, help="virtual hours of a run (1)")
    made.add_argument("--game", choices=list(GAMES), help="all games in turn if left out")
    made.add_argument("--faults", type=Path, help="the faults of a file, none at random")
    made.add_argument("--crashes", action="store_true", help="kill the service, break its disk")
    made.add_argument("--calm", action="store_true", help="nothing goes wrong by itself")
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
