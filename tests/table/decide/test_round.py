"""Rounds at the table, from bets to chips, in the pit's language."""

from __future__ import annotations

import pytest

from controller.devices.scene import Light
from controller.rules.actions import Action, Outcome
from controller.rules.cards import card
from controller.rules.english import ENGLISH
from controller.rules.hands import Total
from controller.table import inputs as i
from controller.table.facts import CardDealt, Decided, HandSettled, Refused, RoundEnded
from controller.table.irregularities.holds import Resolution
from controller.table.recorded.hands import FeltChange, HandStatus
from controller.table.views.scene import scene
from tests.support.pit import Pit, opened, setup

B, E, C, F = Light.BET, Light.EMPTY, Light.CARD, Light.FORCED
Q, S, W, L, P = Light.CHOOSE, Light.STANDING, Light.WON, Light.LOST, Light.PUSH


def two_seats(cards: str = "") -> Pit:
    pit = opened(seats=3)
    pit.bet(1, 1_000)
    pit.bet(3, 2_500)
    pit.no_more_bets()
    pit.deal(cards)
    return pit


def test_a_table_opens_with_a_pack_a_cut_and_a_burned_card() -> None:
    pit = Pit(opened().setup)
    pit.expect(next="Load the shoe", lights=[Light.SHUFFLE] * 5)
    pit.press("next")
    pit.expect(next="Cut the pack")
    pit.press("next")
    pit.expect(next="Burn a card")
    pit.deal("Ah")
    pit.expect(next="Place your bets", lights=[E] * 5)
    assert pit.state.shoe.gone == 1


def test_cards_go_round_the_table_and_the_light_shows_where() -> None:
    pit = two_seats()
    pit.expect(next="Card to seat 1", lights=[C, E, B])
    pit.deal("Th")
    pit.expect(next="Card to seat 3", lights=[B, E, C])
    pit.deal("9c")
    pit.expect(next="Card to the dealer", lights=[B, E, B])


def test_forced_hit_free_choice_forced_stand_and_settlement_seat_by_seat() -> None:
    pit = two_seats("6h Kd 9c 7s 9d 7h")  # seat 1 hard 13, seat 3 hard 22, dealer hard 16
    pit.expect(next="Seat 1 must hit: hard 13 is under 15", lights=[F, E, B])
    pit.deal("Qs")  # 25: forced stand, nobody is asked
    pit.expect(next="Seat 3: stand or hit?", why="Hard 22 against hard 16", lights=[S, E, Q])
    pit.press("stand")
    pit.expect(next="Dealer draws: hard 16 is under 21", lights=[S, E, S])
    pit.deal("8s")  # dealer 24
    pit.expect(next="Pay seat 1: 10.00", why="25 beats 24.", lights=[W, E, L])
    pit.press("next")
    pit.expect(next="Take seat 3: 25.00", why="22 loses to 24.", lights=[E, E, L])
    pit.press("next")
    pit.expect(next="Place your bets", lights=[E, E, E])
    assert pit.facts[-1] == RoundEnded(1, -1_500)
    settled = [f for f in pit.facts if isinstance(f, HandSettled)]
    assert [(f.seat, f.hand, f.outcome, f.wager, f.net, ENGLISH.say(f.why)) for f in settled] == [
        (1, 1, Outcome.WIN, 1_000, 1_000, "25 beats 24"),
        (3, 1, Outcome.LOSE, 2_500, -2_500, "22 loses to 24"),
    ]


def test_the_first_bet_clears_the_last_rounds_cards_from_the_picture_the_dealers_too() -> None:
    pit = two_seats("6h Kd 9c 7s 9d 7h Qs")
    pit.press("stand")
    pit.deal("8s")
    pit.settle_all()
    last = pit.display.dealer
    assert last is not None
    assert [each.code for each in last.cards] == ["9c", "7h", "8s"]
    pit.bet(1, 1_000)
    assert [(each.seat, each.cards) for each in pit.display.hands] == [(1, ())]
    assert pit.display.dealer is None
    assert scene(pit.state).players.dealer is None


