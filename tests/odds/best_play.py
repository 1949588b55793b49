"""The best play by cards, found in a live script's whole tree; see `whole_tree`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any, NamedTuple

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action
from controller.rules.cards import Card, card
from controller.rules.engine.round import Run, known_answer
from controller.rules.game import Game
from controller.rules.script.felt import Felt, Hand
from controller.rules.script.steps import Ask, Deal
from controller.rules.sealed import Sealed
from tests.odds.whole_tree import WAGER, Answers, Left, Tree, drawings, position, replayed

#: The number of a box's first hand.
FIRST = 1
#: What the other hands of a split are dealt while the first alone is looked at.
SET_ASIDE = card("Th")


class Course(NamedTuple):
    """One course of a round that the player cannot tell from others beside it.

    `weight`: the number of orders in which the cards so far come. `side`: what was answered to a
    side bet, which is paid beside the hand.
    """

    weight: int
    answers: Answers
    left: Left
    side: Any = None

    @property
    def orders(self) -> int:
        """In how many orders the whole shoe comes so."""
        return self.weight * factorial(sum(self.left))


#: What is seen, and what was answered to a side bet.
Key = tuple[tuple[Hashable, ...], Any]


def visible_to_player(felt: Felt, step: Ask) -> tuple[Hashable, ...]:
    """What the player goes by: the ranks of the own hand and of the dealer's open cards.

    Of a split hand also which card was split: the other hand holds one, too.
    """
    pair = step.hand.cards[0].rank if step.hand.split else None
    own = tuple(sorted(card.rank for card in step.hand.cards))
    if step.hand.place.hand == SIDE_BET:
        own = tuple(sorted(card.rank for card in felt.hands[0].cards))
    dealers = tuple(card.rank for card in felt.dealer.cards)
    return step.hand.place.hand == SIDE_BET, pair, own, dealers


class BestPlay:
    """The best play of one hand, found in the live script's tree.

    Of a split the first hand alone is played, against the shoe less the split cards, and counts
    twice: the others are like it. The player chooses once for all worlds that look the same:
    hidden cards, suits and the order of cards are not known. Whether a pair is split again is
    chosen once for a pair and the dealer's open cards, by the whole tree of all its hands.
    """

    def __init__(self, plays: Game, shoe: Mapping[Card, int]) -> None:
        self.plays = plays
        self.kinds = tuple(shoe)
        self.choices: dict[Hashable, Any] = {}
        self.again: dict[Hashable, bool] = {}
        self.by_again = {
            again: Tree(plays, shoe, partial(self._choice, again=again)) for again in (True, False)
        }
        self._worth: dict[Key, Fraction] = {}
        self._known: dict[Hashable, int | None] = {}
        whole = Course(1, (), tuple(shoe.values()))
        self.worth = self._solve([whole]) / (whole.orders * WAGER)

    def choose(self, plays: Game, step: Ask, felt: Felt) -> Any:
        """The best action, for `Tree`."""
        again = step.hand.split and self.again[_pair(step.hand, felt)]
        return self._choice(plays, step, felt, again=again)

    def _choice(self, _plays: Game, step: Ask, felt: Felt, *, again: bool) -> Any:
        if again and step.hand.split and Action.SPLIT in step.play.options:
            return Action.SPLIT
        return self.choices[visible_to_player(felt, step)]

    def _solve(self, worlds: list[Course]) -> Fraction:
        """What these worlds gain, summed over all orders of the cards."""
        total = Fraction(0)
        met: dict[Hashable, tuple[Run, Course]] = {}
        asked: dict[Key, list[Course]] = defaultdict(list)
        steps: dict[Key, Ask] = {}
        for before in worlds:
            run, world = self._on(before)
            step = run.step
            if step is None:
                total += world.orders * _net(run.felt)
            elif isinstance(step, Ask):
                key = visible_to_player(run.felt, step), world.side
                asked[key].append(world)
                steps[key] = step
            else:
                lies = position(run, world.left, nets=True), world.side
                weight = met[lies][1].weight if lies in met else 0
                met[lies] = run, world._replace(weight=world.weight + weight)
        drawn: list[Course] = []
        for run, world in met.values():
            gained = self._dealt(run, world)
            if gained is None:
                drawn.extend(self._drawn(run, world))
            else:
                total += world.weight * gained
        if drawn:
            total += self._solve(drawn)
        for key, several in asked.items():
            total += self._best(key, steps[key], several)
        return total

    def _on(self, world: Course) -> tuple[Run, Course]:
        """The round up to the next card or choice that counts."""
        run = replayed(self.plays, world.answers)
        answers = list(world.answers)
        while (step := run.step) is not None:
            place = step.hand.place
            if isinstance(step, Deal):
                if place.hand == FIRST or place.seat == DEALER_SEAT:
                    break
                answers.append(SET_ASIDE)
            elif isinstance(step, Ask):
                if place.hand in (FIRST, SIDE_BET):
                    break
                answers.append(step.play.options[0])
            else:
                answers.append(known_answer(step))
            run.feed(answers[-1])
        return run, world._replace(answers=tuple(answers))

    def _dealt(self, run: Run, world: Course) -> int | None:
        """What one such world gains if nothing is chosen any more, else None."""
        step = run.step
        if step is None:
            return _net(run.felt) * factorial(sum(world.left))
        if isinstance(step, Ask):
            return None
        key = position(run, world.left, nets=True)
        if key not in self._known:
            gained: int | None = 0
            for after in self._drawn(run, world._replace(weight=1)):
                each = self._dealt(*self._on(after))
                if each is None or gained is None:
                    gained = None
                    break
                gained += after.weight * each
            self._known[key] = gained
        return self._known[key]

    def _drawn(self, run: Run, world: Course) -> list[Course]:
        step = run.step
        assert isinstance(step, Deal)
        return [
            world._replace(
                weight=world.weight * times,
                answers=(*world.answers, Sealed(kind) if step.down else kind),
                left=fewer,
            )
            for kind, times, fewer in drawings(self.kinds, world.left)
        ]

    def _best(self, key: Key, step: Ask, alike: list[Course]) -> Fraction:
        orders = sum(each.orders for each in alike)
        if key not in self._worth:
            worth = {
                action: self._after(step, action, alike)
                for action in step.play.options
                if not (step.hand.split and action is Action.SPLIT)
            }
            best = max(worth, key=lambda action: worth[action])
            self.choices[key[0]] = best
            self._worth[key] = worth[best] / orders
        return orders * self._worth[key]

    def _after(self, step: Ask, action: Any, alike: list[Course]) -> Fraction:
        bets = step.hand.place.hand == SIDE_BET
        after = [
            each._replace(answers=(*each.answers, action), side=action if bets else each.side)
            for each in alike
        ]
        worth = self._solve(after)
        if action is not Action.SPLIT:
            return worth
        worth_by = {
            again: Fraction(
                sum(each.weight * tree.sums(each.answers, each.left)[0] for each in after)
            )
            for again, tree in self.by_again.items()
        }
        if worth_by[True] == worth_by[False]:
            assert worth == worth_by[True], "one hand, twice, is worth what both are"
        felt = replayed(self.plays, alike[0].answers).felt
        self.again[_pair(step.hand, felt)] = worth_by[True] > worth_by[False]
        return max(worth_by.values())


def _pair(hand: Hand, felt: Felt) -> Hashable:
    return hand.cards[0].rank, tuple(card.rank for card in felt.dealer.cards)


def _net(felt: Felt) -> int:
    """What all hands of the box gain, those beside the first being like it; side bets too."""
    hands = [each for each in felt.hands if each.place.hand != SIDE_BET]
    sides = sum(each.net or 0 for each in felt.hands if each.place.hand == SIDE_BET)
    return len(hands) * (hands[0].net or 0) + sides
