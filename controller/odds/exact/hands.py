"""Every hand that one player may hold, by cards without their order, as arrays.

An *entry* is a hand state with the cards that make it. Entries come by number of cards, each after
those that it is made of, so that chances run forward and values run back in one loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from controller.odds.exact.codes import Codes, Coding, once
from controller.odds.exact.hand_states import sinks, targets
from controller.odds.exact.shoe import LEAST_CHANCE, Counts, Floats, Ints
from controller.odds.tables.game_tables import NONE, Tables
from controller.odds.tables.probe import NoTable
from controller.rules.frozen import frozen

#: More hands than this do not fit into memory or time.
MOST_ENTRIES: Final = 2_000_000


@frozen
class AllHands:
    """All hands that one player may hold; those of a split grow from its first card.

    `state` and `cards` of each entry, `removal` its row in the table of removals, `gone`. Those
    that draw have a `row`: `after[row]` are the entries by next letter (`NONE`: not drawn). `other`
    is the same hand doubled.
    `like`: of a split hand the entry of the same cards with one card of the pair beside it.
    `roots[letter, state, gone]`: where split hands begin, `gone` cards of the letter beside.
    `sink[row]`: the ending (`NONE`: none) of all hands that a card makes there and that have no
    entry: a bust costs the same whatever the cards and the dealer are.
    """

    state: Ints
    cards: Counts
    removal: Ints
    gone: Counts
    row: Ints
    after: Ints
    other: Ints
    like: Ints
    roots: Mapping[tuple[int, int, int], int]
    sink: Ints


class _Level(NamedTuple):
    """Hands of one number of cards, each once: their entries, and how likely their cards are."""

    entry: Ints
    cards: Counts
    state: Ints
    chance: Floats


class Growing:
    """All hands as they are found, level by level. Letters `without` effect are not drawn in play.

    `usual`: of each hand state the state that ends at once into which most cards lead (`NONE`:
    none), `endings` the ending of each state that does. `drawn`: a column of target states for each
    way in which a hand state may draw (`NONE`: none).
    """

    def __init__(self, tables: Tables, without: frozenset[int]) -> None:
        self.tables = tables
        self.without = without
        self.counts = np.array(tables.counts, dtype=np.int64)
        self.pack = int(self.counts.sum())
        states = len(tables.cards)
        self.coding = Coding(len(tables.counts), states)
        self.follows: Ints = np.array(tables.after, dtype=np.int64).reshape(states, -1)
        self.in_play = np.array([at not in without for at in range(len(tables.counts))])
        self.size = 0
        self.roots: dict[tuple[int, int, int], int] = {}
        self.sinks = sinks(tables)
        self.usual = np.array([self._sink(state) for state in range(states)], dtype=np.int64)
        ends = [self.sinks.get(each, NONE) for each in range(states)]
        self.endings = np.array([*ends, NONE], dtype=np.int64)
        self.drawn = self._drawn()
        self._states: list[Ints] = []
        self._cards: list[Counts] = []
        self._out: list[Counts] = []
        self._blocks: list[tuple[int, int]] = []
        self._rows: list[tuple[Ints, Ints, Ints]] = []
        self._other: list[tuple[Ints, Ints]] = []

    def _sink(self, state: int) -> int:
        """The state that ends at once into which most cards lead from `state`, or `NONE`."""
        ends = [each for each in self.tables.after[state] if each in self.sinks]
        return max(set(ends), key=ends.count, default=NONE)

    def _drawn(self) -> Ints:
        found = targets(self.tables)
        most = max((len(each) for each in found.values()), default=0)
        drawn = np.full((len(self.tables.cards), most), NONE, dtype=np.int64)
        for state, several in found.items():
            drawn[state, : len(several)] = sorted(several)
        return drawn

    def grow(self, letter: int | None = None, state: int = 0, gone: int = 0) -> None:
        """Every hand from the empty one, or from a split card with `gone` more of its letter out.

        Hands that are drawn with a chance under `LEAST_CHANCE`, in any order, are left out.
        """
        start = np.zeros((1, len(self.counts)), dtype=np.int8)
        out = start.copy()
        chance = 1.0
        if letter is not None:
            start[0, letter], out[0, letter] = 1, gone
            chance = float(self.counts[letter] / self.pack) ** 2
            self.roots[letter, state, gone] = self.size
        self._blocks.append((self.size, NONE if letter is None else letter))
        size = int(start.sum())
        dealt = self.tables.first_cards if letter is None else size + 1
        state_of = np.array([state])
        level = _Level(self._enter(start, state_of, out), start, state_of, np.array([chance]))
        while len(level.entry):
            drawing = level if size < dealt else self._drawing(level, out)
            level = self._next(drawing, out, size, dealt)
            size += 1
            if self.size > MOST_ENTRIES:
                raise NoTable(f"more than {MOST_ENTRIES} hands")

    def _enter(self, cards: Counts, state: Ints, out: Counts) -> Ints:
        """New entries; their numbers."""
        self._states.append(state)
        self._cards.append(cards)
        self._out.append((cards + out) * self.in_play if self.without else cards + out)
        entries = np.arange(self.size, self.size + len(state))
        self.size += len(state)
        return entries

    def _drawing(self, level: _Level, out: Counts) -> _Level:
        """The hands that draw, doubled ones among them, which have entries of their own."""
        of, way = np.nonzero(self.drawn[level.state] != NONE)
        to = self.drawn[level.state[of], way]
        cards = self.coding.of_cards(level.cards)
        # Those of the level come first: what is found among them is no new entry.
        several = once(
            np.concatenate(
                [cards + self.coding.state[level.state], cards[of] + self.coding.state[to]]
            )
        )
        both = np.concatenate([np.arange(len(level.entry)), of])
        state = np.concatenate([level.state, to])[several.first]
        held = level.cards[both[several.first]]
        place = several.place[len(level.entry) :]
        assert (held[place] == level.cards[of]).all(), "one number for two sets of cards"
        assert (state[place] == to).all(), "one number for two hands"
        known = len(level.entry)
        entry = np.concatenate([level.entry, self._enter(held[known:], state[known:], out)])
        other = to != level.state[of]
        self._other.append((level.entry[of[other]], entry[place[other]]))
        draws = once(place.astype(np.uint64))
        at = place[draws.first]
        return _Level(entry[at], held[at], state[at], level.chance[of[draws.first]])

    def _next(self, drawing: _Level, out: Counts, size: int, dealt: int) -> _Level:
        """The hands with one more card."""
        follows = self.follows[drawing.state]
        sink = self.usual[drawing.state] if size >= dealt else np.full(len(drawing.state), NONE)
        left = self.counts - drawing.cards - out
        share = drawing.chance * (size + 1) / (self.pack - size)
        likely = share[:, None] * left / (1 + drawing.cards.astype(np.float64))
        drawn = (left > 0) & (likely > LEAST_CHANCE) & (follows != sink[:, None])
        if size >= dealt:
            drawn &= self.in_play
        of, letter = np.nonzero(drawn)
        state = follows[of, letter]
        codes = self.coding.of_cards(drawing.cards)[of] + self.coding.letter[letter]
        several = once(codes + self.coding.state[state])
        cards = drawing.cards[of]
        cards[np.arange(len(of)), letter] += 1
        made = cards[several.first]
        assert (made[several.place] == cards).all(), "one number for two sets of cards"
        states = state[several.first]
        assert (states[several.place] == state).all(), "one number for two hands"
        entry = self._enter(made, states, out)
        after = np.full(follows.shape, NONE, dtype=np.int64)
        after[of, letter] = entry[several.place]
        self._rows.append((drawing.entry, after, self.endings[sink]))
        return _Level(entry, made, states, likely[of, letter][several.first])

    def pairs(self, splits: Mapping[int, set[int]], first: int) -> dict[int, tuple[int, int]]:
        """For each entry that may be split: its letter and the state of the hands it becomes."""
        cards, state = np.concatenate(self._cards), np.concatenate(self._states)
        found = {}
        for entry in np.flatnonzero((cards == first).any(axis=1) & (cards.sum(axis=1) == first)):
            for to in splits.get(int(state[entry]), ()):
                found[int(entry)] = (int(np.argmax(cards[entry])), to)
        return found

    def hands(self) -> AllHands:
        """All that was found, as arrays."""
        row = np.full(self.size, NONE, dtype=np.int64)
        other = np.full(self.size, NONE, dtype=np.int64)
        of_row = np.concatenate([entries for entries, _, _ in self._rows])
        row[of_row] = np.arange(len(of_row))
        for entries, doubled in self._other:
            other[entries] = doubled
        state, cards = np.concatenate(self._states), np.concatenate(self._cards)
        out = np.concatenate(self._out)
        removals = once(self.coding.of_cards(out))
        gone = out[removals.first]
        assert (gone[removals.place] == out).all(), "one number for two sets of cards"
        return AllHands(
            state=state,
            cards=cards,
            removal=removals.place,
            gone=gone,
            row=row,
            after=np.concatenate([after for _, after, _ in self._rows]),
            other=other,
            like=self._like(self.coding.of_cards(cards) + self.coding.state[state]),
            roots=self.roots,
            sink=np.concatenate([ending for _, _, ending in self._rows]),
        )

    def _like(self, codes: Codes) -> Ints:
        """The first entry of the same hand of the same pair, whatever is out beside it."""
        like = np.arange(self.size)
        ends = [*(begin for begin, _ in self._blocks[1:]), self.size]
        for letter in {each for _, each in self._blocks if each != NONE}:
            spans = [
                np.arange(begin, end)
                for (begin, each), end in zip(self._blocks, ends, strict=True)
                if each == letter
            ]
            entries = np.concatenate(spans)
            several = once(codes[entries])
            like[entries] = entries[several.first[several.place]]
        return like
