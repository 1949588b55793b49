"""What the dealer does next, pure, from the display, the lights and the felt.

`intend` says the dealer's next act; `sim_hw.people.dealer` carries it out. What players say is
in `sim_hw.people.players`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.rules.actions import DEALER_SEAT, DRAWS, Action, Bid, Place
from controller.rules.script.steps import DONE, Deal, Peek, Step
from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.devices.spot_lamps import LampColour
from sim_hw.table.display_reader import Command, Display, KeyShown, is_dealer
from sim_hw.table.felt import Lying
from sim_hw.table.oracle import Announcement, Choice

#: What a spot shows while the table waits for this, from the light language in the README.
CARD_LIGHTS: Final = (LampColour(True, True, True), LampColour(True, False, True))
CHOOSE_LIGHTS: Final = (LampColour(True, True, False),)
SETTLE_LIGHTS: Final = (
    LampColour(False, True, False),
    LampColour(True, False, False),
    LampColour(False, True, True),
)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do; `why` is for the log. `lights`: the display is right but a light is not."""

    why: str
    lights: bool = False


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw the next card and put it at `to`, face up or down; None: burn it.

    `said` is the player's word that it carries out.
    """

    to: Place | None
    said: Announcement | None = None
    down: bool = False


@dataclass(frozen=True, slots=True)
class Send:
    """Press a key of the dealer's page (or its physical `button`, if it has one).

    `turns`: the hidden card that hands turn before, its place and how many cards lie before it;
    where `reads`, what it is goes with the command. `looks`: a look under a corner goes before.
    """

    command: Command
    button: PanelButton | None = None
    said: Announcement | None = None
    turns: tuple[Place, int] | None = None
    reads: bool = False
    looks: Peek | None = None

    @property
    def do(self) -> str:
        """The name of the command."""
        return str(self.command["do"])


Act = Wait | DrawCard | Send


@dataclass(frozen=True, slots=True)
class Observation:
    """What the dealer sees of the table itself, and what the rules ask by what lies there.

    `gone` counts the cards out of the physical shoe, `left` those still in it, `lying` those at
    each seat (0: the dealer's), `dealt` are those on the felt, in the order
    in which they left it. `unentered_bets` are chips on the felt (seat and amount) that the display
    has not been given, `chips` the seats at which any lie. `lit` is what each spot shows.
    `step` is what the rules ask next, `says` the
    player's word to it; `mismatch` why felt and display cannot be brought together. `overdue`: for
    long now a card has been out that the display does not show. `players_elsewhere`:
    a game server bets and decides for the players.
    """

    gone: int
    left: int = 0
    dealt: tuple[Lying, ...] = ()
    lying: Mapping[int, int] = field(default_factory=dict)
    unentered_bets: Mapping[int, int] = field(default_factory=dict)
    chips: frozenset[int] = frozenset()
    lit: Mapping[int, LampColour] = field(default_factory=dict)
    draw_means_hit: bool = True
    step: Step | None = None
    says: Choice | None = None
    mismatch: str = ""
    overdue: bool = False
    players_elsewhere: bool = False


def intend(display: Display | None, observation: Observation) -> Act:
    """The dealer's next act."""
    if display is None:
        return Wait("the display is not live")
    if display.safe:
        return Wait(display.headline)
    if display.holds:
        return _answer(display, observation)
    if observation.unentered_bets and display.phase == "betting":
        seat = min(observation.unentered_bets)
        return Send({"do": "place_wager", "seat": seat, "amount": observation.unentered_bets[seat]})
    if display.phase == "betting" and not display.shows_chips(observation.chips):
        return Wait("the sensors of the spots have not seen all chips yet")
    if display.down and display.phase not in ("shuffle", "cut"):
        return _down(display)
    if key := display.key("deal_kept"):
        return _press(key)
    if key := display.key("close_shoe"):
        return _close(display, observation, key)
    if key := _key_of(display, ("scan_rest", "load_pack", "cut")):
        return _press(key)
    if (key := display.key("close_bets")) and not observation.players_elsewhere:
        return _press(key)
    if display.gone < observation.gone:
        key = display.key("call_floor") if observation.overdue else None
        return _press(key) if key else Wait("the display has not taken the last card yet")
    if display.phase == "burn":
        return DrawCard(None)
    if display.phase == "round":
        return _play(display, observation)
    return Wait(display.headline)


def _close(display: Display, observation: Observation, key: KeyShown) -> Act:
    """Count what is left in the shoe; where the house shows the number, that is pressed."""
    expected = key.command.get("left")
    if key.needs != "count" and expected in (None, observation.left):
        return _press(key)
    return Send({**key.command, "left": observation.left})


def _play(display: Display, observation: Observation) -> Act:
    hand, step = display.active, observation.step
    if observation.mismatch:
        key = display.key("call_floor")
        return _press(key) if key else Wait(observation.mismatch)
    if hand is None or step is None:
        return Wait(display.headline)
    place = hand.place
    if key := display.key("settle"):
        return _if_lit(SETTLE_LIGHTS, place, observation, _press(key))
    if key := display.key("turn"):
        turns = place, hand.cards.index("")
        act = Send(key.command, _button(key), turns=turns, reads=key.needs == "card")
        return _if_lit(CARD_LIGHTS, place, observation, act)
    if isinstance(step, Peek) and (key := display.key("peek")):
        return Send(key.command, looks=step)
    if any(key.do in ("decide", "confirm_wager") for key in display.keys):
        if observation.players_elsewhere:
            return Wait("the player of that hand is elsewhere, and decides there")
        return _if_lit(
            CHOOSE_LIGHTS, place, observation, _say(display, step.hand.place, observation)
        )
    down = isinstance(step, Deal) and step.down
    return _if_lit(CARD_LIGHTS, place, observation, DrawCard(place, down=down))


def _say(display: Display, place: Place, observation: Observation) -> Act:
    """The player's word, carried out: a card drawn, a key pressed, an amount entered."""
    choice = observation.says
    if choice is None:
        return Wait(f"seat {place.seat} says nothing")
    said = Announcement(place, choice)
    if isinstance(choice, Action | Bid):
        action, amount = choice if isinstance(choice, Bid) else (choice, None)
        if action in DRAWS and observation.draw_means_hit:
            return DrawCard(place, said, down=action is Action.CARD)
        keys = (key for key in display.keys if key.command.get("action") == action.value)
        key = next(keys, None)
        if key is None:
            return Wait(f"the display has no key for {action.value}")
        command = key.command if amount is None else {**key.command, "amount": amount}
        return Send(command, None if amount else _button(key), said)
    key = display.key("confirm_wager" if choice is DONE else "decline_wager")
    return Wait("no key for the further wager") if key is None else _press(key, said)


def _if_lit(
    wanted: tuple[LampColour, ...], place: Place, observation: Observation, act: Act
) -> Act:
    """`act`, once the light of the spot agrees with the display; the dealer's hand has none."""
    if is_dealer(place) or observation.lit.get(place.seat) in wanted:
        return act
    return Wait(f"the light of seat {place.seat} does not say what the display says", lights=True)


def _answer(display: Display, observation: Observation) -> Act:
    """The lawful and true resolution from a hold, by what lies on the felt.

    What is known of one card is settled before the felt as a whole is compared.
    """
    hold = min(display.holds, key=lambda each: "count" in each.resolutions)
    resolutions = hold.resolutions
    unseen = max(0, observation.gone - display.gone)
    if observation.mismatch and "void" in resolutions:
        return Send(resolutions["void"].command)
    if display.down and not resolutions.keys().isdisjoint(("count", *_PUTS)):
        return _down(display)
    if "count" in resolutions and ("release" not in resolutions or unseen):
        return _count(display, resolutions, observation, unseen)
    if "two" in resolutions:
        return Send(resolutions["two" if _twins(observation, unseen) else "one"].command)
    if "no_card" in resolutions and not unseen:
        return Send(resolutions["no_card"].command)
    if unseen and display.phase != "burn" and not resolutions.keys().isdisjoint(_PUTS):
        return _enter(resolutions, observation, unseen)
    if unseen and display.phase == "burn" and "set_aside" in resolutions:
        return Send(resolutions["set_aside"].command)
    # What people called was a mistake: it is none that the world knows of.
    for resolution in (
        "chips_back", "stands",
        "refilled", "release", "set_aside", "new_shoe", "pack_out", "squared",
    ):  # fmt: skip
        if resolution in resolutions:
            return Send(resolutions[resolution].command)
    return Wait(f"{hold.title}: {hold.text}")


#: The resolutions that put a card which the display does not show where it lies.
_PUTS: Final = ("enter_card", "face_down")


def _count(
    display: Display, resolutions: Mapping[str, KeyShown], observation: Observation, unseen: int
) -> Act:
    """Count the felt; once the display knows that cards are missing, each is put on record."""
    if unseen and not resolutions.keys().isdisjoint(_PUTS):
        return _enter(resolutions, observation, unseen)
    if unseen and "set_aside" in resolutions:
        return Send(resolutions["set_aside"].command)
    if not unseen and "no_card" in resolutions:
        # The display misses a card that is not missing: a hand in the beam, or a wrong count.
        return Send(resolutions["no_card"].command)
    key = resolutions["count"]
    if key.needs == "counts":
        seats = dict.fromkeys((hand.place.seat for hand in display.hands), 0)
        if not display.pot:
            seats[DEALER_SEAT] = 0
        counted = [
            {"seat": seat, "cards": observation.lying.get(seat, 0)} for seat in sorted(seats)
        ]
        return Send({**key.command, "seats": counted})
    # Between rounds nothing belongs on the felt but what has just left the shoe.
    cards = len(observation.dealt) if display.phase == "round" else unseen
    return Send({**key.command, "cards": cards})


def _down(display: Display) -> Wait:
    name, why = next(iter(display.down.items()))
    return Wait(f"{name} is down: {why}")


def _twins(observation: Observation, unseen: int) -> bool:
    """Whether the first card that the display does not show is the like of the one before it.

    Where either lies face down, nobody looks at it: one more has left the shoe, or none has.
    """
    if not unseen or unseen >= len(observation.dealt):
        return unseen > 0
    before, one = observation.dealt[-unseen - 1 : len(observation.dealt) - unseen + 1]
    return before is None or one is None or before is one


def _enter(resolutions: Mapping[str, KeyShown], observation: Observation, unseen: int) -> Act:
    """Enter the first card that the display does not show; one face down is only counted."""
    if unseen > len(observation.dealt):
        return Wait("a card is missing on the display that does not lie on the felt")
    card = observation.dealt[-unseen]
    if card is None and "face_down" in resolutions:
        return Send(resolutions["face_down"].command)
    if card is None or "enter_card" not in resolutions:
        return Wait("the missing card lies otherwise than the display has it")
    return Send({**resolutions["enter_card"].command, "card": card.code})


def _key_of(display: Display, names: tuple[str, ...]) -> KeyShown | None:
    return next((key for name in names if (key := display.key(name))), None)


def _press(key: KeyShown, said: Announcement | None = None) -> Send:
    """Press `key`, by its physical button if this table has that one."""
    return Send(key.command, _button(key), said)


def _button(key: KeyShown) -> PanelButton | None:
    known = {each.value for each in PanelButton}
    return PanelButton(key.button) if key.button in known else None
