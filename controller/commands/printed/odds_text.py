"""What `tablectl odds` prints at a terminal: the edge, how hands end, and on what it rests.

`odds` is untyped here as in the command: its types need numpy, which is an extra.
"""

from __future__ import annotations

from typing import Any

import click

from controller.rules.game import Game
from controller.rules.money import amount_text


def write_exact(plays: Game, odds: Any) -> None:
    """Print the edge of one player at a fresh shoe, with all its digits."""
    _write_edge(plays, 100 * odds.edge, digits=5)
    print(f"  strategy {odds.strategy.value}, wager {amount_text(odds.wager)}")
    spread = f"about {odds.sd:.2f}" if not odds.sd_is_exact else f"{odds.sd:.4f}"
    print(f"  standard deviation {spread} first wagers, {odds.hands:.4f} hands a round")
    print("  hands in 100 rounds that end so; a bonus is part of a win:")
    for name, chance in odds.outcomes.items():
        print(f"  {name:32} {100 * chance:10.5f}")
    print("  exact: one player, fresh shoe, no card put back")


def write_simulated(plays: Game, odds: Any) -> None:
    """Print what came up as it is dealt, with how sure it is."""
    found = odds.found
    low, high = (100 * each for each in found.interval)
    _write_edge(plays, 100 * found.edge, digits=3)
    print(f"  between {low:.3f} and {high:.3f} %, 95 times of 100 ({found.rounds:,} rounds)")
    print(f"  strategy {odds.strategy.value}, wager {amount_text(odds.wager)}, ", end="")
    seats = "1 seat" if found.seats == 1 else f"{found.seats} seats"
    print(f"{seats}, shuffled after {found.cut} cards, seed {found.seed}")
    print(f"  standard deviation {found.sd:.4f} first wagers, ", end="")
    print(f"{found.hands_per_round:.4f} hands a round")
    print("  hands in 100 rounds that end so; a bonus is part of a win:")
    for name, chance in odds.outcomes.items():
        print(f"  {name:32} {100 * chance:10.4f}")


def _write_edge(plays: Game, edge: float, digits: int) -> None:
    if edge < 0:
        said = f"{plays.title}: THE HOUSE LOSES {-edge:.{digits}f} % of every first wager"
        click.secho(said, fg="red", bold=True)
    else:
        print(f"{plays.title}: house edge {edge:.{digits}f} %")
