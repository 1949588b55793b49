"""What every game keeps to, whichever it is: a new game is tested here without another line.

Options are in `test_house_options.py`, what nobody may see in `test_hidden_cards.py`.
"""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Bid
from controller.rules.cards import Card
from controller.rules.engine.round import Round, Run, Wagers
from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.games.registry import GAMES, UnknownGame, game
from controller.rules.messages import Message, from_plain, to_plain
from controller.rules.script.report import Facts, own_cards
from controller.rules.script.steps import (
    DECLINED,
    DONE,
    AddWager,
    Answer,
    Ask,
    Deal,
    Misfit,
    Settle,
    Vie,
)
from tests.contracts.rounds import (
    Eager,
    Look,
    RandomPlayers,
    RoundPlayed,
    everything,
    fits,
    play,
    random_options,
    random_wagers,
    state_of,
    step_of,
)
from tests.support.forms import examples

#: No random round takes more answers than this, and none of players who never have enough.
ROUND_BOUND = 2_500
EAGER_BOUND = 5_000

every_game = pytest.mark.parametrize("plays", GAMES.values(), ids=lambda each: each.name)
seeds = st.integers(0, 2**32)


def random_round(plays: Game, seed: int, look: Look = repr) -> tuple[Game, RoundPlayed]:
    """A random round with random options, seats, wagers, cards and answers."""
    mixed = random.Random(seed)
    plays = random_options(plays, mixed)
    wagers = random_wagers(plays, mixed)
    return plays, play(plays, wagers, RandomPlayers(plays, mixed), ROUND_BOUND, look)


def report_of(plays: Game, played: RoundPlayed) -> Facts:
    return plays.report(played.run.felt, plays.options)


# -- steps --


def assert_in_words(plays: Game, why: Message) -> None:
    """The game or the engine has words for `why`: it is not told as a bare code."""
    said = ENGLISH.say(why, plays.words)
    assert why.code in {*plays.words.reasons, *ENGLISH.catalogue}
    assert not said.startswith(f"{why.code} (")
    assert from_plain(to_plain(why)) == why


def has_a_reason(run: Run, plays: Game) -> None:
    """A step that asks leaves a choice and says why; a forced card says which rule deals it."""
    step = run.step
    if isinstance(step, Ask | Vie):
        assert len(step.play.options) == len(set(step.play.options)) > 1
        assert_in_words(plays, step.play.why)
        assert step.play.forced is None
        assert str(step.play.total)
    elif isinstance(step, Deal) and step.play is not None:
        assert_in_words(plays, step.play.why)
    elif isinstance(step, Settle):
        assert step.hand.result is not None
        assert_in_words(plays, step.hand.result.why)
        assert not step.hand.settled


@every_game
@examples(6, long=600)
@given(seed=seeds)
def test_every_step_is_open_or_forced_and_has_a_reason(plays: Game, seed: int) -> None:
    _, played = random_round(plays, seed, partial(has_a_reason, plays=plays))
    for point in played.run.felt.points:
        assert point.action in point.play.options
        assert_in_words(plays, point.play.why)
        assert (point.play.forced is None) is (len(point.play.options) > 1)
        assert (point.amount is not None) is (point.action in (Action.BET, Action.RAISE))


@every_game
@examples(6, long=600)
@given(seed=seeds)
def test_a_round_ends_and_every_wager_with_it(plays: Game, seed: int) -> None:
    plays, played = random_round(plays, seed)
    felt = played.run.felt
    assert {hand.place.seat for hand in felt.hands} == {seat for seat, _ in played.wagers}
    assert len({hand.place for hand in felt.hands}) == len(felt.hands)
    for hand in felt.hands:
        assert hand.settled
        assert hand.result is not None
        assert_in_words(plays, hand.result.why)
    on_felt = sum(hand.size for hand in (*felt.hands, felt.dealer))
    assert on_felt == dealt(plays, played)
    with pytest.raises(Misfit, match="over"):
        played.run.feed(DONE)


def dealt(plays: Game, played: RoundPlayed) -> int:
    """How many cards left the shoe."""
    run, number = Run(plays, played.wagers), 0
    for answer in played.answers:
        number += isinstance(run.step, Deal)
        run.feed(answer)
    return number


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_a_round_of_players_who_never_have_enough_ends_too(plays: Game, seed: int) -> None:
    mixed = random.Random(seed)
    wagers = random_wagers(plays, mixed, plays.seats.stop - 1)
    assert play(plays, wagers, Eager(plays, mixed), EAGER_BOUND).run.step is None


