"""What people report that went wrong with decisions, spots, payouts and cards, and each way on."""

from __future__ import annotations

import pytest

from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.views.ledger_view import ledger_list
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.support.pit import Pit
from tests.table.irregularities.irregular_table import (
    asked,
    happened,
    nets,
    over,
    playing,
    resolutions,
    table,
)

# Decisions


def test_a_decision_is_taken_back_while_no_card_has_left() -> None:
    pit = asked()
    pit.press("stand")
    assert happened(pit, Reason.TAKEN_BACK) == ""
    pit.expect(next="Decision taken back", why="Seat 1: stand.")
    assert (pit.display.detail, pit.display.seat) == ("ask seat 1", 1)
    pit.resolve(Resolution.TAKE_BACK)
    pit.expect(next="Seat 1: stand or hit?")


def test_a_double_is_taken_back_before_its_wager_lies_there() -> None:
    # Nothing was played yet: the decision waits for the further wager.
    pit = playing("6h Th 5c 9d 9s 4h", name="finnish-27")
    pit.say("double")
    assert happened(pit, Reason.TAKEN_BACK) == ""
    pit.expect(next="Decision taken back", why="Seat 1: double.")
    pit.resolve(Resolution.TAKE_BACK)
    pit.expect(next="Seat 1: stand, hit, double or surrender?")


def test_a_decision_stands_once_a_card_has_left() -> None:
    pit = asked()
    pit.press("stand")
    pit.deal("2d")
    assert "it stands" in happened(pit, Reason.TAKEN_BACK)


def test_a_decision_stands_once_a_card_was_put_aside_after_it() -> None:
    pit = asked()
    pit.press("stand")
    pit.press("call")
    pit.resolve(Resolution.COUNT, cards=pit.state.cards_shown + 1)
    pit.resolve(Resolution.SET_ASIDE)  # the player has seen the next card
    pit.resolve(Resolution.RELEASE)
    assert "it stands" in happened(pit, Reason.TAKEN_BACK)


# Spots


def test_a_spot_that_got_no_card_is_out_and_the_others_keep_theirs() -> None:
    pit = table()
    for seat in (1, 2, 3):
        pit.bet(seat, seat * 1_000)
    pit.no_more_bets()
    pit.deal("Kh 9c")  # they lie at seats 2 and 3
    assert happened(pit, Reason.SKIPPED) == ""
    assert "whose hand" in pit.resolve(Resolution.DEAD_HAND).refused
    number = pit.state.holds[0].number
    asked = i.Resolve(number, Resolution.DEAD_HAND, seat=1)
    assert pit.give(asked).code == "say-how-many-lie-there"
    pit.give(i.Resolve(number, Resolution.DEAD_HAND, seat=1, cards=0))
    pit.expect(next="Settle what is owed", why="Round 1: give seat 1 back 10.00.")
    pit.resolve(Resolution.SQUARED)
    pit.expect(next="Card to the dealer")
    lying = {hand.seat: [card.code for card in hand.cards] for hand in pit.display.hands}
    assert lying == {2: ["Kh"], 3: ["9c"]}


def test_a_spot_left_out_that_is_noticed_in_the_second_pass_has_a_way_on() -> None:
    """The floor reads a sentence that it can act on, not that a later step does not fit."""
    pit = table()
    for seat in (1, 2, 3):
        pit.bet(seat, 1_000)
    pit.no_more_bets()
    pit.deal("Kh 9c 8d 7s 6c 5d 4h")  # noticed as the cards of the second pass lie there
    assert happened(pit, Reason.SKIPPED) == ""
    number = pit.state.holds[0].number
    answer = pit.give(i.Resolve(number, Resolution.DEAD_HAND, seat=2, cards=0))
    assert answer.code == "dead-hand-does-not-fit"
    assert "Seat 2 cannot be out any more" in answer.refused
    assert "touch “Void the round”" in answer.refused
    one = pit.give(i.Resolve(number, Resolution.DEAD_HAND, seat=2, cards=1))
    assert one.code == "hand-has-cards"
    assert resolutions(pit) == ["dead_hand", "placed", "stands", "void"]
    pit.resolve(Resolution.PLACED)
    pit.expect(next="Card to the dealer")


