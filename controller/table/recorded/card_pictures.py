"""The pictures of the cards that were dealt: which may be shown, and in which round. Pure.

A picture is known by its name (the SHA-256 of its file). It may be shown once its card lies face
up: of a card that went face down when that very card is turned, of one that was folded, burned or
put aside never.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from controller.rules.frozen import frozen
from controller.rules.sealed import Sealed


@frozen
class Pictured:
    """The picture of one dealt card, in the order of the deal; `name` is empty without one.

    `seal` is the commitment to a card that went face down.
    """

    round: int
    seat: int
    hand: int
    name: str
    shown: bool = True
    seal: str = ""


Pictures = tuple[Pictured, ...]


def turned(pictures: Pictures, round_: int, seat: int, hand: int, card: Sealed) -> Pictures:
    """The pictures once a card was turned: its own is shown, and no other one.

    A card that was not read has no seal to know it by: it is the one that lies there alone.
    """
    down = [
        place
        for place, each in enumerate(pictures)
        if (each.round, each.seat, each.hand) == (round_, seat, hand) and not each.shown
    ]
    if card.digest:
        down = [place for place in down if pictures[place].seal == card.digest]
    if len(down) != 1:
        return pictures
    at = down[0]
    return (*pictures[:at], replace(pictures[at], shown=True), *pictures[at + 1 :])


def pictures_of(pictures: Pictures, rounds: Iterable[int]) -> Pictures:
    """Those of these rounds."""
    known = frozenset(rounds)
    return tuple(each for each in pictures if each.round in known)
