"""Classes of hands as they are found: which the rules do not tell apart, and what follows each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from controller.odds.tables.game_tables import NONE
from controller.odds.tables.probe import Move, NoTable
from controller.rules.actions import Action
from controller.rules.cards import DECK_52, JOKER, Card, Pack, Rank

#: More hand states than this cannot be tabulated: the game must say what it tells hands apart by.
MOST_STATES: Final = 20_000

Letters = tuple[tuple[Card, ...], ...]
Shoe = Mapping[Card, int]


def full_shoe(pack: Pack) -> dict[Card, int]:
    """How many of each kind of card the full pack holds."""
    return {kind: pack.times(kind) for kind in pack.kinds()}


def by_rank(shoe: Shoe) -> Letters:
    """The cards of `shoe`, one letter a rank."""
    ranks: dict[Rank, list[Card]] = defaultdict(list)
    for kind, times in shoe.items():
        if times:
            ranks[kind.rank].append(kind)
    return tuple(tuple(cards) for _, cards in sorted(ranks.items()))


def by_card(shoe: Shoe) -> Letters:
    """The cards of `shoe`, a letter each."""
    order = (*DECK_52, JOKER)
    return tuple((kind,) for kind in order if shoe.get(kind))


class Part(NamedTuple):
    """Of the hands that the same letters make those of one class: their chance, and one of them."""

    chance: Fraction
    cards: tuple[Card, ...]


class SuitParts(tuple[Part, ...]):
    """What hands of certain letters may be by their suits, the chances adding up to 1.

    Looked up by identity: some ten thousand times, of a few thousand that are made once.
    """

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


#: The one empty hand.
NOTHING: Final = SuitParts((Part(Fraction(1), ()),))


class States:
    """Hand states as they are found: parts by suits, whether split and doubled, what follows."""

    def __init__(
        self, shoe: Shoe, letters: Letters, tell: Callable[[Sequence[Card], bool], Hashable]
    ) -> None:
        self.shoe = shoe
        self.letters = letters
        self.tell = tell
        self.parts: list[SuitParts] = []
        self.flags: list[tuple[bool, bool]] = []
        self._by_key: dict[Hashable, int] = {}
        self._added: dict[tuple[SuitParts, bool, bool], int] = {}
        self._after: dict[tuple[int, int], int] = {}
        self._rows: dict[int, tuple[int, ...]] = {}
        self._extended: dict[tuple[SuitParts, int, bool], SuitParts] = {}

    def add(self, parts: SuitParts, *, split: bool, doubled: bool) -> int:
        """The state of these hands."""
        if (known := self._added.get((parts, split, doubled))) is None:
            known = self._added[parts, split, doubled] = self._add(parts, split, doubled)
        return known

    def _add(self, parts: SuitParts, split: bool, doubled: bool) -> int:
        classes = frozenset((self._class(each.cards, split), each.chance) for each in parts)
        key = (classes, split, doubled)
        if (found := self._by_key.get(key)) is None:
            found = self._by_key[key] = len(self.parts)
            self.parts.append(parts)
            self.flags.append((split, doubled))
            if found > MOST_STATES:
                raise NoTable(f"more than {MOST_STATES} classes of hands: `hand_class` is too fine")
        return found

    def _class(self, cards: tuple[Card, ...], split: bool) -> Hashable:
        return self.tell(cards, split) if cards else None

    def after(self, state: int, letter: int) -> int:
        """The state with one more card."""
        known = self._after.get((state, letter))
        if known is None:
            split, doubled = self.flags[state]
            parts = self.extend(self.parts[state], letter, split=split)
            known = self.add(parts, split=split, doubled=doubled)
            self._after[state, letter] = known
        return known

    def row(self, state: int) -> tuple[int, ...]:
        """The states with one more card, a letter each."""
        if (known := self._rows.get(state)) is None:
            known = tuple(self.after(state, letter) for letter in range(len(self.letters)))
            self._rows[state] = known
        return known

    def extend(self, parts: SuitParts, letter: int, *, split: bool) -> SuitParts:
        """These hands with one more card, joined by class."""
        key = parts, letter, split
        if (made := self._extended.get(key)) is None:
            made = self._extended[key] = self._joined(parts, letter, split=split)
        return made

    def _joined(self, parts: SuitParts, letter: int, *, split: bool) -> SuitParts:
        cards = self.letters[letter]
        if len(parts) == 1 and parts[0].chance == 1:
            held = parts[0].cards
            made = [(*held, each) for each in cards]
            if len({self.tell(each, split) for each in made}) == 1:
                return SuitParts((Part(Fraction(1), made[0]),))
        found: dict[Hashable, Part] = {}
        for chance, held in parts:
            left = [(each, max(0, self.shoe[each] - held.count(each))) for each in cards]
            if not any(times for _, times in left):
                # Whether a shoe can give this hand is for who counts its cards.
                left = [(each, self.shoe[each]) for each in cards]
            size = sum(times for _, times in left)
            for each, times in left:
                if times > 0:
                    hand = (*held, each)
                    tell = self.tell(hand, split)
                    before = found.get(tell, Part(Fraction(0), hand))
                    more = chance * Fraction(times, size)
                    found[tell] = Part(before.chance + more, before.cards)
        return SuitParts(found.values())

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """What follows each state that was found, by letter."""
        letters = range(len(self.letters))
        return tuple(
            tuple(self._after.get((state, letter), NONE) for letter in letters)
            for state in range(len(self.parts))
        )


class Way(NamedTuple):
    """How a hand state was reached: the moves, None where a card of the hand is, and its parts."""

    state: int
    moves: tuple[Move | None, ...]
    parts: SuitParts

    def by(self, part: Part) -> tuple[Move, ...]:
        """The moves with the cards of `part`."""
        if len(part.cards) == len(self.moves):
            return part.cards
        cards = iter(part.cards)
        return tuple([next(cards) if move is None else move for move in self.moves])

    @property
    def asked(self) -> bool:
        """Whether anything was chosen on the way."""
        return any(isinstance(move, Action) for move in self.moves)
