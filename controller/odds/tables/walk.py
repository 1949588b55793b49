"""The player's hands on their way through one script: those to be walked, those that wait."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from controller.odds.tables.probe import Stop
from controller.odds.tables.states import Way
from controller.rules.cards import Card


class Met(NamedTuple):
    """A hand to be walked; `stop`: the run that led to it, if one waits for its last card."""

    way: Way
    stop: Stop | None = None


class Left(NamedTuple):
    """A complete hand that waits for the dealer; `waits`: what its run came to (see `Stop`)."""

    way: Way
    waits: str


class HandWalk(NamedTuple):
    """The hands against one shown state: those to be walked, and the complete ones that wait."""

    shown: int
    cards: tuple[Card, ...]
    queue: deque[Met]
    met: set[int]
    left: dict[int, Left]
