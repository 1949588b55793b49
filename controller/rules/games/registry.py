"""The games that a table can be configured to deal: one line each."""

from __future__ import annotations

from typing import Final

from controller.rules.game import Game
from controller.rules.games import (
    blackjack,
    casino_7_27,
    finnish_27,
    seven_27,
    twenty_one_24_27,
)

_ALL: Final = (
    twenty_one_24_27.GAME,
    finnish_27.GAME,
    casino_7_27.GAME,
    blackjack.GAME,
    seven_27.GAME,
)

GAMES: Final = {game.name: game for game in _ALL}


class UnknownGame(ValueError):
    """`name` is no game here; the message lists those that are."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no game {name!r}: choose one of {', '.join(GAMES)}")
        self.name = name


def game(name: str) -> Game:
    """The game called `name`, in the newest revision. Raises `UnknownGame`."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(name) from None


def of_revision(name: str, revision: int) -> Game | None:
    """The game in that revision, with its default options; None if this build does not carry it."""
    found = GAMES.get(name)
    return found if found is not None and found.revision == revision else None
