"""Chances of drawing without replacement, for many hands of one player at once.

The *removals* are the cards that are out beside the dealer's: one row a hand, one column a letter.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.tables import Tables

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What is left out of an exact sum: cards that come up less often, in any order.
LEAST_CHANCE: Final = 1e-13

Cards = tuple[int, ...]
"""How many of each letter."""


def with_one(cards: Cards, letter: int) -> Cards:
    """`cards` and one more of `letter`."""
    return (*cards[:letter], cards[letter] + 1, *cards[letter + 1 :])


class Visit(NamedTuple):
    """A set of cards with which the dealer is not complete.

    `parent` and `letter`: the place of the set without its last letter, and that letter, of which
    it held `had` before. `held`: (letter, number) of all in it. `orders`: (point, number of orders
    of the cards that lead there); a point is (dealer state, whether it is still the deal).
    """

    parent: int
    letter: int
    had: int
    size: int
    held: tuple[tuple[int, int], ...]
    orders: tuple[tuple[tuple[int, bool], int], ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """The dealer's hand from its deal, or from the cards shown, to its end.

    `visits`: sets of cards, parents first. `ends`: the letters that complete the hand at each
    point, and the complete state; `complete`: the state of a dealer who draws nothing.
    """

    visits: tuple[Visit, ...]
    ends: dict[tuple[int, bool], dict[int, int]]
    complete: int | None


def dealer_walk(tables: Tables, shown: int, counts: Ints, *, dealt: bool) -> Walk:
    """Every set of cards on the dealer's way through `shown`; `dealt`: the cards shown lie there.

    Cards that end the round at a look are left out, and so are sets too seldom to count.
    """
    barred = tables.naturals.get(shown, frozenset())
    letters = [at for at, count in enumerate(counts) if count]
    pack = int(counts.sum())
    start: Cards = (0,) * len(tables.counts)
    if dealt and not tables.draws[shown]:
        return Walk((), {}, shown)
    first = (shown, False) if dealt else (0, True)
    level: dict[Cards, dict[tuple[int, bool], int]] = {start: {first: 1}}
    ends: dict[tuple[int, bool], dict[int, int]] = defaultdict(dict)
    chance = {start: 1.0}
    visits: list[Visit] = []
    at: dict[Cards, int] = {}
    size = 0
    while level:
        after: dict[Cards, dict[tuple[int, bool], int]] = {}
        for held, orders in level.items():
            _visit(held, tuple(orders.items()), at, visits)
            for (state, deal), number in orders.items():
                for letter in letters:
                    if (
                        state == shown
                        and not deal
                        and letter in barred
                        and (size == (0 if dealt else tables.up))
                    ):
                        continue
                    made = tables.dealer_after[state][letter]
                    still = deal and size + 1 < tables.up
                    if deal and not still and made != shown:
                        continue
                    if not still and not tables.draws[made]:
                        ends[state, deal][letter] = made
                        continue
                    likely = chance[held] * (counts[letter] - held[letter]) / (pack - size)
                    likely *= (size + 1) / (held[letter] + 1)
                    if likely > LEAST_CHANCE:
                        bigger = with_one(held, letter)
                        chance[bigger] = likely
                        to = after.setdefault(bigger, {})
                        to[made, still] = to.get((made, still), 0) + number
        level = after
        size += 1
    return Walk(tuple(visits), dict(ends), None)


def _visit(
    held: Cards,
    orders: tuple[tuple[tuple[int, bool], int], ...],
    at: dict[Cards, int],
    visits: list[Visit],
) -> int:
    """Note a set; one that no order of play leads to is noted too, where another is made of it."""
    if held in at:
        if orders:
            visits[at[held]] = visits[at[held]]._replace(orders=orders)
        return at[held]
    last = max((each for each, number in enumerate(held) if number), default=-1)
    parent = had = -1
    if last >= 0:
        had = held[last] - 1
        parent = _visit((*held[:last], had, *held[last + 1 :]), (), at, visits)
    at[held] = len(visits)
    several = tuple((each, number) for each, number in enumerate(held) if number)
    visits.append(Visit(parent, last, had, sum(held), several, orders))
    return at[held]


def dealer_ends(walk: Walk, left: Ints, out: Ints, column: dict[int, int]) -> Floats:
    """The chance of each complete hand of the dealer, a row for each row of `out`.

    `left` is what the shoe holds beside the dealer's cards that lie there, `out` the removals;
    `column` the place of each complete dealer state. The rows add up to the chance that the
    dealer's cards go this way at all.
    """
    rows = np.zeros((len(column), len(out)))
    if walk.complete is not None:
        rows[column[walk.complete]] = 1.0
        return rows.T
    free = np.ascontiguousarray((left[None, :] - out).T, dtype=np.float64)
    np.maximum(free, 0.0, out=free)
    total = free.sum(axis=0)
    sums: dict[tuple[int, bool], Floats] = {}
    less: dict[tuple[int, bool], dict[int, Floats]] = defaultdict(dict)
    most = max(visit.size for visit in walk.visits)
    down = [1.0 / np.maximum(total - size, 1.0) for size in range(most + 1)]
    chances: list[Floats] = []
    for visit in walk.visits:
        if visit.parent < 0:
            chance = down[0]
        else:
            chance = np.maximum(free[visit.letter] - visit.had, 0.0)
            chance *= chances[visit.parent]
            chance *= down[visit.size]
        chances.append(chance)
        for point, number in visit.orders:
            part = chance * number if number != 1 else chance
            if point in sums:
                sums[point] += part
            else:
                sums[point] = part.copy()
            ends = walk.ends.get(point, {})
            for letter, held in visit.held:
                if letter in ends:
                    more = part * held if held != 1 else part
                    if letter in less[point]:
                        less[point][letter] += more
                    else:
                        less[point][letter] = more.copy()
    for point, ends in walk.ends.items():
        for letter, made in ends.items():
            part = sums[point] * free[letter]
            if letter in less[point]:
                part -= less[point][letter]
            rows[column[made]] += np.maximum(part, 0.0)
    return rows.T
