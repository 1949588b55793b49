"""A strategy is written out, edited and judged: the same edge comes back, and errors say where."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.odds.charts.chart import Cell, Chart, Charter, choice
from controller.odds.charts.chart_file import BadChart, chart_text, read_chart
from controller.odds.charts.followed import Followed
from controller.odds.exact.exact_odds import NoOdds, Strategy, exact_odds
from controller.odds.simulated.kernel import deal
from controller.odds.simulated.program import program
from controller.odds.tables.game_tables import Tables
from controller.odds.tables.tabulate import tabulate
from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.game import Game
from controller.rules.script.felt import Play, Up
from tests.contracts.war import GAME as WAR
from tests.odds.test_exact import TOYS
from tests.odds.test_kernel import GAMES, live, tables
from tests.odds.test_kernel import shoe_of as dealt_shoe
from tests.odds.whole_tree import WAGER, Choose, Tree, shoe_of
from tests.support.forms import quick_first

#: Where play by chance takes more cards than the advice.
LONGER = {"blackjack, four hands": "9s 9s 9s 9s 8s 8s Ts Ts Ts Ts Ts Ts Ts Ts"}
Capture = pytest.CaptureFixture[str]


def by_chance(plays: Game, made: Tables, seed: int) -> Chart:
    """A strategy that takes any action that is open: insurance, splits again, all of it.

    It draws where the advice does alone, so that a toy shoe lasts.
    """
    rng = random.Random(seed)
    return {
        cell: rng.choice(
            [each for each in cell.options if each is not Action.HIT or each is advised]
        )
        for cell, advised in Charter(made).advised(plays).items()
    }


def followed_live(plays: Game, made: Tables, chart: Chart) -> Callable[[Any, Any], Action]:
    """The chart as a player at the table reads it."""
    of = plays.dealer_class or (lambda cards: str(plays.total(cards)))
    of_hand = plays.hand_class or (lambda cards, split: cards[0].rank)

    def alike(one: Card, other: Card) -> bool:
        return one.rank == other.rank or of_hand((one,), False) == of_hand((other,), False)

    up = {
        of((each.play.dealer.card,)): str(each.play.dealer)
        for each in Charter(made).plays()
        if isinstance(each.play.dealer, Up)
    }

    def choose(play: Play[Any, Any], cards: Sequence[Card]) -> Action:
        shown = play.dealer
        dealer = up[of((shown.card,))] if isinstance(shown, Up) else str(shown)
        insured = isinstance(play.total, str) and play.total.endswith("?")
        pair = not insured and len(cards) == 2 and alike(*cards)
        cell = Cell(dealer, str(play.total), pair, play.options)
        return chart[cell] if cell in chart else chart[cell._replace(pair=not pair)]

    return choose


@pytest.mark.parametrize("name", quick_first(TOYS, ["war", "blackjack, three hands"]))
def test_any_strategy_of_a_file_is_worth_what_the_live_script_says(
    name: str, tmp_path: Path
) -> None:
    plays, cards = TOYS[name]
    shoe = shoe_of(LONGER.get(name, cards))
    made = tabulate(plays, WAGER, shoe)
    chart = by_chance(plays, made, 5)
    path = tmp_path / "mine.csv"
    path.write_text(chart_text(plays, Followed(chart, {}, {})))
    choose = followed_live(plays, made, chart)
    odds = exact_odds(plays, WAGER, read_chart(path), shoe)
    by_file: Choose = lambda _, step, felt: choose(step.play, step.hand.cards)  # noqa: E731
    mean, square = Tree(plays, shoe, by_file).moments()
    assert -odds.edge == pytest.approx(float(mean), abs=1e-12)
    if odds.sd_is_exact:
        assert odds.sd**2 + odds.edge**2 == pytest.approx(float(square), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("war", Strategy.BEST),
        pytest.param("21-24-27", Strategy.PUBLISHED, marks=pytest.mark.long),
        *(
            pytest.param(name, strategy, marks=pytest.mark.long)
            for name in ("blackjack", "blackjack, all splits", "casino-7-27", "finnish-27")
            for strategy in (Strategy.ADVISE, Strategy.BEST)
        ),
    ],
)
def test_what_is_written_out_has_the_same_edge_when_it_is_read(
    name: str, strategy: Strategy, tmp_path: Path
) -> None:
    plays = GAMES[name]
    odds = exact_odds(plays, strategy=strategy, costs=True)
    assert odds.followed is not None
    path = tmp_path / "mine.csv"
    path.write_text(chart_text(plays, odds.followed))
    again = exact_odds(plays, strategy=read_chart(path))
    assert again.edge == odds.edge
    assert again.sd == pytest.approx(odds.sd, abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("name", quick_first(GAMES, ["war"]))
def test_the_kernel_deals_what_a_player_of_the_file_would(name: str, *, long_form: bool) -> None:
    plays, made = GAMES[name], tables(name)
    chart = by_chance(plays, made, 7)
    dealt_by = program(plays, made, choice(made, chart), seats=1)
    cut, rounds = plays.options.cut_after, 0
    by_hand = replace(plays, advise=followed_live(plays, made, chart))
    for block in range(10_000):
        dealt = deal(dealt_by, cut, shoes=1, seed=3, block=block, trace=len(dealt_by.pack))
        expected = [net for nets in live(by_hand, dealt_shoe(name, dealt, block), 1, cut)
                    for net in nets]  # fmt: skip
        assert dealt.nets[: len(expected)].tolist() == expected
        rounds += len(expected)
        if rounds >= (20_000 if long_form else 100):
            return


# -- what is refused --


def war_lines() -> list[str]:
    made = tabulate(WAR, WAR.options.min_bet)
    return chart_text(WAR, Followed(Charter(made).advised(WAR), {}, {})).splitlines()


def without(number: int, lines: list[str]) -> list[str]:
    return [*lines[: number - 1], *lines[number:]]


def changed(number: int, old: str, new: str) -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        assert old in lines[number - 1]
        return [
            *lines[: number - 1], lines[number - 1].replace(old, new, 1), *lines[number:],
        ]  # fmt: skip

    return change


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda lines: without(3, lines), "line 13: after it no line for dealer '2', player '2'"),
        (lambda lines: [*lines, lines[4]], "line 15: .* stands in line 5 already"),
        (
            changed(1, "action", "best"),
            "line 1: unknown column 'best'; the columns are game, dealer",
        ),
        (changed(1, ",pair", ",chance"), "line 1: column 'chance' stands there twice"),
        (lambda lines: [",".join(line.split(",")[1:]) for line in lines], "no column 'game'"),
        (
            lambda lines: [line.replace(",", ";") for line in lines],
            "unknown column .* commas between",
        ),
        (changed(4, "war/1", "war/2"), "line 4: game 'war/2': the rules are 'war/1'"),
        (changed(4, "war/1", "peace/1"), "line 4: game 'peace/1': the rules are 'war/1'"),
        (
            changed(2, "surrender double,", "surrender double,hit"),
            "line 2: action 'hit.*: actions are",
        ),
        (
            changed(6, "surrender double", "double"),
            "line 6: no hand with .*: open is 'double surrender'",
        ),
        (
            changed(6, "surrender double", "double double"),
            "line 6: open .*: an action stands there twice",
        ),
        (
            changed(6, "surrender double", "double hit jump"),
            "line 6: open 'jump': actions are stand",
        ),
        (changed(6, "surrender double,", "surrender double,,x"), "line 6: 9 fields, not 8"),
        (changed(2, ",,surr", ",no,surr"), "line 2: pair 'no': it is 'yes' or empty"),
        (lambda lines: [], "line 1: the file ends without a strategy; `tablectl odds GAME --csv`"),
        (lambda lines: lines[:1], "line 2: the file ends without a strategy"),
        (changed(3, ",", ',"'), "line 1[0-9]: no CSV"),
    ],
)
def test_a_file_that_is_no_strategy_of_the_game_is_refused(
    edit: Callable[[list[str]], list[str]], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([*edit(war_lines()), ""]))
    with pytest.raises((NoOdds, BadChart), match=why):
        exact_odds(WAR, strategy=read_chart(path))


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_another_encoding_is_refused_with_its_line(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([*war_lines(), "# gefällt mir"]), encoding=encoding)
    with pytest.raises(BadChart, match=r"mine.csv, line 1?[145]: not UTF-8; save the file as CSV"):
        read_chart(path)


def test_what_a_spreadsheet_saves_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("\r\n".join([*war_lines(), "", ",,,,,,,"]), encoding="utf-8-sig")
    assert len(read_chart(path).lines) == len(war_lines()) - 1


def test_a_forced_hand_may_be_left_out_but_not_played_otherwise(tmp_path: Path) -> None:
    plays, shoe = TOYS["21-24-27"][0], shoe_of(TOYS["21-24-27"][1])
    made = tabulate(plays, WAGER, shoe)
    text = chart_text(plays, Followed(Charter(made).advised(plays), {}, {}))
    published = exact_odds(plays, WAGER, Strategy.PUBLISHED, shoe).edge
    path = tmp_path / "mine.csv"
    forced = "21-24-27/1,soft 15,hard 12,,hit,hit,,"
    path.write_text(f"{text}{forced}\n")
    assert exact_odds(plays, WAGER, read_chart(path), shoe).edge == published
    for line, why in (
        (forced.replace("hit,hit", "hit,stand"), "action 'stand': this hand is forced: hit"),
        (forced.replace("hit,hit", "hit stand,stand"), "'hit stand': this hand is forced: hit"),
        (forced.replace("hard 12", "hard 99"), "against this dealer players have 'soft"),
    ):
        path.write_text(f"{text}{line}\n")
        with pytest.raises(NoOdds, match=why):
            exact_odds(plays, WAGER, read_chart(path), shoe)


@pytest.mark.long
def test_the_command_takes_a_file(tmp_path: Path, capsys: Capture) -> None:
    ask = ["odds", "blackjack", "--option", "peek=true"]
    assert main([*ask, "--strategy", "advise", "--csv"]) == 0
    path = tmp_path / "mine.csv"
    insured = capsys.readouterr().out.replace(
        "insurance no-insurance,no-insurance", "insurance no-insurance,insurance"
    )
    path.write_text(insured)
    assert main([*ask, "--strategy", "advise", "--json"]) == 0
    advised = json.loads(capsys.readouterr().out)
    assert main([*ask, "--strategy", str(path), "--json"]) == 0
    mine = json.loads(capsys.readouterr().out)
    assert mine["strategy"] == str(path)
    # Insurance of half the wager, against an ace: of 415 cards 128 pay 2:1.
    cost = 100 * (1 / 13) * 0.5 * (287 - 2 * 128) / 415
    assert mine["edge_per_cent"] - advised["edge_per_cent"] == pytest.approx(cost, abs=1e-10)
    assert main([*ask, "--strategy", "mine"]) == 2
    assert "it is published, advise, best, best-composition, or a file" in capsys.readouterr().err
    assert main([*ask, "--strategy", str(tmp_path / "none.csv")]) == 2
    assert "cannot be read" in capsys.readouterr().err
