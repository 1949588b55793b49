"""The physical felt: chips, cards where hands put them, the piles beside it. It decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.rules.actions import SIDE_BET, Place
from controller.rules.cards import Card
from sim_hw.devices.shoe import PhysicalCard

BANK: Final = 100_000
#: The back of a card, as a camera sees it.
FACE_DOWN: Final = "??"
_NAMES: Final = ("Aino", "Eino", "Helmi", "Onni", "Lyyli", "Toivo", "Saima")

Lying = Card | None
"""A card on the felt as everybody sees it; None: it lies face down."""


def name_of(seat: int) -> str:
    """A first name for the player at `seat`."""
    return _NAMES[(seat - 1) % len(_NAMES)]


@dataclass(slots=True)
class Player:
    """A player: what is in the pocket, what lies on the spot, what was said last.

    Amounts in minor units. `bets` are the chips of each hand by its number (0: a side bet),
    `doubled` the hands with a second wager beside the first, `staked` what went into a pot.
    """

    seat: int
    name: str
    bank: int = BANK
    bets: dict[int, int] = field(default_factory=dict)
    doubled: set[int] = field(default_factory=set)
    staked: int = 0
    folded: bool = False
    entered: bool = False
    said: str = ""

    @property
    def bet(self) -> int | None:
        """The chips before the first hand, None where none lie."""
        return self.bets.get(1)

    def put_down(self, amount: int | None) -> None:
        """The spot holds one wager of `amount` and nothing else; None: it is empty."""
        self.bets = {} if amount is None else {1: amount}
        self.doubled.clear()
        self.staked = 0
        self.folded = False

    def split(self, hand: int, amount: int) -> None:
        """A wager of `amount` before a new hand behind `hand`; later ones move up by one."""
        self.bets = {n + (n > hand): chips for n, chips in self.bets.items()}
        self.doubled = {n + (n > hand) for n in self.doubled}
        self.bets[hand + 1] = amount

    def take_up(self, hand: int) -> None:
        """The chips of `hand` are taken, paid or given back: none lie there any more."""
        self.bets.pop(hand, None)
        self.doubled.discard(hand)


@dataclass(slots=True)
class Dealt:
    """A card on the felt: where it lies, to which hand it was dealt, whether it lies face down."""

    place: Place
    card: PhysicalCard
    down: bool = False
    to: Place = field(init=False)
    dealt_down: bool = field(init=False)

    def __post_init__(self) -> None:
        self.to = self.place
        self.dealt_down = self.down

    @property
    def face(self) -> Lying:
        """The card as it lies there."""
        return None if self.down else self.card.kind


@dataclass(slots=True)
class PhysicalFelt:
    """What lies on the table. Burned cards and those put aside lie face down.

    `ready` of those put aside, the last, are kept: they are dealt next. `pot` is in minor units;
    `button` the seat that deals, 0 where the deal does not pass.
    """

    players: dict[int, Player]
    dealt: list[Dealt] = field(default_factory=list, repr=False)
    burned: list[PhysicalCard] = field(default_factory=list, repr=False)
    aside: list[PhysicalCard] = field(default_factory=list, repr=False)
    discards: list[PhysicalCard] = field(default_factory=list, repr=False)
    ready: int = 0
    pot: int = 0
    button: int = 0

    # Cards

    def put(self, card: PhysicalCard, place: Place, *, down: bool = False) -> None:
        """Lay a card at `place`, face up or down."""
        self.dealt.append(Dealt(place, card, down))

    def turn(self, place: Place, nth: int) -> Card:
        """Turn the card at `place` that has `nth` cards before it; it may have been turned."""
        lies = [each for each in self.dealt if each.place == place][nth]
        lies.down = False
        return lies.card.kind

    def look(self, place: Place) -> Card:
        """What somebody sees who lifts the corner of the first hidden card at `place`."""
        return next(each.card.kind for each in self.dealt if each.place == place and each.down)

    def split(self, place: Place) -> None:
        """The second card at `place` goes to a new hand behind it; later hands move up by one."""
        for each in self.dealt:
            if each.place.seat == place.seat and each.place.hand > place.hand:
                each.place = Place(place.seat, each.place.hand + 1)
        mine = [each for each in self.dealt if each.place == place]
        mine[1].place = Place(place.seat, place.hand + 1)

    def set_aside(self) -> None:
        """Take the card that was dealt last and lay it aside, face down."""
        self.aside.append(self.dealt.pop().card)

    def bring_back(self, code: str, place: Place) -> bool:
        """Deal the card that was kept to `place`: the one of that code, face down if empty."""
        found = [each for each in self.aside if not code or each.kind.code == code]
        if not found:
            return False
        self.aside.remove(found[-1])
        self.put(found[-1], place, down=not code)
        return True

    def collect(self, *, card_ready: bool = False) -> None:
        """Everything that lies on the felt goes to the discards, and what was put aside.

        `card_ready`: a card that was put aside is to be dealt in the next round; they stay there.
        """
        self.discards += [each.card for each in self.dealt]
        self.dealt.clear()
        if not card_ready:
            self.discards += self.aside
            self.aside.clear()
            self.ready = 0

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

    def hands(self) -> dict[Place, tuple[Lying, ...]]:
        """What lies there, by place, as everybody sees it."""
        found: dict[Place, tuple[Lying, ...]] = {}
        for each in self.dealt:
            found[each.place] = (*found.get(each.place, ()), each.face)
        return found

    # Chips

    def bet(self, wagers: Mapping[int, int]) -> None:
        """Chips go on the spots for the next round."""
        self.pot = 0
        for player in self.players.values():
            player.put_down(wagers.get(player.seat))
            player.entered = False
            player.said = ""

    def stake(self, seat: int, amount: int) -> None:
        """A player's chips go into the pot."""
        self.players[seat].staked += amount
        self.pot += amount

    def add(self, place: Place, amount: int) -> None:
        """A further wager beside the one of `place`; hand 0 has none before it."""
        player = self.players[place.seat]
        player.bets[place.hand] = player.bets.get(place.hand, 0) + amount
        if place.hand != SIDE_BET:
            player.doubled.add(place.hand)
