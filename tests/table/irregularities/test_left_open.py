"""Holds that outlive what they were about, a round that is void or a pack that is gone: each has a
way on that is true, and none stops the service.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from controller.devices.inputs import Doubt, Reading
from controller.rules.script.steps import Ask, Deal, Vie
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.inputs import WindowTimes
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.queries.available import open_resolutions
from controller.table.state.phases import Phase
from controller.table.state.state import State
from tests.support.pit import SCANNER, Pit, opened, out_of_cards, setup
from tests.table.irregularities import sensed_spots


@lru_cache
def _played_out() -> Pit:
    return out_of_cards()


def without_cards() -> Pit:
    """A table whose shoe is empty in mid-round; played so far once, since that takes its time."""
    return _played_out().copied()


def held(state: State, reason: Reason) -> int:
    """The number of the open hold for that reason."""
    return next(each.number for each in state.holds if each.reason is reason)


def ways_on(pit: Pit, reason: Reason) -> list[Resolution]:
    hold = pit.state.hold(held(pit.state, reason))
    assert hold is not None
    return list(open_resolutions(pit.state, hold))


@pytest.mark.parametrize("called", [Reason.FLOOR, Reason.MISDEAL])
def test_a_round_that_ran_out_of_cards_may_be_void_by_any_hold(called: Reason) -> None:
    pit = without_cards()
    pit.give(i.CallFloor() if called is Reason.FLOOR else i.Happened(called))
    assert not pit.resolve(Resolution.VOID, hold=held(pit.state, called)).refused
    assert not pit.state.held_for(Reason.OUT_OF_CARDS), "no discards come back to no round"
    pit.give_back()
    assert pit.state.phase is Phase.SHUFFLE
    assert not pit.state.holds


def test_what_an_older_revision_left_open_ends_with_the_next_start() -> None:
    pit = without_cards()
    before = pit.state
    pit.resolve(Resolution.VOID)
    left = replace(pit.state, holds=(*pit.state.holds, *before.holds))
    start = i.Start(pit.setup, "0.0-test", (SCANNER,))
    started = decide(left, start, i.Stamp(left.clock.at_ms, 1, "start", bytes(16)))
    assert not started.state.held_for(Reason.OUT_OF_CARDS)


def test_a_round_of_another_build_may_be_void_by_any_hold() -> None:
    pit = opened()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c")
    played = pit.state.in_play
    assert played is not None
    rounds = replace(pit.state.rounds, latest=replace(played, revision=99), script=None)
    state = replace(pit.state, rounds=rounds)
    start = i.Start(pit.setup, "0.0-test", (SCANNER,))
    state = decide(state, start, i.Stamp(state.clock.at_ms, 10**9, "start", bytes(16))).state
    assert state.held_for(Reason.REVISION)
    void = i.Resolve(held(state, Reason.RECOUNT), Resolution.VOID)
    state = decide(state, void, i.Stamp(state.clock.at_ms, 2 * 10**9, "void", bytes(16))).state
    assert not state.held_for(Reason.REVISION)
    assert state.in_play is None


def test_a_card_that_was_to_lie_face_down_is_put_aside_once_its_round_is_void() -> None:
    pit = opened(3, "blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Td 6c Tc")
    pit.doubt(Doubt.TOO_CLOSE)
    assert ways_on(pit, Reason.HIDDEN_UNREAD)[0] is Resolution.FACE_DOWN
    pit.give(i.Happened(Reason.MISDEAL))
    pit.resolve(Resolution.VOID, hold=held(pit.state, Reason.MISDEAL))
    gone = pit.state.shoe.gone
    assert ways_on(pit, Reason.HIDDEN_UNREAD) == [Resolution.SET_ASIDE, Resolution.NO_CARD]
    pit.resolve(Resolution.SET_ASIDE, hold=held(pit.state, Reason.HIDDEN_UNREAD))
    assert pit.state.shoe.gone == gone + 1, "it has left the shoe"
    pit.give_back()
    assert not pit.state.holds


def test_a_card_that_a_hold_is_about_is_not_another_one_when_it_is_read_again() -> None:
    pit = opened()
    pit.deal("Td", serial="000017")
    assert [each.reason for each in pit.state.holds] == [Reason.EARLY]
    assert pit.deal("Td", serial="000017").code == "card-was-read-twice"
    assert [each.reason for each in pit.state.holds] == [Reason.EARLY]
    pit.deal("Td", serial="000018")
    assert [each.reason for each in pit.state.holds] == [Reason.EARLY, Reason.UNEXPECTED]


def test_a_card_that_is_kept_is_no_discard() -> None:
    pit = without_cards()
    # The record says that the shoe is empty; one more card comes out of it all the same.
    pit.give(Reading(SCANNER, None, Doubt.NO_CODE))
    pit.resolve(Resolution.KEEP, hold=held(pit.state, Reason.UNEXPECTED))
    assert pit.state.in_play is not None
    felt = sum(len(each.cards) for each in pit.state.in_play.felt.all)
    pit.resolve(Resolution.REFILLED)
    assert pit.state.shoe.gone == felt + 1
    pit.press("next")
    assert pit.state.held_for(Reason.UNREADABLE), "it is turned where the next card goes"
    assert not pit.resolve(Resolution.ENTER_CARD, "Kc").refused
    assert pit.state.shoe.gone == felt + 1, "on the felt now, and counted once"


def test_bets_for_the_next_round_go_back_on_record_with_the_pack() -> None:
    pit = Pit(replace(setup(3), windows=WindowTimes(bets_ms=15_000)))
    pit.shuffle()
    pit.bet(1)
    pit.bet(3)
    pit.give(i.Happened(Reason.DAMAGED))
    before = len(pit.facts)
    pit.resolve(Resolution.NEW_SHOE)
    seats = [each.seat for each in pit.facts[before:] if isinstance(each, f.WagerRemoved)]
    assert seats == [1, 3], "whoever follows the record knows whose bets are off"
    assert not pit.state.betting.wagers


def test_bets_go_back_with_a_pack_that_is_out_of_play_after_its_last_round() -> None:
    pit = opened(3, penetration_cards=3)
    pit.bet(2)
    for code in ("Td", "Tc"):
        pit.deal(code)
        pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.phase is Phase.SHUFFLE
    pit.give(i.Happened(Reason.DAMAGED))
    assert not pit.resolve(Resolution.NEW_SHOE).refused
    assert not pit.state.betting.wagers


def test_a_pot_is_played_to_its_showdown_where_a_card_that_was_put_aside_is_lacking() -> None:
    pit = opened(10, "seven-twenty-seven")
    for seat in range(1, 11):
        pit.bet(seat)
    pit.no_more_bets()
    cards = [each.code for each in pit.state.shoe.pack.cards()]
    pit.deal(" ".join(cards.pop() for _ in range(21)))
    pit.resolve(Resolution.SET_ASIDE)
    refused = 0
    while pit.state.in_play is not None:
        step = pit.state.step
        if isinstance(step, Deal):
            pit.deal(cards.pop())
        elif isinstance(step, Vie):
            pit.say("pass")
        elif not isinstance(step, Ask):
            assert not pit.press("next").refused
        elif pit.say("card").code == "no-card-is-left":
            refused += 1
            pit.say("no-card")
        assert not pit.state.holds
    assert (len(cards), refused > 0) == (0, True)


def test_no_round_begins_by_bets_of_a_pack_that_is_out_of_play() -> None:
    pit = sensed_spots.table()
    sensed_spots.bet(pit, 1)
    sensed_spots.sensed(pit, 2, sensed_spots.chips())
    pit.no_more_bets()
    assert Resolution.BETS_RIGHT in ways_on(pit, Reason.BETS_DIFFER)
    pit.give(i.Happened(Reason.DAMAGED))
    pit.resolve(Resolution.NEW_SHOE, hold=held(pit.state, Reason.DAMAGED))
    assert ways_on(pit, Reason.BETS_DIFFER) == [Resolution.RELEASE]
