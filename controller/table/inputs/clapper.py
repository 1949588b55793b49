"""The command by which the spots flash a code for a video."""

from __future__ import annotations

from typing import Literal

from controller.rules.frozen import frozen


@frozen
class Clap:
    """All spots flash a code for some seconds, between rounds: it is looked for in the video."""

    do: Literal["clap"] = "clap"
