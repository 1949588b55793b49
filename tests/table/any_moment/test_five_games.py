"""Each game in its own words at the table: what the dealer reads, presses and pays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.scene import Light
from controller.rules.actions import Action, Outcome
from controller.rules.hands import Total
from controller.rules.messages import message
from controller.table import inputs as i
from controller.table.facts import Refused, RoundEnded, WagerAdded, WagerDeclined
from controller.table.irregularities.holds import Resolution
from controller.table.recorded.hands import FeltChange, HandStatus
from tests.support.pit import Pit, opened


def betting(name: str, *wagers: int, seats: int = 3, **options: bool) -> Pit:
    pit = opened(seats, name, **options)
    for seat, amount in enumerate(wagers, start=1):
        pit.bet(seat, amount)
    assert not pit.no_more_bets().refused
    return pit


def labels(pit: Pit) -> list[str]:
    return [key.label for key in pit.display.keys if key.label != "Call the floor"]


def at(pit: Pit, seat: int) -> list[tuple[str, str, str]]:
    """Cards, wager and note of the seat's hands."""
    return [
        (" ".join(card.code for card in hand.cards), hand.wager, hand.note)
        for hand in pit.display.hands
        if hand.seat == seat
    ]


# Finnish 27


def test_a_double_asks_for_the_chips_before_the_card() -> None:
    pit = betting("finnish-27", 1_000)
    pit.deal("8h 9c 9h 5d")
    pit.expect(next="Seat 1: stand, hit, double or surrender?", why="Hard 17 against hard 14")
    assert labels(pit) == ["Stand", "Hit", "Double", "Surrender"]
    pit.say("double")
    pit.expect(next="Seat 1 doubles: 10.00", why="When the chips lie there, touch “Bet placed”.")
    assert labels(pit) == ["Bet placed", "No bet"]
    pit.press("next")
    (added,) = [each for each in pit.facts if isinstance(each, WagerAdded)]
    assert (added.seat, added.action, added.amount) == (1, Action.DOUBLE, 1_000)
    assert added.felt == FeltChange((HandStatus(1, 1, Total(17).parts, 2_000, doubled=True),))
    pit.expect(next="Card to seat 1", why="Doubled: one card, then it stands.")
    pit.deal("Th")
    pit.expect(
        next="Pay seat 1: 40.00", why="8-9-10. Bonus 8-9-10 hearts, clubs or diamonds: 20.00."
    )
    pit.press("next")
    assert (1, 1, Outcome.WIN, 4_000) in pit.settled


def test_a_doubled_hand_with_its_one_card_stands_by_its_light_too() -> None:
    """It glowed like one that was still to play."""
    pit = opened(3, "blackjack")
    for seat in (1, 2):
        pit.bet(seat, 1_000)
    pit.no_more_bets()
    pit.deal("5h 9c 7d 6s 8d Ks")
    pit.say("double")
    pit.press("next")
    pit.expect(next="Card to box 1")
    assert pit.lights[0] == Light.CARD.value
    pit.deal("8h")
    pit.expect(next="Box 2: stand, hit or double?")
    assert pit.lights[0] == Light.STANDING.value


def test_a_further_wager_that_is_not_put_down_lets_the_player_choose_anew() -> None:
    pit = betting("finnish-27", 1_000)
    pit.deal("8h 9c 9h 5d")
    pit.say("double")
    pit.give(i.DeclineWager(1))
    (declined,) = [each for each in pit.facts if isinstance(each, WagerDeclined)]
    assert (declined.seat, declined.action, declined.amount) == (1, Action.DOUBLE, 1_000)
    pit.expect(next="Seat 1: stand, hit, double or surrender?")
    assert at(pit, 1) == [("8h 9h", "10.00", "")]


def test_a_card_drawn_before_the_further_wager_is_confirmed_stops_the_table() -> None:
    pit = betting("finnish-27", 1_000)
    pit.deal("8h 9c 9h 5d")
    pit.say("double")
    pit.deal("2c")
    pit.expect(next="Card drawn in error")


