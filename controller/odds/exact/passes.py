"""The compiled loops over all hands of a player: chances forward, values back.

An entry comes after those that it is made of, so that one loop over the entries does either.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Half the memory, which these loops wait for.
Shorts = NDArray[np.int32]
Counts = NDArray[np.int8]

#: What an action does (`kind`), beside nothing: a fixed ending, one against the dealer's complete
#: hand, a card, a split.
FIXED: Final = 1
OPEN: Final = 2
CARD: Final = 3
SPLITS: Final = 4
#: No action: its value is below every other.
NEVER: Final = -1e9


class HandArrays(NamedTuple):
    """All entries (see `hands.AllHands`), as the loops want them.

    `size`: number of cards; `first`: cards dealt before anything is asked; entries from `plain` on
    come from a split. `back`: the entries in the order in which values run back. `loss`: what the
    sink of a row is worth (0: it has none).
    """

    state: Shorts
    cards: Counts
    size: Shorts
    removal: Shorts
    row: Shorts
    after: Shorts
    other: Shorts
    like: Shorts
    sink: Shorts
    loss: Floats
    gone: Counts
    back: Shorts
    plain: int
    first: int


class PlayArrays(NamedTuple):
    """What the tables say against one shown state (see `against.Against`), by slot and state."""

    kind: NDArray[np.int8]
    value: Floats
    final: Ints
    to: Ints


class PairShares(NamedTuple):
    """What a pair comes to once it is split: shares of entries, by number of the pair.

    `at`: the number of an entry's pair, or -1. Pair `n` has the shares `starts[n]:starts[n + 1]`;
    `draws`: of an entry that draws its second card, not of one that is played.
    """

    at: Ints
    starts: Ints
    to: Ints
    share: Floats
    draws: NDArray[np.bool_]


@njit(nogil=True, cache=True)
def _free(hands, entry, left, counted, found):
    """How many of each letter may be drawn from `entry`, into `found`; and all together."""
    total = 0.0
    whole = entry < hands.plain and hands.size[entry] < hands.first
    for letter in range(left.size):
        if whole:
            number = left[letter] - hands.cards[entry, letter]
        elif counted[letter]:
            number = left[letter] - hands.gone[hands.removal[entry], letter]
        else:
            number = 0
        found[letter] = max(number, 0)
        total += found[letter]
    return max(total, 1.0)


@njit(nogil=True, cache=True)
def forward(hands, rules, splits, slots, every, signed, left, counted, live, reach, drawing, span):
    """Add the chance to be asked in each entry of `span`, and to draw from it, to those before it.

    What comes back is the chance of a split.

    With `every`, whatever may be drawn or split is, whatever the slots. Shares of a pair may be
    negative and cancel out: not `signed`, no hand that is possible is at 0.
    """
    found = np.zeros(left.size)
    split = 0.0
    for entry in range(span[0], span[1]):
        asked = hands.size[entry] >= hands.first or entry >= hands.plain
        state = hands.state[entry]
        if not asked:
            drawing[entry] = reach[entry]
        elif reach[entry] != 0.0:
            for slot in range(rules.kind.shape[0]):
                if not every and slots[entry] != slot:
                    continue
                kind = rules.kind[slot, state]
                if kind == CARD:
                    target = entry if rules.to[slot, state] == state else hands.other[entry]
                    if every:
                        drawing[target] = reach[entry]
                    else:
                        drawing[target] += reach[entry]
                elif kind == SPLITS and splits.at[entry] >= 0:
                    pair = splits.at[entry]
                    for each in range(splits.starts[pair], splits.starts[pair + 1]):
                        part = splits.share[each] * reach[entry]
                        if not signed:
                            part = abs(part)
                        if splits.draws[each]:
                            drawing[splits.to[each]] += part
                        else:
                            reach[splits.to[each]] += part
                    split += reach[entry] * live[hands.removal[entry]]
        row = hands.row[entry]
        if row >= 0 and drawing[entry] != 0.0:
            share = drawing[entry] / _free(hands, entry, left, counted, found)
            for letter in range(left.size):
                to = hands.after[row, letter]
                if to >= 0 and found[letter] > 0.0:
                    reach[to] += share * found[letter]
    return split


@njit(nogil=True, cache=True)
def _drawn(hands, entry, row, left, counted, live, value, found):
    """What a card to `entry` is worth."""
    share = 1.0 / _free(hands, entry, left, counted, found)
    worth = 0.0
    if hands.sink[row] < 0:
        for letter in range(left.size):
            to = hands.after[row, letter]
            if to >= 0:
                worth += found[letter] * share * value[to]
        return worth
    rest = live[hands.removal[entry]]
    for letter in range(left.size):
        to = hands.after[row, letter]
        if to >= 0:
            chance = found[letter] * share
            worth += chance * value[to]
            rest -= chance * live[hands.removal[to]]
    return worth + hands.loss[row] * max(rest, 0.0)


@njit(nogil=True, cache=True)
def _split(splits, pair, drawn, value):
    worth = 0.0
    for each in range(splits.starts[pair], splits.starts[pair + 1]):
        to = splits.to[each]
        worth += splits.share[each] * (drawn[to] if splits.draws[each] else value[to])
    return worth


@njit(nogil=True, cache=True)
def back(hands, rules, splits, once, slots, choose, left, counted, live, ends, place, nets):
    """The value of each action by slot and entry, the slots taken, and the pairs split but once.

    With `choose` the best slot is taken and a pair is split as `splits` or as `once` says;
    otherwise by `slots` and `splits`. `ends[place]`: the chances of the dealer's complete hands
    for a removal, `nets` what a hand that waits for them then gains.
    """
    entries = hands.state.size
    slots_each = rules.kind.shape[0]
    value = np.zeros(entries)
    drawn = np.zeros(entries)
    found = np.zeros(left.size)
    actions = np.full((slots_each, entries), NEVER)
    taken = slots.copy()
    never_again = np.zeros(splits.starts.size, dtype=np.bool_)
    for entry in hands.back:
        row = hands.row[entry]
        if row >= 0:
            drawn[entry] = _drawn(hands, entry, row, left, counted, live, value, found)
        if hands.size[entry] < hands.first and entry < hands.plain:
            value[entry] = drawn[entry]
            continue
        state, out = hands.state[entry], hands.removal[entry]
        best = 0
        for slot in range(slots_each):
            kind = rules.kind[slot, state]
            if kind == FIXED:
                actions[slot, entry] = rules.value[slot, state] * live[out]
            elif kind == OPEN:
                if place[out] >= 0:
                    worth = 0.0
                    for column in range(nets.shape[1]):
                        worth += ends[place[out], column] * nets[rules.final[slot, state], column]
                    actions[slot, entry] = worth
            elif kind == CARD:
                target = entry if rules.to[slot, state] == state else hands.other[entry]
                actions[slot, entry] = drawn[target]
            elif kind == SPLITS and splits.at[entry] >= 0:
                pair = splits.at[entry]
                actions[slot, entry] = _split(splits, pair, drawn, value)
                if choose:
                    worth = _split(once, pair, drawn, value)
                    if worth > actions[slot, entry]:
                        actions[slot, entry] = worth
                        never_again[pair] = True
            if actions[slot, entry] > actions[best, entry]:
                best = slot
        if choose:
            taken[entry] = best if hands.like[entry] == entry else taken[hands.like[entry]]
        value[entry] = actions[taken[entry], entry]
    return actions, taken, never_again


@njit(nogil=True, cache=True)
def tally(
    hands, rules, slots, left, counted, live, reach, drawing, span, ends, place, fixed, open_ends
):
    """Add the chance of each ending in `span`: `fixed[final]`, `open_ends[final, dealer]`."""
    found = np.zeros(left.size)
    for entry in range(span[0], span[1]):
        row = hands.row[entry]
        if row >= 0 and hands.sink[row] >= 0 and drawing[entry] != 0.0:
            share = 1.0 / _free(hands, entry, left, counted, found)
            rest = live[hands.removal[entry]]
            for letter in range(left.size):
                to = hands.after[row, letter]
                if to >= 0:
                    rest -= found[letter] * share * live[hands.removal[to]]
            fixed[hands.sink[row]] += drawing[entry] * max(rest, 0.0)
        asked = hands.size[entry] >= hands.first or entry >= hands.plain
        if not asked or reach[entry] == 0.0:
            continue
        slot, state, out = slots[entry], hands.state[entry], hands.removal[entry]
        final = rules.final[slot, state]
        if rules.kind[slot, state] == FIXED:
            fixed[final] += reach[entry] * live[out]
        elif rules.kind[slot, state] == OPEN:
            for column in range(ends.shape[1]):
                open_ends[final, column] += reach[entry] * ends[place[out], column]


@njit(nogil=True, cache=True)
def waiting(hands, rules, slots, every, reach, found):
    """Mark in `found` the removals beside which a hand waits for the dealer."""
    for entry in range(hands.state.size):
        asked = hands.size[entry] >= hands.first or entry >= hands.plain
        if asked and reach[entry] != 0.0:
            state = hands.state[entry]
            for slot in range(rules.kind.shape[0]):
                if (every or slots[entry] == slot) and rules.kind[slot, state] == OPEN:
                    found[hands.removal[entry]] = True
