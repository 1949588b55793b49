"""Values and chances of one round: a strategy played, or the best one found.

Values run back from complete hands to the first cards, chances run forward; both over all hands at
once. A strategy is a slot (the place of an action in its node) for each entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact import passes
from controller.odds.exact.engine import Engine, Situation
from controller.odds.exact.resplit import Shares, shares
from controller.odds.exact.shoe import Floats, Ints
from controller.odds.exact.split_products import (
    atoms,
    mean_product,
    suited_entries,
    suited_product,
)
from controller.odds.tables.game_tables import NONE

Slots = NDArray[np.int8]


@dataclass(slots=True)
class Chances:
    """Chances of all ways in which a hand ends; each hand of a split counts for itself.

    `fixed[shown, final]`, `ends[final]` by complete dealer state (a column), `naturals[shown,
    state]`. `splits`: the chance of a round with a split; `products`: what two hands of one split
    gain, multiplied, over all couples of them (see `Passing.products`), `near` where these are not
    exact. `side`: what a side bet gains on average; `side_square` is that of its square and twice
    its product with the rest.
    """

    fixed: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))
    ends: dict[int, Floats] = field(default_factory=dict)
    naturals: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))
    splits: float = 0.0
    products: float = 0.0
    near: bool = False
    side: float = 0.0
    side_square: float = 0.0


class Passing:
    """Values and chances in one situation.

    `again`: whether the hands of a pair (its entry) are split again where they may be; they are
    unless it says otherwise.
    """

    def __init__(
        self, engine: Engine, at: Situation, again: Mapping[int, bool] | None = None
    ) -> None:
        self.engine = engine
        self.at = at
        self.hands = engine.passed
        self.against = engine.against[at.shown]
        self.rules = self.against.rules
        self.live = engine.live(at, engine.gone)
        self.ends: Floats = np.zeros((0, 0))
        self.place: Ints = np.full(len(engine.gone), NONE, dtype=np.int64)
        self.left = at.left.astype(np.int64)
        self.whole = (0, len(engine.hands.state))
        self.couples: dict[int, Shares] = {}
        self.near = False
        self.again = dict(again or {})
        self.splits = self._splits(self.again)

    def _splits(self, again: Mapping[int, bool]) -> passes.PairShares:
        """What each pair comes to once it is split."""
        hands, engine = self.engine.hands, self.engine
        at = np.full(len(hands.state), NONE, dtype=np.int64)
        starts, to, share, draws = [0], [], [], []
        for number, (entry, (letter, state)) in enumerate(engine.pairs.items()):
            at[entry] = number
            if (self.rules.kind[:, hands.state[entry]] == passes.SPLITS).any():
                pair = engine.split_pairs[entry]
                more = (self.rules.kind[:, pair] == passes.SPLITS).any() and again.get(entry, True)
                most = engine.tables.most_hands if more else 2
                found = shares(int(self.left[letter]) - 2, int(self.left.sum()) - 2, most)
                self.couples[entry] = found
                for gone in range(len(found.free)):
                    root = hands.roots[letter, state, gone + 1]
                    if found.free[gone]:
                        to.append(root)
                        share.append(found.free[gone])
                        draws.append(True)
                    if found.pair[gone]:
                        to.append(int(hands.after[hands.row[root], letter]))
                        share.append(found.pair[gone])
                        draws.append(False)
            starts.append(len(to))
        return passes.PairShares(
            at,
            np.array(starts, dtype=np.int64),
            np.array(to, dtype=np.int64),
            np.array(share, dtype=np.float64),
            np.array(draws, dtype=np.bool_),
        )

    def weigh_ends(self, slots: Slots | None, reach: Floats) -> None:
        """Compute the dealer's chances beside all hands that wait for him, or that may."""
        found = np.zeros(len(self.place), dtype=np.bool_)
        every = slots is None
        passes.waiting(self.hands, self.rules, self._any(slots), every, reach, found)
        rows = np.flatnonzero(found)
        self.place[:] = NONE
        self.place[rows] = np.arange(len(rows))
        self.ends = np.ascontiguousarray(self.engine.dealer(self.at, rows))

    def _any(self, slots: Slots | None) -> Slots:
        return np.zeros(len(self.hands.state), dtype=np.int8) if slots is None else slots

    def back(self, slots: Slots | None, *, freely: bool = False) -> tuple[Floats, Slots]:
        """The value of every action (by slot and entry), and the slot that is taken.

        By `slots`, or the best one where there are none. With `freely`, a pair is split again only
        where that is better.
        """
        pairs = self.engine.pairs
        once = self._splits(dict.fromkeys(pairs, False)) if freely else self.splits
        actions, taken, never_again = passes.back(
            self.hands, self.rules, self.splits, once, self._any(slots), slots is None,
            self.left, self.engine.counted, self.live, self.ends, self.place, self.engine.nets,
        )  # fmt: skip
        if never_again.any():
            self.again = {entry: not never_again[at] for at, entry in enumerate(pairs)}
            self.splits = self._splits(self.again)
        return actions, taken

    def forward(self, slots: Slots | None, *, signed: bool = True) -> tuple[Floats, Floats, float]:
        """The chance to be asked in every entry, to draw from it, and that of a split.

        Without `slots`, every hand that may draw does, too: how likely its cards are at all. What
        hands of a split come to may cancel out; not `signed`, no hand that is possible is at 0.
        """
        reach, drawing = np.zeros(self.whole[1]), np.zeros(self.whole[1])
        reach[0] = self.at.chance
        split = passes.forward(
            self.hands, self.rules, self.splits, self._any(slots), slots is None, signed,
            self.left, self.engine.counted, self.live, reach, drawing, self.whole,
        )  # fmt: skip
        return reach, drawing, split

    def in_play(self, entries: Ints) -> Ints:
        """Those of `entries` that have all their first cards."""
        whole = (entries >= self.hands.plain) | (self.hands.size[entries] >= self.hands.first)
        found: Ints = entries[whole]
        return found

    def tally(self, tally: Chances, slots: Slots, *, weigh: bool = False) -> Floats:
        """Add the chances of all endings; the chance to be asked in every entry.

        `weigh`: the dealer's chances beside these hands are yet to be computed.
        """
        reach, drawing, split = self.forward(slots)
        if weigh:
            self.weigh_ends(slots, reach)
        fixed, ends = self._endings(slots, reach, drawing, self.whole)
        for final in np.flatnonzero(fixed).tolist():
            tally.fixed[self.at.shown, final] += float(fixed[final])
        for final in np.flatnonzero(ends.any(axis=1)).tolist():
            tally.ends[final] = tally.ends.get(final, 0.0) + ends[final]
        tally.splits += split
        if split:
            tally.products += self.products(slots, reach)
            tally.near = tally.near or self.near
        self._tally_naturals(tally, reach)
        return reach

    def _endings(
        self, slots: Slots, reach: Floats, drawing: Floats, span: tuple[int, int]
    ) -> tuple[Floats, Floats]:
        """The chance of each ending: by final, and by final and the dealer's complete hand."""
        fixed = np.zeros(self.engine.most_finals)
        ends = np.zeros(self.engine.nets.shape)
        passes.tally(
            self.hands, self.rules, slots, self.left, self.engine.counted, self.live,
            reach, drawing, span, self.ends, self.place, fixed, ends,
        )  # fmt: skip
        return fixed, ends

    def products(self, slots: Slots, reach: Floats) -> float:
        """What two hands of one split gain, multiplied, over all couples of them.

        They meet the same dealer's hand, and draw from the same shoe. Where that takes too long,
        they are taken as independent beside the dealer's hand: what one takes from the shoe hardly
        changes the other.
        """
        total, engine = 0.0, self.engine
        for entry in engine.pairs_by_length:
            slot, pair = slots[entry], self.hands.state[entry]
            live = float(self.live[self.hands.removal[entry]])
            if reach[entry] * live and self.rules.kind[slot, pair] == passes.SPLITS:
                # Where one pair is not exact the sum is not: the others would be for nothing.
                found = None if engine.too_many_couples else self._product(entry, slots)
                if found is None:
                    self.near = engine.too_many_couples = True
                    found = self._near_product(entry, slots, live)
                total += reach[entry] * found
        return total

    def _product(self, entry: int, slots: Slots) -> float | None:
        """That of the hands of one pair, exactly; None where it takes too long."""
        letter, state = self.engine.pairs[entry]
        left = self.left * self.engine.counted
        total = 0.0
        for gone, couples in enumerate(self.couples[entry].couples):
            if not any(couples):
                continue
            span = self.engine.blocks[letter, state, gone + 1]
            every = self._from(span[0], 1.0, slots, span, drawing=True)
            if self._too_many(slots, span, every[0]):
                return None
            like = (np.zeros(self.whole[1]), np.zeros(self.whole[1]))
            root = self.hands.gone[self.hands.removal[span[0]]]
            pair = self.hands.after[self.hands.row[span[0]], letter]
            if any(couples[1:]) and pair >= 0:
                chance = every[0][pair]
                like = self._from(int(pair), chance, slots, span, drawing=False)
            found = atoms(self.engine, self.rules, slots, span, every, like, left)
            product = mean_product(self.engine, self.at, root, found, couples)
            if product is None:
                return None
            hands = suited_entries(self.engine, self.at.shown, slots, span, every[0], like[0])
            total += product + suited_product(self.engine, self.at, root, hands, couples)
        return total

    def _too_many(self, slots: Slots, span: tuple[int, int], reach: Floats) -> bool:
        """Whether the cards of hands that end here make too many couples, before all is added."""
        part = slice(*span)
        kind = self.rules.kind[slots[part], self.hands.state[part]]
        ends = (reach[part] != 0) & ((kind == passes.FIXED) | (kind == passes.OPEN))
        size = len(np.unique(self.hands.removal[part][ends]))
        return size * (size + 1) // 2 > self.engine.most_couples

    def _from(
        self, entry: int, chance: float, slots: Slots, span: tuple[int, int], *, drawing: bool
    ) -> tuple[Floats, Floats]:
        """The chances to be asked and to draw in `span`, from one entry on."""
        reach, draws = np.zeros(self.whole[1]), np.zeros(self.whole[1])
        (draws if drawing else reach)[entry] = chance
        passes.forward(
            self.hands, self.rules, self.splits, slots, False, False,
            self.left, self.engine.counted, self.live, reach, draws, span,
        )  # fmt: skip
        return reach, draws

    def _near_product(self, entry: int, slots: Slots, live: float) -> float:
        """That of hands which only share the dealer's hand."""
        span = self.engine.blocks[*self.engine.pairs[entry], 1]
        one, drawing = self._from(span[0], 1.0, slots, span, drawing=True)
        fixed, ends = self._endings(slots, one, drawing, span)
        sure = float(fixed @ self.engine.fixed_worth[self.at.shown]) / live
        mean_square = live * sure * sure
        if ends.any():
            dealer = self.engine.dealer(self.at, self.hands.removal[entry][None])[0]
            there = dealer > 0
            mean = sure + (ends * self.engine.nets).sum(axis=0)[there] / dealer[there]
            mean_square = float(dealer[there] @ (mean * mean))
        return self.couples[entry].twos * mean_square

    def _tally_naturals(self, tally: Chances, reach: Floats) -> None:
        tables, shown = self.engine.tables, self.at.shown
        barred = sorted(tables.naturals.get(shown, ()))
        if not barred:
            return
        for entry in self.firsts():
            if reach[entry]:
                out = self.hands.cards[entry][None, :]
                chance = self.engine.hidden(self.at, out)[0, barred].sum()
                tally.naturals[shown, int(self.hands.state[entry])] += float(reach[entry] * chance)

    def firsts(self) -> Ints:
        """The entries of the first cards."""
        return np.flatnonzero(self.hands.size[: self.hands.plain] == self.hands.first)


def situations(engine: Engine, shown: Iterable[int]) -> list[Situation]:
    """All that the dealer may show in these states."""
    whole = not engine.without and not engine.tables.hidden
    return [
        at for each in shown for at in (engine.by_state(each) if whole else engine.by_cards(each))
    ]
