"""Chances of drawing without replacement, for many hands of one player at once.

The *removals* are the cards that are out beside the dealer's: one row a hand, one column a letter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact.dealer import ends
from controller.odds.tables.game_tables import NONE, Tables

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


Point = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class Walk:
    """The dealer's hand from its deal, or from the cards shown, to its end.

    Sets of cards in the order of their sizes, each made of its parent by one more card of a
    letter, of which the parent holds `had`. `starts`, `adds`, `weights`: into which sums the chance
    of each set goes. `ends`: how the complete hands follow from the sums: (sum, letter, sum to take
    off or -1, complete state). `complete`: the state of a dealer who draws nothing.
    """

    parents: Ints
    letters: Ints
    had: Ints
    sizes: Ints
    starts: Ints
    adds: Ints
    weights: Floats
    ends: Ints
    complete: int | None


def dealer_walk(
    tables: Tables, shown: int, counts: Ints, *, dealt: bool, looked: bool = False
) -> Walk:
    """Every set of cards on the dealer's way through `shown`; `dealt`: the cards shown lie there.

    Cards that end the round at a look are left out, unless he `looked` already, and so are sets
    too seldom to count.
    """
    barred = frozenset() if looked else tables.naturals.get(shown, frozenset())
    letters = [at for at, count in enumerate(counts) if count]
    pack = int(counts.sum())
    start: Cards = (0,) * len(tables.counts)
    if dealt and not tables.draws[shown]:
        return _arranged([], {}, shown)
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


def _arranged(
    visits: list[Visit], ends: dict[Point, dict[int, int]], complete: int | None = None
) -> Walk:
    """The sets in order of their size, as arrays."""
    order = sorted(range(len(visits)), key=lambda at: visits[at].size)
    place = {at: new for new, at in enumerate(order)}
    number: dict[tuple[Point, int], int] = {}
    starts, adds, weights = [0], [], []
    for at in order:
        visit = visits[at]
        for point, orders in visit.orders:
            if point in ends:
                adds.append(number.setdefault((point, NONE), len(number)))
                weights.append(float(orders))
                for letter, held in visit.held:
                    if letter in ends[point]:
                        adds.append(number.setdefault((point, letter), len(number)))
                        weights.append(float(orders * held))
        starts.append(len(adds))
    sets = [visits[at] for at in order]
    return Walk(
        parents=_ints(place[each.parent] if each.parent >= 0 else 0 for each in sets),
        letters=_ints(each.letter for each in sets),
        had=_ints(each.had for each in sets),
        sizes=_ints(each.size for each in sets),
        starts=_ints(starts),
        adds=_ints(adds),
        weights=np.array(weights, dtype=np.float64),
        ends=_ints(
            each
            for point, letters in ends.items()
            for letter, state in letters.items()
            if (point, NONE) in number
            for each in (number[point, NONE], letter, number.get((point, letter), NONE), state)
        ).reshape(-1, 4),
        complete=complete,
    )


def _ints(numbers: Iterable[int]) -> Ints:
    return np.array(list(numbers), dtype=np.int64)


def dealer_ends(walk: Walk, left: Ints, out: Ints, column: Mapping[int, int]) -> Floats:
    """The chance of each complete hand of the dealer, a row for each row of `out`.

    `left` is what the shoe holds beside the dealer's cards that lie there, `out` the removals;
    `column` the place of each complete dealer state. The rows add up to the chance that the
    dealer's cards go this way at all.
    """
    made = np.zeros((len(column), len(out)))
    if not len(out):
        return made.T
    if walk.complete is not None:
        made[column[walk.complete]] = 1.0
        return made.T
    free = np.maximum(left[None, :] - out, 0).astype(np.float64)
    sums = walk.ends.copy()
    sums[:, 3] = [column[state] for state in sums[:, 3].tolist()]
    ends(
        walk.parents, walk.letters, walk.had, walk.sizes,
        walk.adds, walk.weights, walk.starts, sums, free, made,
    )  # fmt: skip
    return made.T
