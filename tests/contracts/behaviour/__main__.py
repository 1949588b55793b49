"""`python -m tests.contracts.behaviour GAME …`: the digests of these games' revisions are written.

`--anew` where the digests themselves are made in another way and no game has changed.
"""

from __future__ import annotations

import argparse
import sys

from controller.rules.games.registry import GAMES
from tests.contracts.behaviour import AlreadyWritten, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.contracts.behaviour")
    parser.add_argument("games", nargs="+", choices=list(GAMES), metavar="GAME")
    parser.add_argument("--anew", action="store_true", help="replace those of this revision")
    arguments = parser.parse_args()
    for name in arguments.games:
        try:
            sys.stdout.write(f"{write(GAMES[name], anew=arguments.anew)}\n")
        except AlreadyWritten as error:
            sys.stderr.write(f"{error} has its digests: raise the game's REVISION first\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
