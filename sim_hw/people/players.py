"""What players decide, pure: how much to bet, and what to say on a hand.

They see what lies on the felt and their own cards, and follow the strategy that goes with the game
(for 21-24-27 the rule book's eighteen rules). Every choice has a generator of its own, so that
nothing else at the table can change it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Final

from controller.rules.actions import SIDE_BET, Action, Bid
from controller.rules.cards import Card
from controller.rules.engine.round import Run
from controller.rules.game import Game
from controller.rules.script.report import own_cards
from controller.rules.script.steps import DECLINED, DONE, AddWager, Ask, Vie
from sim_hw.table.oracle import Choice

#: How likely a player sits out a round; as many as the game needs never do.
SITS_OUT: Final = 1 / 12
#: How likely a player has second thoughts before the chips of a further wager lie there.
THINKS_AGAIN: Final = 1 / 25
#: How likely a player insures, against all advice.
INSURES: Final = 1 / 8
_UNITS: Final = (1, 1, 1, 2, 2, 3, 5, 8)
_BID_UNITS: Final = (1, 1, 1, 2, 3)


@lru_cache(maxsize=16)
def least_bet(game: Game) -> int:
    """The least wager that the table takes, in minor units; options that allow none are refused."""
    return next(each for each in game.options.some_wagers() if game.wager_problem(each) is None)


def bets(seed: int, round_: int, seats: range, game: Game) -> Mapping[int, int]:
    """Who bets how much in a round, in minor units: what the table takes, and can pay.

    Where players play for a pot, everybody puts in the same.
    """
    least = least_bet(game)
    always = {seats[(round_ + n) % len(seats)] for n in range(game.seats.start)}
    found: dict[int, int] = {}
    for seat in seats:
        chance = Random(f"{seed}/bets/{round_}/{seat}")
        if chance.random() < SITS_OUT and seat not in always:
            continue
        amount = least * (1 if game.vying else chance.choice(_UNITS))
        odd = amount + game.options.smallest_chip * chance.choice((0, 0, 1, 2))
        wanted = (least,) if game.vying else (odd, amount, least)
        found[seat] = next(each for each in wanted if game.wager_problem(each) is None)
    return found


def says(game: Game, run: Run, chance: Random, *, asked_again: bool = False) -> Choice | None:
    """What the player says to the step of `run`; None where nobody is asked.

    `asked_again`: this player has had second thoughts about this wager already.
    """
    step = run.step
    if isinstance(step, AddWager):
        again = not asked_again and chance.random() < THINKS_AGAIN
        return DECLINED if again else DONE
    if not isinstance(step, Ask | Vie):
        return None
    said = game.advise(step.play, _own_cards(run))
    if said is Action.NO_INSURANCE and chance.random() < INSURES:
        return Action.INSURANCE
    if isinstance(said, Bid) and isinstance(step, Vie):
        amount = min(step.high, said.amount * chance.choice(_BID_UNITS))
        return Bid(said.action, amount - amount % step.chip)
    return said


def _own_cards(run: Run) -> list[Card]:
    """The cards of the player who is asked; of a side bet, those of the hand beside it."""
    assert run.step is not None
    hand = run.step.hand
    seat, number = hand.place
    if number == SIDE_BET:
        hand = next(each for each in run.felt.hands if each.place == (seat, 1))
    return list(own_cards(hand))
