"""Rounds a second of the live engine: the very scripts of the table, one seat, pure Python."""

from __future__ import annotations

import random
import time
from statistics import median

from controller.rules.game import Game
from controller.rules.games import GAMES
from controller.rules.round import Run, play_out
from tests.bench.table import Line, quantile

ROUNDS = 20_000
RUNS = 7
GOALS = {"21-24-27": 40_000}
WAGER = ((1, 1_000),)


def rounds_per_second(game: Game, seed: int) -> float:
    """Deal `ROUNDS` rounds from shuffled shoes by the published strategy, shuffling included."""
    mixed = random.Random(seed)
    pack, cut = game.pack.cards(), game.options.penetration_cards
    played = 0
    began = time.perf_counter()
    while played < ROUNDS:
        shoe = pack[:]
        mixed.shuffle(shoe)
        last = len(shoe) - cut
        while len(shoe) > last and played < ROUNDS:
            play_out(Run(game, WAGER), shoe.pop, game.advise)
            played += 1
    return ROUNDS / (time.perf_counter() - began)


def replay_times(game: Game) -> list[float]:
    """Seconds to replay a finished seven-seat round from its answers."""
    from controller.rules.game import DONE, Answer, Ask, Deal

    samples: list[float] = []
    for seed in range(300):
        mixed = random.Random(seed)
        shoe = game.pack.cards()
        mixed.shuffle(shoe)
        wagers = tuple((seat, 1_000) for seat in range(1, 8))
        run, answers = Run(game, wagers), list[Answer]()
        while (step := run.step) is not None:
            answer: Answer = DONE
            if isinstance(step, Deal):
                answer = shoe.pop()
            elif isinstance(step, Ask):
                answer = game.advise(step.play)
            answers.append(answer)
            run.feed(answer)
        began = time.perf_counter()
        again = Run(game, wagers)
        for answer in answers:
            again.feed(answer)
        samples.append(time.perf_counter() - began)
    return samples


def lines() -> list[Line]:
    """The rows of this part."""
    found = []
    for name, game in GAMES.items():
        rates = [rounds_per_second(game, seed) for seed in range(RUNS)]
        goal = GOALS.get(name)
        found.append(
            Line(
                f"live engine, {name}, rounds/s (slowest in the p99 column)",
                f"{median(rates):,.0f}",
                f"{min(rates):,.0f}",
                f"at least {goal:,}" if goal else "",
                median(rates) >= goal if goal else None,
            )
        )
        took = replay_times(game)
        p50, p99 = quantile(took, 0.5), quantile(took, 0.99)
        found.append(
            Line(
                f"seven-seat round of {name} replayed",
                f"{p50 * 1e3:.3f} ms",
                f"{p99 * 1e3:.3f} ms",
                "under 0.5 ms",
                p50 < 0.5e-3,
            )
        )
    return found
