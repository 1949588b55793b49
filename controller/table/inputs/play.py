"""Commands of a round: bets, decisions, further wagers, turned cards, settlement."""

from __future__ import annotations

from typing import Literal

from controller.devices.inputs import Button
from controller.rules.actions import Action
from controller.rules.frozen import frozen
from controller.table.inputs.bounds import Amount, AnySeat, CardCode, HandNumber, SeatNumber


@frozen
class PlaceWager:
    """A wager on a spot, in minor units; null: a bet whose amount is not tracked."""

    seat: SeatNumber
    amount: Amount | None
    do: Literal["place_wager"] = "place_wager"


@frozen
class RemoveWager:
    """The wager of a spot is taken back, before "no more bets"."""

    seat: SeatNumber
    do: Literal["remove_wager"] = "remove_wager"


@frozen
class RepeatWagers:
    """Every spot that had a wager in the last round, and has none now, gets it again."""

    do: Literal["repeat_wagers"] = "repeat_wagers"


@frozen
class CloseBets:
    """The dealer said "no more bets": the round begins."""

    do: Literal["close_bets"] = "close_bets"


@frozen
class Decide:
    """A player's decision on a hand (hand 0: a side bet, such as insurance).

    `amount` of a bet or a raise, in minor units above the call; null for other actions.
    """

    seat: SeatNumber
    action: Action
    hand: HandNumber = 1
    amount: Amount | None = None
    do: Literal["decide"] = "decide"


@frozen
class ConfirmWager:
    """The further wager that the table asks for lies beside the hand."""

    seat: SeatNumber
    hand: HandNumber = 1
    do: Literal["confirm_wager"] = "confirm_wager"


@frozen
class DeclineWager:
    """The further wager is not put down: the player chooses anew."""

    seat: SeatNumber
    hand: HandNumber = 1
    do: Literal["decline_wager"] = "decline_wager"


@frozen
class TurnCard:
    """The card that lies face down was turned (seat 0: the dealer's).

    `card` is a card code where the card was not read when it was dealt; null where it was. A card
    that is entered takes the same command twice, each with a key of its own: the first names it,
    the second, with nothing in between, turns it.
    """

    seat: AnySeat = 0
    hand: HandNumber = 1
    card: CardCode | None = None
    do: Literal["turn"] = "turn"


@frozen
class ReportPeek:
    """The dealer has looked at the hidden card, which was not read: a natural or not."""

    natural: bool
    do: Literal["peek"] = "peek"


@frozen
class ConfirmSettled:
    """The dealer has paid, taken or left the wager of a hand as the display said."""

    seat: SeatNumber
    hand: HandNumber = 1
    do: Literal["settle"] = "settle"


@frozen
class PressButton:
    """The same as pressing the physical button of that name."""

    button: Button
    do: Literal["press"] = "press"