def test_a_split_makes_two_hands_that_play_one_after_the_other() -> None:
    pit = betting("finnish-27", 1_000)
    pit.deal("7h Tc 7d 9d")
    pit.say("split")
    pit.expect(next="Seat 1 splits: 10.00")
    pit.press("next")
    assert at(pit, 1) == [("7h", "10.00", ""), ("7d", "10.00", "")]
    pit.expect(next="Seat 1 must hit: one card takes a second")
    assert pit.lights[0] == Light.FORCED.value
    pit.deal("Qc")
    pit.say("stand")
    pit.expect(next="Seat 1, hand 2 must hit: one card takes a second")
    pit.deal("Kh")
    pit.say("stand")
    pit.deal("9h")
    pit.expect(next="Pay seat 1: 10.00", why="The dealer busts with 28.")
    pit.press("next")
    pit.expect(next="Pay seat 1, hand 2: 10.00")


def test_a_surrender_takes_half() -> None:
    pit = betting("finnish-27", 2_500)
    pit.deal("Th 7c 7d 9d")
    pit.say("surrender")
    pit.expect(next="Take half of seat 1: 12.50", why="Surrenders half the bet.")
    pit.press("next")
    assert (1, 1, Outcome.SURRENDER, -1_250) in pit.settled


def test_a_wager_whose_half_is_no_whole_chip_is_refused_when_it_is_placed() -> None:
    pit = opened(3, "finnish-27")
    why = pit.bet(1, 1_050).refused
    assert why == "1 to 2 on 10.50 cannot be paid in chips of 0.50: bet another amount"


def test_an_untracked_bet_is_paid_by_its_odds_and_its_bonus() -> None:
    pit = opened(3, "finnish-27")
    pit.bet(1, None)
    pit.no_more_bets()
    pit.deal("9h 9c 9d 5s")
    pit.say("double")
    pit.expect(next="Seat 1 doubles: as much again")
    pit.press("next")
    pit.deal("9s")
    pit.expect(next="Pay seat 1: 1 to 1 and 90.00", why="9-9-9. Bonus 9-9-9 mixed suits: 90.00.")


# Casino 7-27


def test_the_dealer_s_low_is_pushed_up_and_low_and_high_are_settled_from_one_row() -> None:
    pit = betting("casino-7-27", 1_000, 2_000)
    pit.deal("2h Kh 3c 2d 9d")
    pit.expect(next="Seat 1: stay low, stay high or hit?")
    pit.say("stay-low")
    assert at(pit, 1) == [("2h 2d", "10.00", "stays low")]
    pit.expect(next="Seat 2: stay high or hit?", why="Low 19 / high 19: over 7, no low")
    pit.say("stay-high")
    pit.expect(next="Dealer draws: 3 is 22 or less")
    pit.deal("Tc Kd")
    dealer = pit.display.dealer
    assert dealer is not None
    assert [(card.code, card.raised) for card in dealer.cards] == [
        ("3c", True), ("Tc", False), ("Kd", False),
    ]  # fmt: skip
    assert dealer.total == "low 3, high 23"
    pit.expect(next="Pay seat 1: 30.00", why="Low 4 beats low 3.")
    pit.press("next")
    pit.expect(next="Take seat 2: 20.00", why="High 19 loses to high 23.")


def test_a_7_27_is_paid_at_once() -> None:
    pit = betting("casino-7-27", 1_000)
    pit.deal("Ah 7c Ad")
    pit.say("hit")
    pit.deal("5h")
    pit.expect(next="Pay seat 1: 250.00", why="7 and 27.")


# Blackjack


