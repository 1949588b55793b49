"""Holds are settled in the order in which their cards left, whatever comes of the first."""

from __future__ import annotations

import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.holds import MAX_HOLDS, Reason, Resolution
from tests.support.pit import Pit, opened, setup

GARBLED = Doubt.GARBLED


def reasons(pit: Pit) -> list[Reason]:
    return [each.reason for each in pit.state.holds]


def undo(pit: Pit) -> None:
    (key,) = (each for each in pit.display.keys if each.command["do"] == "undo")
    assert not pit.give(i.Undo(int(key.command["hold"]))).refused


def in_play(codes: str, *seats: int, name: str = "21-24-27") -> Pit:
    pit = opened(max(seats), name)
    for seat in seats:
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal(codes)
    return pit


def test_a_garbled_early_card_and_a_second_one_are_dealt_in_the_order_in_which_they_left() -> None:
    pit = opened(2)
    pit.bet(1)
    pit.doubt(GARBLED)
    pit.deal("9c")
    assert reasons(pit) == [Reason.EARLY, Reason.UNEXPECTED]
    pit.expect(next="Card drawn before the deal")
    for _ in range(2):
        assert not pit.resolve(Resolution.KEEP).refused
    assert pit.display.kept_cards == 2
    assert pit.display.why.endswith(" 2 cards lie ready, to be dealt first.")
    pit.no_more_bets()
    pit.press("next")
    pit.expect(next="Card not read")
    asked = "The card that lay ready was not read when it left the shoe. Turn it where it goes."
    assert pit.display.holds[0].text == asked
    pit.resolve(Resolution.ENTER_CARD, "Kd")
    pit.expect(next="Card to the dealer")
    pit.press("next")
    dealt = [(each.card.code, each.seat) for each in pit.facts if isinstance(each, f.CardDealt)]
    assert dealt == [("Kd", 1), ("9c", 0)]


def test_an_undo_puts_a_hold_back_in_its_place() -> None:
    pit = opened(2)
    pit.deal("5h 9c")
    assert reasons(pit) == [Reason.EARLY, Reason.UNEXPECTED]
    pit.resolve(Resolution.SET_ASIDE)
    undo(pit)
    assert reasons(pit) == [Reason.EARLY, Reason.UNEXPECTED]
    pit.resolve(Resolution.KEEP)
    undo(pit)
    assert reasons(pit) == [Reason.EARLY, Reason.UNEXPECTED]
    for _ in range(2):
        pit.resolve(Resolution.KEEP)
    assert [each.open() for each in pit.state.aftermath.kept_cards if isinstance(each, Sealed)] == [
        card("5h"), card("9c"),
    ]  # fmt: skip


def test_a_card_entered_where_none_is_awaited_any_more_is_said_to_lie_nowhere() -> None:
    """The second hold is settled first, by another page: the round is void, and the card early."""
    pit = in_play("Kh 9c", 1, 2)
    pit.doubt(GARBLED)
    pit.deal("2d")
    assert reasons(pit) == [Reason.UNREADABLE, Reason.UNEXPECTED]
    pit.deal("3d")
    first, second, third = pit.state.holds
    pit.resolve(Resolution.VOID, hold=second.number)
    pit.resolve(Resolution.ENTER_CARD, "4d", hold=first.number)
    assert pit.display.done == "The card is entered; the table did not wait for it."
    assert [each.number for each in pit.state.holds][-1] == third.number
    assert reasons(pit)[0] is Reason.EARLY


@pytest.mark.parametrize("name", ["21-24-27", "blackjack"])
def test_a_garbled_card_drawn_while_the_table_is_held_is_no_hit_of_the_hand_that_waits(
    name: str,
) -> None:
    pit = in_play("9h Td 9c 6s", 1, name=name)
    assert pit.display.headline.endswith("?")
    pit.give(i.CallFloor())
    pit.doubt(GARBLED)
    assert reasons(pit) == [Reason.FLOOR, Reason.UNEXPECTED]
    pit.resolve(Resolution.RELEASE)
    pit.resolve(Resolution.SET_ASIDE)
    assert pit.display.headline.endswith("?")
    assert not any(isinstance(each, f.Decided) for each in pit.facts)


def test_beyond_twenty_holds_what_is_no_card_that_left_counts_as_none() -> None:
    pit = in_play("9c", 1)
    while len(pit.state.holds) < MAX_HOLDS:
        pit.doubt(GARBLED)
    pit.doubt(Doubt.CUT_CARD)
    assert pit.state.aftermath.recount.unread == 0
    pit.doubt(GARBLED)
    assert pit.state.aftermath.recount.unread == 1


def test_a_reader_that_reports_without_end_while_a_pack_is_handled_fills_no_record() -> None:
    pit = Pit(setup(1, "21-24-27"))
    while len(pit.state.holds) < MAX_HOLDS:
        pit.doubt(GARBLED)
    for _ in range(100):
        assert pit.doubt(GARBLED).refused
    assert not [each for each in pit.facts if isinstance(each, f.CardLeftUnread)]
