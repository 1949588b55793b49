"""Cards that are drawn early or in error, and each lawful way on."""

from __future__ import annotations

import pytest

from controller.devices.inputs import Doubt
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.irregularities.procedures import PROFILES
from controller.table.views.ledger_view import ledger_list
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from tests.table.irregularities.irregular_table import (
    asked,
    happened,
    nets,
    playing,
    resolutions,
    table,
)

# Drawn before the deal


@pytest.mark.parametrize("profile", PROFILES)
def test_a_card_drawn_before_the_bets_are_closed_is_kept_as_the_next_card(profile: str) -> None:
    pit = table(profile)
    pit.bet(1)
    pit.deal("Kh")
    pit.expect(next="Card drawn before the deal")
    assert pit.resolve(Resolution.KEEP).refused == ""
    assert pit.state.shoe.gone == 2
    assert not any("Kh" in str(key) for key in pit.display.keys)
    pit.no_more_bets()
    pit.expect(
        next="Card to seat 1", why="Deal the card that lies ready, then touch “Kept card dealt”."
    )
    pit.press("next")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert pit.facts[-1].card.code == "Kh"
    assert pit.state.shoe.gone == 2
    assert pit.state.aftermath.kept_cards == ()


def test_a_card_from_the_shoe_while_one_lies_ready_is_one_in_error() -> None:
    pit = table()
    pit.bet(1)
    pit.deal("Kh")
    pit.resolve(Resolution.KEEP)
    pit.no_more_bets()
    pit.deal("2c")
    pit.expect(next="Card drawn in error")
    pit.resolve(Resolution.SET_ASIDE)
    pit.press("next")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert pit.facts[-1].card.code == "Kh"


def test_a_card_drawn_before_time_is_played_out_without_bets() -> None:
    pit = table()
    pit.bet(2, 5_000)
    pit.deal("Kh")
    assert pit.resolve(Resolution.DUMMY).refused == ""
    pit.expect(next="Card to the dealer")
    assert pit.display.dummy
    assert pit.state.betting.wagers == {2: 5_000}
    pit.deal("9c 5d 7s")
    pit.press("stand")
    pit.deal("9h")
    pit.expect(next="Seat 1: no bet, no chips move")
    pit.press("next")
    assert pit.state.betting.wagers == {2: 5_000}
    assert public(pit.state).rounds[0].dummy
    assert nets(pit) == {}
    past = find_round(pit.state, 1)
    assert past is not None
    replayed = replay(past)
    assert (replayed.dummy, replayed.void) == (True, False)
    assert replayed.steps[-1].text == "Seat 1: no bet, no chips move"
    assert [each.number for each in ledger_list(pit.state).rounds] == [1]
    assert pit.no_more_bets().refused == ""
    assert pit.state.rounds.latest is not None
    assert pit.state.rounds.latest.wagers == ((2, 5_000),)


def test_without_bets_nothing_is_offered_that_takes_chips() -> None:
    pit = table(name="finnish-27")
    pit.deal("8c")
    pit.resolve(Resolution.DUMMY)
    pit.deal("5d 8d Kh")
    labels = {key.label for key in pit.display.keys}
    assert labels & {"Stand", "Hit"}
    assert not labels & {"Double", "Split", "Surrender"}
    assert "not allowed" in pit.say("split").refused


def test_a_bonus_of_a_round_without_bets_pays_nothing() -> None:
    """8-9-10 of spades pays a fixed amount: to a bet, and there is none."""
    pit = table(name="finnish-27")
    pit.deal("8s")
    pit.resolve(Resolution.DUMMY)
    pit.deal("6h 9s Kh")
    pit.say("hit")
    pit.deal("Ts")
    pit.say("stand")
    while not pit.display.headline.endswith("no bet, no chips move"):
        pit.deal("5c")
    assert not pit.state.holds
    assert "Bonus" not in str(pit.display)
    pit.settle_all()
    assert nets(pit) == {}


# Card drawn in error


