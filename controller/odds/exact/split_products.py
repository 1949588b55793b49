"""What two hands of one split gain, multiplied: all that they share is counted, dealer and shoe.

A hand is a sum of *atoms*: cards that it may hold, with a weight and what it then gains against
each hand of the dealer. A hand that went bust has no cards of its own in the tables: it is all that
draws from there, less those draws that go on. Two hands hold `a` and `b` beside the pair with the
product of their own chances, times what the shoe makes of it: n falling |a + b| over n falling |a|
and n falling |b|, for each letter, and the other way round for the whole shoe.

Where a pair may be split again, two of its hands are a sum of such products with more cards of the
pair gone, of all hands and of those whose second card is not like the pair (`resplit`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact import passes
from controller.odds.exact.engine import Engine, Situation
from controller.odds.exact.pair_sums import pair_sums
from controller.odds.exact.shoe import Floats, Ints, dealer_ends
from controller.odds.exact.suited import SuitedHands

#: This many sets of cards are computed side by side.
ABREAST: Final = 50_000


class Atoms(NamedTuple):
    """Cards beside the pair, a row each, and what a hand that holds them gains, by the dealer's
    complete hand, times the weight: `gains[0]` of all hands, `gains[1]` of those whose second card
    is not like the pair. `waits`: some of them wait for the dealer's hand.
    """

    cards: Ints
    gains: Floats
    waits: bool


class SuitedEntries(NamedTuple):
    """Hands that end by their suits: their cards beside the pair, their endings, and the chances of
    every such hand and of those whose second card is unlike the pair.
    """

    cards: Ints
    finals: list[int]
    reach: Floats


def suited_entries(
    engine: Engine, shown: int, slots: NDArray[np.int8], span: tuple[int, int],
    every: Floats, like: Floats,
) -> SuitedEntries:  # fmt: skip
    """Those in `span`, of which these are the chances to be asked."""
    hands, rules = engine.passed, engine.against[shown].rules
    ways = [final for about, final in engine.tables.suits.ways if about == shown]
    entries = np.arange(*span)[every[span[0] : span[1]] != 0]
    taken, state = slots[entries], hands.state[entries]
    finals = rules.final[taken, state]
    ends = (rules.kind[taken, state] == passes.FIXED) & np.isin(finals, ways)
    entries = entries[ends]
    root = hands.gone[hands.removal[span[0]]]
    reach = np.array([every[entries], every[entries] - like[entries]])
    cards = hands.gone[hands.removal[entries]] - root
    return SuitedEntries(cards, finals[ends].tolist(), reach)


def atoms(
    engine: Engine, rules: passes.PlayArrays, slots: NDArray[np.int8], span: tuple[int, int],
    every: tuple[Floats, Floats], like: tuple[Floats, Floats], left: Ints,
) -> Atoms:  # fmt: skip
    """The atoms of the hands in `span`: chances to be asked and to draw, of `every` hand, and of
    those whose second card is `like` the pair.
    """
    hands, nets = engine.passed, engine.nets
    entries = np.arange(*span)
    (reach, drawing), (reach_like, drawing_like) = every, like
    root = hands.gone[hands.removal[span[0]]]
    cards = hands.gone[hands.removal[entries]] - root
    taken, state, row = slots[entries], hands.state[entries], hands.row[entries]
    kind = rules.kind[taken, state]
    whole, unlike = reach[entries], reach[entries] - reach_like[entries]
    fixed = (whole != 0) & (kind == passes.FIXED)
    open_ = (whole != 0) & (kind == passes.OPEN)
    found = _Sums(len(root), nets.shape[1])
    found.add(cards[fixed], whole[fixed], unlike[fixed], rules.value[taken, state][fixed, None])
    found.add(cards[open_], whole[open_], unlike[open_], nets[rules.final[taken, state][open_]])
    # All that draws from a hand counts as bust, less those draws that go on.
    whole, unlike = drawing[entries], drawing[entries] - drawing_like[entries]
    sinks = (whole != 0) & (row >= 0) & (hands.sink[row] >= 0)
    cards, row, whole, unlike = cards[sinks], row[sinks], whole[sinks], unlike[sinks]
    loss = hands.loss[row][:, None]
    found.add(cards, whole, unlike, loss)
    free = np.maximum(left - (cards + root), 0)
    share = free / np.maximum(free.sum(axis=1, keepdims=True), 1)
    for letter in range(len(root)):
        on = (hands.after[row, letter] >= 0) & (free[:, letter] > 0)
        part = -share[on, letter]
        more = cards[on]
        more[:, letter] += 1
        found.add(more, part * whole[on], part * unlike[on], loss[on])
    each, gains = found.each()
    return Atoms(each, gains, bool(open_.any()))


class _Sums:
    """What hands gain, added up by their cards."""

    def __init__(self, letters: int, columns: int) -> None:
        self._columns = columns
        self._cards: list[Ints] = [np.zeros((0, letters), dtype=np.int64)]
        self._gains: list[Floats] = [np.zeros((2, 0, columns))]

    def add(self, cards: Ints, whole: Floats, unlike: Floats, gain: Floats) -> None:
        """Hands with these `cards`, a row each, their two weights and what they gain."""
        self._cards.append(cards)
        weights = np.array([whole, unlike])[:, :, None]
        self._gains.append(weights * np.broadcast_to(gain, (len(cards), self._columns)))

    def each(self) -> tuple[Ints, Floats]:
        """Each set of cards once, and its sums: of all hands, and of the unlike ones."""
        cards, gains = np.concatenate(self._cards), np.concatenate(self._gains, axis=1)
        once, at = np.unique(cards, axis=0, return_inverse=True)
        sums = np.zeros((2, len(once), self._columns))
        for one, gain in zip(sums, gains, strict=True):
            np.add.at(one, at.reshape(-1), gain)
        return once, sums


def mean_product(
    engine: Engine, at: Situation, pair: Ints, drawn: Atoms, couples: tuple[float, float, float]
) -> float | None:
    """The product of two hands of a split, `pair` being all that is gone beside their own cards.

    So many `couples` of any two hands, of one whose second card is unlike the pair with any, and of
    two such, added up. None where that takes too long.
    """
    cards, size = drawn.cards, len(drawn.cards)
    base = 2 * int(cards.max(initial=0)) + 1
    if not size:
        return 0.0
    if base ** len(pair) >= 2**63 or size * (size + 1) // 2 > engine.most_couples:
        return None
    free = at.left - pair
    chances = _Falling(free, base, 2 * int(cards.sum(axis=1).max()) + 1)
    gains = drawn.gains / chances.of(cards)[None, :, None]
    if not drawn.waits:
        gains = gains[:, :, :1]
    # The form a x x + b x y + c y y as squares.
    none, one, both = couples
    signs, axes = np.linalg.eigh(np.array([[none, one / 2], [one / 2, both]]))
    there = np.abs(signs) > 0
    squares = np.tensordot(axes[:, there].T, gains, axes=1)
    units = base ** np.arange(len(free), dtype=np.int64)
    codes, sums = pair_sums(cards @ units, np.ascontiguousarray(squares), signs[there])
    total = 0.0
    for part in _parts(len(codes)):
        out = codes[part, None] // units[None, :] % base
        if drawn.waits:
            left = at.left * (engine.in_play > 0)
            dealer = dealer_ends(at.walk, left, out + pair, engine.columns)
        else:
            dealer = engine.live(at, out + pair)[:, None]
        total += float(chances.of(out) @ (dealer * sums[part]).sum(axis=1))
    return total


def suited_product(
    engine: Engine, at: Situation, pair: Ints, hands: SuitedEntries,
    couples: tuple[float, float, float],
) -> float:  # fmt: skip
    """What two hands that both end by their suits gain beyond the product of their means."""
    if not len(hands.finals):
        return 0.0
    free = at.left - pair
    base = 2 * int(hands.cards.max(initial=0)) + 1
    chances = _Falling(free, base, 2 * int(hands.cards.sum(axis=1).max()) + 1)
    every, unlike = hands.reach / chances.of(hands.cards)
    suited = SuitedHands(engine.tables, at.shown)
    none, one, both = couples
    total = 0.0
    for first, final in enumerate(hands.finals):
        out = hands.cards + hands.cards[first]
        times = none * every[first] * every + both * unlike[first] * unlike
        times += one / 2 * (every[first] * unlike + unlike[first] * every)
        excess = np.array([suited.excess(final, each) for each in hands.finals])
        total += float((times * excess) @ (chances.of(out) * engine.live(at, out + pair)))
    return total


def _parts(size: int) -> Iterator[slice]:
    for begin in range(0, size, ABREAST):
        yield slice(begin, begin + ABREAST)


class _Falling:
    """Falling factorials of what is left, by letter and of the whole: chances of sets of cards."""

    def __init__(self, free: Ints, most: int, drawn: int) -> None:
        self.letters = np.ones((len(free), most))
        for held in range(most - 1):
            self.letters[:, held + 1] = self.letters[:, held] * np.maximum(free - held, 0)
        self.whole = np.ones(drawn)
        for held in range(drawn - 1):
            self.whole[held + 1] = self.whole[held] * max(int(free.sum()) - held, 1)

    def of(self, cards: Ints) -> Floats:
        """The chance of the cards of each row, in one order."""
        found: Floats = self.letters[np.arange(cards.shape[1]), cards].prod(axis=1)
        found /= self.whole[cards.sum(axis=1)]
        return found
