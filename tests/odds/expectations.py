"""Computes the delivered expectations anew: `python -m tests.odds.expectations` (two minutes)."""

from __future__ import annotations

from controller.odds.live.compute import expectations
from controller.odds.live.files import FOLDER, write_expectations
from controller.rules.games.registry import GAMES


def main() -> None:
    """Write one file a game with a house."""
    for game in GAMES.values():
        if not game.vying:
            write_expectations(FOLDER / f"{game.name}.json", expectations(game, game))


if __name__ == "__main__":
    main()
