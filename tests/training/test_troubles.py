"""Trouble that the world made is judged by the answer to it, and by nothing else."""

import pytest

from controller.devices.inputs import Doubt
from controller.rules.actions import Place
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.training.judged import OPEN, RIGHT, WRONG
from tests.training.records import TrainedDealer


def unread(kind: str = "garbage") -> TrainedDealer:
    """A card in the deal that the reader could not tell."""
    trained = TrainedDealer()
    trained.begin("Th")
    trained.trouble(kind)
    trained.pit.doubt(Doubt.GARBLED)
    return trained


def test_a_card_that_was_not_read_is_entered_and_the_time_counts() -> None:
    trained = unread()
    trained.pit.resolve(Resolution.ENTER_CARD, "9c")
    trained.pit.deal("5d 8h 7s 6c")
    trained.finish()
    (judged,) = trained.report.troubles
    assert (judged.verdict, judged.took_ms, judged.round) == (RIGHT, 2_000, 1)
    assert judged.asked == "Held: Card not read. The code was garbled."
    assert judged.answered[-1].startswith("Card not read: enter the card")
    assert trained.mistakes == []
    assert (trained.report.procedures_right, trained.report.procedures_wrong) == (1, 0)


def test_while_it_is_held_it_is_open() -> None:
    assert unread().verdicts == [OPEN]


def test_another_card_entered_than_lies_there_is_wrong() -> None:
    trained = unread()
    trained.pit.resolve(Resolution.ENTER_CARD, "9d")
    trained.pit.deal("5d 8h 7s 6c")
    trained.finish({Place(2, 1): "9c 7s"})
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("wrong card", 1, False)]
    (mistake,) = trained.report.mistakes
    assert mistake.text.endswith("the Nine of clubs lay there, the Nine of diamonds is on record")
    assert mistake.seq < trained.seq, "it is shown where the card was entered"


def test_a_card_that_lies_there_said_not_to_have_left_is_wrong() -> None:
    trained = unread()
    trained.pit.resolve(Resolution.NO_CARD)
    trained.pit.deal("9c 5d 8h 7s 6c")
    trained.finish()
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("wrong procedure", 1, False)]
    (mistake,) = trained.report.mistakes
    assert "enter it as it lies there" in mistake.text


def test_the_same_undone_and_entered_is_right() -> None:
    trained = unread()
    trained.pit.resolve(Resolution.NO_CARD)
    trained.undo()
    trained.pit.resolve(Resolution.ENTER_CARD, "9c")
    trained.pit.deal("5d 8h 7s 6c")
    trained.finish()
    assert trained.verdicts == [RIGHT]
    assert trained.mistakes == [("touched by mistake", 0, True)]


def test_a_round_voided_over_it_is_one_mistake_and_a_wrong_answer() -> None:
    trained = unread()
    trained.pit.resolve(Resolution.VOID)
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("voided", 1, False)]


@pytest.mark.parametrize("kind", ["push_back", "split", "double", "bounce"])
def test_what_the_table_takes_care_of_itself_is_dealt_on(kind: str) -> None:
    trained = TrainedDealer()
    trained.begin("Th")
    trained.trouble(kind)
    trained.pit.deal("9c 5d 8h 7s 6c")
    assert trained.verdicts == [OPEN]
    trained.finish()
    (judged,) = trained.report.troubles
    assert (judged.verdict, judged.took_ms, judged.answered) == (RIGHT, None, ("Dealt on",))


def test_to_void_the_round_over_it_is_wrong() -> None:
    trained = TrainedDealer()
    trained.begin("Th")
    trained.trouble("push_back")
    trained.pit.deal("9c 5d")
    trained.pit.give(i.CallFloor())
    trained.pit.resolve(Resolution.VOID)
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("voided", 1, False)]


def test_a_reader_that_was_away_is_counted_and_the_card_entered() -> None:
    trained = TrainedDealer()
    trained.begin("Th")
    trained.trouble("unplug")
    trained.pit.scanner_down()
    trained.pit.wait(30)
    trained.pit.scanner_up()
    trained.pit.resolve(Resolution.COUNT, cards=2)
    trained.pit.resolve(Resolution.ENTER_CARD, "9c")
    while trained.pit.state.holds:
        trained.pit.resolve(Resolution.COUNT)
    trained.pit.deal("5d 8h 7s 6c")
    trained.finish()
    (judged,) = trained.report.troubles
    assert judged.verdict == RIGHT
    assert judged.took_ms is not None
    assert judged.took_ms < 10_000, "the half minute in which nobody could do anything is no time"
    recount = next(each for each in trained.report.answers if each.kind == "hold-recount")
    assert recount.worst_ms <= 2_000
    assert any("cards counted" in each for each in judged.answered)


def test_two_troubles_in_a_round_have_a_hold_each() -> None:
    trained = unread("garbage")
    trained.pit.resolve(Resolution.ENTER_CARD, "9c")
    trained.trouble("miss_code")
    trained.pit.doubt()
    trained.pit.resolve(Resolution.NO_CARD)
    trained.pit.deal("5d 8h 7s 6c")
    trained.finish()
    assert trained.verdicts == [RIGHT, WRONG]
    assert trained.mistakes == [("wrong procedure", 2, False)]


def test_a_players_wish_for_a_card_is_not_followed() -> None:
    trained = TrainedDealer()
    trained.bets()
    trained.trouble("early_wish", 1)
    trained.pit.no_more_bets()
    trained.pit.deal("Th 9c 5d 8h 7s 6c")
    trained.finish()
    (judged,) = trained.report.troubles
    assert (judged.verdict, judged.took_ms) == (RIGHT, 1_000)


