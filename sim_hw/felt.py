"""The physical felt: chips, cards where hands put them, the piles beside it. It decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from controller.rules.cards import Card
from controller.rules.felt import Place
from sim_hw.shoe import PhysicalCard

BANK: Final = 100_000
_NAMES: Final = ("Aino", "Eino", "Helmi", "Onni", "Lyyli", "Toivo", "Saima")


def name_of(seat: int) -> str:
    """A first name for the player at `seat`."""
    return _NAMES[(seat - 1) % len(_NAMES)]


@dataclass(slots=True)
class Player:
    """A player: what is in the pocket, what lies on the spot, what was said last.

    Amounts in minor units. `bank` may run below nothing: players buy in again without a fuss.
    """

    seat: int
    name: str
    bank: int = BANK
    bet: int | None = None
    entered: bool = False
    said: str = ""


class Dealt(NamedTuple):
    """A card that lies face up, and where."""

    place: Place
    card: PhysicalCard


@dataclass(slots=True)
class Felt:
    """What lies on the table. Burned cards and those put aside lie face down."""

    players: dict[int, Player]
    dealt: list[Dealt] = field(default_factory=list, repr=False)
    burned: list[PhysicalCard] = field(default_factory=list, repr=False)
    aside: list[PhysicalCard] = field(default_factory=list, repr=False)
    discards: list[PhysicalCard] = field(default_factory=list, repr=False)

    def put(self, card: PhysicalCard, place: Place) -> None:
        """Lay a card face up."""
        self.dealt.append(Dealt(place, card))

    def set_aside(self) -> None:
        """Take the card that was dealt last and lay it aside, face down."""
        self.aside.append(self.dealt.pop().card)

    def collect(self) -> None:
        """Everything that lies face up, or was put aside, goes to the discards."""
        self.discards += [*(each.card for each in self.dealt), *self.aside]
        self.dealt.clear()
        self.aside.clear()

    def clear_for_pack(self) -> None:
        """A new pack is loaded: no card of the old one is left beside the felt."""
        self.collect()
        self.discards.clear()
        self.burned.clear()

    def give_back(self) -> list[PhysicalCard]:
        """All that lies beside the felt, for a shoe that ran out."""
        back = [*self.discards, *self.burned, *self.aside]
        self.discards.clear()
        self.burned.clear()
        self.aside.clear()
        return back

    def hands(self) -> dict[Place, tuple[Card, ...]]:
        """What lies face up, by place."""
        found: dict[Place, tuple[Card, ...]] = {}
        for place, card in self.dealt:
            found[place] = (*found.get(place, ()), card.kind)
        return found

    def bet(self, wagers: dict[int, int]) -> None:
        """Chips go on the spots for the next round."""
        for player in self.players.values():
            player.bet = wagers.get(player.seat)
            player.entered = False
            player.said = ""