def test_a_card_at_a_wrong_spot_is_put_where_the_display_says() -> None:
    pit = playing("Kh")
    assert happened(pit, Reason.WRONG_SPOT) == ""
    assert resolutions(pit) == ["placed", "correct", "stands", "void"]
    pit.resolve(Resolution.PLACED)
    pit.expect(next="Card to seat 2")


@pytest.mark.parametrize("what", [Reason.WRONG_SPOT, Reason.SKIPPED, Reason.MISREAD])
def test_where_felt_and_record_may_differ_nobody_says_that_it_stays(what: Reason) -> None:
    """A floor that lets the card lie would read "it stays as it is" so: the record would not."""
    pit = playing("Kh")
    assert happened(pit, what) == ""
    labels = [key.label for key in pit.display.holds[0].resolutions]
    assert "Cards lie as shown" in labels
    assert "It stays as it is" not in labels
    assert "cards lie as shown" in pit.resolve(Resolution.ENTER_CARD, "Kd").refused
    pit.resolve(Resolution.STANDS)
    assert pit.display.done == "The cards lie as shown."


def stand_not_pressed() -> Pit:
    """Seat 1 stood, and nobody pressed it: two cards of seat 2 went to seat 1, 2♦ and then 3♠."""
    pit = playing("6h 5h Tc 9d 6d 7s")
    pit.expect(next="Seat 1: stand or hit?")
    pit.deal("2d 3s")
    pit.expect(next="Seat 1: stand or hit?")
    return pit


def test_cards_that_are_kept_one_after_the_other_are_dealt_as_they_left_the_shoe() -> None:
    """The one that was taken out last was dealt last, although it had left the shoe first."""
    pit = stand_not_pressed()
    for _ in range(2):
        assert happened(pit, Reason.NOT_ASKED) == ""
        pit.resolve(Resolution.KEEP_LAST)
    pit.press("stand")
    for card in ("2♦", "3♠"):
        pit.expect(next="Seat 2 must hit: hard 11 is under 15" if card == "2♦" else None)
        pit.press("next")
        assert pit.display.hands[1].cards[-1].label == card
    assert not pit.state.aftermath.kept_cards


@pytest.mark.parametrize("cards", [(9, 7), (7, 7)], ids=["the last first", "the first first"])
def test_cards_that_one_correction_keeps_are_dealt_as_they_left_the_shoe(
    cards: tuple[int, int],
) -> None:
    pit = stand_not_pressed()
    asked = tuple(
        i.EditAsked(at - hit, do)
        for at in cards  # each with the hit that drawing it was, the step before
        for hit, do in enumerate((EditKind.KEEP, EditKind.REMOVE))
    )
    assert happened(pit, Reason.WRONG_SPOT) == ""
    assert pit.give(i.Correct(1, asked, "stand was not pressed")).refused == ""
    assert [str(each) for each in pit.state.aftermath.kept_cards] == ["2d", "3s"]


# Corrections and payouts


def test_a_misread_that_is_noticed_late_is_settled_by_its_correction() -> None:
    pit = over()
    assert happened(pit, Reason.MISREAD, 1) == ""
    assert "say which step" in pit.resolve(Resolution.CORRECT).refused.lower()
    edit = i.EditAsked(0, EditKind.REPLACE, "Jh")
    assert pit.give(i.Correct(1, (edit,), "misread")).refused == ""
    reasons = [hold.reason for hold in pit.state.holds]
    assert Reason.MISREAD not in reasons


def test_a_wrong_payout_is_put_right_in_chips_while_the_record_stands() -> None:
    pit = over()
    assert happened(pit, Reason.PAYOUT) == ""
    assert resolutions(pit) == ["squared", "correct", "stands", "void"]
    pit.resolve(Resolution.SQUARED)
    pit.expect(next="Place your bets")


