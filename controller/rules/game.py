"""What a game is: a declaration, house options, and a script that says what must happen next.

A new game is one file that builds a `Game`, one line in `controller/rules/games.py`, and its
golden rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple, TypeAlias

from controller.rules.cards import Card, Pack
from controller.rules.felt import Action, Felt, Hand, Outcome, Play
from controller.rules.hands import Total
from controller.rules.money import Odds


class OptionError(ValueError):
    """A house option that is unknown or makes no sense; the message says what is allowed."""


class Misfit(Exception):
    """An answer that the script did not ask for; the message says what it waits for."""


class Done(NamedTuple):
    """The answer to `Settle`: the chips have moved."""


DONE: Final = Done()

Answer: TypeAlias = Card | Action | Done
"""What a script receives: a card for `Deal`, an action for `Ask`, `DONE` for `Settle`."""


class Deal(NamedTuple):
    """The next card of the shoe goes to `hand`, face up. `play` says by which rule, if any."""

    hand: Hand
    play: Play | None = None

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if type(answer) is not Card:
            raise Misfit("a card from the shoe is next")
        self.hand.cards.append(answer)


class Ask(NamedTuple):
    """The player of `hand` chooses among `play.options`."""

    hand: Hand
    play: Play

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if answer not in self.play.options:
            raise Misfit(f"seat {self.hand.place.seat} has to choose first")


class Settle(NamedTuple):
    """The dealer pays, takes or returns the wager of `hand` by its result, and says so."""

    hand: Hand

    def accept(self, answer: Answer) -> None:
        """Take the answer to this step. Raises `Misfit` for any other."""
        if answer is not DONE:
            raise Misfit(f"seat {self.hand.place.seat} has to be settled first")
        self.hand.settled = True

    @property
    def takes(self) -> bool:
        """Whether the wager goes to the house."""
        return self.hand.result is not None and self.hand.result.outcome is Outcome.LOSE


Step: TypeAlias = Deal | Ask | Settle
Script: TypeAlias = Generator[Step, Any, None]
"""A script says steps and receives their answers; `accept` has checked each for its step."""


@dataclass(frozen=True, slots=True)
class HouseOptions:
    """Options of every game (rulings, "House options"); amounts in minor units."""

    min_bet: int = 1_000
    max_bet: int = 100_000
    smallest_chip: int = 50

    def problem(self, pack: Pack) -> str | None:
        """Why these options make no sense for `pack`, or None."""
        if self.smallest_chip < 1:
            return "smallest_chip must be at least 1"
        if not 0 < self.min_bet <= self.max_bet:
            return "min_bet must be above 0 and not above max_bet"
        if self.min_bet % self.smallest_chip:
            return "min_bet must be a whole number of smallest chips"
        return None


@dataclass(frozen=True, slots=True)
class ShoeOptions(HouseOptions):
    """Options of the games that are dealt from a shoe.

    `penetration_cards`: once so many cards are gone, the round in play is the shoe's last
    (F27-A16). Burned cards count as gone and stay sealed.
    """

    penetration_cards: int = 243
    burn_after_shuffle: int = 1
    burn_on_dealer_change: int = 0

    def problem(self, pack: Pack) -> str | None:
        """Why these options make no sense for `pack`, or None."""
        if not 0 < self.penetration_cards < pack.size:
            return f"penetration_cards must be 1 to {pack.size - 1} for {pack}"
        for name in ("burn_after_shuffle", "burn_on_dealer_change"):
            if not 0 <= getattr(self, name) <= 10:
                return f"{name} must be 0 to 10 cards"
        return HouseOptions.problem(self, pack)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game as the table sees it.

    `script` walks the rule book; `total` counts a hand; `advise` is the published strategy, asked
    only where the rules leave a choice; `pays` lists all odds that a wager may have to be paid at.
    """

    name: str
    title: str
    pack: Pack
    seats: range
    options: ShoeOptions
    pays: tuple[Odds, ...]
    script: Callable[[Felt], Script]
    total: Callable[[Sequence[Card]], Total]
    advise: Callable[[Play], Action]
    shown_rule: str

    def with_options(self, given: Mapping[str, object]) -> ShoeOptions:
        """The game's options with the `given` ones in their place.

        Raises `OptionError` for an unknown name, a wrong type or a value that makes no sense.
        """
        known = {each.name: getattr(self.options, each.name) for each in fields(self.options)}
        for name, value in given.items():
            if name not in known:
                raise OptionError(
                    f"{self.name} has no option {name!r}: it knows {', '.join(known)}"
                )
            if type(value) is not type(known[name]):
                wanted = type(known[name]).__name__
                raise OptionError(f"{name} must be of type {wanted}, not {value!r}")
        options = type(self.options)(**{**known, **given})
        if problem := options.problem(self.pack):
            raise OptionError(f"{self.name}: {problem}")
        return options
