"""What players may do, how a wager ends, where a hand lies: words that all the rules share."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

DEALER_SEAT: Final = 0
#: The number of the side bet of a seat, such as insurance; hands count from 1.
SIDE_BET: Final = 0


class Action(Enum):
    """What a player may do; the value is the word used in records and by the API."""

    __hash__ = object.__hash__  # a member is one object: looked up at every decision

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    STAY_LOW = "stay-low"
    STAY_HIGH = "stay-high"
    INSURANCE = "insurance"
    NO_INSURANCE = "no-insurance"
    PASS = "pass"  # noqa: S105  (a word of the game)
    BET = "bet"
    CALL = "call"
    RAISE = "raise"
    FOLD = "fold"
    CARD = "card"
    NO_CARD = "no-card"


#: Actions that a drawn card implies.
DRAWS: Final = frozenset({Action.HIT, Action.CARD})


class Bid(NamedTuple):
    """A bet or a raise: `amount` is what is put in above the call, in minor units."""

    action: Action
    amount: int


Move: TypeAlias = Action | Bid
"""A player's decision: an action, with an amount where it is a bet or a raise."""


class Outcome(Enum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    SURRENDER = "surrender"


class Place(NamedTuple):
    """Where a hand lies: seat number (0 is the dealer) and the number of the hand at that seat.

    The hands of a seat are numbered from 1 in the order in which they are played; hand 0 is a side
    bet.
    """

    seat: int
    hand: int = 1
