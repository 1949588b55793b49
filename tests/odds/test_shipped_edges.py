"""Every figure that ships for a house's edge is what the live rules come to, computed anew."""

from __future__ import annotations

import pytest

from controller.odds.exact.exact_odds import Sd, exact_odds
from controller.rules.games.edges import COMPUTED, changes
from controller.rules.games.registry import GAMES
from tests.odds.edges import set_ups

SET_UPS = [
    (name, chosen) for name, game in GAMES.items() if not game.vying for chosen in set_ups(game)
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "chosen"), SET_UPS, ids=str)
def test_a_figure_that_ships_is_the_edge_of_its_options(
    name: str, chosen: dict[str, object]
) -> None:
    made = GAMES[name].with_options(chosen)
    shipped = COMPUTED[made.identity][changes(made.options, GAMES[name].options)]
    assert shipped == pytest.approx(100 * exact_odds(made, sd=Sd.NEAR).edge, abs=1e-9)


def test_every_figure_that_ships_is_of_a_set_up_that_is_computed() -> None:
    asked: dict[str, set[str]] = {}
    for name, chosen in SET_UPS:
        game = GAMES[name]
        asked.setdefault(game.identity, set()).add(
            changes(game.with_options(chosen).options, game.options)
        )
    assert {name: set(figures) for name, figures in COMPUTED.items()} == asked
