"""Facts of the clapper: the spots flash a code, by which the delay of a video is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClapperBegan:
    """All spots flash the code from here on, for `length_ms`."""

    length_ms: int


@dataclass(frozen=True, slots=True)
class ClapperEnded:
    """The code is over."""
