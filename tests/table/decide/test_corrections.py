"""Corrections: an event, never an edit; all still holds, or the first misfit is named."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.cards import card
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.decide.consequences.corrected import likely, recalled
from controller.table.facts import HandSettled, RoundCorrected
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Resolution
from controller.table.recorded.log_entry import Mark
from controller.table.views.public import public
from tests.support.dealt.croupier import Croupier
from tests.support.forms import examples
from tests.support.pit import Pit, opened, out_of_cards, setup

REPLACE, REMOVE, INSERT, WAGER, DEAD, BURN, KEEP = EditKind


def correct(pit: Pit, *edits: i.EditAsked, number: int = 1, reason: str = "misread") -> str:
    return pit.give(i.Correct(number, edits, reason)).refused


def playing(cards: str = "6h 9c 9d 7s", name: str = "21-24-27", **options: bool) -> Pit:
    pit = opened(3, name, **options)
    pit.bet(1, 1_000)
    pit.no_more_bets()
    pit.deal(cards)
    return pit


def test_a_misread_card_is_replaced_and_the_round_goes_on() -> None:
    pit = playing()
    pit.expect(next="Seat 1: stand or hit?", why="Hard 15 against hard 16")
    assert correct(pit, i.EditAsked(2, REPLACE, "8d")) == ""
    pit.expect(next="Seat 1 must hit: hard 14 is under 15")
    face_up = pit.state.shoe.face_up
    assert (face_up.get(card("9d"), 0), face_up[card("8d")]) == (0, 1)
    assert pit.state.shoe.gone == 5


def test_the_first_later_fact_that_no_longer_fits_is_named() -> None:
    pit = playing()
    pit.press("stand")
    assert "Then step 5 no longer fits" in correct(pit, i.EditAsked(2, REPLACE, "8d"))
    pit.expect(next="Dealer draws: hard 16 is under 21")


def test_a_card_that_left_unseen_is_put_in_with_the_hit_that_it_says() -> None:
    pit = playing("6h 9c 9d 7s")
    assert correct(pit, i.EditAsked(4, INSERT, "Kd"), reason="the beam was blind") == ""
    assert pit.state.shoe.gone == 6
    pit.expect(next="Take seat 1: 10.00", why="28 is over 27.")


def test_a_decision_is_taken_back() -> None:
    pit = playing()
    pit.press("stand")
    assert correct(pit, i.EditAsked(4, REMOVE), reason="pressed by mistake") == ""
    pit.expect(next="Seat 1: stand or hit?")


def test_a_card_that_never_left_is_taken_out() -> None:
    pit = playing("6h 9c 9d 7s Kd")
    assert pit.state.shoe.gone == 6
    assert correct(pit, i.EditAsked(5, REMOVE), i.EditAsked(4, REMOVE)) == ""
    assert pit.state.shoe.gone == 5
    pit.expect(next="Seat 1: stand or hit?")


def settled() -> Pit:
    """Seat 1 has 22 against 24 and was taken."""
    pit = playing("Kh 9c 9d 7s")
    pit.press("stand")
    pit.deal("8s")
    pit.press("next")
    assert any(isinstance(fact, HandSettled) for fact in pit.facts)
    return pit


def test_a_settled_round_gives_the_difference_to_pay_seat_by_seat() -> None:
    pit = settled()
    assert correct(pit, i.EditAsked(5, REPLACE, "Ks")) == ""
    pit.expect(next="Settle what is owed", why="Round 1: pay seat 1 20.00.")
    assert RoundCorrected in {type(fact) for fact in pit.facts}
    assert public(pit.state).rounds[0].net == "10.00"
    assert pit.bet(2).refused.startswith("The table is held")
    pit.resolve(Resolution.SQUARED)
    pit.expect(next="Place your bets")


def test_a_wager_that_was_entered_wrongly_is_corrected_with_its_difference() -> None:
    pit = settled()
    assert correct(pit, i.EditAsked(1, WAGER, amount=2_500)) == ""
    pit.expect(why="Round 1: collect seat 1 15.00.")
    assert "had no bet" in correct(pit, i.EditAsked(2, WAGER, amount=2_500))
    assert "under the minimum" in correct(pit, i.EditAsked(1, WAGER, amount=10))


def test_a_hidden_card_that_was_misread_is_replaced_where_it_was_turned() -> None:
    pit = playing("Th 9c 9d 7d", "blackjack")
    pit.say("stand")
    pit.press("next")
    assert "no longer fits" not in correct(pit, i.EditAsked(5, REPLACE, "8d"))
    pit.expect(next="Pay box 1: 10.00", why="19 beats 17.")


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (i.EditAsked(99, REPLACE, "Th"), "There is no step 100"),
        (i.EditAsked(0, REPLACE, "Zz"), "not a card"),
        (i.EditAsked(0, REPLACE), "Say which card"),
        (i.EditAsked(0, INSERT, "Th"), "no longer fits"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(edit: i.EditAsked, says: str) -> None:
    pit = playing()
    before = pit.state.rounds.latest
    assert before is not None
    assert says in correct(pit, edit)
    assert pit.state.rounds.latest is not None
    assert pit.state.rounds.latest.felt is before.felt
    assert [each.marks for each in pit.state.rounds.latest.log] == [(Mark.REFUSAL,)]


def test_a_round_that_is_not_kept_or_void_and_an_empty_reason_are_refused() -> None:
    pit = playing()
    assert "cannot be corrected" in correct(pit, i.EditAsked(0, REPLACE, "Th"), number=9)
    assert "few words" in correct(pit, i.EditAsked(0, REPLACE, "Th"), reason=" ")


def test_the_likeliest_card_stands_first_and_only_those_that_fit_are_offered() -> None:
    pit = playing("6h 9c 9d 7s")
    pit.press("stand")
    offered = likely(pit.state, 1, 2)
    assert offered[:3] == [card("9c"), card("9h"), card("9s")]
    assert card("8d") not in offered  # hard 14 would have had to hit
    assert card("Td") in offered


@pytest.mark.parametrize("name", GAMES)
@examples(4, long=250)
@given(seed=st.integers(0, 2**32))
def test_a_correction_undone_is_the_round_as_it_was(name: str, seed: int) -> None:
    """Any open card replaced and put back, in any game: same felt, same shoe, nothing owed."""
    mixed = random.Random(seed)
    plays = GAMES[name]
    seats = max(2, plays.seats.start)
    pit = Pit(setup(seats, name))
    croupier = Croupier(pit, mixed)
    croupier.round(dict.fromkeys(range(1, seats + 1), 1_000))
    past = recalled(pit.state, 1)
    at = mixed.choice([at for at, each in enumerate(past.steps) if each.card is not None])
    read = past.steps[at].card
    assert read is not None
    others = likely(pit.state, 1, at)
    if not others:
        return
    shoe, hands = pit.state.shoe, pit.display.hands
    for code in (mixed.choice(others).code, read.code):
        assert correct(pit, i.EditAsked(at, REPLACE, code)) == ""
        while pit.state.holds:
            pit.resolve(Resolution.SQUARED)
    assert pit.display.hands == hands
    assert {kind: n for kind, n in pit.state.shoe.face_up.items() if n} == shoe.face_up
    assert recalled(pit.state, 1).net == past.net


def test_a_round_of_the_shoe_before_is_corrected_whatever_left_the_shoe_since() -> None:
    """The dispute comes after the shuffle: all six 6♣ of the new shoe lie face up."""
    pit = opened(3, penetration_cards=5)
    pit.bet(1, 1_000)
    pit.no_more_bets()
    pit.deal("Kh 9c 9d 7s")
    pit.press("stand")
    pit.deal("8s")
    pit.press("next")
    pit.give(i.CloseShoe(pit.state.shoe.left))
    pit.shuffle()
    for seat in (1, 2, 3):
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal("6c 6c 6c 9h 6c 6c 6c")
    before = pit.state.shoe
    assert before.face_up[card("6c")] == 6
    assert card("6c") in likely(pit.state, 1, 5)
    assert correct(pit, i.EditAsked(5, REPLACE, "6c")) == ""
    assert pit.state.shoe.face_up == before.face_up
    assert pit.state.shoe.gone == before.gone


def test_a_round_before_the_discards_came_back_no_longer_changes_the_shoe() -> None:
    pit = out_of_cards()
    pit.resolve(Resolution.REFILLED)
    past = pit.state.rounds.past[-1]
    at = next(at for at, step in enumerate(past.steps) if step.card is not None)
    other = likely(pit.state, past.number, at)[0]
    before = pit.state.shoe
    assert correct(pit, i.EditAsked(at, REPLACE, other.code), number=past.number) == ""
    assert (pit.state.shoe.gone, pit.state.shoe.face_up) == (before.gone, before.face_up)
    in_play = pit.state.in_play
    assert in_play is not None
    at = next(at for at, step in enumerate(in_play.steps) if step.card is not None)
    read = in_play.steps[at].card
    assert read is not None
    other = likely(pit.state, in_play.number, at)[0]
    if pit.state.holds:
        pit.resolve(Resolution.SQUARED)
    assert correct(pit, i.EditAsked(at, REPLACE, other.code), number=in_play.number) == ""
    assert pit.state.shoe.face_up.get(other, 0) == before.face_up.get(other, 0) + 1
    assert pit.state.shoe.face_up.get(read, 0) == before.face_up[read] - 1


@pytest.mark.parametrize("back", [1, 2])
def test_a_round_that_is_over_stays_so(back: int) -> None:
    pit = settled()
    latest = pit.state.rounds.latest
    assert latest is not None
    at = range(len(latest.steps) - 1, len(latest.steps) - 1 - back, -1)
    refused = correct(pit, *(i.EditAsked(each, REMOVE) for each in at))
    assert refused == "Round 1 is over, and would not be: correct what comes after it, too"
    assert pit.state.rounds.latest is latest
    assert not pit.state.holds


def untracked() -> Pit:
    """Seat 1 won a round in which nobody entered how much was bet, and was paid."""
    pit = opened(3)
    pit.bet(1, None)
    pit.no_more_bets()
    pit.deal("Kd 6c Kc 9c")
    pit.say("stand")
    pit.deal("Ts")
    pit.settle_all()
    return pit


def test_an_amount_that_nobody_entered_is_entered_later_and_nothing_is_paid_again() -> None:
    pit = untracked()
    assert correct(pit, i.EditAsked(1, WAGER, amount=1_000)) == ""
    assert not pit.state.holds, "the bet was paid as it lay there"
    assert public(pit.state).rounds[0].net == "10.00"
    # And if it turns out that it lay there otherwise, what was paid is on record from here on.
    assert correct(pit, i.EditAsked(1, WAGER, amount=2_500)) == ""
    pit.expect(why="Round 1: pay seat 1 15.00.")


def test_an_amount_that_is_entered_with_another_end_is_settled_anew_by_people() -> None:
    pit = untracked()
    assert correct(pit, i.EditAsked(1, WAGER, amount=1_000), i.EditAsked(2, REPLACE, "Qc")) == ""
    pit.expect(next="Settle what is owed")
    assert "pay seat 1 10.00" not in pit.display.why
    assert "seat 1" in pit.display.why
