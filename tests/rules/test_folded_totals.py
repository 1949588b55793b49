"""How totals are folded into the rows of a sheet, and read back."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import Action
from controller.rules.cards import Card, card
from controller.rules.hands import Total
from controller.rules.messages import message
from controller.rules.script.felt import Play
from controller.rules.sheets import grids
from controller.rules.sheets.sheet import by_kind, label, spans
from tests.rules.sheet_hands import total_kind
from tests.support.forms import examples
from tests.support.sheets import actions, cell

# -- how totals are folded --

PLAYERS = by_kind([*map(Total, range(3, 28)), *(Total(n, True) for n in range(16, 28))])
DEALERS_TWO = by_kind([*map(Total, range(20, 27)), *(Total(n, True) for n in range(20, 27))])
CHOICES = [(Action.HIT,), (Action.STAND,), (Action.STAND, Action.HIT), (Action.HIT, Action.SPLIT)]


@examples(10, long=500)
@given(seed=st.randoms(use_true_random=False), alike=st.booleans())
def test_any_rule_that_is_folded_reads_back_as_itself(seed: Any, alike: bool) -> None:
    """Dealers by ranges, by comparison, and a mixture of both."""
    by_how = {(how, soft): seed.choice(CHOICES) for how, soft in product((-1, 0, 1), (False, True))}
    columns = [
        {player: seed.choice(CHOICES[: 2 + 2 * (player.points > 20)]) for player in PLAYERS}
        for _ in range(2)
    ]
    which = {dealer: seed.randrange(3) for dealer in DEALERS_TWO}

    def plays(player: Total, dealer: Total) -> Play[Total, Total]:
        how = (player.points > dealer.points) - (player.points < dealer.points)
        column = which[dealer]
        options = (
            (Action.STAND,)
            if player.points == 27 and alike
            else by_how[how, player.soft]
            if column == 2
            else columns[column][player]
        )
        return Play(options, message("why"), player, dealer)

    table = grids.play_grid(PLAYERS, DEALERS_TWO, plays, 27)
    for player, dealer in product(PLAYERS, DEALERS_TWO):
        said = actions(cell(table, total_kind(player), total_kind(dealer)))[0]
        assert said == set(plays(player, dealer).options), (player, dealer)


def test_a_rule_that_looks_at_more_than_the_table_shows_is_not_tabled() -> None:
    def plays(player: Total, dealer: Card) -> Play[Total, Card]:
        hearts = dealer.code.endswith("h")
        return Play((Action.HIT,) if hearts else (Action.STAND,), message("why"), player, dealer)

    ups = {card("5h"): ("up", 5), card("5c"): ("up", 5)}
    with pytest.raises(grids.Undecided, match="must stand"):
        grids.play_grid(PLAYERS, ups, plays)


def test_neighbours_are_those_that_come_next_among_all() -> None:
    assert spans([2, 4, 6, 10], [2, 4, 6, 8, 10]) == "2-6, 10"
    assert spans([], [1]) == ""
    every = [("hard", 2), ("hard", 3), ("soft", 14), ("soft", 16)]
    assert label(every[1:], every) == "hard 3, soft 14-16"
    assert label(every, every) == "any"
