"""Which games and revisions a build carries."""

from __future__ import annotations

import re

import pytest

from controller.rules.games.registry import GAMES, UnknownGame, game, identities, of_revision


def test_every_game_has_a_revision() -> None:
    assert identities() == tuple(f"{each.name}/{each.revision}" for each in GAMES.values())
    assert all(re.fullmatch(r"[a-z0-9-]+/[1-9][0-9]*", each) for each in identities())


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
