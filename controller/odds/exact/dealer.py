"""The compiled loop over the dealer's cards: the chance of each complete hand of his."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

#: This many removals are computed side by side: what a processor's nearest cache holds.
ABREAST: Final = 64


@njit(nogil=True, cache=True)
def ends(parents, letters, had, sizes, adds, weights, starts, sums, free, made):
    """Add the chance of each complete hand to `made[column, row]`, for each row of `free`.

    Set `v` of cards is its parent and one card of `letters[v]`, of which the parent holds `had[v]`.
    Its chance goes to the sums `adds[starts[v]:starts[v + 1]]`, by their weights. A row of `sums`
    is (sum over the sets, letter that completes the hand, sum to take off it or -1, column).
    """
    rows, of_letters = free.shape
    sets = parents.size
    chance = np.empty((sets, ABREAST))
    most = 0
    for v in range(sets):
        most = max(most, sizes[v])
    total = np.empty(ABREAST)
    inverse = np.empty((most + 1, ABREAST))
    beside = np.empty((of_letters, ABREAST))
    slots = 0
    for add in adds:
        slots = max(slots, add + 1)
    added = np.empty((slots, ABREAST))
    for begin in range(0, rows, ABREAST):
        width = min(ABREAST, rows - begin)
        total[:] = 0.0
        beside[:] = 0.0
        for at in range(width):
            for letter in range(of_letters):
                beside[letter, at] = free[begin + at, letter]
                total[at] += free[begin + at, letter]
        for size in range(most + 1):
            for at in range(ABREAST):
                inverse[size, at] = 1.0 / max(total[at] - size, 1.0)
        added[:] = 0.0
        for v in range(sets):
            size = sizes[v]
            if size == 0:
                for at in range(ABREAST):
                    chance[v, at] = inverse[0, at]
            else:
                parent, letter, less = parents[v], letters[v], had[v]
                for at in range(ABREAST):
                    drawn = max(beside[letter, at] - less, 0.0) * inverse[size, at]
                    chance[v, at] = chance[parent, at] * drawn
            for each in range(starts[v], starts[v + 1]):
                to, weight = adds[each], weights[each]
                for at in range(ABREAST):
                    added[to, at] += weight * chance[v, at]
        for each in range(sums.shape[0]):
            whole, letter, less, column = sums[each]
            for at in range(width):
                part = added[whole, at] * beside[letter, at]
                if less >= 0:
                    part -= added[less, at]
                made[column, begin + at] += max(part, 0.0)