def test_a_card_drawn_while_a_hit_is_allowed_is_the_hit() -> None:
    pit = two_seats("8h Kd 9c 8s 9d 7h")
    pit.expect(next="Seat 1: stand or hit?")
    pit.deal("4c")
    (decided,) = [f for f in pit.facts if isinstance(f, Decided)]
    assert (decided.seat, decided.hand, decided.action) == (1, 1, Action.HIT)
    assert decided.by_draw
    assert decided.why is not None
    assert ENGLISH.say(decided.why) == "hard 16 against hard 16"
    pit.expect(next="Seat 1: stand or hit?", why="Hard 20 against hard 16")


def test_where_the_server_decides_a_drawn_card_is_no_decision() -> None:
    pit = opened(seats=3)
    pit.setup = i.Setup("T1", "21-24-27", 3, pit.setup.options, draw_means_hit=False)
    pit.start()
    pit.resolve(Resolution.COUNT)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("8h 9c 8s 7h")
    pit.deal("4c")
    pit.expect(next="Card drawn in error")
    assert not any(isinstance(f, Decided) for f in pit.facts)


def test_a_card_drawn_while_chips_are_to_move_is_an_early_card() -> None:
    pit = two_seats("Kh 7d 9c Ts 6d 7h Kc")  # seat 1 hits 23 and busts
    pit.expect(next="Take seat 1: 10.00")
    pit.deal("2h")  # before the bet was taken: it is not yet the card of seat 3
    pit.expect(next="Card drawn in error")
    assert not pit.settled
    pit.resolve(Resolution.SET_ASIDE)
    pit.press("next")
    assert (1, 1, Outcome.LOSE, -1_000) in pit.settled
    pit.deal("2s")  # the card for seat 3, who must hit hard 13
    status = HandStatus(3, 1, Total(15).parts, 2_500)
    dealt = pit.facts[-1]
    assert isinstance(dealt, CardDealt)
    assert (dealt.card, dealt.seat, dealt.hand, dealt.forced) == (card("2s"), 3, 1, True)
    assert dealt.why is not None
    assert ENGLISH.say(dealt.why) == "hard 13 is under 15"
    assert dealt.felt == FeltChange((status,))

    pit = two_seats("Ah Td 9c Ks 9d 7h")  # seat 1 has a Finnish 27
    pit.expect(next="Pay seat 1: 10.00", why="Finnish 27.")
    pit.deal("2h")
    pit.expect(next="Card drawn in error")


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_five_to_seven_seats(seats: int) -> None:
    pit = opened(seats=seats)
    for seat in range(1, seats + 1):
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal(" ".join(["Th", "Td", "Ts", "Tc", "Th", "Td", "Ts"][:seats]) + " Jc")
    pit.deal(" ".join(["9h", "9d", "9s", "9c", "8h", "8d", "8s"][:seats]) + " 9c")
    for seat in range(1, seats + 1):
        pit.expect(next=f"Seat {seat}: stand or hit?")
        pit.press("stand")
    pit.expect(next="Dealer draws: hard 20 is under 21")
    pit.deal("Kc")
    for seat in range(1, seats + 1):
        pit.expect(next=f"Pay seat {seat}: 10.00", why="The dealer busts with 33.")
        pit.press("next")
    pit.expect(next="Place your bets")


def test_out_of_turn_and_not_allowed_are_refused_in_the_words_of_the_rule() -> None:
    pit = two_seats("6h Kd 9c 7s 9d 7h")
    pit.press("stand")
    pit.expect(refusal="Seat 1 must hit: hard 13 is under 15")
    pit.give(i.Decide(seat=3, action=Action.STAND))
    pit.expect(refusal="Not now.")
    assert isinstance(pit.facts[-1], Refused)
    pit.deal("2c")
    assert pit.display.refusal == ""


def test_a_wager_without_an_amount_shows_odds() -> None:
    pit = opened(seats=3)
    pit.bet(2, None)
    pit.no_more_bets()
    pit.deal("Kh 9c Kd 9d")
    pit.press("stand")
    pit.deal("Kc")
    pit.expect(next="Pay seat 2: 1 to 1", why="The dealer busts with 31.")
    pit.press("next")
    assert (2, 1, Outcome.WIN, None) in pit.settled


def test_one_key_repeats_the_wagers_of_the_last_round() -> None:
    pit = two_seats("Ah Kd 9c Kh Ad 7h")
    pit.settle_all()
    pit.press("repeat")
    assert pit.state.betting.wagers == {1: 1_000, 3: 2_500}
    pit.press("repeat")
    pit.expect(refusal="no bets of the last round to repeat")


