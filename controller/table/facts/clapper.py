"""Facts of the clapper: the spots flash a code, by which the delay of a video is measured."""

from __future__ import annotations

from controller.rules.frozen import frozen


@frozen
class ClapperBegan:
    """All spots flash the code from here on, for `length_ms`."""

    length_ms: int


@frozen
class ClapperEnded:
    """The code is over."""
