"""The games that a table can be configured to deal: one line each."""

from __future__ import annotations

from typing import Final

from controller.rules import twenty_one_24_27
from controller.rules.game import Game

_ALL: Final = (twenty_one_24_27.GAME,)

GAMES: Final = {game.name: game for game in _ALL}


class UnknownGame(ValueError):
    """A name that is no game here; the message lists those that are."""


def game(name: str) -> Game:
    """The game called `name`. Raises `UnknownGame`."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}: choose one of {', '.join(GAMES)}") from None