@pytest.mark.parametrize(
    ("seat", "amount", "refusal"),
    [
        (1, 950, "under the minimum of 10.00"),
        (1, 100_050, "over the maximum of 1,000.00"),
        (1, 1_020, "the smallest is 0.50"),
        (4, 1_000, "There is no seat 4"),
        (0, None, "There is no seat 0"),
        (1, -1_000, "under the minimum"),
    ],
)
def test_a_bet_outside_the_limits_is_refused(seat: int, amount: int | None, refusal: str) -> None:
    pit = opened(seats=3)
    pit.bet(seat, amount)
    pit.expect(refusal=refusal)
    assert pit.state.betting.wagers == {}


def test_no_wager_after_no_more_bets() -> None:
    pit = two_seats()
    pit.bet(2)
    pit.expect(refusal="No more bets")
    pit.give(i.RemoveWager(1))
    pit.expect(refusal="No more bets")


def test_no_round_without_a_bet_or_without_a_scanner() -> None:
    pit = opened()
    pit.no_more_bets()
    pit.expect(refusal="No bets are placed")


def test_a_key_that_is_sent_twice_acts_once_and_gets_the_same_answer() -> None:
    pit = opened()
    first = pit.give(i.PlaceWager(1, 1_000), key="abc")
    again = pit.give(i.PlaceWager(1, 1_000), key="abc")
    assert again.records == ()
    assert (again.refused, again.seq) == ("", first.seq)
    refused = pit.give(i.PlaceWager(9, 1_000), key="def")
    assert pit.give(i.PlaceWager(9, 1_000), key="def").refused == refused.refused
    pit.start()
    assert pit.give(i.PlaceWager(1, 1_000), key="abc").seq == first.seq
    pit.resolve(Resolution.COUNT)
    other = pit.give(i.PlaceWager(2, 9_000), key="abc")
    assert "another command" in other.refused
    assert 2 not in pit.state.betting.wagers
    assert pit.give(i.PlaceWager(1, 1_000), key="abc").seq == first.seq


def test_a_press_on_an_outdated_picture_is_refused() -> None:
    pit = two_seats("Ah Kd 9c Kh Ad 7h")
    seq = pit.state.seq
    assert not pit.give(i.ConfirmSettled(1), view_seq=seq).refused
    late = pit.give(i.ConfirmSettled(1), view_seq=seq)
    assert "moved on" in late.refused


def test_the_cut_ends_the_shoe_after_the_round_in_play() -> None:
    pit = opened(seats=3, penetration_cards=10)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh 9c Kd 9d")
    pit.press("stand")
    pit.deal("Jo Ac Ad Ah")  # dealer 18, 18+Joker, then aces: 19, 20, 21
    assert pit.state.shoe.gone == 9
    pit.settle_all()
    pit.expect(next="Place your bets")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh")
    assert pit.state.shoe.due
    pit.expect(next="Card to the dealer")
    pit.deal("9c Kd 9d")
    pit.press("stand")
    pit.deal("Kc")
    pit.settle_all()
    pit.expect(next="Shuffle: cut reached", lights=[Light.SHUFFLE] * 3)
    pit.bet(1)
    pit.expect(refusal="No bets yet")
    pit.shuffle("Th")
    pit.expect(next="Place your bets")
    assert (pit.state.shoe.number, pit.state.shoe.gone) == (2, 1)


def test_a_new_dealer_burns_as_the_house_says() -> None:
    pit = opened(burn_on_dealer_change=1)
    pit.give(i.ChangeDealer("7f3a91c2"))
    pit.expect(next="Burn a card")
    pit.deal("3c")
    pit.expect(next="Place your bets")
    assert pit.state.people.dealer == "7f3a91c2"
    pit.give(i.ChangeDealer("Aino"))
    pit.expect(refusal="named by id")


def test_a_setup_does_not_change_under_bets_that_are_placed() -> None:
    pit = opened(seats=3)
    pit.bet(1)
    pit.setup = setup(3, "21-24-27", min_bet=2_000)
    assert "Bets are placed" in pit.give(i.Start(pit.setup, "0.0-test", ("scanner",))).refused
    assert pit.state.betting.wagers == {1: 1_000}
