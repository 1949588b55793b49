"""The steps that a script may ask for, and the answers to them.

Steps are not frozen, since a round makes a dozen and that costs twice the time; nobody changes one.

Imperative on purpose: each step tells the dealer what to do. `accept` takes the answer to a step
and puts it on the felt, or raises `Misfit` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from controller.rules.actions import DEALER_SEAT, Action, Bid, Outcome
from controller.rules.cards import Card
from controller.rules.english import ENGLISH
from controller.rules.messages import Amount, Message, Seat, message
from controller.rules.script.felt import Hand, Play
from controller.rules.sealed import Sealed


class Misfit(Exception):
    """An answer that the script did not ask for; `why` is what it waits for instead."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return ENGLISH.say(self.why)


class Chips(Enum):
    """What became of the chips that a step is about."""

    DONE = "done"
    DECLINED = "declined"


class Peeked(NamedTuple):
    """What the dealer's look at the hidden card showed: a natural or not, and nothing else."""

    natural: bool


#: The chips have moved, or the further wager lies there.
DONE: Final = Chips.DONE
#: The further wager was not put down: the player chooses anew.
DECLINED: Final = Chips.DECLINED

Answer: TypeAlias = Card | Sealed | Action | Bid | Chips | Peeked
"""What a script receives: a card for `Deal` and `Reveal` (sealed if it lies face down), a move for
`Ask` and `Vie`, `DONE` or `DECLINED` for `AddWager`, `Peeked` for `Peek`, `DONE` for `Settle`."""


@dataclass(slots=True)
class Deal:
    """The next card of the shoe goes to `hand`, face down if `down`; `play`: the rule by which."""

    hand: Hand
    play: Play[Any, Any] | None = None
    down: bool = False

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if type(answer) is Card and not self.down:
            self.hand.cards.append(answer)
        elif type(answer) is Sealed and self.down:
            self.hand.lay_down(answer)
        else:
            down = message("card-face-down-is-next")
            raise Misfit(down if self.down else message("card-is-next"))


@dataclass(slots=True)
class Reveal:
    """Turn the first card of `hand` that lies face down.

    `refuse` gives the reason why a card cannot be the one, from what is known of it already.
    """

    hand: Hand
    refuse: Callable[[Card], Message | None] | None = None

    @property
    def card(self) -> Sealed:
        """The card that is turned."""
        down = self.hand.down
        assert down
        return down[min(down)]

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if type(answer) is not Card:
            raise Misfit(message("hidden-card-is-turned-first"))
        read = self.card.open()
        if read is not None and read is not answer:
            raise Misfit(message("hidden-card-was-read-otherwise"))
        if self.refuse and (why := self.refuse(answer)):
            raise Misfit(why)
        self.hand.turn(answer)


@dataclass(slots=True)
class Peek:
    """The dealer looks at the hidden card of `hand`; `natural`: which cards end the round."""

    hand: Hand
    natural: Callable[[Card], bool]

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if type(answer) is not Peeked:
            raise Misfit(message("dealer-looks-first", who=Seat(DEALER_SEAT)))
        hidden = self.hand.down
        kind = hidden[min(hidden)].open() if hidden else None
        if kind is not None and answer.natural is not self.natural(kind):
            raise Misfit(message("hidden-card-was-read-otherwise"))


@dataclass(slots=True)
class Ask:
    """The player of `hand` chooses among `play.options`."""

    hand: Hand
    play: Play[Any, Any]

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if answer not in self.play.options:
            raise Misfit(message("seat-chooses-first", who=Seat(self.hand.place.seat)))


_TAKE_AMOUNTS: Final = (Action.BET, Action.RAISE)


@dataclass(slots=True)
class Vie:
    """The player of `hand` passes, calls or folds, or bets or raises by `low` to `high`.

    Amounts in minor units, whole numbers of `chip`; `to_call` is what a call costs.
    """

    hand: Hand
    play: Play[Any, Any]
    to_call: int
    low: int
    high: int
    chip: int

    def problem(self, move: Action | Bid) -> Message | None:
        """Why `move` is not one of those that are open now, or None."""
        action, amount = move if isinstance(move, Bid) else (move, None)
        if action not in self.play.options:
            return message("action-not-allowed", action=action)
        if (amount is None) is (action in _TAKE_AMOUNTS):
            if amount is None:
                return message("action-takes-an-amount", action=action)
            return message("action-takes-no-amount", action=action)
        if amount is not None and not self.low <= amount <= self.high:
            low, high = Amount(self.low), Amount(self.high)
            return message(
                "amount-outside", action=action, amount=Amount(amount), low=low, high=high
            )
        if amount is not None and amount % self.chip:
            return message("amount-not-in-chips", amount=Amount(amount), chip=Amount(self.chip))
        return None

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if type(answer) is Action and answer in self.play.options and answer not in _TAKE_AMOUNTS:
            return  # most answers are of this kind, in the half of the time
        if not isinstance(answer, Action | Bid) or self.problem(answer):
            raise Misfit(message("seat-acts-first", who=Seat(self.hand.place.seat)))


@dataclass(slots=True)
class AddWager:
    """A further wager of `amount` (None: not tracked) is put beside `hand`, for `action`."""

    hand: Hand
    action: Action
    amount: int | None

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if answer is not DONE and answer is not DECLINED:
            raise Misfit(
                message("further-wager-is-confirmed-first", who=Seat(self.hand.place.seat))
            )


@dataclass(slots=True)
class Settle:
    """The dealer pays, takes or returns the wager of `hand` by its result, and confirms it."""

    hand: Hand

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if answer is not DONE:
            raise Misfit(message("seat-is-settled-first", who=Seat(self.hand.place.seat)))
        self.hand.settled = True

    @property
    def takes(self) -> bool:
        """Whether the wager goes to the house."""
        return self.hand.result is not None and self.hand.result.outcome is Outcome.LOSE


Step: TypeAlias = Deal | Reveal | Peek | Ask | Vie | AddWager | Settle
Script: TypeAlias = Generator[Step, Any, None]
"""A script yields steps and receives their answers, each already checked by `accept`."""
