"""Chances of drawing without replacement, for many hands of one player at once.

The *removals* are the cards that are out beside the dealer's: one row a hand, one column a letter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact.dealer import ends
from controller.odds.tables.game_tables import NONE, Ending, Tables
from controller.rules.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = NDArray[np.int8]
"""Sets of cards, a row each, a column a letter."""

#: What is left out of an exact sum: cards that come up less often, in any order.
LEAST_CHANCE: Final = 1e-13

Cards = tuple[int, ...]
"""How many of each letter."""


def with_one(cards: Cards, letter: int) -> Cards:
    """`cards` and one more of `letter`."""
    return (*cards[:letter], cards[letter] + 1, *cards[letter + 1 :])


Point = tuple[int, bool]
"""The dealer's state, and whether it is still the deal."""


class Visit(NamedTuple):
    """A set of cards with which the dealer is not complete.

    `parent`: the place of a set that lacks one card of it, of `letter`, of which that held `had`.
    `held`: (letter, number) of all in it. `orders`: (point, number of orders of the cards that lead
    there).
    """

    parent: int
    letter: int
    had: int
    size: int
    held: tuple[tuple[int, int], ...]
    orders: tuple[tuple[Point, int], ...]


@frozen
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
    counts_of, pack = counts.tolist(), int(counts.sum())
    start: Cards = (0,) * len(tables.counts)
    if dealt and not tables.draws[shown]:
        return _arranged([], {}, shown)
    first = (shown, False) if dealt else (0, True)
    level: dict[Cards, dict[Point, int]] = {start: {first: 1}}
    ends: dict[Point, dict[int, int]] = defaultdict(dict)
    chance = {start: 1.0}
    visits: list[Visit] = []
    made_of: dict[Cards, tuple[int, int, int]] = {start: (NONE, NONE, NONE)}
    ways: dict[Point, list[tuple[int, Point]]] = {}
    size = 0
    while level:
        after: dict[Cards, dict[Point, int]] = {}
        if size <= tables.up + 1:
            # What is still the deal, and what a look bars, hangs on the number of cards.
            ways = {}
        for held, orders in level.items():
            several = tuple((each, had) for each, had in enumerate(held) if had)
            place = len(visits)
            visits.append(Visit(*made_of[held], size, several, tuple(orders.items())))
            grown: dict[int, dict[Point, int] | None] = {}
            for point, number in orders.items():
                if point not in ways:
                    state, deal = point
                    looks = state == shown and not deal and size == (0 if dealt else tables.up)
                    open_to = [each for each in letters if not (looks and each in barred)]
                    still = deal and size + 1 < tables.up
                    ways[point] = _ways(tables, point, shown, open_to, still, ends)
                for letter, to in ways[point]:
                    if letter not in grown:
                        likely = chance[held] * (counts_of[letter] - held[letter]) / (pack - size)
                        likely *= (size + 1) / (held[letter] + 1)
                        grown[letter] = None
                        if likely > LEAST_CHANCE:
                            bigger = with_one(held, letter)
                            if bigger not in after:
                                after[bigger] = {}
                                chance[bigger] = likely
                                made_of[bigger] = (place, letter, held[letter])
                            grown[letter] = after[bigger]
                    made = grown[letter]
                    if made is not None:
                        made[to] = made.get(to, 0) + number
        level = after
        size += 1
    return _arranged(visits, dict(ends))


def _ways(
    tables: Tables, point: Point, shown: int, letters: Iterable[int], still: bool,
    ends: dict[Point, dict[int, int]],
) -> list[tuple[int, Point]]:  # fmt: skip
    """Where each letter leads from `point` if he then draws again; other ends go to `ends`.

    `still`: it is the deal then, too.
    """
    state, deal = point
    found = []
    for letter in letters:
        made = tables.dealer_after[state][letter]
        if deal and not still and made != shown:
            continue
        if still or tables.draws[made]:
            found.append((letter, (made, still)))
        else:
            ends[point][letter] = made
    return found


def _arranged(
    visits: list[Visit], ends: dict[Point, dict[int, int]], complete: int | None = None
) -> Walk:
    """The sets as arrays."""
    number: dict[tuple[Point, int], int] = {}
    starts, adds, weights = [0], [], []
    for visit in visits:
        for point, orders in visit.orders:
            if point in ends:
                adds.append(number.setdefault((point, NONE), len(number)))
                weights.append(float(orders))
                for letter, held in visit.held:
                    if letter in ends[point]:
                        adds.append(number.setdefault((point, letter), len(number)))
                        weights.append(float(orders * held))
        starts.append(len(adds))
    return Walk(
        parents=_ints(max(each.parent, 0) for each in visits),
        letters=_ints(each.letter for each in visits),
        had=_ints(each.had for each in visits),
        sizes=_ints(each.size for each in visits),
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


def dealer_columns(tables: Tables) -> dict[int, int]:
    """The column of each complete dealer state: one for all that end every hand alike."""
    complete = sorted({state for ends in tables.ends.values() for state in ends})
    alike: dict[tuple[Ending | None, ...], int] = {}
    return {
        state: alike.setdefault(tuple(ends.get(state) for ends in tables.ends.values()), len(alike))
        for state in complete
    }


def width(column: Mapping[int, int]) -> int:
    """How many columns there are, at least one; several complete states may share one."""
    return 1 + max(column.values(), default=0)


def dealer_ends(walk: Walk, left: Ints, out: Ints | Counts, column: Mapping[int, int]) -> Floats:
    """The chance of each complete hand of the dealer, a row for each row of `out`.

    `left` is what the shoe holds beside the dealer's cards that lie there, `out` the removals;
    `column` the place of each complete dealer state, those of one place added up. The rows add up
    to the chance that the dealer's cards go this way at all.
    """
    made = np.zeros((width(column), len(out)))
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
