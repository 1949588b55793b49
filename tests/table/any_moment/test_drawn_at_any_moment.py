"""A card may be drawn at any moment: it is the one that is awaited, a lawful hit, or a hold.

It never moves chips, and it is never a hit for a hand that had not been asked.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.inputs import Doubt, Reading
from controller.rules.actions import DRAWS
from controller.rules.game import Game
from controller.rules.games.registry import GAMES
from controller.rules.script.steps import Ask, Deal
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.decide import Decision, decide
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.state.phases import Phase
from controller.table.state.state import State
from tests.support.dealt.croupier import Croupier
from tests.support.forms import examples
from tests.support.pit import SCANNER, Pit, opened, setup

#: What follows from a card by itself: a look that nobody takes, the end of a round without chips.
_BY_ITSELF = (f.DealerPeeked,)


def drawn(state: State, reading: Reading) -> Decision:
    """What the table makes of a card that leaves the shoe now."""
    stamp = i.Stamp(state.clock.at_ms, state.clock.mono_ns + 1_000_000_000, "test:drawn", bytes(16))
    return decide(state, reading, stamp)


def judged(state: State, decision: Decision) -> str:
    """What the card was: awaited, a hit, burned, or a hold. Fails for anything else."""
    assert not decision.refused
    facts = [record.fact for record in decision.records]
    kinds = [type(fact) for fact in facts]
    step = state.step
    if f.HoldRaised in kinds and f.CardDealt not in kinds and f.CardDealtDown not in kinds:
        assert kinds == [f.HoldRaised]
        return "hold"
    if kinds[0] is f.CardBurned:
        assert state.phase is Phase.BURN
        return "burned"
    if kinds[0] is f.Decided:
        decided = facts.pop(0)
        assert isinstance(decided, f.Decided)
        assert isinstance(step, Ask)
        assert decided.by_draw
        assert decided.action in DRAWS
        assert decided.action in step.play.options
        assert (decided.seat, decided.hand) == step.hand.place
        what = "hit"
    else:
        assert isinstance(step, Deal)
        what = "awaited"
    dealt = facts.pop(0)
    assert isinstance(dealt, f.CardDealt | f.CardDealtDown)
    assert step is not None
    assert (dealt.seat, dealt.hand) == step.hand.place
    assert all(isinstance(each, (*_BY_ITSELF, f.RoundEnded, f.HoldRaised)) for each in facts), facts
    return what


@pytest.mark.parametrize("plays", GAMES.values(), ids=lambda each: each.name)
@examples(3, long=120)
@given(seed=st.integers(0, 2**32))
def test_a_card_drawn_at_any_moment_of_any_game(plays: Game, seed: int) -> None:
    mixed = random.Random(seed)
    seats = mixed.randint(plays.seats.start, min(5, plays.seats.stop - 1))
    croupier = Croupier(Pit(setup(seats, plays.name)), mixed)
    kinds_found: set[str] = set()

    def one_more() -> None:
        state = croupier.pit.state
        if not croupier.shoe:
            return
        card = Sealed(croupier.shoe[-1].kind, croupier.shoe[-1].serial)
        found = judged(state, drawn(state, Reading(SCANNER, card, apart=True)))
        kinds_found.add(found)
        unread = drawn(state, Reading(SCANNER, None, Doubt.NO_CODE, apart=True))
        assert judged(state, unread) in ("hold", "awaited", "hit", "burned")
        if isinstance(state.step, Ask | Deal):
            # It had left before that hand was asked: the prompt was for another one then.
            early = Reading(SCANNER, card, apart=True, passed_ns=state.rounds.turn_ns - 1)
            wanted = "hold" if isinstance(state.step, Ask) else "awaited"
            assert judged(state, drawn(state, early)) in (wanted, "hold")
        elif state.phase is not Phase.BURN:
            assert found == "hold"

    one_more()
    croupier.open_bets()
    one_more()
    croupier.round(dict.fromkeys(range(1, seats + 1), 1_000), one_more)
    one_more()
    assert "hold" in kinds_found
    assert "awaited" in kinds_found


def test_a_card_drawn_while_box_1_is_to_be_paid_is_no_hit_of_box_2_who_stood() -> None:
    """As it was played: box 1 bust, "Take box 1", a card; box 2 on 20 was never asked."""
    pit = opened(2, "blackjack")
    for seat in (1, 2):
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal("Th Kd 6c 6s Qd 9h Kc")
    pit.expect(next="Take box 1: 10.00")
    pit.deal("5c")
    pit.expect(next="Card drawn in error")
    assert not pit.settled
    assert not any(isinstance(fact, f.Decided) and fact.seat == 2 for fact in pit.facts)
    assert pit.state.holds[0].reason is Reason.DRAWN
    pit.resolve(Resolution.SET_ASIDE)
    pit.expect(next="Take box 1: 10.00")


def test_a_card_that_had_left_before_the_hand_was_asked_is_no_hit() -> None:
    """Its code came late: "Done" was pressed between the card and its code."""
    pit = opened(2, "blackjack")
    for seat in (1, 2):
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal("Th Kd 6c 6s Qd 9h Kc")
    before_ns = pit.state.clock.mono_ns
    pit.press("next")
    assert isinstance(pit.state.step, Ask)
    card = Sealed(pit.state.shoe.pack.cards()[0])
    pit.give(Reading(SCANNER, card, apart=True, passed_ns=before_ns + 1))
    pit.expect(next="Card drawn in error", why="A card left the shoe before box 2 was asked.")
