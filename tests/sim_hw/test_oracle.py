"""A round told by physical cards and words: what the rules ask, and what cannot have been."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import Action, Bid, Place
from controller.rules.games.registry import GAMES, game
from controller.rules.script.steps import DECLINED, DONE, Ask, Deal
from controller.table.views.replay import replay
from controller.web.json_views import encode
from sim_hw.table.oracle import (
    AccountStep,
    Announcement,
    Disagreement,
    announced,
    answers,
    play_through,
)
from tests.support.dealt.day import day, lay, named
from tests.support.dealt.recorded import as_recorded
from tests.support.forms import examples

GAME = game("21-24-27")
WAGERS = ((1, 1_000), (3, 2_050))
DEAL = "1:Kc 3:9h 0:8d 1:2c 3:4s 0:7d 1:7c 3:Qh 0:Ks"
SAID = (Announcement(Place(1), Action.HIT), Announcement(Place(1), Action.STAND))

games = st.sampled_from(list(GAMES))
seeds = st.integers(0, 10**6)


@examples(10, long=250)
@given(games, seeds)
def test_every_round_is_told_again_from_its_cards_and_words(name: str, seed: int) -> None:
    for each in day(named(name), seed, 5, 3):
        progress = play_through(each.round.game, each.round.wagers, each.words, each.dealt)
        assert progress.step is None
        assert [hand.result for hand in progress.run.felt.hands] == [
            hand.result for hand in each.round.felt.hands
        ]


@examples(10, long=250)
@given(games, seeds)
def test_the_services_account_of_a_round_has_the_words_that_were_said(name: str, seed: int) -> None:
    for each in day(named(name), seed, 5, 3):
        account = json.loads(encode(replay(as_recorded(each.round))))
        steps = [
            AccountStep(*(step[name] for name in AccountStep._fields)) for step in account["steps"]
        ]
        assert announced(steps) == each.words


def test_the_account_of_every_word() -> None:
    account = [
        AccountStep(3, 1, "", None),
        AccountStep(2, 0, "no-insurance", None),
        AccountStep(3, 0, "done", None),
        AccountStep(3, 2, "declined", None),
        AccountStep(4, 1, "raise", 101_050),
        AccountStep(4, 1, "no-card", None),
    ]
    assert announced(account) == [
        Announcement(Place(2, 0), Action.NO_INSURANCE), Announcement(Place(3, 0), DONE),
        Announcement(Place(3, 2), DECLINED), Announcement(Place(4), Bid(Action.RAISE, 101_050)),
        Announcement(Place(4), Action.NO_CARD),
    ]  # fmt: skip


def test_the_rules_say_what_comes_next_as_far_as_cards_and_words_go() -> None:
    asked = play_through(GAME, WAGERS, (), lay(DEAL)[:6]).step
    assert isinstance(asked, Ask)
    assert answers(asked, SAID[0])
    assert not answers(asked, Announcement(Place(3), Action.HIT))
    assert not answers(asked, Announcement(Place(1), Action.DOUBLE))
    assert not answers(asked, Announcement(Place(1), DONE))
    dealt = play_through(GAME, WAGERS, SAID[:1], lay(DEAL)[:6]).step
    assert isinstance(dealt, Deal)
    assert dealt.hand.place == Place(1)


def test_a_card_that_nobody_asked_for_yet_is_counted() -> None:
    assert play_through(GAME, WAGERS, (), lay(DEAL)[:7]).cards_left == 1


@pytest.mark.parametrize(
    ("deal", "words", "says"),
    [
        (DEAL.replace("3:4s", "1:4s"), SAID, "seat 3 hand 1 should have got a card next"),
        (DEAL.replace("0:7d", "0:7d-"), SAID, "the dealer should have got this card face up"),
        (DEAL + " 0:2h", SAID, "the dealer got a card that the rules do not know of"),
        (DEAL, (*SAID, Announcement(Place(3), Action.HIT)), "seat 3 hand 1 was asked"),
        (
            DEAL,
            (Announcement(Place(3), Action.HIT),),
            "seat 3 hand 1 was asked where the rules ask seat 1",
        ),
        (DEAL, (Announcement(Place(1), Action.DOUBLE),), "seat 1 hand 1: "),
    ],
)
def test_what_cannot_have_been_is_found_out(
    deal: str, words: tuple[Announcement, ...], says: str
) -> None:
    with pytest.raises(Disagreement, match=says):
        play_through(GAME, WAGERS, words, lay(deal))


def test_a_card_that_should_lie_face_down_is_found_out() -> None:
    """Blackjack: the operator's second card (BJ-A2)."""
    with pytest.raises(Disagreement, match="the dealer should have got this card face down"):
        play_through(game("blackjack"), ((1, 1_000),), (), lay("1:Kc 0:9h 1:Qs 0:7d"))
