"""The command by which the spots flash a code for a video."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Clap:
    """All spots flash a code for some seconds, between rounds: it is looked for in the video."""

    do: Literal["clap"] = "clap"
