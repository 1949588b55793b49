"""Rounds a second of the live engine: the very scripts of the table, one core, pure Python."""

from __future__ import annotations

import random
import time
from pathlib import Path
from statistics import median

from controller.commands.deal import answer, load_cases
from controller.rules.engine.round import Run, Wagers, known_answer
from controller.rules.game import Game
from controller.rules.games.registry import GAMES
from controller.rules.script.report import own_cards
from controller.rules.script.steps import Answer, Ask, Deal, Vie
from controller.rules.sealed import Sealed
from tests.bench.table import BenchLine, quantile

ROUNDS = 20_000
RUNS = 7
GOALS = {"21-24-27": 100_000, "finnish-27": 50_000, "casino-7-27": 60_000, "blackjack": 60_000}
DEAL_GOAL = 5_000
GOLDEN = Path(__file__).parents[1] / "golden"


def wagers(game: Game, seats: int) -> Wagers:
    """Ten for each of the first `seats` seats, and as many as the game takes at least."""
    return tuple((seat, 1_000) for seat in range(1, max(seats, game.seats.start) + 1))


def rounds_per_second(game: Game, seed: int) -> float:
    """Deal `ROUNDS` rounds from shuffled shoes by sensible players."""
    mixed = random.Random(seed)
    pack, cut, placed = game.pack.cards(), game.options.cut_after, wagers(game, 1)
    wanted = ROUNDS // len(placed)
    played, took = 0, 0.0
    while played < wanted:
        shoe = pack[:]
        mixed.shuffle(shoe)
        last = len(shoe) - cut
        began = time.perf_counter()
        while len(shoe) > last and played < wanted:
            Run(game, placed).play_out(shoe.pop, game.advise)
            played += 1
        took += time.perf_counter() - began
    return wanted / took


def answers_of(game: Game, placed: Wagers, seed: int) -> list[Answer]:
    """The answers of one round that was played to its end."""
    mixed = random.Random(seed)
    shoe = game.pack.cards()
    mixed.shuffle(shoe)
    run, answers = Run(game, placed), list[Answer]()
    while (step := run.step) is not None:
        answer: Answer
        if isinstance(step, Deal):
            answer = Sealed(shoe.pop()) if step.down else shoe.pop()
        elif isinstance(step, Ask | Vie):
            answer = game.advise(step.play, own_cards(step.hand))
        else:
            answer = known_answer(step)
        answers.append(answer)
        run.feed(answer)
    return answers


def replay_times(game: Game) -> list[float]:
    """Seconds to replay a finished seven-seat round from its answers."""
    samples: list[float] = []
    placed = wagers(game, 7)
    for seed in range(300):
        answers = answers_of(game, placed, seed)
        began = time.perf_counter()
        again = Run(game, placed)
        for each in answers:
            again.feed(each)
        samples.append(time.perf_counter() - began)
    return samples


def deal_rates(name: str) -> list[float]:
    """Rounds a second of the golden rounds of a game through `tablectl deal`."""
    cases = load_cases(GOLDEN / f"{name}.json")
    rates = []
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(10):
            for case in cases:
                answer(case)
        rates.append(10 * len(cases) / (time.perf_counter() - began))
    return rates


def _rate(what: str, rates: list[float], goal: int | None) -> BenchLine:
    return BenchLine(
        f"{what}, rounds/s (slowest in the p99 column)",
        f"{median(rates):,.0f}",
        f"{min(rates):,.0f}",
        f"at least {goal:,}" if goal else "",
        median(rates) >= goal if goal else None,
    )


def lines() -> list[BenchLine]:
    """The rows of this part."""
    found = []
    for name, game in GAMES.items():
        seats = len(wagers(game, 1))
        who = "one seat" if seats == 1 else f"{seats} seats"
        rates = [rounds_per_second(game, seed) for seed in range(RUNS)]
        found.append(_rate(f"live engine, {name}, {who}", rates, GOALS.get(name)))
        found.append(_rate(f"tablectl deal, {name}", deal_rates(name), DEAL_GOAL))
        took = replay_times(game)
        p50, p99 = quantile(took, 0.5), quantile(took, 0.99)
        found.append(
            BenchLine(
                f"seven-seat round of {name} replayed",
                f"{p50 * 1e3:.3f} ms",
                f"{p99 * 1e3:.3f} ms",
                "under 0.5 ms",
                p50 < 0.5e-3,
            )
        )
    return found
