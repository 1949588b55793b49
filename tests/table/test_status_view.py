"""The status tells of felt and rounds what the dealer's display and the rounds themselves tell."""

from __future__ import annotations

import random

import pytest

from controller.languages.languages import language
from controller.rules.games.registry import GAMES, game
from controller.rules.spoken import speaking
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason
from controller.table.state.state import State
from controller.table.views import public as module
from controller.table.views import scene
from controller.table.views.public import public
from controller.table.views.replay import known_rounds, round_badges
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.journals import QuickPit
from tests.support.pit import setup


def told_as_it_is(state: State) -> None:
    """Nothing of the status is of another moment than the display."""
    shown, (display, _) = public(state), scene.displays(state)
    for name in ("round", "hands", "dealer", "shoe", "pot", "button", "words", "seats"):
        assert getattr(shown, name) == getattr(display, name), name
    known = tuple(reversed(known_rounds(state)))
    assert [each.number for each in shown.rounds] == [each.number for each in known]
    for told, of in zip(shown.rounds, known, strict=True):
        module._seats.cache_clear()
        assert told.seats == module._seats(module._TheVery(of), "en"), of.number
        assert told.badges == round_badges(of, state.rounds.pictures)


def dealt(name: str, rounds: int = 2) -> QuickPit:
    """A table after some rounds, its status looked at after every step."""
    seats = max(3, game(name).seats.start)
    pit = QuickPit(setup(seats, name))
    croupier = Croupier(pit, random.Random(7))
    for _ in range(rounds):
        most = 1 if pit.state.game.vying else 3
        wagers = {seat: 1_000 * min(seat, most) for seat in range(1, seats + 1)}
        croupier.round(wagers, lambda: told_as_it_is(pit.state))
    return pit


@pytest.mark.parametrize("name", GAMES)
def test_the_status_shows_the_felt_that_the_dealer_sees_and_each_round_as_it_is(name: str) -> None:
    assert dealt(name).state.counts.rounds == 2


def test_a_round_that_people_talk_about_is_what_both_show() -> None:
    pit = dealt("21-24-27")
    before = public(pit.state)
    assert not pit.give(i.Happened(Reason.MISDEAL, 1)).refused
    told_as_it_is(pit.state)
    assert public(pit.state).round == 1, "not the one that lies there"
    assert public(pit.state).hands != before.hands


def test_each_language_has_its_own_words_of_a_round() -> None:
    state = dealt("21-24-27").state

    def told() -> str:
        return public(state).rounds[0].seats[0].wager

    assert told() == "10.00"
    with speaking(language("de")):
        assert told() == "10,00"
    assert told() == "10.00"


def test_a_status_makes_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made after each card, by the loop that waits for the next one."""
    state = dealt("21-24-27").state
    wanted = public(state)

    def made(*_of: object) -> None:
        raise AssertionError("the keys of a display")

    for each in ("keys", "happened_keys", "displays"):
        monkeypatch.setattr(scene, each, made)
    assert public(state) == wanted
