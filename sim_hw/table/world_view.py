"""What a camera above the table would show: the picture that the table's page draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Place
from controller.rules.english import ENGLISH
from sim_hw.table.felt import FACE_DOWN, Lying, Player
from sim_hw.table.world import World


class LightView(TypedDict):
    """Which pins of a spot's lamp are on."""

    red: bool
    green: bool
    blue: bool


class PlayedHandView(TypedDict):
    """A hand on the felt: codes of its cards, and its bet in minor units."""

    hand: int
    cards: list[str]
    bet: int
    doubled: bool


class SeatView(TypedDict):
    """A seat: who sits there, and what lies before it. Amounts are in minor units.

    `bet` is what is bet between rounds (null: nothing), `side` the side bet.
    """

    seat: int
    name: str
    bank: int
    bet: int | None
    hands: list[PlayedHandView]
    side: int
    folded: bool
    said: str
    light: LightView


class ScannerView(TypedDict):
    """The reader at the mouth of the shoe, a scanner or a camera by its `name`."""

    name: str
    plugged: bool
    busy: bool


class ShoeLeft(TypedDict):
    """How many cards are in the shoe, of how many, and how many of them lie behind the cut card."""

    size: int
    left: int
    cut: int
    state: str
    number: int


class HeldCard(TypedDict):
    """The card in the dealer's hand (null: none), and the seat it goes to (0: the dealer)."""

    card: str | None
    to: int | None


class GameWordsView(TypedDict):
    """The game's own words for its dealer and its seats."""

    dealer: str
    seat: str


class WorldView(TypedDict):
    """The table as a camera above it would show it; amounts in minor units.

    `speed` is how many times faster than people it goes; `low_cards`: how many of the
    dealer's first cards are pushed up; `index` is the style in which the cards print their ranks.
    """

    game: str
    title: str
    seed: int
    speed: float
    round: int
    scanner: ScannerView
    buzzer: bool
    seats: list[SeatView]
    dealer_cards: list[str]
    low_cards: int
    pot: int
    button: int
    words: GameWordsView
    index: Literal["finnish", "anglo"]
    vying: bool
    shoe: ShoeLeft
    discard: int
    ready: int
    burned: int
    hand: HeldCard
    log: list[str]
    rule: str
    service_url: str


def world_view(world: World) -> WorldView:
    """The table as it lies there; cards that lie face down by number only."""
    game, felt = world.settings.game, world.felt
    cards = {place: [code_of(each) for each in lies] for place, lies in felt.hands().items()}
    dealers = [each.face for each in felt.dealt if each.place.seat == DEALER_SEAT]
    shoe = world.shoe
    cut = 0 if game.vying else shoe.pack.size - game.options.cut_after
    return {
        "game": game.name,
        "title": game.title,
        "seed": world.settings.seed,
        "speed": world.speed,
        "round": world.round,
        "scanner": {
            "name": "scanner" if world.settings.reader.scanner else "camera",
            "plugged": world.reader.plugged,
            "busy": world.reader.scanner.busy,
        },
        "buzzer": world.board.buzzing,
        "seats": [_seat_view(world, each, cards) for each in felt.players.values()],
        "dealer_cards": cards.get(Place(DEALER_SEAT), []),
        "low_cards": game.raised([each for each in dealers if each is not None]),
        "pot": felt.pot,
        "button": felt.button,
        "words": {"dealer": game.words.dealer, "seat": game.words.seat},
        "index": world.settings.index.value,
        "vying": game.vying,
        "shoe": {
            "size": shoe.pack.size,
            "left": shoe.left,
            "cut": cut,
            "state": shoe.state.value,
            "number": shoe.number,
        },
        "discard": len(felt.discards) + len(felt.aside) - felt.ready,
        "ready": felt.ready,
        "burned": len(felt.burned),
        "hand": _hand_view(world),
        "log": list(world.log),
        "rule": ENGLISH.say(game.rule, game.words),
        "service_url": world.settings.service_url,
    }


def _seat_view(world: World, player: Player, cards: Mapping[Place, list[str]]) -> SeatView:
    light = world.board.spot(player.seat)
    numbers = {place.hand for place in cards if place.seat == player.seat}
    hands: list[PlayedHandView] = [
        {
            "hand": number,
            "cards": cards.get(Place(player.seat, number), []),
            "bet": player.bets.get(number, 0),
            "doubled": number in player.doubled,
        }
        for number in sorted(numbers | (player.bets.keys() - {SIDE_BET}))
    ]
    return {
        "seat": player.seat,
        "name": player.name,
        "bank": player.bank,
        "bet": player.bet,
        "hands": hands,
        "side": player.bets.get(SIDE_BET, 0),
        "folded": player.folded,
        "said": player.said,
        "light": {"red": light.red, "green": light.green, "blue": light.blue},
    }


def _hand_view(world: World) -> HeldCard:
    if world.in_hand is None:
        return {"card": None, "to": None}
    card, to = world.in_hand
    return {"card": card, "to": to.seat if to else None}


def code_of(lying: Lying) -> str:
    """A card on the felt as a camera sees it: its code, or its back."""
    return FACE_DOWN if lying is None else lying.code
