"""The best play by cards, splits included, is that of the live scripts' whole tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from controller.odds.exact.exact_odds import Strategy, exact_odds
from controller.rules.actions import SIDE_BET
from controller.rules.cards import Card
from controller.rules.engine.round import Run, known_answer
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.script.felt import Felt
from controller.rules.script.steps import Ask, Deal
from controller.rules.sealed import Sealed
from tests.odds.test_exact import WAGER, shoe_of, walked
from tests.odds.test_option_pairs import pairs
from tests.support.forms import quick_first

#: What is seen, and what was answered to a side bet.
Key = tuple[tuple[Hashable, ...], Any]
#: The number of a box's first hand.
FIRST = 1


class World(NamedTuple):
    """One course of a round that the player cannot tell from others beside it.

    `side`: what was answered to a side bet, which is paid beside the hand.
    """

    chance: Fraction
    answers: tuple[Any, ...]
    shoe: Mapping[Card, int]
    side: Any = None


def seen(felt: Felt, step: Ask) -> tuple[Hashable, ...]:
    """What the player goes by: the ranks of the own hand and of the dealer's open cards.

    Of a split hand also which card was split: the other hand holds one, too.
    """
    pair = step.hand.cards[0].rank if step.hand.split else None
    own = tuple(sorted(card.rank for card in step.hand.cards))
    if step.hand.place.hand == SIDE_BET:
        own = tuple(sorted(card.rank for card in felt.hands[0].cards))
    dealers = tuple(card.rank for card in felt.dealer.cards)
    return step.hand.place.hand == SIDE_BET, pair, own, dealers


class Solved:
    """The best play of one hand, found in the live script's tree.

    Of a split the first hand alone is played, against the shoe less the split cards, and counts
    twice: the others are like it, and stand as soon as they may. The player chooses once for all
    worlds that look the same: hidden cards, suits and the order of cards are not known.
    """

    def __init__(self, plays: Game, shoe: Mapping[Card, int]) -> None:
        self.plays = plays
        self.choices: dict[Hashable, Any] = {}
        self._worth: dict[Key, Fraction] = {}
        self.worth = self._solve([World(Fraction(1), (), shoe)])

    def choose(self, plays: Game, step: Ask, felt: Felt) -> Any:
        """The best action, for `walked`."""
        return self.choices[seen(felt, step)]

    def _run(self, world: World) -> tuple[Run, World]:
        """The round up to the next card or choice that counts."""
        run = Run(self.plays, ((1, WAGER),))
        for each in world.answers:
            run.feed(each)
        answers = list(world.answers)
        while (step := run.step) is not None and not isinstance(step, Deal):
            if isinstance(step, Ask):
                if step.hand.place.hand in (FIRST, SIDE_BET):
                    break
                answers.append(step.play.options[0])
            else:
                answers.append(known_answer(step))
            run.feed(answers[-1])
        return run, world._replace(answers=tuple(answers))

    def _solve(self, worlds: list[World]) -> Fraction:
        total = Fraction(0)
        asked: dict[Key, list[World]] = defaultdict(list)
        steps: dict[Key, Ask] = {}
        drawn: list[World] = []
        for before in worlds:
            run, world = self._run(before)
            step = run.step
            if step is None:
                total += world.chance * self._net(run.felt)
            elif isinstance(step, Ask):
                key = seen(run.felt, step), world.side
                asked[key].append(world)
                steps[key] = step
            else:
                assert isinstance(step, Deal)
                drawn.extend(self._drawn(world, down=step.down))
        if drawn:
            total += self._solve(drawn)
        for key, alike in asked.items():
            total += self._best(key, steps[key], alike)
        return total

    def _drawn(self, world: World, *, down: bool) -> list[World]:
        left = sum(world.shoe.values())
        assert left, "the toy shoe ran out"
        return [
            world._replace(
                chance=world.chance * Fraction(times, left),
                answers=(*world.answers, Sealed(kind) if down else kind),
                shoe={**world.shoe, kind: times - 1},
            )
            for kind, times in world.shoe.items()
            if times
        ]

    def _best(self, key: Key, step: Ask, alike: list[World]) -> Fraction:
        chance = sum((each.chance for each in alike), Fraction(0))
        if key not in self._worth:
            bets = step.hand.place.hand == SIDE_BET
            worth = {
                action: self._solve(
                    [
                        each._replace(
                            answers=(*each.answers, action), side=action if bets else each.side
                        )
                        for each in alike
                    ]
                )
                for action in step.play.options
            }
            best = max(worth, key=lambda action: worth[action])
            self.choices[key[0]] = best
            self._worth[key] = worth[best] / chance
        return chance * self._worth[key]

    def _net(self, felt: Felt) -> Fraction:
        hands = [each for each in felt.hands if each.place.hand != SIDE_BET]
        sides = sum(each.net or 0 for each in felt.hands if each.place.hand == SIDE_BET)
        return Fraction(len(hands) * (hands[0].net or 0) + sides, WAGER)


def is_best(plays: Game, cards: str) -> None:
    """The engine's figure is what that play is worth, all hands of a split walked."""
    shoe = shoe_of(cards)
    solved = Solved(plays, shoe)
    in_full = walked(plays, shoe, solved.choose)
    assert in_full == solved.worth
    odds = exact_odds(plays, WAGER, Strategy.BEST_COMPOSITION, shoe)
    assert -odds.edge == pytest.approx(float(in_full), abs=1e-12)


TOYS = {
    "blackjack": "8s 8s 8s 6s 6s Ts Ts Ts Ts As",
    "finnish-27": "9s 9h 9s Ks Ks 8s Ts Ts Jo Qs",
    "casino-7-27": "As As 3s 5s Ts Ts Ts 8s 8s",
    "21-24-27": "Ks Ks As As 9s 9s 9s Jo 6s 6s",
}


@pytest.mark.parametrize("name", quick_first(TOYS, ["blackjack"]))
def test_the_best_play_by_cards_is_worth_what_the_live_script_says(name: str) -> None:
    is_best(game(name), TOYS[name])


@pytest.mark.long
@pytest.mark.parametrize("name", ["blackjack", "casino-7-27"])  # Finnish 27 takes many minutes
def test_options_pairwise_at_their_best_play(name: str) -> None:
    for chosen in pairs(name):
        if not chosen.get("resplit"):
            is_best(game(name).with_options(chosen), TOYS[name])
