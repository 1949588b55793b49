"""The long proof: the engine against the second opinion, over as many random rounds as you like.

    python -m tests.rules.proof --rounds 1000000 --seed 1 [--game blackjack]

Every round has a seed of its own; each difference is printed with it and as a case that
`tablectl deal` takes. The exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from multiprocessing import Pool
from typing import NamedTuple

from tests.reference import GAMES
from tests.rules.rounds import difference, happenings, seeded_case

CHUNK = 5_000


class Chunk(NamedTuple):
    """Some rounds of one game: those numbered `first` up to `last`, not included."""

    seed: int
    game: str
    first: int
    last: int


class ChunkResult(NamedTuple):
    """What a chunk brought."""

    game: str
    rounds: int
    happened: Counter[str]
    differences: list[str]


def compare(chunk: Chunk) -> ChunkResult:
    """Play the rounds of a chunk with both engines."""
    found = ChunkResult(chunk.game, chunk.last - chunk.first, Counter(), [])
    for number in range(chunk.first, chunk.last):
        case, expected = seeded_case(f"{chunk.seed}/{chunk.game}/{number}")
        if expected is None:
            found.happened["cards did not last"] += 1
        else:
            found.happened.update(happenings(expected))
        if words := difference(case, expected):
            found.differences.append(f"{case['id']}: {words}\n{json.dumps([case])}")
    return found


def chunks(seed: int, games: Sequence[str], first: int, rounds: int) -> list[Chunk]:
    """The work, cut into pieces."""
    last = first + rounds
    return [
        Chunk(seed, game, at, min(at + CHUNK, last))
        for game in games
        for at in range(first, last, CHUNK)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print what was seen. The exit status is 1 if the engines differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.proof", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000, help="rounds a game")
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", choices=GAMES, help="all, unless given")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args(arguments)
    games: Sequence[str] = options.game or GAMES
    rounds: Counter[str] = Counter()
    happened: dict[str, Counter[str]] = {game: Counter() for game in games}
    differences = 0
    with Pool(options.processes) as pool:
        work = chunks(options.seed, games, options.first, options.rounds)
        for found in pool.imap_unordered(compare, work):
            rounds[found.game] += found.rounds
            happened[found.game].update(found.happened)
            differences += len(found.differences)
            for each in found.differences:
                sys.stdout.write(f"DIFFERENCE {each}\n")
    for game in games:
        counts = ", ".join(
            f"{name} {times}" for name, times in sorted(happened[game].items()) if times
        )
        sys.stdout.write(f"{game}: {rounds[game]} rounds compared ({counts})\n")
    sys.stdout.write(f"{differences} differences, seed {options.seed}\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