# -- money --


@every_game
@examples(10, long=1000)
@given(seed=seeds)
def test_money_is_conserved(plays: Game, seed: int) -> None:
    """What lies on the felt was put down; nets are as results say; nobody loses what is not his."""
    plays, played = random_round(plays, seed)
    felt, reported = played.run.felt, report_of(plays, played)
    lying = dict.fromkeys(played.put_down, 0)
    nets = dict.fromkeys(played.put_down, 0)
    for hand in felt.hands:
        assert hand.wager is not None
        assert hand.result is not None
        lying[hand.place.seat] += hand.wager
        nets[hand.place.seat] += hand.result.net(hand.wager)
    assert lying == played.put_down
    assert reported["net"] == {str(seat): net for seat, net in nets.items()}
    for seat, net in nets.items():
        assert -played.put_down[seat] <= net
        assert net % plays.options.smallest_chip == 0, "a payout that chips cannot make"
    if plays.vying:
        assert sum(nets.values()) == 0
        assert reported["pot"] == sum(played.put_down.values()) == sum(reported["payout"].values())
        for seat, share in reported["payout"].items():
            assert share % plays.options.smallest_chip == 0
            assert share == played.put_down[int(seat)] + nets[int(seat)] >= 0


@every_game
@examples(4, long=400)
@given(seed=seeds)
def test_amounts_that_are_not_tracked_change_nothing_but_amounts(plays: Game, seed: int) -> None:
    plays, played = random_round(plays, seed)
    without: Wagers = tuple((seat, None) for seat, _ in played.wagers)
    if plays.wager_problem(None):
        assert plays.vying
        return
    run = Run(plays, without)
    for answer in played.answers:
        run.feed(answer)
    assert run.step is None
    assert all(hand.wager is None for hand in run.felt.hands)
    assert [(hand.place, hand.result) for hand in run.felt.hands] == [
        (hand.place, hand.result) for hand in played.run.felt.hands
    ]


@every_game
@examples(12, long=600)
@given(seed=seeds)
def test_a_further_wager_that_is_declined_leaves_the_felt_as_it_was(plays: Game, seed: int) -> None:
    plays, played = random_round(plays, seed)
    run = Run(plays, played.wagers)
    before: tuple[object, ...] = ()
    for answer in played.answers:
        if isinstance(run.step, Ask):
            before = state_of(run)
        run.feed(answer)
        if answer is DECLINED:
            assert state_of(run)[:3] == before[:3]


# -- answers --


@every_game
@examples(3, long=300)
@given(seed=seeds)
def test_what_was_not_asked_for_is_a_misfit_and_changes_nothing(plays: Game, seed: int) -> None:
    def try_everything(run: Run) -> None:
        before, step = state_of(run), run.step
        for answer in everything(step):
            if not fits(step, answer):
                with pytest.raises(Misfit):
                    run.feed(answer)
        assert run.step is step
        assert state_of(run) == before

    random_round(plays, seed, try_everything)


@every_game
@examples(5, long=500)
@given(seed=seeds, cut=st.floats(0, 1))
def test_a_round_is_its_answers(plays: Game, seed: int, cut: float) -> None:
    """Replay equals live, undo is the list without its tail, and an old value stays as it was."""
    live: list[tuple[object, ...]] = []
    plays, played = random_round(plays, seed, lambda run: live.append(state_of(run)))
    value = Round(1, plays, played.wagers)
    values = [value]
    for answer in played.answers:
        value = value.feed(answer)
        values.append(value)
    at = int(cut * len(played.answers))
    again = Round(1, plays, played.wagers, played.answers[:at])
    assert values[at].answers == again.answers
    assert state_of(again.run()) == state_of(values[at].run()) == live[at]
    assert value.step is None
    assert state_of(value.run()) == live[-1]
    if at < len(played.answers):
        assert step_of(again.feed(played.answers[at]).step) == live[at + 1][0]


@every_game
@examples(3, long=300)
@given(seed=seeds, cut=st.floats(0, 1))
def test_a_value_that_was_fed_what_does_not_fit_stays_as_it_was(
    plays: Game, seed: int, cut: float
) -> None:
    plays, played = random_round(plays, seed)
    value = Round(1, plays, played.wagers, played.answers[: int(cut * len(played.answers))])
    before = state_of(value.run())
    for answer in everything(value.step):
        if not fits(value.step, answer):
            with pytest.raises(Misfit):
                value.feed(answer)
    assert state_of(value.run()) == before


