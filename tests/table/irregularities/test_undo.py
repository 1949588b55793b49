"""What was chosen last to settle a hold is undone, as a fact, and nothing else is."""

from __future__ import annotations

from controller.rules.cards import card
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.views.parts.recount import DONE
from tests.support.pit import opened
from tests.table.irregularities.counted_table import in_play, open_now, undo, undo_keys

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
    assert len(pit.state.aftermath.kept_cards) == 1
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
