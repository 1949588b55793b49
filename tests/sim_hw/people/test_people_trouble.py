"""When trouble by people fits what happens at the table."""

from typing import Any

import pytest

from controller.rules.actions import Action, Bid, Place
from controller.rules.cards import card
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.people.people_trouble import SpokenWord, WishSaid, place_of
from sim_hw.people.trouble_plan import CHANGED_MIND, EARLY_WISH, EXPOSED, LATE_CHIPS, PAY_WISH
from sim_hw.table.display_reader import Display, read_display
from sim_hw.table.felt import PhysicalFelt, Player
from sim_hw.table.oracle import Announcement, Choice
from tests.support.pictures import hand, hold, key, picture

SECOND = Place(2)


def felt() -> PhysicalFelt:
    return PhysicalFelt({seat: Player(seat, f"P{seat}") for seat in (1, 2, 3)})


def display(active: int = 3, **more: Any) -> Display:
    hands = [hand(seat, active=seat == active) for seat in (1, 2, 3)]
    return read_display(picture(**{"gone": 6, "hands": hands, **more}))


def word(choice: Choice = Action.STAND) -> SpokenWord:
    return SpokenWord(display().round, Announcement(SECOND, choice), 6)


# A decision taken back


def test_a_mind_is_changed_once_the_display_goes_on_by_the_word_and_no_card_has_left() -> None:
    assert word().passed(display(active=2), 6) is None, "still asked"
    assert word().passed(display(active=3), 6) == SECOND
    assert place_of(CHANGED_MIND, display(), felt(), SECOND) == SECOND
    assert place_of(CHANGED_MIND, display(), felt(), None) is None


@pytest.mark.parametrize(("gone", "shown"), [(7, 6), (7, 7)])
def test_not_after_a_card_has_left(gone: int, shown: int) -> None:
    assert word().passed(display(gone=shown), gone) is None


@pytest.mark.parametrize("choice", [Action.HIT, Action.DOUBLE, Bid(Action.BET, 1_000)])
def test_what_brings_a_card_or_chips_is_not_taken_back(choice: Choice) -> None:
    assert word(choice).passed(display(), 6) is None


def test_a_word_of_an_earlier_round_is_over() -> None:
    assert word().passed(display(round=9), 6) is None


# A hidden card seen


def test_a_hidden_card_is_seen_where_one_lies() -> None:
    lies = felt()
    lies.put(PhysicalCard(card("9c"), 1), Place(0))
    assert place_of(EXPOSED, display(), lies, None) is None
    lies.put(PhysicalCard(card("Kh"), 2), Place(0), down=True)
    assert place_of(EXPOSED, display(), lies, None) == Place(0)
    assert place_of(EXPOSED, read_display(picture("betting")), lies, None) is None


# Chips that come too late


def test_chips_come_late_at_a_hand_that_is_not_asked() -> None:
    assert place_of(LATE_CHIPS, display(active=1), felt(), None) == SECOND
    assert place_of(LATE_CHIPS, read_display(picture("betting")), felt(), None) is None
    alone = read_display(picture(hands=[hand(1, active=True)]))
    assert place_of(LATE_CHIPS, alone, felt(), None) is None


# How long a player says it


def test_what_is_said_stands_until_the_display_asks_something_else() -> None:
    shown = display()
    said = WishSaid(LATE_CHIPS, SECOND, shown.headline)
    assert not said.is_over(shown)
    assert not said.is_over(display(headline="Anything", holds=[hold()])), "it is being answered"
    assert said.is_over(display(headline="Something else"))


def test_a_wish_for_a_card_is_over_once_bets_cannot_be_closed_any_more() -> None:
    said = WishSaid(EARLY_WISH, SECOND, "")
    assert not said.is_over(read_display(picture("betting", keys=[key("close_bets")])))
    assert said.is_over(display())
    assert WishSaid(PAY_WISH, SECOND, "").is_over(display())
