"""`tablectl rules`: the rules as they are enforced, for whoever asks at a terminal."""

from __future__ import annotations

import json

import pytest

from controller.__main__ import main
from controller.commands.terminal.status import EXIT_USAGE
from controller.rules.games.registry import GAMES, game
from controller.rules.printed.markdown import (
    all_as_markdown,
    as_markdown,
    as_text,
    sections_as_text,
)
from controller.rules.printed.rulebook import rule_book
from controller.rules.sheets.sheet import Grid, Section
from tests.support.forms import quick_first

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("name", quick_first(GAMES, ["finnish-27"]))
def test_a_game_is_described_as_text_as_markdown_and_as_data(name: str, capsys: Capture) -> None:
    book = rule_book(game(name))
    assert main(["rules", name]) == 0
    assert capsys.readouterr().out == as_text(book)
    assert main(["rules", name, "--markdown"]) == 0
    assert capsys.readouterr().out == as_markdown(book)
    assert main(["rules", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(book.as_data()))


def test_a_table_in_columns_leaves_out_what_the_row_above_says_and_no_more() -> None:
    rows = (
        ("17", "hard", "stay"),
        ("17", "soft", "draw"),
        ("17", "soft", "stay"),
        ("18", "soft", "stay"),
    )
    grid = Grid(("total", "kind", "play"), rows)
    lines = list(sections_as_text([Section("Plays", grid=grid)]))
    assert [line.split() for line in lines[4:]] == [
        ["17", "hard", "stay"],
        ["soft", "draw"],
        ["stay"],
        ["18", "soft", "stay"],
    ]


def test_options_are_read_by_their_type(capsys: Capture) -> None:
    written = ["blackjack_pays=6:5", "peek=true", "min_bet=2000", "offers=only"]
    options = {"blackjack_pays": "6:5", "peek": True, "min_bet": 2_000, "offers": "only"}
    assert main(["rules", "blackjack", *(f"--option={each}" for each in written)]) == 0
    assert capsys.readouterr().out == as_text(rule_book(game("blackjack").with_options(options)))


def test_a_game_that_loses_money_says_so_in_its_first_line(capsys: Capture) -> None:
    assert main(["rules", "casino-7-27"]) == 0  # C727-A10
    assert capsys.readouterr().out.startswith("THE HOUSE LOSES: THE PLAYERS' EDGE IS 20.93 %")


def test_they_are_printed_in_the_language_that_is_asked_for(capsys: Capture) -> None:
    assert main(["rules", "finnish-27", "--lang", "fi"]) == 0
    text = capsys.readouterr().out
    assert "Jakajan käsi" in text
    assert "1\u20137 pelaajaa" in text
    assert main(["rules", "--lang", "de", "--markdown"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# Die Regeln, wie sie durchgesetzt werden")
    assert main(["procedures", "house", "--lang", "es", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("# Procedimientos: `house`\n")
    assert main(["rules", "blackjack"]) == 0
    assert capsys.readouterr().out == as_text(rule_book(game("blackjack"))), "English again"
    with pytest.raises(SystemExit):
        main(["rules", "--lang", "xx"])
    assert "choose from" in capsys.readouterr().err


def test_without_a_game_the_games_are_listed(capsys: Capture) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(GAMES)
    assert main(["rules", "--json"]) == 0
    assert [each["game"] for each in json.loads(capsys.readouterr().out)] == list(GAMES)
    assert main(["rules", "--markdown"]) == 0
    assert capsys.readouterr().out == all_as_markdown(map(rule_book, GAMES.values()))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["whist"], "there is no game 'whist': choose one of 21-24-27"),
        (["blackjack", "--option", "peek"], "write it as name=value"),
        (["blackjack", "--option", "peek=yes"], "peek must be true or false, not 'yes'"),
        (["blackjack", "--option", "min_bet=1.5"], "min_bet must be a whole number"),
        (["blackjack", "--option", "min_bet=0"], "min_bet must be above 0"),
        (["blackjack", "--option", "no_such=1"], "has no option 'no_such': it knows min_bet"),
        (["blackjack", "--option", "blackjack_pays=2:1"], "must be 3:2, 6:5 or 1:1"),
        (["casino-7-27", "--option", "low_pays=3"], "write them as 3:2"),
        (["finnish-27", "--option", "forced_play=never"], "hit_or_stand or after_hit"),
        (["--option", "peek=true"], "name it before the options"),
    ],
)
def test_what_cannot_be_told_says_what_to_do(
    arguments: list[str], says: str, capsys: Capture
) -> None:
    assert main(["rules", *arguments]) == EXIT_USAGE
    said = capsys.readouterr()
    assert says in said.err
    assert not said.out


def test_the_edge_of_options_that_nobody_checked_is_computed(capsys: Capture) -> None:
    chosen = game("casino-7-27").with_options({"decks": 6})
    known = chosen.edge(chosen.options)
    assert known is None or not known.exact
    assert main(["rules", "casino-7-27", "--option=decks=6"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "THE PLAYERS' EDGE IS 20.9 % (EXACT" in said
    assert "10.00 WAGERED" in said
