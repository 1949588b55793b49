"""What players decide: bets that vary and can be paid, and words by the strategy of the game."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import Action, Bid, Place
from controller.rules.cards import card
from controller.rules.engine.round import Run
from controller.rules.games.registry import GAMES, game
from controller.rules.games.twenty_one_24_27 import strategy
from controller.rules.options import Plain
from controller.rules.script.steps import DECLINED, DONE, Vie
from controller.rules.sealed import Sealed
from sim_hw.people.players import bets, least_bet, says
from sim_hw.table.oracle import play_through
from tests.support.dealt.day import day, lay, named
from tests.support.forms import is_long_form

names = pytest.mark.parametrize("name", GAMES)


@names
def test_bets_depend_on_seed_round_and_seat_alone(name: str) -> None:
    plays, seats = game(name), range(1, 8)
    one, again = ([bets(7, each, seats, plays) for each in range(1, 50)] for _ in range(2))
    assert one == again
    assert one != [bets(8, each, seats, plays) for each in range(1, 50)]
    fewer = [bets(7, each, range(1, 6), plays) for each in range(1, 50)]
    for few, many in zip(fewer, one, strict=True):
        assert all(few[seat] == many[seat] for seat in few.keys() & many.keys())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in GAMES),
        ("blackjack", {"blackjack_pays": "6:5", "min_bet": 550, "max_bet": 2_000}),
        ("finnish-27", {"smallest_chip": 100, "min_bet": 300, "bonus_999_mixed": 9_000}),
        ("seven-twenty-seven", {"ante": 2_500}),
        ("seven-twenty-seven", {"ante": 0}),
    ],
)
def test_every_bet_is_one_that_the_table_takes_and_enough_play(
    name: str, options: dict[str, Plain]
) -> None:
    plays = named(name, **options)
    amounts = set()
    for number in range(1, 200):
        placed = bets(3, number, range(1, 8), plays)
        assert len(placed) >= plays.seats.start
        assert [each for each in placed.values() if plays.wager_problem(each)] == []
        assert plays.options.wagers_problem(list(placed.values())) is None
        amounts |= set(placed.values())
    assert len(amounts) > 1 or plays.vying


def test_the_least_bet_can_be_paid_at_every_odds() -> None:
    assert least_bet(named("blackjack", blackjack_pays="6:5", min_bet=550)) == 1_000
    assert least_bet(named("blackjack", min_bet=50)) == 100


@given(st.integers(0, 10**6))
def test_in_21_24_27_players_follow_the_eighteen_rules(seed: int) -> None:
    for each in day(named("21-24-27"), seed, 5, 3):
        free = [point for point in each.round.felt.points if point.play.forced is None]
        for point in free:
            assert point.action is strategy(point.play.total, point.play.dealer)


def words_said(name: str) -> list[object]:
    """Every word of a long day. A round for a pot has many times the words of another."""
    rounds = 100 if game(name).vying and not is_long_form() else 400
    found: list[object] = []
    for each in day(named(name), 3, 7, rounds):
        for word in (said.choice for said in each.words):
            found.append(word.action if isinstance(word, Bid) else word)
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("finnish-27", {Action.SPLIT, Action.DOUBLE, Action.SURRENDER, DONE, DECLINED}),
        ("blackjack", {Action.SPLIT, Action.DOUBLE, Action.INSURANCE, DONE, DECLINED}),
        ("casino-7-27", {Action.STAY_LOW, Action.STAY_HIGH, Action.HIT}),
        (
            "seven-twenty-seven",
            {Action.PASS, Action.BET, Action.CALL, Action.RAISE, Action.FOLD, Action.NO_CARD},
        ),
    ],
)
def test_a_long_day_has_everything_that_a_game_has_words_for(name: str, words: set[object]) -> None:
    said = words_said(name)
    assert words <= set(said)
    assert said.count(DECLINED) * 5 <= said.count(DONE)


def test_a_player_thinks_again_once_at_most() -> None:
    progress = play_through(
        game("finnish-27"), ((1, 1_000),), (), lay("1:5h 0:9d 1:9c 0:2d"),
    )  # fmt: skip
    progress.run.feed(Action.DOUBLE)
    plays = game("finnish-27")
    words = {says(plays, progress.run, Random(n), asked_again=True) for n in range(500)}
    assert words == {DONE}
    assert {says(plays, progress.run, Random(n)) for n in range(500)} == {DONE, DECLINED}


def test_bids_vary_within_the_limits_in_whole_chips() -> None:
    plays = named("seven-twenty-seven", min_raise=1_000, max_raise=2_500)
    run = Run(plays, tuple((seat, 1_000) for seat in range(1, 5)))
    for code in ("4h", "Kc", "9s", "2d"):
        run.feed(Sealed(card(code)))
    for code in ("3h", "As", "8s", "Qd"):
        run.feed(card(code))
    step = run.step
    assert isinstance(step, Vie)
    assert step.hand.place == Place(1)
    words = {says(plays, run, Random(n)) for n in range(200)}
    assert words == {Bid(Action.BET, amount) for amount in (1_000, 2_000, 2_500)}
    assert all(isinstance(word, Bid) and step.problem(word) is None for word in words)
