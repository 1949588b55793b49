"""What two hands of one split gain, multiplied: all that they share is counted, dealer and shoe.

A hand is a sum of *atoms*: cards that it may hold, with a weight and what it then gains against
each hand of the dealer. A hand that went bust has no cards of its own in the tables: it is all that
draws from there, less those draws that go on. Two hands hold `a` and `b` beside the pair with the
product of their own chances, times what the shoe makes of it: n falling |a + b| over n falling |a|
and n falling |b|, for each letter, and the other way round for the whole shoe.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact import passes
from controller.odds.exact.engine import Engine, Situation
from controller.odds.exact.shoe import Floats, Ints, dealer_ends

#: More than so many sets of the dealer's cards take too long: minutes.
MOST_WORK: Final = 3_000_000_000


class Atoms(NamedTuple):
    """Cards beside the pair, a row each, and what a hand that holds them gains, by the dealer's
    complete hand, times the weight. `waits`: some of them wait for that hand.
    """

    cards: Ints
    gains: Floats
    waits: bool


def atoms(
    engine: Engine, rules: passes.PlayArrays, slots: NDArray[np.int8], span: tuple[int, int],
    chances: tuple[Floats, Floats], left: Ints,
) -> Atoms:  # fmt: skip
    """The atoms of the hands in `span`, of which these are the chances to be asked and to draw."""
    hands, nets = engine.passed, engine.nets
    reach, drawing = chances
    root = hands.gone[hands.removal[span[0]]]
    waits = False
    found: dict[tuple[int, ...], Floats] = defaultdict(lambda: np.zeros(nets.shape[1]))
    for entry in range(*span):
        out = hands.gone[hands.removal[entry]]
        state, slot = hands.state[entry], slots[entry]
        kind = rules.kind[slot, state]
        if reach[entry] and kind in (passes.FIXED, passes.OPEN):
            gain = (
                rules.value[slot, state] if kind == passes.FIXED else nets[rules.final[slot, state]]
            )
            waits = waits or bool(kind == passes.OPEN)
            found[tuple((out - root).tolist())] += reach[entry] * gain
        row = hands.row[entry]
        if drawing[entry] and row >= 0 and hands.sink[row] >= 0:
            free = np.maximum(left - out, 0)
            found[tuple((out - root).tolist())] += drawing[entry] * hands.loss[row]
            for letter in np.flatnonzero((hands.after[row] >= 0) & (free > 0)).tolist():
                more = out - root
                more[letter] += 1
                share = drawing[entry] * free[letter] / free.sum()
                found[tuple(more.tolist())] -= share * hands.loss[row]
    return Atoms(np.array(list(found), dtype=np.int64), np.array(list(found.values())), waits)


def mean_product(engine: Engine, at: Situation, pair: Ints, given: Atoms) -> float | None:
    """The mean of the product of two hands of a split whose cards are `pair`.

    None where that takes too long.
    """
    cards, size = given.cards, len(given.cards)
    base = 2 * int(cards.max(initial=0)) + 1
    if not size or base ** len(pair) >= 2**63:
        return None if size else 0.0
    if size * (size + 1) / 2 * max(len(at.walk.parents), 1) > MOST_WORK:
        return None
    free = at.left - pair
    falling = np.ones((len(free), base))
    for held in range(base - 1):
        falling[:, held + 1] = falling[:, held] * np.maximum(free - held, 0)
    drawn = cards.sum(axis=1)
    whole = np.ones(2 * int(drawn.max()) + 1)
    for held in range(len(whole) - 1):
        whole[held + 1] = whole[held] * max(int(free.sum()) - held, 1)
    letters = np.arange(len(free))
    own = falling[letters, cards].prod(axis=1) / whole[drawn]
    units = base**letters
    codes = cards @ units
    firsts, seconds = np.triu_indices(size)
    both, place = np.unique(codes[firsts] + codes[seconds], return_inverse=True)
    out = both[:, None] // units[None, :] % base
    chance = falling[letters, out].prod(axis=1) / whole[out.sum(axis=1)]
    gains = given.gains / own[:, None]
    if given.waits:
        dealer = dealer_ends(at.walk, at.left * (engine.in_play > 0), out + pair, engine.columns)
    else:
        dealer, gains = engine.live(at, out + pair)[:, None], gains[:, :1]
    dealer = dealer * chance[:, None]
    total, begin = 0.0, 0
    for first in range(size):
        end = begin + size - first
        found = (dealer[place[begin:end]] * gains[first:]) @ gains[first]
        total += 2 * float(found.sum()) - float(found[0])
        begin = end
    return total
