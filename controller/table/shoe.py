"""The shoe: what it held when it was full, what has left it, and when it is to be shuffled.

The decision to shuffle looks at the number of cards alone: `due` cannot see a value (field notes,
"blind to the cards' values"). The counts per kind serve one purpose only: a card that cannot be
in the pack any more stops the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from controller.rules.cards import Card, Pack
from controller.rules.sealed import Sealed


def shuffle_due(gone: int, penetration_cards: int) -> bool:
    """Whether the round in play is the shoe's last, from numbers of cards alone (F27-A16)."""
    return gone >= penetration_cards


@dataclass(frozen=True, slots=True)
class Shoe:
    """One shoe, from its loading to the next. `number` 0: none was loaded yet.

    `gone` counts every card that left, burned and unreadable ones too. `last` is the card that
    left last, sealed, `last_hidden` whether it lies face down. `seen` counts the cards that were
    seen face up, and those alone: what the table says of one card must not tell another that is
    hidden. `serials` are the serial numbers that have left, where the deck has them.
    """

    pack: Pack
    penetration_cards: int
    number: int = 0
    gone: int = 0
    to_burn: int = 0
    last: Sealed | None = None
    last_hidden: bool = False
    seen: dict[Card, int] = field(default_factory=dict, repr=False)
    serials: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def left(self) -> int:
        """Number of cards still in the shoe."""
        return self.pack.size - self.gone if self.number else 0

    @property
    def due(self) -> bool:
        """Whether the shoe must be shuffled before the next round."""
        return shuffle_due(self.gone, self.penetration_cards)

    def possible(self, kind: Card) -> bool:
        """Whether another `kind` can still be in the shoe, by the cards that were seen."""
        return self.seen.get(kind, 0) < self.pack.times(kind)

    def loaded(self, burns: int) -> Shoe:
        """A full shoe, of which `burns` cards are to be burned."""
        return Shoe(self.pack, self.penetration_cards, self.number + 1, to_burn=burns)

    def without(self, card: Sealed, *, hidden: bool = False) -> Shoe:
        """The shoe after `card` left it, face up or `hidden`."""
        kind, serial = card.open(), card.open_serial()
        seen = self.seen
        if kind is not None and not hidden:
            seen = {**seen, kind: seen.get(kind, 0) + 1}
        serials = self.serials | {serial} if serial else self.serials
        return Shoe(
            self.pack, self.penetration_cards, self.number, self.gone + 1, self.to_burn, card,
            hidden, seen, serials,
        )  # fmt: skip

    def turned(self, kind: Card) -> Shoe:
        """The shoe after a card that had left it face down was turned."""
        return replace(self, seen={**self.seen, kind: self.seen.get(kind, 0) + 1})

    def burned(self, card: Sealed) -> Shoe:
        """The shoe after `card` was burned by rule."""
        return replace(self.without(card, hidden=True), to_burn=max(0, self.to_burn - 1))

    def refilled(self, face_up: Iterable[Card], on_felt: int) -> Shoe:
        """The shoe after the discards came back: gone are the `on_felt` cards on the felt."""
        seen: dict[Card, int] = {}
        for kind in face_up:
            seen[kind] = seen.get(kind, 0) + 1
        return replace(self, gone=on_felt, seen=seen, serials=frozenset())
