"""The odds in print: one page for a table's file, and what another option would cost."""

from __future__ import annotations

import pytest

from controller.__main__ import main

Capture = pytest.CaptureFixture[str]


def test_a_par_sheet_says_what_was_computed_and_of_what(capsys: Capture) -> None:
    assert main(["odds", "blackjack", "--option", "blackjack_pays=6:5", "--par"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("# Blackjack: PAR sheet")
    assert "House edge 2.07570 %." in page
    assert "| rules | blackjack/2 |" in page
    assert "| `blackjack_pays` | 6:5 |" in page
    card = page[page.index("## Strategy") :].splitlines()
    head, soft = card[2], next(line for line in card if line.startswith("| hard 11 "))
    assert head.count("up ") == 10
    assert {cell.strip()[0] for cell in soft.split("|")[2:-1]} <= {"D", "H"}
    assert any(line.startswith("| hard 16 (pair)") and "P" in line for line in card)
    stiff = next(line for line in card if line.startswith("| hard 12 |"))
    # Against a six.
    assert stiff.split("|")[7].strip().startswith("S ")
    assert any("what the least mistake costs" in line for line in card)


@pytest.mark.long  # tests/commands/test_house_loses.py shows it of the edge
def test_a_par_sheet_that_loses_the_house_says_so_first(capsys: Capture) -> None:
    assert main(["odds", "casino-7-27", "--par"]) == 0
    assert "**THE HOUSE LOSES 20.92792 % of every first wager**" in capsys.readouterr().out


@pytest.mark.long
def test_options_stand_side_by_side(capsys: Capture) -> None:
    assert main(["odds", "blackjack", "--compare", "blackjack_pays"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == [
        "as they stand", "blackjack_pays=6:5", "blackjack_pays=1:1",
    ]  # fmt: skip
    assert "+1.35798 %" in lines[3]


def test_only_an_option_with_choices_is_compared(capsys: Capture) -> None:
    assert main(["odds", "blackjack", "--compare", "max_bet"]) == 2
    assert "blackjack_pays, peek" in capsys.readouterr().err
    assert main(["odds", "blackjack", "--simulate", "--par"]) == 2
    assert "goes with --exact" in capsys.readouterr().err