def test_a_players_wish_for_a_card_that_is_followed_is_one_mistake_of_his() -> None:
    trained = TrainedDealer()
    trained.bets()
    trained.trouble("early_wish", 1)
    trained.pit.deal("Th")
    trained.pit.resolve(Resolution.SET_ASIDE)
    trained.pit.no_more_bets()
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("early card", 1, False)]


def settling(trained: TrainedDealer) -> int:
    """Deal until chips are to move; at which seat."""
    trained.begin("Th 9c Td 4h 7s 9h")
    while type(step := trained.pit.state.step).__name__ != "Settle":
        if type(step).__name__ == "Ask":
            trained.pit.say("stand")
        else:
            trained.pit.deal("4s")
    assert step is not None
    return int(step.hand.place.seat)


def test_a_loser_who_wants_to_be_paid_is_settled_as_the_display_says() -> None:
    trained = TrainedDealer()
    seat = settling(trained)
    trained.trouble("pay_wish", seat)
    trained.pit.press("next")
    assert trained.verdicts == [RIGHT]


def test_to_call_the_floor_over_it_is_right_too() -> None:
    trained = TrainedDealer()
    seat = settling(trained)
    trained.trouble("pay_wish", seat)
    trained.pit.give(i.CallFloor())
    trained.pit.resolve(Resolution.RELEASE)
    trained.pit.press("next")
    assert trained.verdicts == [RIGHT]
    assert trained.mistakes == []


def test_to_void_the_round_for_a_loser_is_wrong() -> None:
    trained = TrainedDealer()
    seat = settling(trained)
    trained.trouble("pay_wish", seat)
    trained.pit.give(i.CallFloor())
    trained.pit.resolve(Resolution.VOID)
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("voided", 1, False)]


def test_a_payout_called_wrong_for_a_loser_is_wrong() -> None:
    trained = TrainedDealer()
    seat = settling(trained)
    trained.trouble("pay_wish", seat)
    trained.pit.give(i.Happened(Reason.PAYOUT))
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("wrong procedure", 1, False)]


def test_a_kind_of_a_newer_world_is_shown_and_not_judged_by_guess() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.trouble("earthquake")
    trained.finish()
    (judged,) = trained.report.troubles
    assert (judged.did, judged.verdict) == ("Something that this build does not know.", RIGHT)


def asked(trained: TrainedDealer) -> int:
    """Deal until the first player has decided to stand and the next one is asked; whose seat."""
    trained.begin()
    step = trained.pit.state.step
    assert type(step).__name__ == "Ask"
    seat = int(step.hand.place.seat) if step else 0
    trained.pit.say("stand")
    return seat


def test_a_decision_that_is_taken_back_is_reported_and_made_anew() -> None:
    trained = TrainedDealer()
    seat = asked(trained)
    trained.trouble("changed_mind", seat)
    trained.pit.wait(3)
    trained.pit.give(i.Happened(Reason.TAKEN_BACK))
    trained.pit.resolve(Resolution.TAKE_BACK)
    trained.finish()
    (judged,) = trained.report.troubles
    assert judged.verdict == RIGHT
    assert judged.took_ms is not None
    assert trained.mistakes == []


def test_a_decision_that_stands_though_no_card_has_left_is_wrong() -> None:
    trained = TrainedDealer()
    seat = asked(trained)
    trained.trouble("changed_mind", seat)
    trained.pit.give(i.Happened(Reason.TAKEN_BACK))
    trained.pit.resolve(Resolution.STANDS)
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("wrong procedure", 1, False)]


@pytest.mark.parametrize(("pause_s", "verdict"), [(1, RIGHT), (3, WRONG)])
def test_to_go_on_without_a_word_is_wrong_unless_it_came_too_late(
    pause_s: int, verdict: str
) -> None:
    trained = TrainedDealer()
    seat = asked(trained)
    trained.trouble("changed_mind", seat)
    assert trained.verdicts == [OPEN]
    trained.pit.wait(pause_s - 1)  # the next press takes a second
    trained.pit.say("stand")
    assert trained.verdicts == [verdict]
    assert len(trained.mistakes) == (verdict == WRONG)


@pytest.mark.parametrize("resolution", [Resolution.STANDS, Resolution.VOID])
def test_a_hidden_card_that_was_seen_is_reported_and_the_floor_decides(
    resolution: Resolution,
) -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.trouble("exposed", 1)
    trained.pit.give(i.Happened(Reason.EXPOSED))
    trained.pit.resolve(resolution)
    assert trained.verdicts == [RIGHT]
    assert trained.mistakes == []


def test_a_hidden_card_that_was_seen_and_not_reported_is_wrong() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.trouble("exposed", 1)
    assert trained.verdicts == [OPEN]
    trained.finish()
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("wrong procedure", 1, False)]


def test_chips_that_came_too_late_go_back_and_the_round_goes_on() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.trouble("late_chips", 2)
    trained.finish()
    (judged,) = trained.report.troubles
    assert (judged.verdict, judged.took_ms) == (RIGHT, None)


def test_to_void_the_round_for_chips_that_came_too_late_is_wrong() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.trouble("late_chips", 2)
    trained.pit.give(i.CallFloor())
    trained.pit.resolve(Resolution.VOID)
    assert trained.verdicts == [WRONG]
    assert trained.mistakes == [("voided", 1, False)]
