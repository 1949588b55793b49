"""Counts of a game server's run."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field


@dataclass(slots=True)
class StudioFigures:
    """How often each thing happened in a run, for its summary."""

    rounds: int = 0
    void: int = 0
    bets: int = 0
    behind: int = 0
    decisions: int = 0
    silent: int = 0
    answered_for: int = 0
    late_refused: int = 0
    late_taken: int = 0
    stops: int = 0
    refused: dict[str, int] = field(default_factory=lambda: defaultdict(int))
