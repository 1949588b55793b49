"""What holds at a table whatever is dealt there: whole rounds of every game, played at random.

`Pit` sends every record through the codec and compares the state with the one that the records
alone make; what is settled is compared with the chips here.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import Outcome
from controller.rules.game import Game
from controller.rules.games.registry import GAMES
from controller.table.evolve.evolve import evolve
from controller.table.facts import (
    BetsClosed,
    CardDealt,
    CardDealtDown,
    Decided,
    Fact,
    HandSettled,
    RoundEnded,
    WagerAdded,
)
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.support.dealt.croupier import Croupier
from tests.support.forms import examples
from tests.support.pit import Pit, setup

every_game = pytest.mark.parametrize("plays", GAMES.values(), ids=lambda each: each.name)


def played(plays: Game, seed: int, rounds: int = 2, **options: bool) -> Croupier:
    """A table of that game after some rounds, with as many seats as the seed says."""
    mixed = random.Random(seed)
    seats = mixed.randint(plays.seats.start, min(7, plays.seats.stop - 1))
    croupier = Croupier(Pit(setup(seats, plays.name, **options)), mixed, unread=0.1)
    for _ in range(rounds):
        croupier.open_bets()
        amount = 1_000 if plays.vying else 1_000 * mixed.randint(1, 9)
        croupier.round(dict.fromkeys(range(1, seats + 1), amount))
    return croupier


def of_last_round(facts: list[Fact]) -> list[Fact]:
    began = max(at for at, fact in enumerate(facts) if isinstance(fact, BetsClosed))
    return facts[began:]


@every_game
@examples(2, long=250)
@given(seed=st.integers(0, 2**32))
def test_chips_are_conserved_and_every_card_is_accounted_for(plays: Game, seed: int) -> None:
    pit = played(plays, seed).pit
    facts = of_last_round(pit.facts)
    ended = facts[-1]
    assert isinstance(ended, RoundEnded)
    placed = dict(next(fact for fact in facts if isinstance(fact, BetsClosed)).wagers)
    at_stake = sum(wager or 0 for wager in placed.values())
    at_stake += sum(fact.amount or 0 for fact in facts if isinstance(fact, WagerAdded))
    assert pit.state.rounds.latest is not None
    felt = pit.state.rounds.latest.felt
    settled = [fact for fact in facts if isinstance(fact, HandSettled)]
    if plays.vying:
        assert ended.net == 0
        assert sum(hand.result.share or 0 for hand in felt.hands if hand.result) == sum(
            hand.wager or 0 for hand in felt.hands
        )
    else:
        assert ended.net == sum(fact.net or 0 for fact in settled)
        assert sum(hand.wager or 0 for hand in felt.hands) == at_stake
        for fact in settled:
            assert (fact.net or 0) > 0 if fact.outcome is Outcome.WIN else (fact.net or 0) <= 0
    dealt = sum(isinstance(fact, CardDealt | CardDealtDown) for fact in facts)
    assert dealt == sum(len(hand.cards) for hand in felt.all)


@every_game
@examples(2, long=100)
@given(seed=st.integers(0, 2**32))
def test_records_alone_make_the_same_table(plays: Game, seed: int) -> None:
    pit = played(plays, seed).pit
    state = None
    for record in pit.records:
        state = evolve(state, record)
    assert state is not None
    assert scene(state) == scene(pit.state)
    assert public(state) == public(pit.state)
    past = find_round(state, 2)
    assert past is not None
    steps = replay(past).steps
    assert steps[-1].hands == scene(pit.state).dealer.hands
    assert all(step.text for step in steps)


@every_game
@examples(2, long=100)
@given(seed=st.integers(0, 2**32))
def test_the_display_always_says_something_and_each_key_leads_on(plays: Game, seed: int) -> None:
    """At every step of a round: one sentence, the light that belongs to it, keys with a letter."""
    mixed = random.Random(seed)
    seats = max(3, plays.seats.start)
    croupier = Croupier(Pit(setup(seats, plays.name)), mixed)
    croupier.open_bets()

    def look() -> None:
        shown = croupier.pit.display
        assert shown.headline
        assert len(shown.headline) <= 70, shown.headline
        assert len(shown.why) <= 110, shown.why
        letters = [key.key for key in shown.keys]
        assert len(set(letters)) == len(letters)
        assert all(letters)
        if shown.seat and shown.phase == "round":
            assert croupier.pit.lights[shown.seat - 1] not in ("empty", "standing")
            assert any(hand.active for hand in shown.hands if hand.seat == shown.seat)

    croupier.round(dict.fromkeys(range(1, seats + 1), 1_000), look)


@every_game
def test_a_wager_is_taken_only_if_all_it_may_win_can_be_paid(plays: Game) -> None:
    """Rulings, "Amounts": it is refused when it is placed, with the reason."""
    pit = Pit(setup(plays.seats.start, plays.name))
    Croupier(pit, random.Random(1)).open_bets()
    for amount in range(1_000, 1_400, 50):
        refused = pit.bet(1, amount).refused
        assert bool(refused) == bool(plays.wager_problem(amount))
        assert not refused or refused[0].isupper() or refused[0].isdigit()
    decided = [fact for fact in pit.facts if isinstance(fact, Decided)]
    assert not decided