def test_insurance_is_asked_box_by_box_and_settled_first() -> None:
    pit = betting("blackjack", 1_000, 2_000)
    pit.deal("Th 9h Ac 9d 9s Kd")
    pit.expect(next="Box 1: insurance?", why="The operator shows an ace. It costs 5.00.")
    assert labels(pit) == ["Insurance", "No insurance"]
    pit.say("insurance")
    pit.expect(next="Box 1 insures: 5.00")
    pit.press("next")
    assert at(pit, 1) == [("", "5.00", "insurance"), ("Th 9d", "10.00", "")]
    pit.say("no-insurance")
    for _ in range(2):
        pit.say("stand")
    pit.expect(next="Turn the hidden card")
    pit.press("next")
    pit.expect(next="Pay the side bet of box 1: 10.00")
    pit.press("next")
    pit.expect(next="Take box 1: 10.00", why="The operator has a blackjack.")
    pit.settle_all()
    assert RoundEnded(1, 1_000 - 1_000 - 2_000) in pit.facts


@pytest.mark.parametrize(
    ("cards", "offer"), [("8h Tc 8d", "Split"), ("Ah Tc Ad", "Split"), ("6h Tc 5d", "Double")]
)
def test_the_operator_offers_8_8_a_a_and_11_by_name(cards: str, offer: str) -> None:
    pit = betting("blackjack", 1_000)
    pit.deal(f"{cards} 7d")
    assert [key.label for key in pit.display.keys if key.offered] == [offer]
    assert pit.display.why.startswith(f"Offer {offer.lower()}: ")


def test_the_operator_announces_the_maximum_only() -> None:
    pit = betting("blackjack", 1_000)
    pit.deal("Th 6c 9d As")
    pit.say("stand")
    pit.press("next")
    assert pit.display.dealer is not None
    assert pit.display.dealer.total == "17"
    pit.expect(next="Pay box 1: 10.00", why="19 beats 17.")


# Seven Twenty-Seven


def anted(seats: int = 5) -> Pit:
    return betting("seven-twenty-seven", *[1_000] * seats, seats=seats)


def deal_two_each(pit: Pit) -> None:
    pit.deal("6h 6d Th 2c 3c Kh Qd 5d 4c 9c")


def test_every_player_puts_in_the_ante_and_four_make_a_game() -> None:
    pit = opened(5, "seven-twenty-seven")
    pit.expect(next="Place your antes", why="Ante 10.00, bets and raises 10.00 to 100.00 EUR.")
    assert "ante is 10.00" in pit.bet(1, 2_000).refused
    assert "enter the amount" in pit.bet(1, None).refused
    for seat in (1, 2, 4):
        pit.bet(seat)
    assert "takes 4 players: 3" in pit.no_more_bets().refused
    pit.expect(why="3 antes are placed. 1 more to play.")
    assert pit.display.pot == "30.00"


def test_the_pot_who_is_to_act_and_what_a_call_costs() -> None:
    pit = anted()
    deal_two_each(pit)
    pit.expect(next="Seat 1: pass or bet?", why="Pot 50.00. Bet 10.00 to 100.00.")
    pit.say("bet", 2_000)
    pit.expect(next="Seat 2: 20.00 to call", why="Pot 70.00. Raise 10.00 to 100.00.")
    assert labels(pit) == ["Fold", "Call 20.00", "Raise"]
    key = next(key for key in pit.display.keys if key.label == "Raise")
    assert (key.needs, key.low, key.high, key.chip) == ("amount", 1_000, 10_000, 50)
    for amount, says in ((None, "10.00 to 100.00"), (500, "10.00"), (1_010, "chips of 0.50")):
        assert says in pit.say("raise", amount).refused
    assert "takes no amount" in pit.say("call", 500).refused
    pit.say("raise", 1_000)
    pit.expect(next="Seat 3: 30.00 to call", why="Pot 100.00. Raise 10.00 to 100.00.")
    pit.say("fold")
    assert at(pit, 3)[0][2] == "folded"
    assert pit.lights[2] == Light.EMPTY.value


def test_the_showdown_pays_the_halves_from_the_pot() -> None:
    pit = anted()
    deal_two_each(pit)
    for _ in range(5):
        pit.say("pass")
    for _ in range(5):
        pit.say("no-card")
    for seat in range(1, 6):
        pit.expect(next=f"Seat {seat} shows")
        pit.press("next")
    pit.expect(next="Pay seat 1 from the pot: 12.50", why="6.5 for 7 shared.")
    pit.press("next")
    assert pit.display.pot == "37.50"
    pit.expect(next="Pay seat 2 from the pot: 12.50")
    pit.press("next")
    pit.expect(next="Pay seat 3 from the pot: 25.00", why="15 for 27.")
    pit.press("next")
    assert RoundEnded(1, 0) in pit.facts
    pit.expect(next="Shuffle for the next round")


