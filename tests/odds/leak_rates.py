"""How often the test for a leak errs, and how soon it finds one: `python -m tests.odds.leak_rates`.

Thousands of tables at once, each with the sums of `LeakWatch`. A round's excess is one of those
that live rounds of the game had (its script, its advice, one seat, against the shipped
expectations), less their mean: a table that is fair. A leak is added to every round.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.live.leak_watch import ALARM, MOST, SHARES
from controller.rules.games.registry import game
from tests.odds.test_held import HOUSE, rounds

#: The table's own weight, and that of the one dealer who deals all its rounds.
WEIGHT: Final = 0.5 + 0.5 * 6 / np.pi**2
#: So few that each plays for long: a table that is new is far from a warning.
TABLES: Final = 200
#: Leaks in per cent of a first wager.
LEAKS: Final = (0.5, 1.0, 2.0, 5.0)
LIVE_ROUNDS: Final = 60_000


class Excesses(NamedTuple):
    """Excesses of a fair game's rounds, and how far below and above zero one could lie."""

    values: NDArray[np.float64]
    loss: float
    gain: float


def excesses(name: str, number: int = LIVE_ROUNDS, seed: int = 1) -> Excesses:
    """Those of so many live rounds of one seat, centred."""
    plays = game(name)
    held = list(islice(rounds(plays, plays.advise, number, seats=1, seed=seed), number))
    values = np.array([each.excess for each in held])
    values -= values.mean()
    return Excesses(values, max(each.loss for each in held), max(each.gain for each in held))


class LeakSums:
    """The sums of many tables, a column each; rows as in `LeakWatch`."""

    def __init__(self, tables: int, of: Excesses) -> None:
        shares = np.array(SHARES)
        self.shares = np.concatenate(
            (np.minimum(shares, MOST / of.loss), -np.minimum(shares, MOST / of.gain))
        )[:, None]
        self.sums = np.zeros((2 * len(SHARES), tables))

    def after(self, excess: NDArray[np.float64]) -> NDArray[np.float64]:
        """The levels after one more round at every table."""
        self.sums += 1.0
        self.sums *= 1.0 + self.shares * excess
        levels: NDArray[np.float64] = WEIGHT * self.sums.mean(axis=0)
        return levels


def false_alarms(of: Excesses, alarm: float, played: int, seed: int = 1) -> int:
    """Warnings of fair tables in so many rounds altogether; a table that warned begins anew."""
    chance = np.random.default_rng(seed)
    watches, found = LeakSums(TABLES, of), 0
    for _ in range(played // TABLES):
        warned = watches.after(chance.choice(of.values, TABLES)) >= alarm
        found += int(warned.sum())
        watches.sums[:, warned] = 0.0
    return found


def rounds_until_found(
    of: Excesses, leak: float, most: int, tables: int = 400, seed: int = 1
) -> tuple[float, float]:
    """Rounds until half, and nine of ten, of the tables that leak have warned; inf beyond `most`.

    `leak`: what the players win too much, in first wagers a round.
    """
    chance = np.random.default_rng(seed)
    watches, found = LeakSums(tables, of), np.full(tables, np.inf)
    for number in range(1, most + 1):
        warned = watches.after(chance.choice(of.values, tables) + leak) >= ALARM
        found[warned & np.isinf(found)] = number
        if np.isfinite(found).mean() >= 0.9:
            break
    ordered = np.sort(found)
    return float(ordered[(tables - 1) // 2]), float(ordered[(9 * tables - 1) // 10])


def main() -> None:
    """Print a line a game: false alarms of fair tables, and how soon leaks are found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="game", default=HOUSE)
    parser.add_argument("--rounds", type=float, default=TABLES * ALARM, help="rounds a game")
    parser.add_argument("--most", type=int, default=300_000, help="rounds that a leak may take")
    arguments = parser.parse_args()
    for name in arguments.games:
        of, began_s = excesses(name), time.process_time()
        found = false_alarms(of, ALARM, int(arguments.rounds))
        decades = arguments.rounds / ALARM
        _say(f"{name}: {found} false alarms in {decades:.0f} times ten years")
        for leak in LEAKS:
            half, most = rounds_until_found(of, leak / 100, arguments.most)
            _say(f"  {leak} %: half within {half:,.0f} rounds, nine of ten within {most:,.0f}")
        _say(f"  {time.process_time() - began_s:.0f} CPU s")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
