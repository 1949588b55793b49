"""What is a mistake of a dealer in training, and what is none."""

from controller.devices.inputs import Button, Doubt, Press
from controller.rules.actions import Place
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.training.world_list import BetsLie
from tests.training.records import TrainedDealer

#: Seat 1 has 23 and is asked.
ASKED = "Th 9c 5d Kh 7s 6c"


def test_a_round_as_the_display_asks_has_none() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.finish()
    assert trained.mistakes == []
    assert trained.report.rounds == 1


def test_a_card_before_the_bets_are_closed_is_early() -> None:
    trained = TrainedDealer()
    trained.bets()
    trained.pit.deal("Th")
    trained.pit.resolve(Resolution.SET_ASIDE)
    assert trained.mistakes == [("early card", 0, False)]
    assert trained.report.early_cards == 1


def test_a_card_while_chips_are_to_move_is_early() -> None:
    trained = TrainedDealer()
    trained.begin("Th 9c 5d Jh 7s 6c")
    while type(trained.pit.state.step).__name__ == "Ask":
        trained.pit.say("stand")
    while type(trained.pit.state.step).__name__ != "Settle":
        trained.pit.deal("4s")
    trained.pit.deal("2d")
    trained.pit.resolve(Resolution.SET_ASIDE)
    trained.finish()
    assert trained.mistakes == [("early card", 0, False)]


def test_a_press_that_is_refused_is_one_and_is_counted_by_its_rule() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.pit.press("next")
    trained.pit.press("next")
    trained.pit.deal("2d")
    trained.pit.press("next")
    texts = [each.text[-9:] for each in trained.report.mistakes if each.kind == "refused press"]
    assert len(texts) == 2
    assert texts[0] == "(2 times)"
    (refused,) = trained.report.refused
    assert (refused.press, refused.code, refused.count) == ("next", "not-now-because", 3)


def test_a_press_that_crossed_with_something_else_is_none_but_is_listed() -> None:
    trained = TrainedDealer()
    old = trained.seq
    trained.begin()
    answer = trained.pit.give(i.CallFloor(), view_seq=old)
    assert answer.code == "table-has-moved-on"
    assert trained.mistakes == []
    assert [each.code for each in trained.report.refused] == ["table-has-moved-on"]


def test_a_bet_that_the_world_entered_in_vain_is_not_the_dealers() -> None:
    trained = TrainedDealer()
    trained.begin()
    assert trained.pit.bet(3).refused
    assert trained.mistakes == []
    assert trained.report.refused == ()


def test_a_word_that_was_not_heard_is_one() -> None:
    trained = TrainedDealer()
    trained.begin(ASKED)
    trained.says(1, "hit")
    trained.pit.say("stand")
    assert trained.mistakes == [("wrong decision", 0, False)]
    (mistake,) = trained.report.mistakes
    assert mistake.text == "seat 1: the player said hit, stand is on record"


def test_the_last_word_before_the_decision_counts() -> None:
    trained = TrainedDealer()
    trained.begin(ASKED)
    trained.says(1, "hit")
    trained.says(1, "stand")
    trained.pit.say("stand")
    trained.says(1, "hit")
    assert trained.mistakes == []


def test_a_word_that_was_not_heard_and_is_taken_back_is_mended() -> None:
    trained = TrainedDealer()
    trained.begin(ASKED)
    trained.says(1, "hit")
    trained.pit.say("stand")
    trained.pit.give(i.Happened(Reason.TAKEN_BACK))
    trained.pit.resolve(Resolution.TAKE_BACK)
    assert trained.mistakes == [("wrong decision", 0, True)]


def test_a_card_on_record_that_does_not_lie_there_is_one() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.finish({Place(2, 1): "9c 8s"})
    found = trained.report.mistakes
    assert [(each.kind, each.text) for each in found] == [
        ("wrong card", "seat 2: the Eight of spades lay there, the Seven of spades is on record")
    ]


def test_a_card_that_lies_there_and_is_not_on_record_is_one() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.finish({Place(2, 1): "9c 7s 2d"})
    (mistake,) = trained.report.mistakes
    assert mistake.text == "seat 2: the Two of diamonds lay there, no card is on record"


def test_a_card_that_lies_face_down_is_not_compared() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.finish({Place(2, 1): "?? 7s"})
    assert trained.mistakes == []


def test_a_resolution_that_is_undone_is_a_mended_one() -> None:
    trained = TrainedDealer()
    trained.begin("Th")
    trained.trouble("garbage")
    trained.pit.doubt(Doubt.GARBLED)
    trained.pit.resolve(Resolution.ENTER_CARD, "3d")
    trained.undo()
    trained.pit.resolve(Resolution.ENTER_CARD, "4d")
    trained.pit.deal("5d 8h 7s 6c")
    trained.finish()
    assert trained.mistakes == [("touched by mistake", 0, True)]
    assert trained.verdicts == ["right"]


def test_a_round_that_is_voided_without_need_is_one() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.pit.give(i.CallFloor())
    trained.pit.resolve(Resolution.VOID)
    assert trained.mistakes == [("voided", 0, False)]
    assert trained.report.void == 1


def test_a_round_that_is_voided_after_an_own_mistake_is_no_second_one() -> None:
    trained = TrainedDealer()
    trained.begin(ASKED)
    trained.says(1, "hit")
    trained.pit.say("stand")
    trained.pit.give(i.CallFloor())
    trained.pit.resolve(Resolution.VOID)
    assert trained.mistakes == [("wrong decision", 0, False)]


def test_a_call_for_the_floor_is_none() -> None:
    trained = TrainedDealer()
    trained.begin()
    trained.pit.give(Press("buttons", Button.CALL))
    trained.pit.resolve(Resolution.RELEASE)
    trained.finish()
    assert trained.mistakes == []


def test_bets_that_are_closed_over_chips_that_lie_there_are_closed_early() -> None:
    trained = TrainedDealer()
    trained.lines.append(BetsLie(trained.now_ms, trained.seq, (1, 2, 3)))
    trained.begin()
    (mistake,) = trained.report.mistakes
    assert (mistake.kind, mistake.round) == ("bets closed early", 1)
    assert mistake.text == "The bets were closed before those of seat 3 were on the display"


def test_bets_that_are_all_on_the_display_are_not() -> None:
    trained = TrainedDealer()
    trained.lines.append(BetsLie(trained.now_ms, trained.seq, (1, 2)))
    trained.begin()
    assert trained.mistakes == []