def test_a_wrong_payout_is_compared_with_the_round_that_was_called() -> None:
    """The bets of the next round lie there already when the player complains."""
    pit = over()
    assert (pit.display.round, [each.net for each in pit.display.hands]) == (
        1,
        ["-10.00", "-20.00"],
    )
    pit.bet(3)
    assert (pit.display.round, [each.seat for each in pit.display.hands]) == (2, [3])
    assert happened(pit, Reason.PAYOUT) == ""
    told, seen = scene(pit.state).dealer, scene(pit.state).players
    assert (told.round, [each.net for each in told.hands]) == (1, ["-10.00", "-20.00"])
    assert told.dealer is not None
    assert len(told.dealer.cards) == 4
    assert (seen.round, [each.wager for each in seen.hands]) == (2, ["10.00"])
    pit.resolve(Resolution.STANDS)
    assert (pit.display.round, [each.seat for each in pit.display.hands]) == (2, [3])


def test_an_earlier_round_that_is_called_in_play_is_shown_until_it_is_settled() -> None:
    pit = over()
    pit.bet(1, 3_000)
    pit.no_more_bets()
    pit.deal("Kh")
    assert happened(pit, Reason.PAYOUT, 1) == ""
    assert (pit.display.round, [each.net for each in pit.display.hands]) == (
        1,
        ["-10.00", "-20.00"],
    )
    assert not any(each.active for each in pit.display.hands)
    pit.resolve(Resolution.SQUARED)
    assert (pit.display.round, [each.wager for each in pit.display.hands]) == (2, ["30.00"])


# Void


def test_a_settled_round_is_voided_with_the_difference_of_each_seat() -> None:
    pit = over()
    before = nets(pit)
    assert before
    assert happened(pit, Reason.MISDEAL, 1) == ""
    pit.resolve(Resolution.VOID)
    pit.expect(next="Settle what is owed")
    assert pit.display.why.startswith("Round 1 is void: ")
    assert nets(pit) == {}
    pit.resolve(Resolution.SQUARED)
    assert [each.void for each in public(pit.state).rounds] == [True]
    assert [each.void for each in ledger_list(pit.state).rounds] == [True]
    assert "void, or too long ago" in happened(pit, Reason.MISDEAL, 1)
    past = find_round(pit.state, 1)
    assert past is not None
    assert replay(past).void


def test_a_round_that_is_void_half_way_gives_back_what_was_already_taken() -> None:
    pit = playing("Kh Th Kc 9d 7s 7d")
    pit.expect(next="Seat 1: stand or hit?")
    pit.say("hit")
    pit.deal("Td")
    pit.expect(next="Take seat 1: 10.00")
    pit.press("next")
    assert nets(pit) == {1: -1_000}
    pit.press("call")
    pit.resolve(Resolution.VOID)
    assert pit.display.why == "Round 1 is void: pay seat 1 10.00, give seat 2 back 20.00."
    assert nets(pit) == {}
    assert pit.bet(1).refused.startswith("The table is held")


def test_a_bet_that_is_not_tracked_is_undone_by_people() -> None:
    pit = table()
    pit.bet(1, None)
    pit.bet(2, 2_000)
    pit.no_more_bets()
    pit.deal("6h Th 9c 9d 9s 7s")
    pit.press("stand")
    pit.press("stand")
    pit.deal("2d 3h")
    pit.settle_all()
    happened(pit, Reason.MISDEAL)
    pit.resolve(Resolution.VOID)
    assert "undo seat 1, not tracked" in pit.display.why


# Cards and devices


def test_a_foreign_card_voids_the_round_and_takes_the_pack_out_of_play() -> None:
    pit = asked()
    assert happened(pit, Reason.DAMAGED) == ""
    assert resolutions(pit) == ["new_shoe", "replaced", "stands"]
    pit.resolve(Resolution.NEW_SHOE)
    pit.give_back()
    pit.expect(next="Shuffle: new pack")
    assert not pit.state.holds


@pytest.mark.parametrize("what", [Reason.EXPOSED, Reason.DEVICE])
def test_the_floor_says_whether_the_round_goes_on(what: Reason) -> None:
    pit = asked()
    assert happened(pit, what) == ""
    pit.resolve(Resolution.STANDS)
    pit.expect(next="Seat 1: stand or hit?")
    happened(pit, what)
    pit.resolve(Resolution.VOID)
    pit.give_back()
    pit.expect(next="Place your bets")
