"""Values and chances of one round: a strategy played, or the best one found.

Values run back from complete hands to the first cards, chances run forward; both over all hands at
once. A strategy is a slot (the place of an action in its node) for each entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from controller.odds.engine import SLOTS, Engine, Situation
from controller.odds.resplit import shares
from controller.odds.shoe import Floats, Ints
from controller.odds.tables import NONE

Slots = NDArray[np.int8]

#: No action: its value is below every other.
NEVER: Final = -1e9


@dataclass(slots=True)
class Chances:
    """Chances of all ways in which a hand ends; each hand of a split counts for itself.

    `fixed[shown, final]`, `ends[final]` by complete dealer state (a column), `naturals[shown,
    state]`. `splits`: the chance of a round with a split.
    """

    fixed: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))
    ends: dict[int, Floats] = field(default_factory=dict)
    naturals: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))
    splits: float = 0.0


class Passing:
    """Values and chances in one situation.

    `again`: whether the hands of a pair (its entry) are split again where they may be; they are
    unless it says otherwise.
    """

    def __init__(self, engine: Engine, at: Situation, draws: Floats | None = None) -> None:
        self.engine = engine
        self.at = at
        self.hands = engine.hands
        self.against = engine.against[at.shown]
        self.draws = engine.draws(at.left) if draws is None else draws
        self.kind = self.against.kind[:, self.hands.state]
        self.live = engine.live(at, engine.gone)
        self.ends: Floats = np.zeros((0, 0))
        self.place: Ints = np.full(len(engine.gone), NONE, dtype=np.int64)
        self.size = len(self.hands.state)
        self.drawing: Floats = np.zeros(self.size)
        self.again: dict[int, bool] = {}
        self.moves = [[self._moves(entries) for entries, _ in steps] for steps in engine.steps]
        self.rest = self._rest()

    def _rest(self) -> Floats:
        """The chance that a card ends the hand in its sink, for the rows that have one."""
        hands, rows = self.hands, self.engine.sunk
        live = np.append(self.live[hands.removal], 0.0)
        goes_on = np.einsum("ij,ij->i", self.draws[rows], live[hands.after[rows]])
        rest: Floats = np.maximum(live[hands.of_row[rows]] - goes_on, 0.0)
        return rest

    def weigh_ends(self, entries: Ints) -> None:
        """Compute the dealer's chances for all of `entries`."""
        rows = np.unique(self.hands.removal[entries])
        self.place[:] = NONE
        self.place[rows] = np.arange(len(rows))
        self.ends = self.engine.dealer(self.at, rows)

    def worth(self) -> Floats:
        """What completing the hand is worth, by slot and entry; `NEVER` where it does not end."""
        worth = np.full(self.kind.shape, NEVER)
        state = self.hands.state
        for slot in range(SLOTS):
            fixed = np.flatnonzero(self.kind[slot] == 1)
            live = self.live[self.hands.removal[fixed]]
            worth[slot, fixed] = self.against.value[slot, state[fixed]] * live
            ends = np.flatnonzero(self.kind[slot] == 2)
            place = self.place[self.hands.removal[ends]]
            ends, place = ends[place != NONE], place[place != NONE]
            nets = self.engine.nets[self.against.final[slot, state[ends]]]
            worth[slot, ends] = np.einsum("ij,ij->i", self.ends[place], nets)
        return worth

    def _moves(self, entries: Ints) -> list[tuple[int, Ints, Ints]]:
        """Those of `entries` that may draw, by slot, and the entries from which they do."""
        found = []
        state = self.hands.state
        for slot in range(SLOTS):
            draws = entries[self.kind[slot, entries] == 3]
            if len(draws):
                same = self.against.to[slot, state[draws]] == state[draws]
                found.append((slot, draws, np.where(same, draws, self.hands.other[draws])))
        return found

    def back(
        self, worth: Floats, slots: Slots | None, *, freely: bool = False
    ) -> tuple[Floats, Slots]:
        """The value of every action (by slot and entry), and the slot that is taken.

        By `slots`, or the best one where there are none. With `freely`, a pair is split again only
        where that is better; otherwise as `again` says.
        """
        hands, engine = self.hands, self.engine
        value = np.zeros(self.size + 1)
        drawn = np.zeros(self.size + 1)
        sunk = np.zeros(len(hands.of_row))
        sunk[engine.sunk] = engine.sink_worth * self.rest
        actions = worth.copy()
        taken = np.zeros(self.size, dtype=np.int8) if slots is None else slots
        for plain in (False, True):
            if plain:
                self._split_values(drawn, value, actions, freely=freely)
            for level in range(len(hands.levels) - 1, -1, -1):
                entries, rows = engine.steps[plain][level]
                if len(rows):
                    after = value[hands.after[rows]]
                    drawn[hands.of_row[rows]] = (
                        np.einsum("ij,ij->i", self.draws[rows], after) + sunk[rows]
                    )
                if plain and level < engine.tables.first_cards:
                    value[entries] = drawn[entries]
                    continue
                for slot, draws, target in self.moves[plain][level]:
                    actions[slot, draws] = drawn[target]
                if slots is None:
                    taken[entries] = np.argmax(actions[:, entries], axis=0)
                    taken[entries] = taken[hands.like[entries]]
                value[entries] = actions[taken[entries], entries]
        return actions, taken

    def _split_values(self, drawn: Floats, value: Floats, actions: Floats, *, freely: bool) -> None:
        """What a split is worth: every hand is a like stretch of the shoe less the split cards."""
        for entry in self.engine.pairs:
            for slot in np.flatnonzero(self.kind[:, entry] == 4):
                worth = {}
                for again in (True, False) if freely else (self.again.get(entry, True),):
                    roots, pairs = self.split_hands(entry, again=again)
                    worth[again] = sum(share * drawn[at] for at, share in roots) + sum(
                        share * value[at] for at, share in pairs
                    )
                self.again[entry] = max(worth, key=worth.__getitem__)
                actions[slot, entry] = worth[self.again[entry]]

    def split_hands(
        self, entry: int, *, again: bool
    ) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
        """What the hands of a split pair come to, as shares of entries.

        First of those that draw their second card, then of pairs that are not split.
        """
        letter, state = self.engine.pairs[entry]
        left = self.at.left
        open_again = (self.against.kind[:, self.engine.split_pairs[entry]] == 4).any()
        most = self.engine.tables.most_hands if again and open_again else 2
        free, pair = shares(int(left[letter]) - 2, int(left.sum()) - 2, most)
        roots = [self.hands.roots[letter, state, gone + 1] for gone in range(len(free))]
        return (
            [(root, share) for root, share in zip(roots, free, strict=True) if share],
            [
                (int(self.hands.after[self.hands.row[root], letter]), share)
                for root, share in zip(roots, pair, strict=True)
                if share
            ],
        )

    def forward(self, slots: Slots | None, *, signed: bool = True) -> tuple[Floats, float]:
        """The chance to be asked in every entry, and that of a split.

        Without `slots`, every hand that may draw does, too: how likely its cards are at all. What
        hands of a split come to may cancel out; not `signed`, no hand that is possible is at 0.
        """
        hands, engine = self.hands, self.engine
        reach = np.zeros(self.size)
        self.drawing = drawing = np.zeros(self.size)
        reach[0] = self.at.chance
        split = 0.0
        for plain in (True, False):
            for level in range(len(hands.levels)):
                entries, rows = engine.steps[plain][level]
                if plain and level < engine.tables.first_cards:
                    drawing[entries] = reach[entries]
                else:
                    for slot, draws, target in self.moves[plain][level]:
                        if slots is None:
                            drawing[target] = reach[draws]
                        else:
                            taken = slots[draws] == slot
                            drawing[target[taken]] += reach[draws[taken]]
                rows = rows[drawing[hands.of_row[rows]] != 0]
                if len(rows):
                    parts = self.draws[rows] * drawing[hands.of_row[rows]][:, None]
                    after = hands.after[rows]
                    there = after != NONE
                    first = after[there]
                    if not len(first):
                        continue
                    low = int(first.min())
                    made = np.bincount(first - low, parts[there])
                    reach[low : low + len(made)] += made
            if plain:
                split = self._begin_splits(reach, drawing, slots, signed=signed)
        return reach, split

    def _begin_splits(
        self, reach: Floats, drawing: Floats, slots: Slots | None, *, signed: bool
    ) -> float:
        """Begin the hands of every split; the chances of some are negative (see `resplit`)."""
        total = 0.0
        for entry in self.engine.pairs:
            for slot in np.flatnonzero(self.kind[:, entry] == 4):
                if slots is None or slots[entry] == slot:
                    again = slots is None or self.again.get(entry, True)
                    roots, pairs = self.split_hands(entry, again=again)
                    for at, share in roots:
                        drawing[at] += (share if signed else abs(share)) * reach[entry]
                    for at, share in pairs:
                        reach[at] += (share if signed else abs(share)) * reach[entry]
                    total += reach[entry] * self.live[self.hands.removal[entry]]
        return total

    def open_ends(self, slots: Slots | None, reach: Floats) -> Ints:
        """The entries that are reached and complete against the dealer's further cards."""
        if slots is None:
            return self.in_play(np.flatnonzero((self.kind == 2).any(axis=0) & (reach != 0)))
        taken = self.kind[slots, np.arange(self.size)]
        return self.in_play(np.flatnonzero((taken == 2) & (reach != 0)))

    def in_play(self, entries: Ints) -> Ints:
        """Those of `entries` that have all their first cards."""
        size = self.hands.cards[entries].sum(axis=1)
        whole = (entries >= self.engine.plain) | (size >= self.engine.tables.first_cards)
        found: Ints = entries[whole]
        return found

    def tally(self, tally: Chances, slots: Slots, reach: Floats, split: float) -> None:
        """Add the chances of all endings."""
        hands, shown = self.hands, self.at.shown
        entries = self.in_play(np.flatnonzero(reach != 0))
        slot = slots[entries]
        state = hands.state[entries]
        kind = self.kind[slot, entries]
        final = self.against.final[slot, state]
        fixed = np.flatnonzero(kind == 1)
        weight = reach[entries[fixed]] * self.live[hands.removal[entries[fixed]]]
        for each, part in enumerate(np.bincount(final[fixed], weight)):
            if part:
                tally.fixed[shown, each] += float(part)
        ends = np.flatnonzero(kind == 2)
        if len(ends):
            chances = self.ends[self.place[hands.removal[entries[ends]]]]
            chances = chances * reach[entries[ends]][:, None]
            for each in np.unique(final[ends]):
                part = chances[final[ends] == each].sum(axis=0)
                tally.ends[int(each)] = tally.ends.get(int(each), 0.0) + part
        rows = self.engine.sunk
        drawn = self.drawing[hands.of_row[rows]] * self.rest
        for each in np.unique(hands.sink[rows]):
            if part := float(drawn[hands.sink[rows] == each].sum()):
                tally.fixed[shown, int(each)] += part
        tally.splits += split
        self._tally_naturals(tally, reach)

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
        entries = self.hands.levels[self.engine.tables.first_cards]
        return entries[entries < self.engine.plain]


def situations(engine: Engine, shown: Iterable[int]) -> list[Situation]:
    """All that the dealer may show in these states."""
    whole = not engine.without and not engine.tables.hidden
    return [
        at for each in shown for at in (engine.by_state(each) if whole else engine.by_cards(each))
    ]
