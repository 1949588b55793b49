"""Which games and revisions a build carries."""

from __future__ import annotations

import re

import pytest

from controller.rules.games.registry import GAMES, UnknownGame, game, of_revision


def test_every_game_has_a_revision() -> None:
    for each in GAMES.values():
        assert each.identity == f"{each.name}/{each.revision}"
        assert re.fullmatch(r"[a-z0-9-]+/[1-9][0-9]*", each.identity)


@pytest.mark.parametrize("name", GAMES)
def test_a_revision_that_the_build_carries_is_found(name: str) -> None:
    newest = GAMES[name].revision
    assert of_revision(name, newest) is game(name)
    assert of_revision(name, newest + 1) is None
    assert of_revision(name, newest - 1) is None


def test_a_game_that_nobody_knows_is_not_carried() -> None:
    assert of_revision("faro", 1) is None
    with pytest.raises(UnknownGame, match="choose one of 21-24-27"):
        game("faro")
