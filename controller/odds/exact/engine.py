"""Exact chances of one round from a fresh shoe, one player: hands run forward, values run back.

All hands are computed at once, as arrays (`hands`); against each pair of cards that the dealer may
show, the chances of his complete hand follow from what is left in the shoe (`shoe`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from controller.odds.exact.against import Against, expected
from controller.odds.exact.hand_states import splits, without_effect
from controller.odds.exact.hands import Growing
from controller.odds.exact.passes import HandArrays
from controller.odds.exact.shoe import (
    Cards,
    Counts,
    Floats,
    Ints,
    Walk,
    dealer_columns,
    dealer_ends,
    dealer_walk,
    width,
    with_one,
)
from controller.odds.tables.game_tables import Tables

#: More couples of hands of one split take too long: minutes in all.
MOST_COUPLES: Final = 5_000_000


class Situation(NamedTuple):
    """One way to sum over what the dealer shows: cards that lie there, or a whole shown state.

    `left` is what the player's and the dealer's further cards come from; where the dealer's cards
    do not lie there yet, the values and chances count their chance in. `known`: his hidden card is
    one of those that are gone.
    """

    shown: int
    cards: Cards | None
    chance: float
    left: Ints
    walk: Walk
    known: bool = False


class Engine:
    """The arrays of one game, for every strategy.

    `most_couples`: how many of one split are looked at, at most, for the standard deviation.
    """

    def __init__(self, tables: Tables, most_couples: int = MOST_COUPLES) -> None:
        self.tables = tables
        self.most_couples = most_couples
        self.letters = len(tables.counts)
        self.counts: Ints = np.array(tables.counts, dtype=np.int64)
        self.without = without_effect(tables)
        self.in_play = self.counts.copy()
        self.in_play[list(self.without)] = 0
        growing = Growing(tables, self.without)
        growing.grow()
        self.plain = growing.size
        self.pairs = growing.pairs(splits(tables), tables.first_cards)
        self.begins = [0]
        self.blocks: dict[tuple[int, int, int], tuple[int, int]] = {}
        for letter, state in sorted(set(self.pairs.values())):
            for gone in range(1, self.most_gone + 1):
                self.begins.append(growing.size)
                growing.grow(letter, state, gone)
                self.blocks[letter, state, gone] = (self.begins[-1], growing.size)
        self.hands = growing.hands()
        self.gone = self.hands.gone
        self.split_pairs = self._split_pairs()
        self.finals = {final: at for at, final in enumerate(tables.ends)}
        self.columns = dealer_columns(tables)
        self.nets = np.zeros((max(len(self.finals), 1), width(self.columns)))
        for final, ends in tables.ends.items():
            for state, ending in ends.items():
                net = expected(ending, tables.wager)
                self.nets[self.finals[final], self.columns[state]] = net
        worth = {
            shown: {final: expected(ending, tables.wager) for final, ending in fixed.items()}
            for shown, fixed in tables.fixed.items()
        }
        self.against = {
            shown: Against(tables, shown, self.finals, worth[shown]) for shown in tables.shown
        }
        self.counted = np.ascontiguousarray(self.in_play > 0)
        self.most_finals = 1 + max(
            (final for fixed in worth.values() for final in fixed), default=0
        )
        self.fixed_worth = {
            shown: np.array([fixed.get(final, 0.0) for final in range(self.most_finals)])
            for shown, fixed in worth.items()
        }
        #: The pairs, those with the longest hands first.
        self.pairs_by_length = sorted(self.pairs, key=self._block_size, reverse=True)
        #: Set once two hands of a split make too many couples of cards to look at, and from the
        #: start where a hand that waits for the dealer may end otherwise by its suits.
        self.too_many_couples = any(
            len(ending) > 1 for endings in tables.ends.values() for ending in endings.values()
        )
        # The ending in a sink is worth the same against every shown state.
        self.passed = self._passed({at: net for each in worth.values() for at, net in each.items()})

    def _block_size(self, entry: int) -> int:
        """How many hands follow a pair that is split."""
        begin, end = self.blocks[*self.pairs[entry], 1]
        return end - begin

    def _passed(self, worth: Mapping[int, float]) -> HandArrays:
        """All hands as the compiled loops want them; `worth`: what each ending in a sink is."""
        hands, tables = self.hands, self.tables
        ends = [*self.begins[1:], len(hands.state)]
        blocks = [np.arange(begin, end)[::-1] for begin, end in zip(self.begins, ends, strict=True)]
        return HandArrays(
            state=hands.state.astype(np.int32),
            cards=hands.cards,
            size=hands.cards.sum(axis=1).astype(np.int32),
            removal=hands.removal.astype(np.int32),
            row=hands.row.astype(np.int32),
            after=hands.after.astype(np.int32),
            other=hands.other.astype(np.int32),
            like=hands.like.astype(np.int32),
            sink=hands.sink.astype(np.int32),
            loss=np.array([worth.get(final, 0.0) for final in hands.sink.tolist()]),
            gone=self.gone,
            back=np.concatenate([*blocks[1:], blocks[0]]).astype(np.int32),
            plain=self.plain,
            first=tables.first_cards,
        )

    def _split_pairs(self) -> dict[int, int]:
        """For each entry that may be split: the state of a hand of it that is such a pair again."""
        return {
            entry: self.tables.after[state][letter] for entry, (letter, state) in self.pairs.items()
        }

    @property
    def most_gone(self) -> int:
        """Cards of a letter that may be gone beside a split hand, as far as it matters."""
        return max(1, 2 * self.tables.most_hands - 3)

    # -- what the dealer may show --

    def by_cards(self, shown: int) -> list[Situation]:
        """Every set of cards that the dealer may show in this state."""
        walk = dealer_walk(self.tables, shown, self.in_play, dealt=True)
        return [
            Situation(shown, cards, chance, self.counts - np.array(cards), walk)
            for cards, chance in self._shown(shown)
        ]

    def by_state(self, shown: int) -> list[Situation]:
        """The state as a whole: its cards are still in the shoe. Not where letters are left out."""
        assert not self.without
        assert not self.tables.hidden
        walk = dealer_walk(self.tables, shown, self.in_play, dealt=False)
        return [Situation(shown, None, 1.0, self.counts, walk)]

    def with_hidden(self, at: Situation, letter: int) -> Situation:
        """The same with the dealer's hidden card known, one that ends no round at a look."""
        assert at.cards is not None
        assert letter not in self.tables.naturals.get(at.shown, ())
        state = self.tables.dealer_after[at.shown][letter]
        walk = dealer_walk(self.tables, state, self.in_play, dealt=True, looked=True)
        left = at.left - np.array(with_one((0,) * self.letters, letter))
        return Situation(at.shown, at.cards, at.chance, left, walk, known=True)

    def _shown(self, shown: int) -> list[tuple[Cards, float]]:
        """The cards that make the dealer's state `shown`, with the chance of each set."""
        found = []
        for cards, orders in self._orders(shown).items():
            chance, taken = float(orders), 0
            for count, held in zip(self.tables.counts, cards, strict=True):
                for had in range(held):
                    chance *= max(count - had, 0) / (sum(self.tables.counts) - taken)
                    taken += 1
            if chance:
                found.append((cards, chance))
        return found

    # -- chances --

    def dealer(self, at: Situation, rows: Ints) -> Floats:
        """The chance of each complete hand of the dealer, for these rows of removals."""
        left = at.left * (self.in_play > 0)
        return dealer_ends(at.walk, left, self.gone[rows], self.columns)

    def live(self, at: Situation, out: Ints | Counts) -> Floats:
        """The chance that the dealer shows what `at` says, and that the round goes on to be played.

        For the removals `out`, a row each.
        """
        if at.cards is None:
            return self._shows(at.shown, out)
        if at.known:
            return np.ones(len(out))
        barred = sorted(self.tables.naturals.get(at.shown, ()))
        chance: Floats = 1.0 - self.hidden(at, out)[:, barred].sum(axis=1)
        return chance

    def hidden(self, at: Situation, out: Ints | Counts) -> Floats:
        """The chance of each letter as the next card, beside the removals `out`, a row each."""
        free = np.maximum(at.left[None, :] - out, 0).astype(np.float64)
        chance: Floats = free / np.maximum(free.sum(axis=1, keepdims=True), 1.0)
        return chance

    def _free(self, out: Ints | Counts) -> Floats:
        """How many of each letter (a row) are left of a full shoe beside each of the removals."""
        found: Floats = np.ascontiguousarray(np.maximum(self.counts - out, 0).T, dtype=np.float64)
        return found

    @cached_property
    def _free_of_all(self) -> Floats:
        return self._free(self.gone)

    def _shows(self, shown: int, out: Ints | Counts) -> Floats:
        """The chance of the cards shown, beside the removals."""
        free = self._free_of_all if out is self.gone else self._free(out)
        total = free.sum(axis=0)
        chance = np.zeros(len(out))
        for cards, orders in self._orders(shown).items():
            part = np.full(len(out), float(orders))
            taken = 0
            for letter, held in enumerate(cards):
                for had in range(held):
                    part *= np.maximum(free[letter] - had, 0.0) / np.maximum(total - taken, 1.0)
                    taken += 1
            chance += part
        return chance

    def _orders(self, shown: int) -> dict[Cards, int]:
        """In how many orders each set of cards makes the dealer's state `shown`."""
        level: dict[tuple[Cards, int], int] = {((0,) * self.letters, 0): 1}
        for _ in range(self.tables.up):
            after: dict[tuple[Cards, int], int] = defaultdict(int)
            for (cards, state), orders in level.items():
                for letter in range(self.letters):
                    to = self.tables.dealer_after[state][letter]
                    after[with_one(cards, letter), to] += orders
            level = after
        return {cards: orders for (cards, state), orders in level.items() if state == shown}
