"""A game as tables: what its live script answers, asked once. They know no rule and hold no prose.

A *letter* is a group of cards of one rank (or one card alone) that is drawn with one chance. A
*hand state* is a class of hands that the rules do not tell apart; a *dealer state* the same of the
dealer's cards. `Tables` is what the exact engine and the compiled kernel compute from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.frozen import frozen
from controller.rules.script.felt import Play, Result

#: There is no such state, or the card cannot be drawn there.
NONE: Final = -1

Choose = Callable[[Play[Any, Any], int, int], Action]
"""The choice of a hand by its play, the dealer's shown state and the hand state."""


class Settled(NamedTuple):
    """How a complete hand ends: with chance `chance` (by suits alone) it has this result.

    `times` is its wager in first wagers: 2 for a doubled one.
    """

    chance: Fraction
    result: Result
    times: int

    def net(self, wager: int) -> Fraction:
        """What the player gains, in first wagers of `wager` minor units."""
        return Fraction(self.result.net(wager * self.times), wager)


Ending = tuple[Settled, ...]
"""All the ways in which one hand may end by its suits, the chances adding up to 1."""


SuitedWays = Mapping[tuple[int, int], tuple[tuple[tuple[Card, ...], int], ...]]


@frozen
class Suits:
    """Hands that end by their suits.

    `ways[shown, final]`: the hands of each class, and which part of the ending that is. `times`:
    how many of each card the shoe holds; `tell`: the class of a hand (the flag: it was split).
    """

    ways: SuitedWays
    times: Mapping[Card, int]
    tell: Callable[[Sequence[Card], bool], Hashable]


class TakeCard(NamedTuple):
    """The hand takes a card in hand state `state`: what it becomes is in `after[state]`."""

    state: int


class End(NamedTuple):
    """The hand is complete as `final`."""

    final: int


class SplitHand(NamedTuple):
    """Two hands are made, each a card in hand state `state`; each draws when its turn comes."""

    state: int


Then = TakeCard | End | SplitHand


class Node(NamedTuple):
    """A hand state against a dealer's shown state: the play, and what each action leads to.

    Where nothing is asked, `play` is None and `then` has one entry, under None.
    """

    play: Play[Any, Any] | None
    then: Mapping[Action | None, Then]


class Side(NamedTuple):
    """A side bet that is asked before play: for each option the net by hidden letter.

    In first wagers; an option that takes no bet has an empty tuple.
    """

    play: Play[Any, Any]
    nets: Mapping[Action, tuple[Fraction, ...]]


@frozen
class Tables:
    """A game with its options, tabulated for one seat and one first wager.

    - `letters`: the cards of each letter, `counts` how many of them the full pack holds.
    - `first_cards`: number of cards that the player is dealt before anything is asked; `up` and
      `hidden`: those of the dealer, face up and face down.
    - `cards`: a hand of each hand state; `after[state][letter]`: the state with one more card.
      State 0 is the empty hand. `split` and `doubled`: the states of such hands.
    - `dealers`, `dealer_after`: the same of the dealer; `draws[state]`: the dealer takes a card.
    - `shown`: the dealer states against which hands are played, with all their `up` cards.
    - `nodes[shown][state]`: what is asked there. `fixed[shown][final]`: endings that hang on what
      the dealer shows alone; `ends[final][dealer]` with the dealer's complete hand.
    - `naturals[shown]`: hidden letters that end the round at a look before play, and
      `natural_ends[shown][state]` how the first cards then end.
    - `sides[shown]`: side bets. `most_hands`: hands that splits may make of one; where they are
      limited, `capped[shown][state]` is what is asked of a pair that cannot be split any more
      (None: nothing), in place of its node.
    - `suits`: of endings in `fixed` that hang on suits, which suits.
    """

    identity: str
    options: Mapping[str, object]
    wager: int
    letters: tuple[tuple[Card, ...], ...]
    counts: tuple[int, ...]
    first_cards: int
    up: int
    hidden: int
    cards: tuple[tuple[Card, ...], ...]
    split: tuple[bool, ...]
    doubled: tuple[bool, ...]
    after: tuple[tuple[int, ...], ...]
    dealers: tuple[tuple[Card, ...], ...]
    dealer_after: tuple[tuple[int, ...], ...]
    draws: tuple[bool, ...]
    shown: tuple[int, ...]
    nodes: Mapping[int, Mapping[int, Node]]
    fixed: Mapping[int, Mapping[int, Ending]]
    ends: Mapping[int, Mapping[int, Ending]]
    drawn_for: frozenset[int]
    naturals: Mapping[int, frozenset[int]]
    natural_ends: Mapping[int, Mapping[int, Ending]]
    sides: Mapping[int, Side]
    most_hands: int
    capped: Mapping[int, Mapping[int, Play[Any, Any] | None]]
    suits: Suits
