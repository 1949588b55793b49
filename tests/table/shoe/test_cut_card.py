"""The cut card: where it was put in and when it came out is on record, and decides nothing."""

from __future__ import annotations

import pytest

from controller.devices.inputs import Doubt, Reading
from controller.table import inputs as i
from controller.table.facts import CutCardSeen, HoldRaised, ShoeCut
from controller.table.state.phases import Phase
from controller.table.views.ledger_view import CutView
from controller.table.views.public import public
from tests.support.pit import SCANNER, Pit, setup


def loaded() -> Pit:
    """A pack is loaded whose house cut is after 6 cards, nothing burned."""
    pit = Pit(setup(2, "blackjack", penetration_cards=6, burn_after_shuffle=0))
    pit.give(i.LoadPack())
    return pit


def cut_of(pit: Pit) -> CutView:
    found = public(pit.state).ledger.cut
    assert found is not None
    return found


def read_cut_card(pit: Pit) -> str:
    return pit.give(Reading(SCANNER, None, Doubt.CUT_CARD, apart=True)).refused


def a_round(pit: Pit, codes: str = "Th 9c 9d 8d") -> None:
    pit.bet(1)
    assert pit.no_more_bets().refused == ""
    pit.deal(codes)
    pit.say("stand")
    pit.settle_all()


def test_it_is_put_in_where_the_house_has_it() -> None:
    pit = loaded()
    assert public(pit.state).ledger.cut is None
    pit.press("next")
    assert pit.facts[-1] == ShoeCut(6, declared=False)
    assert (cut_of(pit).at, cut_of(pit).declared, cut_of(pit).out) == (6, False, 0)


def test_people_may_say_where_and_it_comes_out_by_the_number_of_cards() -> None:
    pit = loaded()
    pit.give(i.CutShoe(3))
    assert (cut_of(pit).at, cut_of(pit).declared) == (3, True)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c")
    assert cut_of(pit).out == 0
    pit.deal("9d")
    out = cut_of(pit)
    assert (out.out, out.round, out.scanned) == (3, 1, False)
    assert out.at_ms == pit.state.clock.at_ms
    pit.deal("8d")
    assert cut_of(pit) == out


@pytest.mark.parametrize("at", [2, 400])
def test_when_to_shuffle_is_the_house_s_number_alone(at: int) -> None:
    pit = loaded()
    pit.give(i.CutShoe(at))
    phases = []
    for _ in "12":
        a_round(pit)
        phases.append(pit.state.phase)
    assert phases == [Phase.BETTING, Phase.SHUFFLE]


@pytest.mark.parametrize("at", [0, 416, 1_000])
def test_it_lies_between_two_cards(at: int) -> None:
    assert "after 1 to 415 cards" in loaded().give(i.CutShoe(at)).refused


def test_a_game_without_one_has_none() -> None:
    pit = Pit(setup(5, "seven-twenty-seven"))
    pit.give(i.LoadPack())
    assert "no cut card" in pit.give(i.CutShoe(20)).refused
    assert pit.give(i.CutShoe()).refused == ""
    assert public(pit.state).ledger.cut is None


def test_its_own_code_says_when_and_nothing_is_held_for_it() -> None:
    """With an exit beam it would be a card that nobody read."""
    pit = loaded()
    pit.give(i.CutShoe())
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c")
    before = pit.display
    assert read_cut_card(pit) == ""
    assert isinstance(pit.facts[-1], CutCardSeen)
    out = cut_of(pit)
    assert (out.at, out.out, out.round, out.scanned) == (6, 2, 1, True)
    assert pit.display.headline == before.headline
    assert pit.state.shoe.gone == 2
    assert not any(isinstance(fact, HoldRaised) for fact in pit.facts)
    pit.deal("9d 8d")
    assert cut_of(pit) == out


def test_a_code_that_is_read_is_believed_before_the_number() -> None:
    pit = loaded()
    pit.give(i.CutShoe(2))
    a_round(pit)
    assert not cut_of(pit).scanned
    read_cut_card(pit)
    assert (cut_of(pit).out, cut_of(pit).round, cut_of(pit).scanned) == (4, 0, True)


def test_read_once_more_or_before_it_is_in_it_is_refused() -> None:
    pit = loaded()
    assert "it is not dealt" in read_cut_card(pit)
    pit.give(i.CutShoe())
    assert read_cut_card(pit) == ""
    assert "read already" in read_cut_card(pit)
    assert not pit.state.holds


def test_a_press_aimed_at_the_picture_before_it_came_out_counts() -> None:
    pit = loaded()
    pit.give(i.CutShoe())
    picture = pit.display.seq
    read_cut_card(pit)
    assert pit.give(i.PlaceWager(1, 1_000), view_seq=picture).refused == ""


def test_the_next_pack_has_its_own() -> None:
    pit = loaded()
    pit.give(i.CutShoe(3))
    a_round(pit)
    a_round(pit)
    pit.give(i.LoadPack())
    assert public(pit.state).ledger.cut is None
    pit.give(i.CutShoe())
    assert (cut_of(pit).at, cut_of(pit).out) == (6, 0)
