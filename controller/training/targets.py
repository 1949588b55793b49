"""The pace that a training asks for where nobody says another: rounds an hour, by seats."""

from __future__ import annotations

from typing import Final

from controller.rules.game import Game

#: Against the house, from one seat to seven. Our own choice: what is printed about blackjack in
#: casinos goes from some 50 rounds an hour at a full table to 200 with one player.
_AGAINST_THE_HOUSE: Final = (200.0, 140.0, 105.0, 85.0, 70.0, 60.0, 52.0)
#: For a pot, whatever the seats: rounds of betting take most of it.
_FOR_A_POT: Final = 25.0


def target(game: Game, seats: int) -> float:
    """The pace that is asked for at that game with a number of seats in play."""
    if game.vying:
        return _FOR_A_POT
    return _AGAINST_THE_HOUSE[min(seats, len(_AGAINST_THE_HOUSE)) - 1]
