"""No card without a trace: what the beam saw, what people count, and what they may take back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.displays import Key
from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.shoe.reconciliation import Verdict
from controller.table.state.phases import Phase
from controller.table.views.parts.recount import DONE
from tests.support.pit import SCANNER, Pit, opened, setup

#: After so few cards the shoe is over, which is all that matters here.
PENETRATION = 60


def in_play(codes: str, *seats: int, name: str = "21-24-27") -> Pit:
    pit = opened(max(seats), name)
    for seat in seats:
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal(codes)
    return pit


def leaves_unread(pit: Pit) -> None:
    pit.give(Reading(SCANNER, None, Doubt.READER_AWAY, apart=True))


def open_now(pit: Pit) -> set[str]:
    return {str(key.command.get("resolution", key.command["do"])) for key in resolutions(pit)}


def count_seats(pit: Pit, *counted: tuple[int, int]) -> None:
    """Count seat by seat: seat (0: the dealer's) and cards."""
    seats = tuple(i.CardsAtSeat(*each) for each in counted)
    answer = pit.give(i.Resolve(pit.state.holds[0].number, Resolution.COUNT, seats=seats))
    assert not answer.refused


def resolutions(pit: Pit) -> tuple[Key, ...]:
    return pit.display.holds[0].resolutions


def undo_keys(pit: Pit) -> list[Key]:
    return [each for each in pit.display.keys if each.command["do"] == "undo"]


def undo(pit: Pit) -> None:
    (key,) = undo_keys(pit)
    assert not pit.give(i.Undo(int(key.command["hold"]))).refused


def test_a_card_that_the_recount_counted_is_not_dealt_again_when_its_reading_comes_late() -> None:
    """As it was found: the camera came back as the card left, and told it after the count."""
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=3)
    pit.resolve(Resolution.ENTER_CARD, "Qs")
    assert not pit.state.holds
    gone = pit.state.shoe.gone
    settled_ns = pit.state.held_until_ns
    late = Reading(SCANNER, Sealed(card("Qs")), apart=True, passed_ns=settled_ns - 1)
    pit.give(late)
    assert [each.reason for each in pit.state.holds] == [Reason.UNEXPECTED]
    pit.resolve(Resolution.NO_CARD)
    assert pit.state.shoe.gone == gone
    pit.give(Reading(SCANNER, None, Doubt.NOT_SEEN, apart=True, passed_ns=settled_ns - 1))
    assert [each.reason for each in pit.state.holds] == [Reason.UNEXPECTED]
    pit.resolve(Resolution.NO_CARD)
    pit.give(replace(late, passed_ns=pit.state.held_until_ns))
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone + 1


def test_a_machine_that_was_started_anew_counts_its_time_from_0() -> None:
    """What its clock said before says nothing of a card that leaves now."""
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=2)
    assert pit.state.held_until_ns
    pit.start()
    assert pit.state.held_until_ns == 0


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
    pit.resolve(Resolution.COUNT, cards=3)
    pit.expect(next="Recount")
    pit.resolve(Resolution.ENTER_CARD, "Kd")
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone + 1
    assert pit.state.recount.unread == 0
    facts = [each for each in pit.facts if isinstance(each, f.FeltCounted)]
    assert [(each.cards, each.shown) for each in facts] == [(2, 2), (3, 2)]
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


# Ghost cards


@pytest.mark.parametrize("hold", ["floor", "recount"])
def test_put_the_card_aside_counts_a_card_that_is_missing_and_no_ghost(hold: str) -> None:
    """As it was played: each touch of the key counted one more card as gone."""
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    if hold == "floor":
        pit.give(i.CallFloor())
    else:
        pit.scanner_down()
        pit.scanner_up()
    for _ in range(4):
        assert pit.resolve(Resolution.SET_ASIDE).code == "resolution-is-not-open"
    pit.resolve(Resolution.COUNT, cards=3)
    assert not pit.resolve(Resolution.SET_ASIDE).refused
    assert pit.display.done == "One card was put aside, face down. It counts as gone."
    assert pit.state.shoe.gone == gone + 1
    if hold == "floor":
        assert pit.resolve(Resolution.SET_ASIDE).code == "resolution-is-not-open"
    undo(pit)
    assert pit.state.shoe.gone == gone
    assert pit.state.missing == 1
    assert pit.display.done == ""
    pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.shoe.gone == gone + 1


