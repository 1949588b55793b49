"""Chances in a game for a pot: totals by brute force, rounds as the live script deals them."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.__main__ import main
from controller.odds.pot import pot_chances as chances
from controller.odds.pot.pot_chances import pot_chances, totals
from controller.odds.pot.pot_kernel import AS_ADVISED, REFUSES, TAKES, deal_pots
from controller.odds.pot.pot_sheet import NoPotSheet, read_pot_sheet
from controller.odds.pot.pot_tables import PotTables, pot_tables, share_table
from controller.rules.actions import Action, Move
from controller.rules.cards import Card, card
from controller.rules.engine.round import Run
from controller.rules.game import Game
from controller.rules.games.registry import game
from tests.support.forms import quick_first

SEVEN = game("seven-twenty-seven")
VARIANTS: dict[str, dict[str, Any]] = {
    "as delivered": {},
    "over is bust": {"showdown": "over-is-bust"},
    "under trumps over": {"showdown": "under-trumps-over", "free_ace": True},
}
POT = 2_520 * 1_000
_tables: dict[str, tuple[Game, PotTables]] = {}


@pytest.fixture(scope="module", autouse=True)
def tabulated_once() -> Iterator[None]:
    """A game's hands are written out once for all commands here: for each took a second."""
    made = cache(pot_tables)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chances, "pot_tables", lambda played, also=(): made(played, tuple(also)))
        yield


def of(variant: str) -> tuple[Game, PotTables]:
    if variant not in _tables:
        played = SEVEN.with_options({**VARIANTS[variant], "ante": 0, "max_bet": POT})
        _tables[variant] = played, pot_tables(played)
    return _tables[variant]


def live(played: Game, players: int, shoe: list[Card]) -> list[float]:
    """What each player gets of a pot of 1, by the live script: nobody bets."""

    def advised(play: Any, cards: Any) -> Move:
        if Action.PASS in play.options:
            return Action.PASS
        return played.advise(play, cards)

    first = played.seats.start
    run = Run(played, tuple((first + at, POT) for at in range(players)))
    felt = run.play_out(shoe.pop, advised)
    return [(hand.net + POT) / (players * POT) for hand in felt.hands if hand.net is not None]


def _cards(tables: PotTables, pack: Any, seed: int) -> list[Card]:
    """The kernel's order of the pack: its generator, in plain Python."""
    from controller.odds.simulated.kernel import draw_card, seeded

    order, rng = pack.copy(), seeded(seed, 0)
    left = [list(alike) for alike in tables.letters]
    return [left[int(draw_card(order, rng, gone))].pop() for gone in range(order.size)]


@pytest.mark.long
@pytest.mark.parametrize("players", quick_first(range(4, 11), [10]))
@pytest.mark.parametrize("variant", quick_first(VARIANTS, ["over is bust"]))
def test_the_same_cards_give_the_same_shares(
    variant: str, players: int, *, long_form: bool
) -> None:
    played, tables = of(variant)
    assert played.pot is not None
    shares = share_table(played.pot, players)
    for seed in range(2_000 if long_form else 20):
        block = deal_pots(tables, shares, players, 1, seed, 0)
        expected = live(played, players, _cards(tables, tables.pack, seed)[::-1])
        got = block.held[:, :, 1].sum()
        assert got == pytest.approx(expected[0], abs=1e-9), seed
        whole = (block.ends * shares[None]).sum()
        assert whole == pytest.approx(1.0, abs=1e-9), "the pot is divided whole"


@pytest.mark.parametrize("cards", [2, 3])
def test_totals_by_number_of_cards_are_those_of_every_hand(cards: int) -> None:
    played, tables = of("over is bust")
    assert played.pot is not None
    found = {
        each.points: each.chance
        for each in totals(played, played.pot, tables)
        if each.cards == cards
    }
    counted: Counter[tuple[str, ...]] = Counter()
    whole = 0
    for hand in combinations(SEVEN.pack.cards(), cards):
        counted[tuple(f"{each / 2:g}" for each in SEVEN.total(hand))] += 1  # type: ignore[attr-defined]
        whole += 1
    assert found == {each: float(Fraction(many, whole)) for each, many in counted.items()}


def test_a_share_is_what_the_game_divides() -> None:
    """The table of shares is the game's own `parts`, whoever else wins."""
    rules = SEVEN.pot
    assert rules is not None
    table = share_table(rules, 5)
    assert table[1, 0, 1, 1] == 0.5
    assert table[1, 1, 1, 2] == 0.75
    assert table[0, 1, 0, 2] == 0.5, "nobody qualifies for the low half: the high takes all"
    assert table[0, 0, 0, 0] == 0.2, "nobody qualifies: all share"
    assert table[0, 0, 2, 3] == 0


