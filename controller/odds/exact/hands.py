"""Every hand that one player may hold, by cards without their order, as arrays.

An *entry* is a hand state with the cards that make it. Entries are sorted by number of cards, so
that chances run forward and values run back one level at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from operator import add

import numpy as np

from controller.odds.exact.shoe import LEAST_CHANCE, Cards, Ints, with_one
from controller.odds.tables.game_tables import NONE, End, Ending, SplitHand, Tables, TakeCard
from controller.odds.tables.probe import NoTable

Key = tuple[int, int]
"""A hand: its cards as one number (see `Growing.units`), and its state."""
#: More hands than this do not fit into memory or time.
MOST_ENTRIES = 2_000_000


@dataclass(frozen=True, slots=True)
class AllHands:
    """All hands that one player may hold; those of a split grow from its first card.

    `state` and `cards` of each entry, `removal` its row in the table of removals. Those that draw
    have a `row`: `after[row]` are the entries by next letter (`NONE`: not drawn). `other` is the
    same hand doubled. `levels`: the entries by number of cards; `drawing`: the rows.
    `like`: of a split hand the entry of the same cards with one card of the pair beside it.
    `roots[letter, state, gone]`: where split hands begin, `gone` cards of the letter beside.
    `sink[row]`: the ending (`NONE`: none) of all hands that a card makes there and that have no
    entry: a bust costs the same whatever the cards and the dealer are.
    """

    state: Ints
    cards: Ints
    removal: Ints
    row: Ints
    of_row: Ints
    after: Ints
    other: Ints
    like: Ints
    levels: tuple[Ints, ...]
    drawing: tuple[Ints, ...]
    roots: Mapping[tuple[int, int, int], int]
    sink: Ints


class Removals:
    """Sets of cards that are out of the shoe, each once."""

    def __init__(self) -> None:
        self._rows: dict[tuple[int, ...], int] = {}

    def add(self, cards: tuple[int, ...]) -> int:
        """The row of `cards`."""
        return self._rows.setdefault(cards, len(self._rows))

    def table(self) -> Ints:
        """All of them, a row each."""
        return np.array(list(self._rows), dtype=np.int64)


def targets(tables: Tables) -> dict[int, set[int]]:
    """For each hand state the states in which it may draw, against any dealer."""
    found: dict[int, set[int]] = defaultdict(set)
    for nodes in tables.nodes.values():
        for state, node in nodes.items():
            for then in node.then.values():
                if isinstance(then, TakeCard):
                    found[state].add(then.state)
    return found


def splits(tables: Tables) -> dict[int, set[int]]:
    """For each first hand state that may be split, the state of the hands it becomes."""
    found: dict[int, set[int]] = defaultdict(set)
    for nodes in tables.nodes.values():
        for state, node in nodes.items():
            for then in node.then.values():
                if isinstance(then, SplitHand):
                    found[state].add(then.state)
    return found


def sinks(tables: Tables) -> dict[int, int]:
    """Hand states that end at once, alike against every dealer: the ending of each."""
    found: dict[int, int] = {}
    other: set[int] = set()
    for shown, nodes in tables.nodes.items():
        for state, node in nodes.items():
            then = node.then.get(None)
            if (
                not isinstance(then, End)
                or then.final not in tables.fixed[shown]
                or found.setdefault(state, then.final) != then.final
            ):
                other.add(state)
    by_final: dict[int, set[Ending]] = defaultdict(set)
    for fixed in tables.fixed.values():
        for final, ending in fixed.items():
            by_final[final].add(ending)
    return {
        state: final
        for state, final in found.items()
        if state not in other and len(by_final[final]) == 1 and final not in tables.ends
    }


class Growing:
    """AllHands as they are found. Letters `without` effect are not drawn in play."""

    def __init__(self, tables: Tables, without: frozenset[int]) -> None:
        self.tables = tables
        self.without = without
        self.draw = targets(tables)
        #: A set of cards as a number: so much for each card of a letter.
        self.units = [(sum(tables.counts) + 1) ** at for at in range(len(tables.counts))]
        self.removals = Removals()
        self.state: list[int] = []
        self.cards: list[Cards] = []
        self.removal: list[int] = []
        self.rows: list[tuple[int, list[int]]] = []
        self.other: dict[int, int] = {}
        self.levels: dict[int, list[int]] = defaultdict(list)
        self.drawing: dict[int, list[int]] = defaultdict(list)
        self.roots: dict[tuple[int, int, int], int] = {}
        self.sinks = sinks(tables)
        self.sink: list[int] = []
        self.like: dict[int, int] = {}
        self._first: dict[tuple[int, Key], int] = {}
        self._usual: dict[int, int] = {}

    def _sink(self, state: int) -> int:
        """The state that ends at once into which most cards lead from `state`, or `NONE`."""
        if state not in self._usual:
            ends = [each for each in self.tables.after[state] if each in self.sinks]
            self._usual[state] = max(set(ends), key=ends.count, default=NONE)
        return self._usual[state]

    def grow(self, letter: int | None = None, state: int = 0, gone: int = 0) -> None:
        """Every hand from the empty one, or from a split card with `gone` more of its letter out.

        AllHands that are drawn with a chance under `LEAST_CHANCE`, in any order, are left out.
        """
        tables, counts = self.tables, self.tables.counts
        letters = range(len(counts))
        pack = sum(counts)
        out = tuple(gone * (at == letter) for at in letters)
        start: Cards = tuple(int(at == letter) for at in letters)
        size = sum(start)
        dealt = tables.first_cards if letter is None else size + 1
        first = 0 if letter is None else self.units[letter]
        held = {first: start}
        index: dict[Key, int] = {}
        level = {(first, state): 1.0 if letter is None else (counts[letter] / pack) ** 2}
        if letter is not None:
            self.roots[letter, state, gone] = len(self.state)
        while level:
            for key in level:
                index[key] = self._entry(held[key[0]], key[1], out)
                self.levels[size].append(index[key])
            drawing: dict[Key, float] = {}
            for key, chance in level.items():
                code, held_state = key
                for to in (held_state,) if size < dealt else self.draw.get(held_state, ()):
                    if to != held_state:
                        index.setdefault((code, to), len(self.state))
                        if index[code, to] == len(self.state):
                            self._entry(held[code], to, out)
                        self.other[index[key]] = index[code, to]
                    drawing[code, to] = chance
            after: dict[Key, float] = {}
            made: dict[Key, list[Key | None]] = {}
            more: dict[int, Cards] = {}
            for (code, held_state), chance in drawing.items():
                cards = held[code]
                follows = tables.after[held_state]
                sink = self._sink(held_state) if size >= dealt else NONE
                row = made[code, held_state] = [None] * len(counts)
                share = chance * (size + 1) / (pack - size)
                for each in letters:
                    if (size >= dealt and each in self.without) or follows[each] == sink:
                        continue
                    left = counts[each] - cards[each] - out[each]
                    likely = share * left / (cards[each] + 1)
                    if left > 0 and likely > LEAST_CHANCE:
                        bigger = code + self.units[each]
                        if bigger not in more:
                            more[bigger] = with_one(cards, each)
                        key = row[each] = (bigger, follows[each])
                        after[key] = likely
            held = more
            self._later(made, index, after, size, dealt)
            level = after
            size += 1
            if len(self.state) > MOST_ENTRIES:
                raise NoTable(f"more than {MOST_ENTRIES} hands")
        if letter is not None:
            for key, entry in index.items():
                first = self._first.setdefault((letter, key), entry)
                self.like[entry] = first

    def _entry(self, cards: Cards, state: int, out: Cards) -> int:
        self.state.append(state)
        self.cards.append(cards)
        self.removal.append(self.removals.add(_gone(cards, out, self.without)))
        return len(self.state) - 1

    def _later(
        self,
        made: Mapping[Key, list[Key | None]],
        index: Mapping[Key, int],
        after: Mapping[Key, float],
        size: int,
        dealt: int,
    ) -> None:
        """Note where the rows of one level lead: `after` is entered next, in this order."""
        places = {key: len(self.state) + at for at, key in enumerate(after)}
        for key, row in made.items():
            self.drawing[size].append(len(self.rows))
            self.rows.append((index[key], [NONE if to is None else places[to] for to in row]))
            sink = self._sink(key[1]) if size >= dealt else NONE
            self.sink.append(self.sinks.get(sink, NONE))

    def hands(self) -> AllHands:
        """All that was found, as arrays."""
        size = len(self.state)
        row = np.full(size, NONE, dtype=np.int64)
        other = np.full(size, NONE, dtype=np.int64)
        of_row = np.array([entry for entry, _ in self.rows], dtype=np.int64)
        row[of_row] = np.arange(len(self.rows))
        for entry, doubled in self.other.items():
            other[entry] = doubled
        like = np.arange(size)
        like[list(self.like)] = list(self.like.values())
        sizes = range(max(self.levels) + 1)
        return AllHands(
            state=np.array(self.state, dtype=np.int64),
            cards=np.array(self.cards, dtype=np.int64),
            removal=np.array(self.removal, dtype=np.int64),
            row=row,
            of_row=of_row,
            after=np.array([after for _, after in self.rows], dtype=np.int64),
            other=other,
            like=like,
            levels=tuple(np.array(self.levels[each], dtype=np.int64) for each in sizes),
            drawing=tuple(np.array(self.drawing[each], dtype=np.int64) for each in sizes),
            roots=self.roots,
            sink=np.array(self.sink, dtype=np.int64),
        )


def _gone(cards: tuple[int, ...], out: tuple[int, ...], without: frozenset[int]) -> tuple[int, ...]:
    """What is gone of the letters that are drawn in play."""
    if not without:
        return tuple(map(add, cards, out)) if any(out) else cards
    return tuple(
        0 if at in without else held + more
        for at, (held, more) in enumerate(zip(cards, out, strict=True))
    )


def without_effect(tables: Tables) -> frozenset[int]:
    """Letters that change no hand and no dealer in play: whoever draws one simply draws again.

    The order of the other cards does not depend on where these lie, so that they are left out.
    """
    found = set(range(len(tables.counts)))
    for nodes in tables.nodes.values():
        for node in nodes.values():
            for then in node.then.values():
                if isinstance(then, TakeCard):
                    found = {at for at in found if tables.after[then.state][at] == then.state}
                elif isinstance(then, SplitHand):
                    return frozenset()
    drawing = [state for state, draws in enumerate(tables.draws) if draws]
    return frozenset(
        at
        for at in found
        if not tables.hidden and all(tables.dealer_after[state][at] == state for state in drawing)
    )
