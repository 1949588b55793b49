"""Outcomes for each unit bet: what a server pays by them is what the table paid."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from controller.rules.cards import Pack, card
from controller.rules.games.registry import game
from controller.rules.script.steps import AddWager, Ask, Deal, Peek, Reveal, Settle, Vie
from controller.table import inputs as i
from controller.table.views.outcomes import outcomes
from controller.table.views.replay import known_rounds
from tests.support.forms import quick_first
from tests.support.pit import Pit, opened

HOUSE_GAMES = ("21-24-27", "finnish-27", "casino-7-27", "blackjack")


def shuffled(pack: Pack, random: Random) -> list[str]:
    cards = [each.code for each in pack.kinds() for _ in range(pack.times(each))]
    random.shuffle(cards)
    return cards


def played(name: str, seed: int, seats: int = 3) -> Pit:
    """A round of random play, every action that is open taken now and then."""
    random = Random(seed)
    pit = opened(seats, name)
    cards = shuffled(game(name).pack, random)
    for seat in range(1, seats + 1):
        assert not pit.bet(seat, random.choice([1_000, 2_000, 4_000])).refused
    pit.no_more_bets()
    while (step := pit.state.step) is not None:
        if isinstance(step, Ask):
            pit.say(random.choice(step.play.options).value)
        elif isinstance(step, AddWager):
            pit.give(i.ConfirmWager(*step.hand.place))
        elif isinstance(step, Deal):
            code = cards.pop()
            if pit.state.shoe.possible(card(code)):
                pit.deal(code)
        elif isinstance(step, Settle | Reveal):
            pit.press("next")
        else:
            assert not isinstance(step, Vie | Peek)
    return pit


@pytest.mark.parametrize("name", quick_first(HOUSE_GAMES, ["blackjack", "finnish-27"]))
def test_a_bet_behind_is_paid_as_the_seats_own(name: str) -> None:
    endings = set()
    for seed in range(25):
        pit = played(name, seed)
        (latest,) = known_rounds(pit.state)
        said = outcomes(latest)
        assert said.ended
        first = {seat: wager or 0 for seat, wager in latest.wagers}
        for hand, each in zip(latest.felt.hands, said.hands, strict=True):
            assert (each.seat, each.hand) == hand.place
            assert each.stake is not None
            assert each.pays is not None
            wager = first[each.seat] * Fraction(each.stake)
            bonus = each.bonus
            on_top = Fraction(bonus.pays) * wager if bonus and bonus.pays else 0
            fixed = (bonus.amount or 0) if bonus else 0
            assert wager * Fraction(each.pays) + on_top + fixed == hand.net
            endings.add((each.outcome, each.stake))
    assert len(endings) >= 3