@every_game
@examples(3, long=300)
@given(seed=seeds, cut=st.floats(0, 1))
def test_a_replay_that_does_not_fit_raises_where_it_does_not(
    plays: Game, seed: int, cut: float
) -> None:
    plays, played = random_round(plays, seed)
    at = int(cut * (len(played.answers) - 1))
    step = Round(1, plays, played.wagers, played.answers[:at]).step
    other: Answer = next(each for each in everything(step) if not fits(step, each))
    wrong = [*played.answers[:at], other, *played.answers[at:]]
    with pytest.raises(Misfit):
        _ = Round(1, plays, played.wagers, wrong).step


# -- what a game says of itself --


@every_game
def test_a_sensible_player_always_chooses_what_is_allowed(plays: Game) -> None:
    """And `play_out`, which takes no call a step, comes to the same round as `feed`."""

    class Sensible(RandomPlayers):
        def draw(self) -> Card:
            drawn.append(super().draw())
            return drawn[-1]

        def answer(self, step: object) -> Answer:
            if isinstance(step, Ask | Vie):
                assert not step.hand.settled
                move = plays.advise(step.play, own_cards(step.hand))
                assert fits(step, move), (step, move)
                return move
            if isinstance(step, AddWager):
                return DONE
            return super().answer(step)  # type: ignore[arg-type]

    for seed in range(60):
        mixed = random.Random(seed)
        wagers = random_wagers(plays, mixed)
        drawn: list[Card] = []
        fed = play(plays, wagers, Sensible(plays, mixed, unread=0), ROUND_BOUND).run
        played = Run(plays, wagers)
        played.play_out(iter(drawn).__next__, plays.advise)
        assert repr(state_of(played)) == repr(state_of(fed))


@every_game
def test_a_choice_that_is_not_allowed_stops_a_round_that_is_played_out_where_it_is(
    plays: Game,
) -> None:
    for seed in range(100):  # a round may ask nothing
        mixed = random.Random(seed)
        run = Run(plays, random_wagers(plays, mixed))
        try:
            run.play_out(RandomPlayers(plays, mixed).draw, lambda *_: Action.NO_INSURANCE)
        except Misfit:
            break
    else:
        pytest.fail("no round asks anything")
    assert isinstance(run.step, Ask | Vie)
    state = state_of(run)
    assert run.fed > 0
    run.feed(plays.advise(run.step.play, own_cards(run.step.hand)))
    assert state_of(run) != state


@every_game
@examples(4, long=400)
@given(seed=seeds)
def test_a_report_tells_all_that_was_decided_and_dealt(plays: Game, seed: int) -> None:
    plays, played = random_round(plays, seed)
    reported, points = report_of(plays, played), played.run.felt.points
    assert [(step["seat"], step["action"]) for step in reported["steps"]] == [
        (point.place.seat, point.action.value) for point in points
    ]
    assert all(step["action"] in step["allowed"] for step in reported["steps"])
    bids = [answer.amount for answer in played.answers if isinstance(answer, Bid)]
    assert [step["amount"] for step in reported["steps"] if "amount" in step] == bids
    if not plays.vying:
        assert [(hand["seat"], hand["hand"]) for hand in reported["hands"]] == [
            hand.place for hand in played.run.felt.hands
        ]
        assert all(hand["cards"] for hand in reported["hands"] if hand["hand"] != SIDE_BET)
        assert reported["dealer"]["cards"] == [each.code for each in played.run.felt.dealer.cards]


@every_game
def test_a_game_says_what_it_is(plays: Game) -> None:
    assert GAMES[plays.name] is plays
    assert game(plays.name) is plays
    assert plays.title
    assert ENGLISH.say(plays.rule, plays.words).endswith(".")
    assert plays.edge_text
    assert plays.words.dealer
    assert plays.words.seat
    assert plays.sheet(plays.options)
    assert DEALER_SEAT not in plays.seats
    assert plays.seats.start > 0
    assert plays.pack.size == len(plays.pack.cards())
    assert plays.total(plays.pack.cards()[:2]).parts


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame) as refused:
        game("whist")
    assert all(name in str(refused.value) for name in GAMES)
