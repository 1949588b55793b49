"""A card that never left: no count, no void and nobody puts it on record."""

from __future__ import annotations

import pytest

from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from tests.support.pit import Pit
from tests.table.irregularities.counted_table import in_play, leaves_unread, open_now, undo


def count_seats(pit: Pit, *counted: tuple[int, int]) -> None:
    """Count seat by seat: seat (0: the dealer's) and cards."""
    seats = tuple(i.CardsAtSeat(*each) for each in counted)
    answer = pit.give(i.Resolve(pit.state.holds[0].number, Resolution.COUNT, seats=seats))
    assert not answer.refused


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
    assert pit.state.aftermath.recount.unread == 0


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
