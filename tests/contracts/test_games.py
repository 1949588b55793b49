"""What every game keeps to, whichever it is: a new game is tested here without another line."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.cards import Card
from controller.rules.felt import DEALER_SEAT, Action
from controller.rules.game import DONE, Answer, Ask, Deal, Game, Misfit, OptionError, Settle
from controller.rules.games import GAMES, UnknownGame, game
from controller.rules.round import Round, Run

#: No round of any game takes more answers than this, with every seat in play.
ROUND_BOUND = 500

every_game = pytest.mark.parametrize("plays", GAMES.values(), ids=lambda each: each.name)


def wagers_for(plays: Game, seats: int) -> tuple[tuple[int, int | None], ...]:
    return tuple((seat, 1_000) for seat in range(1, seats + 1))


def play(plays: Game, seats: int, seed: int) -> tuple[Run, list[Answer]]:
    """A round to its end with random cards and random lawful choices."""
    mixed = random.Random(seed)
    shoe = plays.pack.cards()
    mixed.shuffle(shoe)
    run, answers = Run(plays, wagers_for(plays, seats)), list[Answer]()
    while (step := run.step) is not None:
        answer: Answer
        if isinstance(step, Deal):
            answer = shoe.pop()
        elif isinstance(step, Ask):
            answer = mixed.choice(step.play.options)
        else:
            answer = DONE
        answers.append(answer)
        run.feed(answer)
        assert len(answers) < ROUND_BOUND
    return run, answers


@every_game
@settings(max_examples=60, deadline=None)
@given(seats=st.integers(1, 7), seed=st.integers(0, 2**32))
def test_a_round_ends_and_settles_every_wager_once(plays: Game, seats: int, seed: int) -> None:
    run, answers = play(plays, seats, seed)
    assert {hand.place.seat for hand in run.felt.hands} == set(range(1, seats + 1))
    for hand in run.felt.hands:
        assert hand.settled
        assert hand.result is not None
        assert hand.wager is not None
        assert -hand.wager <= hand.result.net(hand.wager)
        assert hand.result.why
    on_felt = sum(len(hand.cards) for hand in (*run.felt.hands, run.felt.dealer))
    assert on_felt == sum(isinstance(answer, Card) for answer in answers)
    for point in run.felt.points:
        assert point.action in point.play.options
        assert point.play.why


@every_game
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), cut=st.floats(0, 1))
def test_a_round_is_its_answers(plays: Game, seed: int, cut: float) -> None:
    """Replay equals live, undo is the list without its tail, and an old value stays as it was."""
    _, answers = play(plays, 3, seed)
    value = Round(1, plays, wagers_for(plays, 3))
    values = [value]
    for answer in answers:
        value = value.feed(answer)
        values.append(value)
    at = int(cut * len(answers))
    again = Round(1, plays, value.wagers, answers[:at])
    old = values[at]
    assert old.answers == again.answers
    assert type(old.step) is type(again.step)
    assert [hand.cards for hand in old.felt.hands] == [hand.cards for hand in again.felt.hands]
    assert value.step is None
    assert value.felt.dealer.cards == values[-1].felt.dealer.cards


@every_game
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), cut=st.floats(0, 1))
def test_what_was_not_asked_for_is_a_misfit_and_changes_nothing(
    plays: Game, seed: int, cut: float
) -> None:
    _, answers = play(plays, 2, seed)
    value = Round(1, plays, wagers_for(plays, 2), answers[: int(cut * len(answers))])
    step = value.step
    wrong: list[Answer] = [DONE, *Action, next(plays.pack.kinds())]
    for answer in wrong:
        fits = (
            isinstance(answer, Card)
            if isinstance(step, Deal)
            else answer in step.play.options
            if isinstance(step, Ask)
            else answer is DONE and isinstance(step, Settle)
        )
        if not fits:
            with pytest.raises(Misfit):
                value.feed(answer)
    assert value.step is step


@every_game
def test_a_replay_that_does_not_fit_names_where(plays: Game) -> None:
    _, answers = play(plays, 2, 1)
    wrong = [*answers[:3], DONE, *answers[3:]]
    with pytest.raises(Misfit, match="card"):
        _ = Round(1, plays, wagers_for(plays, 2), wrong).step


@every_game
def test_the_published_strategy_always_chooses_what_is_allowed(plays: Game) -> None:
    for seed in range(50):
        mixed = random.Random(seed)
        shoe = plays.pack.cards()
        mixed.shuffle(shoe)
        run = Run(plays, wagers_for(plays, 5))
        while (step := run.step) is not None:
            if isinstance(step, Deal):
                run.feed(shoe.pop())
            elif isinstance(step, Ask):
                assert plays.advise(step.play) in step.play.options
                run.feed(plays.advise(step.play))
            else:
                run.feed(DONE)


@every_game
def test_options_are_typed_and_refused_by_name(plays: Game) -> None:
    assert plays.with_options({}) == plays.options
    for given_options, says in (
        ({"no_such": 1}, "has no option 'no_such'"),
        ({"min_bet": "10"}, "must be of type int"),
        ({"min_bet": True}, "must be of type int"),
        ({"smallest_chip": 0}, "smallest_chip"),
        ({"min_bet": 1_010}, "whole number of smallest chips"),
        ({"penetration_cards": plays.pack.size}, "penetration_cards"),
        ({"burn_after_shuffle": 11}, "burn_after_shuffle"),
    ):
        with pytest.raises(OptionError, match=says):
            plays.with_options(given_options)


@every_game
def test_a_game_says_what_it_is(plays: Game) -> None:
    assert GAMES[plays.name] is plays
    assert plays.title
    assert plays.shown_rule.endswith(".")
    assert DEALER_SEAT not in plays.seats
    assert plays.pack.size == len(plays.pack.cards())


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match="21-24-27"):
        game("whist")
