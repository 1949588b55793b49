"""The whole tree of a live script: every order of a toy shoe's cards, by kinds of card.

Exact, in whole numbers: what a round gains is counted over all orders of the cards that are left.
What lies alike on the felt goes on alike and is walked once. That the script does look at the felt
alone is shown, too: `walked` walks every way for itself, and finds the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import factorial
from typing import Any, NamedTuple

import pytest

from controller.odds.exact.exact_odds import ExactOdds
from controller.rules.actions import SIDE_BET, Outcome
from controller.rules.cards import Card, card
from controller.rules.engine.round import Run, known_answer
from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.script.felt import Felt, Hand
from controller.rules.script.steps import Ask, Deal
from controller.rules.sealed import Sealed

WAGER = 1_000

Choose = Callable[[Game, Ask, Felt], Any]
Answers = tuple[Any, ...]
#: How many cards of each kind are left.
Left = tuple[int, ...]


def shoe_of(text: str) -> dict[Card, int]:
    cards = text.split()
    return {card(code): cards.count(code) for code in dict.fromkeys(cards)}


def advice(plays: Game, step: Ask, felt: Felt) -> Any:
    return plays.advise(step.play, step.hand.cards)


def walked(
    plays: Game,
    shoe: Mapping[Card, int],
    choose: Choose | None,
    answers: tuple[Any, ...] = (),
    wager: int = WAGER,
    power: int = 1,
) -> Fraction:
    """The net of the live script over every order of the shoe's cards, in first wagers.

    To a `power`, if one is given. Without `choose` the player does what is best, knowing what lies
    open.
    """
    run = Run(plays, ((1, wager),))
    for each in answers:
        run.feed(each)
    while run.step is not None and not isinstance(run.step, Deal | Ask):
        answer = known_answer(run.step)
        run.feed(answer)
        answers = (*answers, answer)
    step = run.step
    if step is None:
        net = sum(hand.net or 0 for hand in run.felt.hands)
        return Fraction(net, wager) ** power
    if isinstance(step, Ask):
        if choose is not None:
            return walked(
                plays, shoe, choose, (*answers, choose(plays, step, run.felt)), wager, power
            )
        return max(walked(plays, shoe, None, (*answers, each), wager) for each in step.play.options)
    left = sum(shoe.values())
    assert left, "the toy shoe ran out"
    total = Fraction(0)
    for kind, times in shoe.items():
        if times:
            rest = {**shoe, kind: times - 1}
            answer = Sealed(kind) if step.down else kind
            mean = walked(plays, rest, choose, (*answers, answer), wager, power)
            total += Fraction(times, left) * mean
    return total


def replayed(plays: Game, answers: Sequence[Any], wager: int = WAGER) -> Run:
    """A round after these answers."""
    run = Run(plays, ((1, wager),))
    for each in answers:
        run.feed(each)
    return run


def _lies(hand: Hand, in_order: int) -> Hashable:
    """What a hand is, the order of its cards but of the first ones left out."""
    codes = [each.code for each in hand.cards]
    cards = (*codes[:in_order], *sorted(codes[in_order:]))
    hidden = tuple((at, each.open()) for at, each in (hand.down or {}).items())
    return cards, hidden, hand.doubled, hand.split, hand.ended


def position(run: Run, left: Left, *, nets: bool) -> Hashable:
    """What the round goes on by: the dealer's cards in order, hands that have no result yet.

    With `nets` also what the others won.
    """
    step, felt = run.step, run.felt
    assert isinstance(step, Deal)
    hands = tuple(
        (each.place, _lies(each, 1))
        if each.result is None
        else (each.place, each.net if nets else None)
        for each in felt.hands
    )
    return step.hand.place, step.down, left, hands, _lies(felt.dealer, len(felt.dealer.cards))


class Sums(NamedTuple):
    """Sums over all orders of what is left: nets, their squares, hands by how they end."""

    net: int
    square: int
    ends: dict[str, int]


class Tree:
    """The tree of a script in which the player goes by `choose`."""

    def __init__(
        self, plays: Game, shoe: Mapping[Card, int], choose: Choose, wager: int = WAGER
    ) -> None:
        self.plays = plays
        self.wager = wager
        self.kinds = tuple(shoe)
        self.left = tuple(shoe.values())
        self.choose = choose
        self.known: dict[Hashable, Sums] = {}

    def moments(self) -> tuple[Fraction, Fraction]:
        """The mean of what a round gains, in first wagers, and of its square."""
        orders = factorial(sum(self.left))
        net, square, _ = self.sums((), self.left)
        wager = self.wager
        return Fraction(net, orders * wager), Fraction(square, orders * wager**2)

    def endings(self) -> dict[str, Fraction]:
        """How many hands a round end so, by outcome and by the name of a bonus."""
        orders = factorial(sum(self.left))
        ends = self.sums((), self.left).ends
        return {name: Fraction(count, orders) for name, count in ends.items() if count}

    def sums(self, answers: Answers, left: Left) -> Sums:
        """The sums over all orders of what is left after these answers."""
        return self._sums(self._replayed(answers), list(answers), left)

    def _replayed(self, answers: Sequence[Any]) -> Run:
        return replayed(self.plays, answers, self.wager)

    def _sums(self, run: Run, answers: list[Any], left: Left) -> Sums:
        while (step := run.step) is not None and not isinstance(step, Deal):
            if isinstance(step, Ask):
                answers.append(self.choose(self.plays, step, run.felt))
            else:
                answers.append(known_answer(step))
            run.feed(answers[-1])
        orders = factorial(sum(left))
        sure = sum(each.net or 0 for each in run.felt.hands)
        ended = self._ended(run.felt)
        if step is None:
            ends = {name: count * orders for name, count in ended.items()}
            return Sums(sure * orders, sure * sure * orders, ends)
        key = position(run, left, nets=False)
        if (found := self.known.get(key)) is None:
            net, square, ends = self._drawn(run, step, answers, left)
            open_net = net - sure * orders
            found = Sums(
                open_net,
                square - 2 * sure * open_net - sure * sure * orders,
                {name: count - ended[name] * orders for name, count in ends.items()},
            )
            self.known[key] = found
        net, square, ends = found
        return Sums(
            net + sure * orders,
            square + 2 * sure * net + sure * sure * orders,
            {name: ends.get(name, 0) + ended[name] * orders for name in ends.keys() | ended},
        )

    def _ended(self, felt: Felt) -> Counter[str]:
        """How the hands that have a result ended; a side bet is no hand."""
        ended: Counter[str] = Counter()
        for each in felt.hands:
            if each.result is not None and each.place.hand != SIDE_BET:
                ended[each.result.outcome.value] += 1
                if each.result.bonus:
                    ended[ENGLISH.say(each.result.bonus.name, self.plays.words)] += 1
        return ended

    def _drawn(self, run: Run, step: Deal, answers: list[Any], left: Left) -> Sums:
        net = square = 0
        ends: Counter[str] = Counter()
        at_hand: Run | None = run
        for kind, times, fewer in drawings(self.kinds, left):
            answer = Sealed(kind) if step.down else kind
            after = at_hand or self._replayed(answers)
            at_hand = None  # this run goes on with the first kind, each other has one of its own
            after.feed(answer)
            found = self._sums(after, [*answers, answer], fewer)
            net += times * found.net
            square += times * found.square
            for name, count in found.ends.items():
                ends[name] += times * count
        return Sums(net, square, ends)


def assert_ends_as(tree: Tree, odds: ExactOdds) -> None:
    """Outcomes, bonuses and hands a round are those of the tree."""
    found = tree.endings()
    likely = {name: chance for name, chance in odds.outcomes.items() if chance > 1e-13}
    assert likely == pytest.approx({name: float(each) for name, each in found.items()}, abs=1e-12)
    outcomes = {each.value for each in Outcome}
    hands = sum(chance for name, chance in found.items() if name in outcomes)
    assert odds.hands == pytest.approx(float(hands), abs=1e-12)


def drawings(kinds: Sequence[Card], left: Left) -> list[tuple[Card, int, Left]]:
    """Each kind that may come next, how many of it there are, and what is left then."""
    assert any(left), "the toy shoe ran out"
    return [
        (kind, times, (*left[:at], times - 1, *left[at + 1 :]))
        for at, (kind, times) in enumerate(zip(kinds, left, strict=True))
        if times
    ]