def test_the_floor_does_not_go_on_from_a_count_that_does_not_agree() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.give(i.CallFloor())
    assert "release" in open_now(pit)
    pit.resolve(Resolution.COUNT, cards=1)  # one is shown that does not lie there
    assert open_now(pit) == {"count", "correct", "void"}
    pit.resolve(Resolution.COUNT)
    assert "2 cards counted: that agrees with the display." in pit.display.holds[0].text
    assert not pit.resolve(Resolution.RELEASE).refused


def test_a_round_that_is_voided_counts_what_is_missing_as_gone() -> None:
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    pit.scanner_down()
    leaves_unread(pit)
    leaves_unread(pit)
    pit.scanner_up()
    pit.resolve(Resolution.VOID)
    said = "The round is void: every bet goes back. 2 cards count as gone, unseen."
    assert pit.display.done == said
    assert pit.state.shoe.gone == gone + 2
    assert pit.state.recount.unread == 0


@pytest.mark.parametrize("hold", ["floor", "recount"])
def test_a_void_believes_no_count_that_is_one_number(hold: str) -> None:
    """As it was played: three counted where two lie, and a ghost stood in the ledger."""
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    if hold == "floor":
        pit.give(i.CallFloor())
    else:
        pit.scanner_down()
        pit.scanner_up()
    assert "void" in open_now(pit)
    pit.resolve(Resolution.COUNT, cards=3)
    assert "void" not in open_now(pit)
    assert pit.resolve(Resolution.VOID).code == "resolution-is-not-open"
    count_seats(pit, (1, 1), (2, 1), (0, 0))
    if hold == "recount":
        pit.give(i.CallFloor())
    pit.resolve(Resolution.VOID)
    assert pit.state.shoe.gone == gone


def test_a_void_believes_what_was_counted_seat_by_seat() -> None:
    """Without a beam counts are all that is known."""
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    pit.give(i.CallFloor())
    pit.resolve(Resolution.COUNT, cards=3)
    count_seats(pit, (1, 2), (2, 1), (0, 0))
    pit.resolve(Resolution.VOID)
    assert pit.display.done.endswith("1 card counts as gone, unseen.")
    assert pit.state.shoe.gone == gone + 1


def test_a_round_is_voided_without_a_second_count_where_nothing_can_be_counted() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.give(i.CallFloor())
    gone = pit.state.shoe.gone
    pit.resolve(Resolution.COUNT, cards=30)
    assert "void" not in open_now(pit)
    pit.scanner_down()
    assert "void" in open_now(pit)
    pit.resolve(Resolution.VOID)
    assert pit.display.done == "The round is void: every bet goes back."
    assert pit.state.shoe.gone == gone


def test_a_void_counts_what_the_beam_noticed_and_not_what_one_number_adds() -> None:
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    pit.scanner_down()
    leaves_unread(pit)
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=30)
    pit.scanner_down()
    pit.resolve(Resolution.VOID)
    assert pit.display.done.endswith("1 card counts as gone, unseen.")
    assert pit.state.shoe.gone == gone + 1


# Undo


def test_a_card_that_was_entered_by_mistake_is_taken_out_again() -> None:
    pit = in_play("Kh 9c", 1, 2)
    before = pit.state.shoe
    pit.doubt()
    pit.expect(next="Card not read")
    pit.resolve(Resolution.ENTER_CARD, "2d")
    pit.expect(next="Card to seat 1")
    assert pit.display.done == "The card was entered and lies where the display shows it."
    undo(pit)
    pit.expect(next="Card not read")
    assert pit.state.shoe.gone == before.gone
    assert pit.state.shoe.face_up.get(card("2d"), 0) == 0
    pit.resolve(Resolution.ENTER_CARD, "3d")
    pit.expect(next="Card to seat 1")
    assert pit.state.shoe.gone == before.gone + 1


