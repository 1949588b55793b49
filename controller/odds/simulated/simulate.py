"""Rounds as they are really dealt, by the million: shoes with a cut card, seats, any strategy.

Shoes are dealt in blocks, each with random numbers of its own, and the blocks are added up in
order: the same seed gives the same figures on every machine, with any number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from math import sqrt
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from controller.odds.simulated.program import Program
from controller.odds.tables.game_tables import Settled
from controller.odds.tables.probe import NoTable
from controller.rules.frozen import frozen

T = TypeVar("T")
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: A block of shoes has about this many cards: some ten milliseconds.
BLOCK_CARDS: Final = 2_000_000
#: No early end before this many blocks: an error that is itself uncertain ends nothing.
LEAST_BLOCKS: Final = 16
#: Two-sided 95 % of a normal distribution, in standard errors.
SURE: Final = 1.959964


class NoKernel(RuntimeError):
    """Numba is not installed; the message says how to get it."""


@frozen
class Simulated:
    """What a simulation found. Edge, error and sd in first wagers of one player.

    `edge` is the house's, `error` its standard error, where shoes and not rounds count as
    independent; `sd` is the standard deviation of one player's round. `endings`: how often each
    came up, hands of a split each.
    """

    rounds: int
    shoes: int
    seats: int
    cut: int
    seed: int
    edge: float
    error: float
    sd: float
    endings: tuple[tuple[Settled, int], ...]

    @property
    def interval(self) -> tuple[float, float]:
        """The house's edge lies here, 95 times of 100."""
        return self.edge - SURE * self.error, self.edge + SURE * self.error

    @property
    def hands_per_round(self) -> float:
        """Hands of one player in a round, those of a split each."""
        return sum(times for _, times in self.endings) / (self.rounds * self.seats)


def simulate(
    program: Program,
    cut: int,
    rounds: int,
    *,
    seed: int = 1,
    width: float | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Simulated:
    """Deal at least `rounds` rounds; shoes are full, and end with the round that reaches `cut`.

    It ends early once the edge is known to `width` to either side (first wagers, 95 %).
    `progress` is called with the rounds so far. Raises `NoTable` for a cut or a number of rounds
    that make no sense or empty a shoe (`ShoeRanOut`), `NoKernel`.
    """
    if not 1 <= cut <= len(program.pack):
        raise NoTable(f"penetration {cut}: it is 1 to {len(program.pack)} cards of this pack")
    if rounds < 1:
        raise NoTable(f"{rounds} rounds: it is at least 1")
    if width is not None and not width > 0:
        raise NoTable(f"width {width}: it is above 0")
    try:
        from controller.odds.simulated import kernel  # noqa: PLC0415  (compiled, and an extra)
    except ImportError as missing:
        raise NoKernel(
            "a simulation needs numba: install tablectl with its extra `odds`"
        ) from missing
    shoes = max(1, BLOCK_CARDS // cut)
    threads = threads or len(os.sched_getaffinity(0))
    counted = np.zeros(len(program.endings), dtype=np.int64)
    sums = np.zeros(kernel.SUMS)

    def deal(block: int) -> kernel.DealtBlock:
        return kernel.deal(program, cut, shoes, seed, block)

    for blocks, dealt in enumerate(_in_order(deal, threads), 1):
        counted += dealt.counted
        sums += dealt.sums
        found = _found(program, cut, seed, blocks * shoes, counted, sums)
        if progress is not None:
            progress(found.rounds)
        close = width is not None and blocks >= LEAST_BLOCKS and SURE * found.error <= width
        if found.rounds >= rounds or close:
            return found
    raise AssertionError("there is always a next block")


def _in_order(deal: Callable[[int], T], threads: int) -> Iterator[T]:
    """The blocks by number, without an end; some are dealt ahead."""
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[Future[T]] = deque()
        try:
            for block in count():
                ahead.append(pool.submit(deal, block))
                if len(ahead) > 2 * threads:
                    yield ahead.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _found(
    program: Program, cut: int, seed: int, shoes: int, counted: Ints, sums: Floats
) -> Simulated:
    """The figures so far; the error is that of a ratio of two sums over shoes."""
    rounds, net, squares, shoe_nets, shoe_rounds, products = (float(each) for each in sums)
    mean = net / rounds
    spread = max(0.0, shoe_nets - 2 * mean * products + mean * mean * shoe_rounds)
    error = sqrt(spread * shoes / max(shoes - 1, 1)) / rounds
    hands = rounds * program.seats
    sd = sqrt(max(0.0, squares / hands - (net / hands) ** 2))
    return Simulated(
        rounds=int(rounds),
        shoes=shoes,
        seats=program.seats,
        cut=cut,
        seed=seed,
        edge=-net / hands / program.wager,
        error=error / program.seats / program.wager,
        sd=sd / program.wager,
        endings=tuple(zip(program.endings, map(int, counted), strict=True)),
    )