@pytest.mark.long
def test_what_a_card_is_worth_is_what_the_live_script_pays() -> None:
    """7 and 9 before four players: refused, and taken, by live rounds, within four errors."""
    played, _ = of("as delivered")
    held = [card("7c"), card("9d")]
    found = pot_chances(played, 4, held, rounds=200_000).worth[0]
    assert found.advised
    assert found.taken.value > found.refused.value
    mixed = random.Random(3)
    rest = [each for each in played.pack.cards() if each not in held]
    for does, expected in ((Action.NO_CARD, found.refused), (Action.CARD, found.taken)):
        got = []
        for _ in range(4_000):
            mixed.shuffle(rest)
            got.append(_forced(played, held, list(rest), does))
        error = float(np.std(got)) / len(got) ** 0.5
        assert abs(np.mean(got) - expected.value) < 4 * error + expected.within, does


def _forced(played: Game, held: list[Card], rest: list[Card], does: Action) -> float:
    """What the first of four players gets with `held`, if he does that with it."""
    # Dealt around the table: his cards are the first and the fifth.
    shoe = [*rest[:-3], held[1], *rest[-3:], held[0]]

    def chosen(play: Any, cards: Any) -> Move:
        if Action.PASS in play.options:
            return Action.PASS
        if set(cards) == set(held):
            return does
        return played.advise(play, cards)

    first = played.seats.start
    run = Run(played, tuple((first + at, POT) for at in range(4)))
    felt = run.play_out(shoe.pop, chosen)
    mine = felt.hands[0]
    assert list(mine.cards)[:2] == held
    assert mine.net is not None
    return (mine.net + POT) / (4 * POT)


def test_the_same_seed_is_the_same_rounds_and_another_is_not() -> None:
    _, tables = of("over is bust")
    assert SEVEN.pot is not None
    shares = share_table(SEVEN.pot, 6)
    one, same, other = (deal_pots(tables, shares, 6, 500, seed, 0) for seed in (1, 1, 2))
    assert (one.ends == same.ends).all()
    assert (one.ends != other.ends).any()
    refused = deal_pots(tables, shares, 6, 500, 1, 0, does=REFUSES)
    taken = deal_pots(tables, shares, 6, 500, 1, 0, does=TAKES)
    advised = deal_pots(tables, shares, 6, 500, 1, 0, does=AS_ADVISED)
    assert refused.held[:, 1].sum() == taken.held[:, 0].sum() == 0
    assert advised.held[:, 0, 0].sum() + advised.held[:, 1, 0].sum() == 500


def test_the_command_prints_what_comes_what_wins_and_what_a_card_is_worth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["odds", "seven-twenty-seven", "--seats", "5", "--rounds", "2000"]
    assert main([*words, "--hand", "7c 9d"]) == 0
    text = capsys.readouterr().out
    assert "there is no house, players play for the pot" in text
    assert re.search(r"7 9 +16 .*take", text), text
    assert main([*words, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {each["about"] for each in rows} == {"total", "last hand", "next card"}
    assert {each["figure"] for each in rows if each["about"] == "last hand"} == {
        "comes", "wins 7", "wins 27", "wins both", "share",
    }  # fmt: skip


@pytest.mark.long
def test_the_command_writes_what_the_page_shows(tmp_path: Path) -> None:
    path = tmp_path / "odds" / "pot.json"
    words = ["odds", "seven-twenty-seven", "--seats", "5", "--rounds", "20000"]
    assert main([*words, "--expectations", str(path)]) == 0
    sheet = read_pot_sheet(path)
    assert (sheet.players, sheet.rounds, sheet.targets) == (5, 20_000, ["7", "27"])
    assert {each.cards: each.chances for each in sheet.points}[2] == [
        pytest.approx(3.62, abs=0.005),
        0,
    ]
    seven = next(each for each in sheet.cards if each.hand == "2 5")
    assert seven.refused > seven.taken + seven.within
    assert main([*words, "--expectations", str(path), "--hand", "7c 9d"]) == 2


def test_a_file_that_is_no_sheet_is_said(tmp_path: Path) -> None:
    path = tmp_path / "pot.json"
    path.write_text('{"players": 4}')
    with pytest.raises(NoPotSheet, match="no file of chances"):
        read_pot_sheet(path)


@pytest.mark.long
def test_the_command_prints_all_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "seven-twenty-seven", "--rounds", "20000", "--json"]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["players"], len(data["worth"])) == (4, 66)
    assert sum(each["chance"] for each in data["totals"] if each["cards"] == 3) == pytest.approx(1)
    assert sum(each["share"]["value"] * each["comes"]["value"] for each in data["wins"]) == (
        pytest.approx(0.25, abs=0.01)
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seats", "3"], "4 to 10 players, not to 3"),
        (["--hand", "7c"], "a hand has 2 to"),
        (["--hand", "7c xx"], "'xx' is no card: write it like 7c"),
        (["--hand", "7c 7c"], "stands 2 times in the hand"),
        (["--rounds", "5"], "rounds or more, not 5"),
        (["--strategy", "best"], "--strategy: players play for the pot, there is no house"),
        (["--par"], "there is no house"),
        (["--option", "decks=2"], "has no option"),
    ],
)
def test_what_makes_no_sense_is_said(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", "seven-twenty-seven", *words]) == 2
    assert says in capsys.readouterr().err
    assert main(["odds", "blackjack", "--hand", "7c 9d"]) == 2
    assert "Blackjack is not played for a pot" in capsys.readouterr().err
