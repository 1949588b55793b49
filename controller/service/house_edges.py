"""The house's edge by the options in force, as pages say it: checked, or computed by a process."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game
from controller.rules.messages import Message, message
from controller.table.views.english import say

log = logging.getLogger(__name__)

COMPUTING: Final = message("house-edge-is-computed")
NOT_COMPUTED: Final = message("house-edge-is-not-computed")


@frozen
class HouseEdges:
    """Edges beside the checked ones, by game and options; a message says why there is none."""

    known: Mapping[tuple[str, object], Edge | Message] = field(default_factory=dict)

    def plus(self, plays: Game, found: Edge | Message) -> HouseEdges:
        """With one more, or another."""
        return HouseEdges({**self.known, (plays.identity, plays.options): found})

    def edge(self, plays: Game) -> Edge | None:
        """The edge of the game with its options; where none was computed, a bound at most."""
        computed = self.known.get((plays.identity, plays.options))
        return computed if isinstance(computed, Edge) else plays.edge(plays.options)

    def loses(self, plays: Game) -> str:
        """The one red line where the house loses; else empty."""
        found = self.edge(plays)
        return say(found.said, plays.words) if found is not None and found.loses else ""

    def note(self, plays: Game) -> str:
        """Why the edge is not known exactly; empty where it is."""
        found = self.edge(plays)
        if found is not None and found.exact:
            return ""
        said = self.known.get((plays.identity, plays.options), NOT_COMPUTED)
        return say(said) if isinstance(said, Message) else ""


def log_edge(plays: Game, edge: Edge | None) -> None:
    """Warn whoever chose options by which the house loses."""
    if edge is None or not edge.exact:
        log.info("%s: %s", plays.title, say(COMPUTING))
    if edge is not None:
        level = logging.WARNING if edge.loses else logging.INFO
        log.log(level, "%s: %s", plays.title, say(edge.said, plays.words))
