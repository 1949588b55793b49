"""`[beam]`, `[shoe]`: the exit of the shoe, and its readers together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from drivers.settings.checks import Wrong, pin_problem, refuse, within

DEFAULT_BEAM: Final = 5


@dataclass(frozen=True, slots=True)
class BeamSettings:
    """`[beam]`: the light barrier at the exit of the shoe.

    `active_low`: the pin is low while a card is in the beam; `pull_up`: the pin is pulled high
    inside, else low. A break shorter than `glitch_ms` is no card. `late_code_ms` is how long after
    the card has gone its code may still come, which must be less than the next card's code ever
    needs; 0 where the code always comes first. After `stuck_ms` covered, something is
    wrong.
    """

    pin: int
    active_low: bool = True
    pull_up: bool = True
    glitch_ms: int = 4
    late_code_ms: int = 120
    stuck_ms: int = 3_000

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from pin_problem("pin", self.pin)
        yield from within("glitch_ms", self.glitch_ms, 0, 100)
        yield from within("late_code_ms", self.late_code_ms, 0, 2_000)
        yield from within("stuck_ms", self.stuck_ms, 200, 60_000)


@dataclass(frozen=True, slots=True)
class ShoeSettings:
    """`[shoe]`: what a card needs where there is a scanner and a camera.

    `needs`: "both" must agree, or "one" is enough where the other could not read it; two that
    differ always hold the table. `patience_ms` is how long after one reading the other may come.
    """

    needs: Literal["both", "one"] = "both"
    patience_ms: int = 500

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from within("patience_ms", self.patience_ms, 50, 5_000)
