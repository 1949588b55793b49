"""The shoe: what it held when it was full, what has left it, and when it is to be shuffled.

The decision to shuffle looks at the number of cards alone: `due` cannot see a value
(DECISIONS.md, 11). The counts per kind serve one purpose only: a card that cannot be
in the pack any more stops the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from controller.rules.cards import Card, Pack
from controller.rules.sealed import Sealed
from controller.table.growing import Serials, changed


def shuffle_due(gone: int, penetration_cards: int) -> bool:
    """Whether the round in play is the shoe's last, from numbers of cards alone (F27-A16)."""
    return gone >= penetration_cards


@dataclass(frozen=True)  # without slots: `changed` copies the whole at once
class Shoe:
    """One shoe, from its loading to the next. `number` 0: none was loaded yet.

    `gone` counts every card that left, burned and unreadable ones too. `last` is the card that
    left last, sealed, `last_hidden` whether it lies face down. `face_up` counts the cards that were
    seen face up, and those alone: what the table says of one card must not tell another that is
    hidden. `sealed` are the others: those that lie face down, and those that went out unseen.
    `serials` are the serial numbers that have left, where the deck has them. `refilled_in` is the
    number of the round in which the discards last came back into it, 0 if they never did.
    """

    pack: Pack
    penetration_cards: int
    number: int = 0
    gone: int = 0
    to_burn: int = 0
    last: Sealed | None = None
    last_hidden: bool = False
    face_up: dict[Card, int] = field(default_factory=dict, repr=False)
    serials: Serials = field(default_factory=Serials, repr=False)
    sealed: tuple[Sealed, ...] = field(default=(), repr=False)
    refilled_in: int = 0

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
        return self.face_up.get(kind, 0) < self.pack.times(kind)

    def loaded(self, burns: int) -> Shoe:
        """A full shoe, of which `burns` cards are to be burned."""
        return Shoe(self.pack, self.penetration_cards, self.number + 1, to_burn=burns)

    def without(self, card: Sealed, *, hidden: bool = False) -> Shoe:
        """The shoe after `card` left it, face up or `hidden`."""
        kind, serial = card.open(), card.open_serial()
        changes: dict[str, Any] = {"gone": self.gone + 1, "last": card, "last_hidden": hidden}
        if kind is None or hidden:
            changes["sealed"] = (*self.sealed, card)
        else:
            changes["face_up"] = {**self.face_up, kind: self.face_up.get(kind, 0) + 1}
        if serial:
            changes["serials"] = self.serials.with_one(serial)
        return changed(self, changes)

    def turned(self, kind: Card, seal: Sealed) -> Shoe:
        """The shoe after a card that had left it face down under `seal` was turned."""
        face_up = {**self.face_up, kind: self.face_up.get(kind, 0) + 1}
        return replace(self, face_up=face_up, sealed=_less(self.sealed, seal))

    def never_left(self, seal: Sealed) -> Shoe:
        """The shoe if the card under `seal` had not left it."""
        return replace(self, gone=self.gone - 1, sealed=_less(self.sealed, seal))

    def corrected(
        self, gone: int, counts: Iterable[tuple[Card, int]], returned: Iterable[Sealed]
    ) -> Shoe:
        """The shoe if `gone` more cards had left it, with further cards of each kind seen.

        Those under `returned` had not left it.
        """
        face_up = dict(self.face_up)
        for kind, by in counts:
            face_up[kind] = face_up.get(kind, 0) + by
        shoe = replace(self, gone=self.gone + gone, face_up=face_up)
        for seal in returned:
            shoe = shoe.never_left(seal)
        return shoe

    def taken_back(self, card: Card | Sealed) -> Shoe:
        """The shoe before a card left that was kept: it is dealt from there now."""
        if isinstance(card, Sealed):
            return self.never_left(card)
        face_up = {**self.face_up, card: self.face_up.get(card, 0) - 1}
        return replace(self, gone=self.gone - 1, face_up=face_up)

    def counting(self, card: Sealed | None) -> Shoe:
        """The shoe while the rest of it is run through the reader: `card` went last, if any."""
        return replace(self, last=card, last_hidden=False)

    def burned(self, card: Sealed) -> Shoe:
        """The shoe after `card` was burned by rule."""
        return replace(self.without(card, hidden=True), to_burn=max(0, self.to_burn - 1))

    def refilled(self, round_: int, face_up: Iterable[Card], face_down: Iterable[Sealed]) -> Shoe:
        """The shoe after the discards came back in that round: gone are the cards on the felt."""
        counts: dict[Card, int] = {}
        for kind in face_up:
            counts[kind] = counts.get(kind, 0) + 1
        lying = tuple(face_down)
        gone = sum(counts.values()) + len(lying)
        return replace(
            self, gone=gone, face_up=counts, serials=Serials(), sealed=lying, refilled_in=round_
        )


def _less(lying: tuple[Sealed, ...], seal: Sealed) -> tuple[Sealed, ...]:
    """`lying` without the card under `seal`, found by its commitment; unread ones are alike."""
    for at, each in enumerate(lying):
        if each is seal or each.digest == seal.digest:
            return (*lying[:at], *lying[at + 1 :])
    return lying
