"""Cards on their way at a bench, and the lamps that answered them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sim_hw.devices.spot_lamps import LampColour


class SpotShown(NamedTuple):
    """A spot began to show a colour."""

    at_ns: int
    seat: int
    colour: LampColour


@dataclass(slots=True)
class Passage:
    """A card on its way: to which seat, and when its way began and ended.

    `done_ns` is when the last of it had happened: its last bit, or the beam that cleared.
    `then_drawn`: the next that the dealer did was to draw another card.
    """

    seat: int
    began_ns: int = 0
    done_ns: int = 0
    then_drawn: bool = False


class LampAnswer(NamedTuple):
    """A card, and when the lamp that it moved was lit."""

    passage: Passage
    lit_ns: int

    @property
    def ms(self) -> float:
        """From the last of the card to the lamp."""
        return (self.lit_ns - self.passage.done_ns) / 1e6
