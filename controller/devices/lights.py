"""The light language: one table that says how each state of a bet spot looks.

Colours are on/off mixtures of red, green and blue (no PWM). A colour never stands alone: states
that can be on the table at the same time differ in their pattern too, so that the colour-blind
can tell them apart. No pattern flashes more than three times a second (WCAG 2.3.1).
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from controller.devices.scene import Light
from controller.rules.messages import Message, message


class Colour(NamedTuple):
    """An on/off mixture."""

    red: bool
    green: bool
    blue: bool


OFF: Final = Colour(False, False, False)
RED: Final = Colour(True, False, False)
GREEN: Final = Colour(False, True, False)
BLUE: Final = Colour(False, False, True)
YELLOW: Final = Colour(True, True, False)
MAGENTA: Final = Colour(True, False, True)
CYAN: Final = Colour(False, True, True)
WHITE: Final = Colour(True, True, True)


class Pattern(Enum):
    """How a light is on over time: alternating on and off times in ms, beginning with on."""

    STEADY = None  # not (): Python 3.11.2, Debian 12's own, makes a bare object of it
    SLOW = (800, 800)
    QUICK = (200, 200)
    WINK = (1400, 200)
    DOUBLE = (150, 150, 150, 750)
    SPARK = (100, 1400)
    #: Like itself at no other moment of it: what finds it in a video knows when it began.
    CLAP = (200, 200, 600, 400, 200, 600, 400, 200, 800, 400)

    def lit(self, at_ms: int) -> bool:
        """Whether the light is on `at_ms` after the pattern began."""
        return self.phase(at_ms)[0]

    def phase(self, at_ms: int) -> tuple[bool, int | None]:
        """On or off `at_ms` after the pattern began, and how many ms longer (None: for ever)."""
        spans: tuple[int, ...] | None = self.value
        if spans is None:
            return True, None
        at = at_ms % sum(spans)
        on = True
        for span in spans:
            if at < span:
                return on, span - at
            at -= span
            on = not on
        raise AssertionError("a pattern's spans add up to its period")


class Look(NamedTuple):
    """Colour and pattern of a state, and what it tells the dealer."""

    colour: Colour
    pattern: Pattern
    meaning: Message


LOOKS: Final[dict[Light, Look]] = {
    Light.EMPTY: Look(OFF, Pattern.STEADY, message("light-empty")),
    Light.BET: Look(BLUE, Pattern.STEADY, message("light-bet")),
    Light.CARD: Look(WHITE, Pattern.QUICK, message("light-card")),
    Light.CHOOSE: Look(YELLOW, Pattern.SLOW, message("light-choose")),
    Light.FORCED: Look(MAGENTA, Pattern.QUICK, message("light-forced")),
    Light.STANDING: Look(CYAN, Pattern.STEADY, message("light-standing")),
    Light.LOST: Look(RED, Pattern.SPARK, message("light-lost")),
    Light.WON: Look(GREEN, Pattern.DOUBLE, message("light-won")),
    Light.PUSH: Look(CYAN, Pattern.WINK, message("light-push")),
    Light.HELD: Look(RED, Pattern.SLOW, message("light-held")),
    Light.CALLING: Look(RED, Pattern.QUICK, message("light-calling")),
    Light.SHUFFLE: Look(MAGENTA, Pattern.SLOW, message("light-shuffle")),
    Light.CLAP: Look(WHITE, Pattern.CLAP, message("light-clap")),
}

#: How long the clapper's code takes, in ms.
CLAP_MS: Final = sum(Pattern.CLAP.value)