def test_a_way_on_that_is_undone_opens_its_hold_again() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.doubt()
    why = pit.display.why
    pit.resolve(Resolution.NO_CARD)
    assert pit.display.done == "No card left the shoe; nothing was counted."
    undo(pit)
    pit.expect(next="Card not read", why=why)
    undone = [each for each in pit.facts if isinstance(each, f.ResolutionUndone)]
    assert [each.resolution for each in undone] == [Resolution.NO_CARD]


def test_a_kept_card_is_put_back_into_its_hold() -> None:
    pit = opened(2)
    gone = pit.state.shoe.gone
    pit.deal("5h")
    assert [each.reason for each in pit.state.holds] == [Reason.EARLY]
    pit.resolve(Resolution.KEEP)
    assert len(pit.state.kept_cards) == 1
    undo(pit)
    assert pit.display.holds
    assert pit.state.shoe.gone == gone
    assert [each.reason for each in pit.state.holds] == [Reason.EARLY]
    pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.shoe.gone == gone + 1


def test_nothing_is_undone_once_something_else_has_happened() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.doubt()
    number = pit.state.holds[0].number
    pit.resolve(Resolution.ENTER_CARD, "2d")
    assert undo_keys(pit)
    pit.deal("3d")
    assert not undo_keys(pit)
    assert pit.display.done == ""
    assert pit.give(i.Undo(number)).code == "nothing-to-undo"


def test_a_void_is_final() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.give(i.CallFloor())
    pit.resolve(Resolution.VOID)
    assert not undo_keys(pit)
    assert pit.display.done == "The round is void: every bet goes back."


def test_every_resolution_says_what_it_has_done() -> None:
    assert DONE.keys() == set(Resolution)


def test_a_card_that_is_shown_and_does_not_lie_there_is_taken_out_by_a_correction() -> None:
    """Without a beam a scanner that says a code makes a card: the count of the felt finds it."""
    pit = in_play("Kh 9c 2d", 1, 2)
    gone = pit.state.shoe.gone
    pit.scanner_down()
    pit.scanner_up()
    pit.resolve(Resolution.COUNT, cards=2)
    assert open_now(pit) == {"count", "correct", "void"}
    edit = i.EditAsked(2, EditKind.REMOVE)
    assert pit.give(i.Correct(1, (edit,), "no such card")).refused == ""
    assert not pit.state.holds
    assert pit.state.shoe.gone == gone - 1
    pit.expect(next="Card to the dealer")


def test_while_the_scanner_is_away_the_display_speaks_in_whole_sentences() -> None:
    pit = in_play("Kh 9c", 1, 2)
    pit.scanner_down()
    before = pit.display.holds[0].text
    assert "The scanner has stopped. When it is back: count the cards" in before
    leaves_unread(pit)
    left = "The scanner has stopped. 1 card left while the scanner was away. Count the cards"
    assert left in pit.display.holds[0].text


def test_a_card_that_a_void_put_on_record_is_not_put_aside_again() -> None:
    """The floor was called before the scanner was lost: two holds, one card."""
    pit = in_play("Kh 9c", 1, 2)
    gone = pit.state.shoe.gone
    pit.give(i.CallFloor())
    pit.scanner_down()
    leaves_unread(pit)
    pit.scanner_up()
    pit.resolve(Resolution.VOID)
    pit.resolve(Resolution.SQUARED)
    assert pit.state.shoe.gone == gone + 1
    assert [each.reason for each in pit.state.holds] == [Reason.RECOUNT]
    assert pit.resolve(Resolution.SET_ASIDE).refused
    assert pit.state.shoe.gone == gone + 1
