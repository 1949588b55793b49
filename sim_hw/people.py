"""What people decide, pure: how much to bet, what to say on a hand, what the dealer does next.

`intend` looks at the display, the lights and the felt and says the dealer's next act; carrying it
out is `sim_hw.dealer`'s. Players see what lies on the felt and play the published strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.rules.cards import Card
from controller.rules.felt import Action, Place, Play
from controller.rules.game import Game, ShoeOptions
from controller.rules.money import payable
from sim_hw.board import Button, Colour
from sim_hw.display import Command, Display, KeyShown, is_dealer

#: How likely a player sits out a round; one player never does, so that there is a round.
SITS_OUT: Final = 1 / 12
_UNITS: Final = (1, 1, 1, 2, 2, 3, 5, 8)

#: What a spot shows while the table waits for this, from the light language in the README.
CARD_LIGHTS: Final = (Colour(True, True, True), Colour(True, False, True))
CHOOSE_LIGHTS: Final = (Colour(True, True, False),)
SETTLE_LIGHTS: Final = (
    Colour(False, True, False),
    Colour(True, False, False),
    Colour(False, True, True),
)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do; `why` is for the log. `lights`: the display is right but a light is not."""

    why: str
    lights: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the next card and put it at `to`; None: burn it. `said` is the player's word."""

    to: Place | None
    said: Action | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Press a key of the dealer's page (or its physical `button`, if it has one)."""

    command: Command
    button: Button | None = None
    said: Action | None = None

    @property
    def do(self) -> str:
        """The name of the command."""
        return str(self.command["do"])


Act = Wait | Draw | Send


@dataclass(frozen=True, slots=True)
class Sight:
    """What the dealer sees of the table itself.

    `gone` counts the cards out of the physical shoe, `dealt` are those that lie face up, in the
    order in which they left it, `felt` is what lies where. `to_enter` are chips on the felt (seat
    and amount) that the display has not been told of. `lit` is what each spot shows.
    """

    game: Game
    gone: int
    dealt: tuple[Card, ...]
    felt: Mapping[Place, tuple[Card, ...]]
    to_enter: Mapping[int, int]
    lit: Mapping[int, Colour]
    draw_means_hit: bool = True


def bets(seed: int, round_: int, seats: range, options: ShoeOptions, game: Game) -> dict[int, int]:
    """Who bets how much in a round, in minor units, within the limits and payable in chips."""
    always = seats[round_ % len(seats)]
    found: dict[int, int] = {}
    for seat in seats:
        chance = Random(f"{seed}/bets/{round_}/{seat}")
        if chance.random() < SITS_OUT and seat != always:
            continue
        amount = options.min_bet * chance.choice(_UNITS)
        amount += options.smallest_chip * chance.choice((0, 0, 1, 2))
        amount = min(amount, options.max_bet)
        if payable(amount, game.pays, options.smallest_chip) is not None:
            amount = options.min_bet
        found[seat] = amount
    return found


def choose(game: Game, hand: tuple[Card, ...], dealer: tuple[Card, ...], why: str,
           options: tuple[Action, ...]) -> Action:  # fmt: skip
    """What a player says: the published strategy on what lies on the felt."""
    return game.advise(Play(options, why, game.total(hand), game.total(dealer)))


def intend(display: Display | None, sight: Sight) -> Act:
    """The dealer's next act."""
    if display is None:
        return Wait("the display is not live")
    if display.safe:
        return Wait(display.headline)
    if display.holds:
        return _answer(display, sight)
    if sight.to_enter and display.phase == "betting":
        seat = min(sight.to_enter)
        return Send({"do": "place_wager", "seat": seat, "amount": sight.to_enter[seat]})
    if display.down and display.phase not in ("shuffle", "cut"):
        return _down(display)
    if key := _key_of(display, ("load_pack", "cut", "close_bets")):
        return _press(key)
    if display.gone < sight.gone:
        return Wait("the display has not taken the last card yet")
    if display.phase == "burn":
        return Draw(None)
    if display.phase == "round":
        return _play(display, sight)
    return Wait(display.headline)


def _play(display: Display, sight: Sight) -> Act:
    hand = display.active
    if hand is None:
        return Wait(display.headline)
    if key := display.key("settle"):
        return _if_lit(SETTLE_LIGHTS, hand.place, sight, _press(key))
    asked = [key for key in display.keys if key.do == "decide"]
    if not asked:
        return _if_lit(CARD_LIGHTS, hand.place, sight, Draw(hand.place))
    options = {Action(str(key.command["action"])): key for key in asked}
    said = choose(
        sight.game, sight.felt.get(hand.place, ()), sight.felt.get(Place(0), ()), display.why,
        tuple(options),
    )  # fmt: skip
    act: Act = _press(options[said], said)
    if said is Action.HIT and sight.draw_means_hit:
        act = Draw(hand.place, said)
    return _if_lit(CHOOSE_LIGHTS, hand.place, sight, act)


def _if_lit(wanted: tuple[Colour, ...], place: Place, sight: Sight, act: Act) -> Act:
    """`act`, once the light of the spot agrees with the display; the dealer's hand has none."""
    if is_dealer(place) or sight.lit.get(place.seat) in wanted:
        return act
    return Wait(f"the light of seat {place.seat} does not say what the display says", lights=True)


def _answer(display: Display, sight: Sight) -> Act:
    """The lawful and true way on from a hold, by what lies on the felt.

    What is known of one card is settled before the felt as a whole is compared.
    """
    hold = min(display.holds, key=lambda each: ("agrees" in each.ways, each.number))
    ways = hold.ways
    unseen = max(0, sight.gone - display.gone)
    if display.down and ("agrees" in ways or "enter_card" in ways):
        return _down(display)
    if "agrees" in ways:
        if unseen and display.phase == "burn" and "set_aside" in ways:
            return Send(ways["set_aside"].command)
        return _enter(ways, sight, unseen) if unseen else Send(ways["agrees"].command)
    if "two" in ways:
        return Send(ways["two" if _twins(sight, unseen) else "one"].command)
    if "no_card" in ways and not unseen:
        return Send(ways["no_card"].command)
    if "enter_card" in ways and unseen:
        return _enter(ways, sight, unseen)
    for way in ("set_aside", "refilled", "release", "new_shoe"):
        if way in ways:
            return Send(ways[way].command)
    return Wait(f"{hold.title}: {hold.text}")


def _down(display: Display) -> Wait:
    name, why = next(iter(display.down.items()))
    return Wait(f"{name} is down: {why}")


def _twins(sight: Sight, unseen: int) -> bool:
    """Whether the first card that the display does not show is the like of the one before it."""
    if unseen >= len(sight.dealt):
        return unseen > 0  # the one before lies face down: nobody looks at it
    return unseen > 0 and sight.dealt[-unseen] is sight.dealt[-unseen - 1]


def _enter(ways: Mapping[str, KeyShown], sight: Sight, unseen: int) -> Act:
    """Enter the first card that the display does not show."""
    if "enter_card" not in ways or unseen > len(sight.dealt):
        return Wait("a card is missing on the display that does not lie on the felt")
    return Send({**ways["enter_card"].command, "card": sight.dealt[-unseen].code})


def _key_of(display: Display, names: tuple[str, ...]) -> KeyShown | None:
    return next((key for name in names if (key := display.key(name))), None)


def _press(key: KeyShown, said: Action | None = None) -> Send:
    """Press `key`, by its physical button if this table has that one."""
    known = {each.value for each in Button}
    return Send(key.command, Button(key.button) if key.button in known else None, said)