def test_the_dealer_drew_on_a_complete_hand() -> None:
    pit = asked()
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 4h")
    assert pit.display.headline.startswith(("Pay", "Take"))
    said = pit.display.headline
    pit.deal("Kd")
    pit.expect(next="Card drawn past a complete hand")
    gone = pit.state.shoe.gone
    pit.resolve(Resolution.SET_ASIDE)
    pit.expect(next=said)
    assert pit.state.shoe.gone == gone + 1


def test_a_hit_that_nobody_asked_for_is_put_aside_and_the_player_asked_again() -> None:
    pit = asked()
    pit.deal("2d")
    gone = pit.state.shoe.gone
    assert happened(pit, Reason.NOT_ASKED) == ""
    pit.expect(why="2♦ to seat 1.")
    assert (pit.display.detail, pit.display.seat) == ("ask seat 1", 1)
    pit.resolve(Resolution.BURN_LAST)
    pit.expect(next="Seat 1: stand or hit?")
    assert pit.state.shoe.gone == gone
    pit.press("stand")
    assert pit.display.seat == 2


def test_a_hit_that_nobody_asked_for_becomes_the_next_card() -> None:
    pit = asked("south-dakota")
    pit.deal("2d")
    gone = pit.state.shoe.gone
    happened(pit, Reason.NOT_ASKED)
    assert resolutions(pit) == ["stands", "keep_last"]
    pit.resolve(Resolution.KEEP_LAST)
    pit.press("stand")
    assert pit.display.seat == 2
    pit.say("hit")
    pit.press("next")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert (pit.facts[-1].card.code, pit.facts[-1].seat) == ("2d", 2)
    assert pit.state.shoe.gone == gone
    assert pit.state.shoe.face_up[pit.facts[-1].card] == 1


def test_a_kept_card_that_nobody_takes_is_put_aside() -> None:
    pit = asked("south-dakota")
    pit.deal("2d")
    gone = pit.state.shoe.gone
    happened(pit, Reason.NOT_ASKED)
    pit.resolve(Resolution.KEEP_LAST)
    assert happened(pit, Reason.KEPT_REFUSED) == ""
    pit.resolve(Resolution.BURN_KEPT)
    assert (pit.state.aftermath.kept_cards, pit.state.shoe.gone) == ((), gone)
    assert "no card lies ready" in happened(pit, Reason.KEPT_REFUSED)


def test_a_card_face_up_in_the_shoe_gives_way_to_the_next_one() -> None:
    pit = asked()
    pit.deal("2d")
    assert happened(pit, Reason.FACE_UP) == ""
    pit.resolve(Resolution.BURN_LAST)
    pit.expect(next="Card to seat 1", why="Hit on hard 15.")
    pit.deal("3d")
    assert pit.state.shoe.gone == 9


def test_an_unread_card_drawn_early_is_looked_at_when_it_is_dealt_and_never_played_out() -> None:
    pit = table()
    gone = pit.state.shoe.gone
    pit.doubt(Doubt.NO_CODE)
    pit.expect(next="Card drawn before the deal")
    assert resolutions(pit) == ["keep", "set_aside", "no_card"]
    assert not pit.resolve(Resolution.KEEP).refused
    pit.bet(1)
    pit.expect(why="1 bet is placed. Touch “No more bets”. 1 card lies ready, to be dealt first.")
    pit.no_more_bets()
    pit.press("next")
    pit.expect(next="Card not read")
    assert resolutions(pit) == ["enter_card", "void"], "it has left the shoe, and is not lost"
    pit.resolve(Resolution.ENTER_CARD, "Kh")
    assert isinstance(pit.facts[-1], f.CardDealt)
    assert (pit.facts[-1].card.code, pit.facts[-1].seat) == ("Kh", 1)
    assert (pit.state.aftermath.kept_cards, pit.state.shoe.gone) == ((), gone + 1)


def test_a_kept_card_lies_ready_after_a_void_and_says_so() -> None:
    pit = playing("Kh 9c")
    pit.give(i.CallFloor())
    pit.deal("5h")
    pit.resolve(Resolution.KEEP, hold=pit.state.holds[1].number)
    pit.resolve(Resolution.VOID)
    pit.give_back()
    pit.expect(next="Place your bets")
    assert pit.display.kept_cards == 1
    assert pit.display.why.endswith(" 1 card lies ready, to be dealt first.")