def test_a_drawn_card_is_the_card_that_was_asked_for_and_lies_face_down() -> None:
    pit = anted()
    deal_two_each(pit)
    for _ in range(5):
        pit.say("pass")
    pit.deal("Tc")
    assert at(pit, 1)[0][0] == " Kh "
    pit.expect(next="Seat 2: card or no card?")


def test_the_deal_passes_left_and_a_void_round_is_dealt_again() -> None:
    """V727, round (6); the last seat deals first, and a configuration read anew changes no deal."""
    pit = anted()
    assert (pit.display.button, pit.state.step and pit.state.step.hand.place.seat) == (5, 1)
    pit.press("call")
    pit.resolve(Resolution.VOID)
    pit.give_back()
    deals = []
    for currency in ("EUR", "SEK", "EUR"):
        read_anew = replace(pit.state.setup, currency=currency)
        assert not pit.give(i.Reload(read_anew, pit.state.run.alarm_times)).refused
        pit.shuffle()
        for seat in range(1, 6):
            pit.bet(seat)
        pit.no_more_bets()
        deals.append((pit.display.button, pit.display.seat))
        deal_two_each(pit)
        pit.say("bet", 1_000)
        for _ in range(4):
            pit.say("fold")
        pit.press("next")
    assert deals == [(5, 1), (1, 2), (2, 3)]


def test_whoever_shows_several_cards_has_the_key_touched_for_each() -> None:
    pit = anted()
    deal_two_each(pit)
    for _ in range(5):
        pit.say("pass")
    pit.say("card")
    pit.deal("2d")
    for _ in range(4):
        pit.say("no-card")
    for _ in range(5):
        pit.say("pass")
    for _ in range(5):
        pit.say("no-card")
    pit.expect(next="Seat 1 shows", why="Touch “Turned” for each card: 2 cards left.")
    # On record a refusal says what it said before displays counted them: no other decision.
    assert pit.give(i.DeclineWager(1, 1)).code == "not-now-because"
    refused = pit.facts[-1]
    assert isinstance(refused, Refused)
    assert dict(refused.why.params)["why"] == message("touch-key", key=message("key-turned"))
    pit.press("next")
    pit.expect(next="Seat 1 shows", why="Touch “Turned”.")
    pit.press("next")
    pit.expect(next="Seat 2 shows", why="Touch “Turned”.")


def test_the_discards_of_one_deck_never_come_back() -> None:
    """Rulings: discards are shuffled in mid-round, Seven Twenty-Seven excepted (V727-A8)."""
    pit = anted()
    dealt = "6h 6d Th 2c 3c Kh Qd 5d 4c 9c"
    pit.deal(dealt)
    for kind in pit.state.game.pack.kinds():
        if kind.code not in dealt:
            pit.deal(kind.code)
            pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.shoe.left == 0
    for _ in range(5):
        pit.say("pass")
    assert pit.say("card").refused == (
        "No card is left in the shoe: stay with those that lie there"
    )
    for _ in range(5):
        pit.say("no-card")
    pit.expect(next="Seat 1 shows")
    assert pit.state.shoe.left == 0


def test_a_first_deal_without_enough_cards_is_void() -> None:
    pit = anted()
    dealt = "6h 6d Th 2c 3c Kh Qd 5d 4c"
    pit.deal(dealt)
    pit.press("call")
    for kind in pit.state.game.pack.kinds():
        if kind.code not in dealt:
            pit.deal(kind.code)
            pit.resolve(Resolution.SET_ASIDE, hold=pit.state.holds[-1].number)
    pit.resolve(Resolution.RELEASE)
    pit.expect(next="The shoe is empty")
    assert [key.command["resolution"] for key in pit.display.holds[0].resolutions] == ["void"]
