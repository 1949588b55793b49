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


class SetsOfOneSize(NamedTuple):
    """The sets of one size, one after the other from `begin` on: all made of those before them."""

    begin: int
    parents: Ints
    draws: Ints


Point = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class Walk:
    """The dealer's hand from its deal, or from the cards shown, to its end.

    `levels`: sets of cards by size. `draws`: pairs of a letter and how many were drawn before.
    `sums` and `less`: at each point, the sets with the number of their orders, and the same times
    what they hold of a letter. `ends`: the letters that complete the hand at each point, and the
    complete state; `complete`: the state of a dealer who draws nothing.
    """

    levels: tuple[SetsOfOneSize, ...]
    draws: tuple[tuple[int, int], ...]
    sums: dict[Point, tuple[Ints, Floats]]
    less: dict[Point, dict[int, tuple[Ints, Floats]]]
    ends: dict[Point, dict[int, int]]
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
        return Walk((), (), {}, {}, {}, shown)
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
    return _arranged(visits, dict(ends))


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


def _arranged(visits: list[Visit], ends: dict[Point, dict[int, int]]) -> Walk:
    """The sets in order of their size, as arrays."""
    order = sorted(range(len(visits)), key=lambda at: visits[at].size)
    place = {at: new for new, at in enumerate(order)}
    draws: dict[tuple[int, int], int] = {}
    sums: dict[Point, list[tuple[int, float]]] = defaultdict(list)
    less: dict[Point, dict[int, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    levels: dict[int, list[Visit]] = defaultdict(list)
    for new, at in enumerate(order):
        visit = visits[at]
        levels[visit.size].append(visit)
        for point, number in visit.orders:
            sums[point].append((new, float(number)))
            for letter, held in visit.held:
                if letter in ends.get(point, {}):
                    less[point][letter].append((new, float(number * held)))
    made = []
    begin = 0
    for size in sorted(levels):
        parents = [place[each.parent] if each.parent >= 0 else 0 for each in levels[size]]
        drawn = [draws.setdefault((each.letter, each.had), len(draws)) for each in levels[size]]
        made.append(SetsOfOneSize(begin, np.array(parents), np.array(drawn)))
        begin += len(parents)
    return Walk(
        tuple(made),
        tuple(draws),
        {point: _columns(each) for point, each in sums.items()},
        {
            point: {letter: _columns(each) for letter, each in letters.items()}
            for point, letters in less.items()
        },
        ends,
        None,
    )


def _columns(pairs: list[tuple[int, float]]) -> tuple[Ints, Floats]:
    at = np.array([each for each, _ in pairs], dtype=np.int64)
    return at, np.array([number for _, number in pairs])


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
    drawn = np.empty((len(walk.draws), len(out)))
    for at, (letter, had) in enumerate(walk.draws):
        if letter >= 0:
            np.maximum(free[letter] - had, 0.0, out=drawn[at])
    chance = np.empty((sum(len(level.parents) for level in walk.levels), len(out)))
    for size, level in enumerate(walk.levels):
        made = chance[level.begin : level.begin + len(level.parents)]
        down = 1.0 / np.maximum(total - size, 1.0)
        if not size:
            made[:] = down
            continue
        np.take(chance, level.parents, axis=0, out=made)
        made *= drawn[level.draws]
        made *= down
    for point, ends in walk.ends.items():
        several, number = walk.sums[point]
        sums = number @ chance[several]
        less = walk.less.get(point, {})
        for letter, state in ends.items():
            part = sums * free[letter]
            if letter in less:
                several, number = less[letter]
                part -= number @ chance[several]
            rows[column[state]] += np.maximum(part, 0.0, out=part)
    return rows.T
