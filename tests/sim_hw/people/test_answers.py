"""How the simulated dealer answers a hold: by what lies on the felt."""

from dataclasses import replace

import pytest

from sim_hw.people.dealer_intent import Send, Wait, intend
from sim_hw.table.display_reader import Command, read_display
from tests.support.pictures import hand, hold, picture, resolves, sight


def test_a_recount_that_agrees_is_answered_so() -> None:
    view = read_display(picture(gone=5, holds=[hold("count", "enter_card", "void")]))
    assert intend(view, sight(5, "9c", "Th")) == resolves("count", cards=2)


def test_a_count_that_does_not_agree_is_made_seat_by_seat() -> None:
    seats = {**hold("count", "void")}
    seats["resolutions"][0]["needs"] = "counts"
    view = read_display(picture(gone=5, holds=[seats], hands=[hand(1), hand(3)]))
    felt = replace(sight(5), lying={0: 1, 1: 2})
    counted = [{"seat": 0, "cards": 1}, {"seat": 1, "cards": 2}, {"seat": 3, "cards": 0}]
    assert intend(view, felt) == resolves("count", seats=counted)


def test_a_card_that_is_missing_is_counted_before_it_is_entered() -> None:
    view = read_display(picture(gone=1, holds=[hold("count", "void")]))
    assert intend(view, sight(2, "9c", "Th")) == resolves("count", cards=2)


def test_a_card_missing_on_the_display_is_entered_in_a_recount() -> None:
    view = read_display(picture(gone=1, holds=[hold("count", "enter_card", "void")]))
    felt = sight(2, "9c", "Th")
    assert intend(view, felt) == resolves("enter_card", card="Th")


def test_missing_cards_are_entered_in_the_order_in_which_they_left() -> None:
    view = read_display(picture(gone=1, holds=[hold("count", "enter_card")]))
    felt = sight(3, "9c", "Th", "Jo")
    assert intend(view, felt) == resolves("enter_card", card="Th")


@pytest.mark.parametrize("resolutions", [("count", "face_down"), ("face_down", "no_card", "void")])
def test_a_missing_card_that_went_face_down_is_only_counted(resolutions: tuple[str, ...]) -> None:
    view = read_display(picture(gone=1, holds=[hold(*resolutions)]))
    assert intend(view, sight(2, "9c", "-")) == resolves("face_down")


def test_a_hidden_card_is_never_entered_by_its_face() -> None:
    view = read_display(picture(gone=1, holds=[hold("count", "enter_card")]))
    assert isinstance(intend(view, sight(2, "9c", "-")), Wait)


def test_a_recount_waits_until_the_devices_are_back() -> None:
    down = [{"name": "scanner", "up": False, "why": "unplugged"}]
    view = read_display(picture(holds=[hold("count", "enter_card")], devices=down))
    assert isinstance(intend(view, sight()), Wait)


@pytest.mark.parametrize(
    ("out_of_shoe", "felt", "resolution"),
    [
        (2, ("Th", "Th"), "two"),
        (1, ("Th",), "one"),
        # The display asks late: the next card lies there already, and is another one.
        (2, ("Th", "9c"), "one"),
        # The card before lies face down, burned: one more has left the shoe.
        (2, ("Th",), "two"),
        # Next to a hidden card the question is asked whatever was read: cards are counted.
        (2, ("-", "9c"), "two"),
        (1, ("-",), "one"),
    ],
)
def test_one_card_or_two_is_answered_by_what_lies_on_the_felt(
    out_of_shoe: int, felt: tuple[str, ...], resolution: str
) -> None:
    view = read_display(picture(gone=1, holds=[hold("one", "two")]))
    assert intend(view, sight(out_of_shoe, *felt)) == resolves(resolution)


def test_a_card_that_was_not_read_is_looked_at_and_entered() -> None:
    view = read_display(picture(gone=0, holds=[hold("enter_card", "no_card", "void")]))
    assert intend(view, sight(1, "7d")) == resolves("enter_card", card="7d")


def test_a_reading_without_a_card_is_answered_by_no_card() -> None:
    view = read_display(picture(gone=1, holds=[hold("enter_card", "no_card", "void")]))
    assert intend(view, sight(1, "7d")) == resolves("no_card")


def test_a_burned_card_that_was_not_read_is_put_aside_unseen() -> None:
    view = read_display(picture("burn", gone=0, holds=[hold("set_aside", "no_card")]))
    assert intend(view, sight(1)) == resolves("set_aside")


def test_the_discards_go_back_into_an_empty_shoe() -> None:
    view = read_display(picture(gone=324, holds=[hold("refilled", "void")]))
    assert intend(view, sight(324)) == resolves("refilled")


def test_the_floor_that_was_called_releases() -> None:
    view = read_display(picture(holds=[hold("release", "void")]))
    assert intend(view, sight()) == resolves("release")


def test_what_is_known_of_one_card_is_settled_before_the_recount() -> None:
    view = read_display(
        picture(gone=0, holds=[hold("count", "enter_card"), hold("set_aside", "void", number=5)])
    )
    command: Command = {"do": "resolve", "hold": 5, "resolution": "set_aside"}
    assert intend(view, sight(1, "7d")) == Send(command)


def test_nobody_voids_a_round_for_a_card_that_was_read_too_often() -> None:
    view = read_display(picture(gone=1, holds=[hold("set_aside", "void")]))
    assert intend(view, sight(1, "7d")) == resolves("set_aside")
