"""Odds as they are dealt: they agree with the exact ones, and refuse what makes no sense."""

from __future__ import annotations

import json
from math import sqrt

import pytest

from controller.__main__ import main
from controller.odds.charts.chart import Charter, chosen
from controller.odds.exact.engine import Engine
from controller.odds.exact.exact_odds import Strategy, endings, exact_odds
from controller.odds.exact.strategies import play
from controller.odds.simulated.simulated_odds import simulated_odds
from controller.odds.tables.tabulate import tabulate
from controller.rules.game import Game
from controller.rules.games.registry import game
from tests.odds.test_option_pairs import VALUES
from tests.support.forms import long_only

#: So many standard errors apart is no chance.
APART = 4


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("21-24-27", Strategy.PUBLISHED),
        pytest.param("blackjack", Strategy.ADVISE, marks=pytest.mark.long),
        pytest.param("blackjack", Strategy.BEST, marks=pytest.mark.long),
        pytest.param("casino-7-27", Strategy.BEST, marks=pytest.mark.long),
        pytest.param("finnish-27", Strategy.ADVISE, marks=pytest.mark.long),
        pytest.param("finnish-27", Strategy.BEST, marks=pytest.mark.long),
    ],
)
def test_a_shoe_shuffled_after_each_round_has_the_exact_edge(
    name: str, strategy: Strategy, *, long_form: bool
) -> None:
    plays = game(name)
    exact = exact_odds(plays, strategy=strategy)
    rounds = 3_000_000 if long_form else 1_000_000
    dealt = simulated_odds(plays, strategy=strategy, penetration=1, rounds=rounds)
    assert abs(dealt.found.edge - exact.edge) < APART * dealt.found.error
    assert dealt.found.error < (0.0015 if long_form else 0.0026)
    assert dealt.found.hands_per_round == pytest.approx(
        exact.hands, abs=0.002 if long_form else 0.004
    )
    most = 4  # hands of a round; no round counts one outcome more often
    assert dealt.outcomes.keys() <= exact.outcomes.keys()
    for outcome, chance in exact.outcomes.items():
        error = sqrt(most * chance / dealt.found.rounds)
        assert abs(dealt.outcomes.get(outcome, 0.0) - chance) < APART * error, outcome


@pytest.mark.long
@pytest.mark.parametrize("name", ["21-24-27", "blackjack", "casino-7-27", "finnish-27"])
def test_a_shoe_shuffled_after_each_round_has_the_exact_standard_deviation(name: str) -> None:
    plays = game(name)
    exact = exact_odds(plays, strategy=Strategy.ADVISE)
    dealt = simulated_odds(plays, strategy=Strategy.ADVISE, penetration=1, rounds=5_000_000)
    error = sqrt(fourth_moment(plays) / dealt.found.rounds)
    assert abs(dealt.found.sd**2 - exact.sd**2) < APART * error


def fourth_moment(plays: Game) -> float:
    """Of a round's net by the game's advice, or more: it says how sure a variance is.

    Jackpots of one round in a million decide it. Four hands of a split are at most 64 times one.
    """
    tables = tabulate(plays, plays.options.min_bet)
    engine = Engine(tables)
    tally = play(engine, chosen(tables, Charter(tables).advised(plays)))
    return tables.most_hands**3 * sum(
        chance * float(each.chance) * float(each.net(tables.wager)) ** 4
        for ending, chance in endings(engine, tally)
        for each in ending
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        (name, option, value)
        for name, options in VALUES.items()
        for option, values in options.items()
        for value in values[1:]
    ]
    + [("blackjack", "max_hands", most) for most in (2, 3)],
)
def test_every_option_is_dealt_as_it_is_computed(name: str, option: str, value: object) -> None:
    needs = {"resplit": True, "double_after_split": True} if option == "max_hands" else {}
    plays = game(name).with_options({**needs, option: value})
    exact = exact_odds(plays, strategy=Strategy.ADVISE)
    dealt = simulated_odds(plays, strategy=Strategy.ADVISE, penetration=1, rounds=2_000_000)
    assert abs(dealt.found.edge - exact.edge) < APART * dealt.found.error
    assert dealt.found.hands_per_round == pytest.approx(exact.hands, abs=0.002)
    error = sqrt(fourth_moment(plays) / dealt.found.rounds)
    assert abs(dealt.found.sd**2 - exact.sd**2) < APART * error


def test_the_command_prints_what_it_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    dealt = ["odds", "21-24-27", "--simulate", "--seats", "3", "--rounds", "200000"]
    assert main([*dealt, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["seats"] == 3
    assert found["rounds"] >= 200_000
    low, high = found["interval_per_cent"]
    assert low < found["edge_per_cent"] < high
    assert main([*dealt, "--penetration", "100"]) == 0
    printed = capsys.readouterr().out
    assert "21-24-27: " in printed
    assert "3 seats, shuffled after 100 cards, seed 1" in printed


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["--simulate", "--penetration", "999"], "penetration 999: it is 1 to 324 cards"),
        (["--simulate", "--penetration", "-1"], "penetration -1: it is 1 to 324 cards"),
        (["--simulate", "--seats", "9"], "is dealt to 1 to 7 seats, not to 9"),
        (["--simulate", "--rounds", "0"], "0 rounds: it is at least 1"),
        (["--simulate", "--width", "-1"], "it is above 0"),
        (["--simulate", "--csv"], "it goes with --exact"),
        (["--simulate", "--strategy", "best-composition"], "computed exactly alone"),
        long_only(["--wager", "10.²"], "is no amount: write it as 10"),
        long_only(["--wager", "10.٣"], "is no amount: write it as 10"),
        (["--wager", "10."], "is no amount: write it as 10"),
        long_only(["--wager", "9" * 5_000], "is too large: the most is 999,999,999.99"),
        long_only(["--wager", "10.01"], "the wager: 10.01 cannot be made of chips"),
        (["--seats", "3"], "--seats is for a simulation"),
        long_only(["--penetration", "100"], "--penetration is for a simulation"),
        (
            ["--simulate", "--seats", "7", "--penetration", "322", "--rounds", "1000"],
            "a shoe ran out in its last round: shuffle earlier",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    asked: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", "21-24-27", *asked]) == 2
    assert why in capsys.readouterr().err
