"""No card without a trace: what the beam saw, and what people count."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.shoe.reconciliation import Verdict
from controller.table.state.phases import Phase
from tests.support.pit import SCANNER, Pit, setup
from tests.table.irregularities.counted_table import in_play, leaves_unread, open_now, resolutions

#: After so few cards the shoe is over, which is all that matters here.
PENETRATION = 60


def test_a_card_that_the_recount_counted_is_not_dealt_again_when_its_reading_comes_late() -> None:
    """As it was found: the camera came back as the card left, and told it after the count."""
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=3)
    pit.resolve(Resolution.ENTER_CARD, "Qs")
    assert not pit.state.holds
    gone = pit.state.shoe.gone
    settled_ns = pit.state.aftermath.held_until_ns
    late = Reading(SCANNER, Sealed(card("Qs")), apart=True, passed_ns=settled_ns - 1)
    pit.give(late)
    assert [each.reason for each in pit.state.holds] == [Reason.UNEXPECTED]
    pit.resolve(Resolution.NO_CARD)
    assert pit.state.shoe.gone == gone
    pit.give(Reading(SCANNER, None, Doubt.NOT_SEEN, apart=True, passed_ns=settled_ns - 1))
    assert [each.reason for each in pit.state.holds] == [Reason.UNEXPECTED]
    pit.resolve(Resolution.NO_CARD)
    pit.give(replace(late, passed_ns=pit.state.aftermath.held_until_ns))
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone + 1


def test_a_machine_that_was_started_anew_counts_its_time_from_0() -> None:
    """What its clock said before says nothing of a card that leaves now."""
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=2)
    assert pit.state.aftermath.held_until_ns
    pit.start()
    assert pit.state.aftermath.held_until_ns == 0


def test_a_card_that_left_while_the_scanner_was_away_is_counted_named_and_entered() -> None:
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    pit.scanner_down()
    leaves_unread(pit)
    pit.scanner_up()
    hold = pit.display.holds[0]
    assert "1 card left while the scanner was away." in hold.text
    pit.resolve(Resolution.COUNT, cards=2)  # as many as are shown: the beam says otherwise
    pit.expect(next="Recount")
    asked = "2 cards counted, as shown. What became of the 1 card that left?"
    assert pit.display.holds[0].text.endswith(asked)
    seats = (i.CardsAtSeat(1, 1), i.CardsAtSeat(2, 1), i.CardsAtSeat(0, 0))
    number = pit.state.holds[0].number  # right seat by seat, too
    assert not pit.give(i.Resolve(number, Resolution.COUNT, seats=seats)).refused
    assert pit.display.holds[0].text.endswith(asked)
    pit.resolve(Resolution.COUNT, cards=3)
    pit.expect(next="Recount")
    pit.resolve(Resolution.ENTER_CARD, "Kd")
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone + 1
    assert pit.state.aftermath.recount.unread == 0
    facts = [each for each in pit.facts if isinstance(each, f.FeltCounted)]
    assert [(each.cards, each.shown) for each in facts] == [(2, 2), (2, 2), (3, 2)]
    assert any(isinstance(each, f.CardLeftUnread) for each in pit.facts)


def test_nobody_goes_on_from_a_recount_while_a_card_is_missing() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    leaves_unread(pit)
    pit.scanner_up()
    for _ in range(3):
        assert not pit.resolve(Resolution.COUNT, cards=2).refused
        pit.expect(next="Recount")
    assert not pit.resolve(Resolution.NO_CARD).refused  # the floor: a hand was in the beam
    pit.expect(next="Recount")
    pit.resolve(Resolution.COUNT)
    assert not pit.state.holds


def test_without_a_beam_the_count_itself_finds_the_card() -> None:
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    pit.scanner_down()
    pit.scanner_up()
    assert open_now(pit) == {"count", "void"}
    pit.resolve(Resolution.COUNT, cards=3)
    assert "3 cards counted, the display shows 2. Count seat by seat." in pit.display.holds[0].text
    key = next(each for each in resolutions(pit) if each.command.get("resolution") == "count")
    assert key.needs == "counts"
    number = pit.state.holds[0].number
    seats = tuple(i.CardsAtSeat(*each) for each in ((1, 1), (2, 1), (0, 1)))
    assert not pit.give(i.Resolve(number, Resolution.COUNT, seats=seats)).refused
    assert "Dealer: 1 counted, 0 shown." in pit.display.holds[0].text
    assert {"enter_card", "set_aside", "no_card", "correct", "count", "void"} == open_now(pit)
    pit.resolve(Resolution.SET_ASIDE)
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone + 1


def test_a_count_is_asked_for_in_the_games_own_word() -> None:
    pit = in_play("Kh 9c", 1, 2, name="blackjack")
    pit.give(i.CallFloor())
    pit.resolve(Resolution.COUNT, cards=4)
    assert "Count box by box." in pit.display.holds[0].text


def test_a_card_put_aside_settles_no_count_in_which_another_seat_differs() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    number = pit.state.holds[0].number
    for apart in (((1, 0), (2, 3), (0, 0)), ((1, 1), (2, 1), (0, 0))):
        seats = tuple(i.CardsAtSeat(*each) for each in apart)
        assert not pit.give(i.Resolve(number, Resolution.COUNT, seats=seats)).refused
        if pit.state.holds:
            assert not pit.resolve(Resolution.SET_ASIDE).refused
            assert "Seat 1: 0 counted, 1 shown" in pit.display.holds[0].text
            assert "release" not in open_now(pit)
    assert not pit.state.holds


def test_seats_that_are_left_out_or_named_twice_are_no_count() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    number = pit.state.holds[0].number
    for wrong in (((1, 1), (2, 1)), ((1, 1), (2, 1), (0, 0), (2, 0)), ((1, 1), (2, 1), (3, 0))):
        seats = tuple(i.CardsAtSeat(*each) for each in wrong)
        answer = pit.give(i.Resolve(number, Resolution.COUNT, seats=seats))
        assert answer.code == "count-every-seat"
    assert pit.give(i.Resolve(number, Resolution.COUNT)).code == "say-how-many-cards"


def test_as_many_cards_but_at_other_spots_do_not_agree() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    number = pit.state.holds[0].number
    pit.resolve(Resolution.COUNT, cards=3)
    seats = tuple(i.CardsAtSeat(*each) for each in ((1, 2), (2, 0), (0, 0)))
    pit.give(i.Resolve(number, Resolution.COUNT, seats=seats))
    pit.expect(next="Recount")
    assert "Seat 1: 2 counted, 1 shown; " in pit.display.holds[0].text


def test_a_recount_does_not_say_how_many_there_should_be_unless_the_house_wants_it() -> None:
    pit = in_play("Kh 9c 2d", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    assert not any(each.isdigit() for each in pit.display.holds[0].text)
    shown = Pit(replace(setup(2), blind_counts=False))
    shown.shuffle()
    shown.scanner_down()
    shown.scanner_up()
    assert "The display shows 0." in shown.display.holds[0].text


def over(**changes: object) -> Pit:
    """A table whose shoe is over: its cards left too early, one after the other."""
    table_setup = setup(1, "21-24-27", penetration_cards=PENETRATION)
    pit = Pit(replace(table_setup, reconcile="count", **changes))  # type: ignore[arg-type]
    pit.shuffle()
    for each in pit.state.shoe.pack.cards()[1 - PENETRATION :]:
        pit.deal(each.code)
        pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.must_close
    return pit


def test_the_rest_of_a_shoe_is_counted_before_its_number_is_reported() -> None:
    pit = over()
    left = pit.state.shoe.left
    (key,) = (each for each in pit.display.keys if each.command["do"] == "close_shoe")
    assert key.needs == "count"
    assert "left" not in key.command
    shown = " ".join((pit.display.headline, pit.display.why, *(k.label for k in pit.display.keys)))
    assert str(left) not in shown
    assert pit.display.shoe.counted
    assert pit.press("next").code == "count-and-type"
    pit.give(i.CloseShoe(left - 1))
    assert pit.state.holds[0].reason is Reason.SHOE_OFF


def test_a_kept_card_of_a_shoe_that_is_over_goes_with_the_old_pack() -> None:
    pit = Pit(replace(setup(1, "21-24-27", penetration_cards=PENETRATION), reconcile="off"))
    pit.shuffle()
    first, *others = pit.state.shoe.pack.cards()[1 - PENETRATION :]
    pit.deal(first.code)
    pit.resolve(Resolution.KEEP)
    for each in others:
        pit.deal(each.code)
        pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.phase is Phase.SHUFFLE
    assert pit.display.kept_cards == 1
    assert pit.display.why.endswith(" 1 card lies ready still: with the old pack.")
    pit.shuffle()
    assert pit.display.kept_cards == 0


def test_a_house_may_show_the_number_first() -> None:
    pit = over(blind_counts=False)
    assert not pit.press("next").refused
    assert pit.state.ledger.last is not None
    assert pit.state.ledger.last.finding.verdict is Verdict.AGREES


def test_while_the_scanner_is_away_the_display_speaks_in_whole_sentences() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    before = pit.display.holds[0].text
    assert "The scanner has stopped. When it is back: count the cards" in before
    leaves_unread(pit)
    left = "The scanner has stopped. 1 card left while the scanner was away. Count the cards"
    assert left in pit.display.holds[0].text
