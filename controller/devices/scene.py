"""The whole picture that the table shows: one light per bet spot, one sound, two displays.

A scene is complete: applying it twice changes nothing, and after a reconnect it is applied again.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from controller.devices.displays import DealerView, PlayersView
from controller.rules.messages import Language
from controller.rules.spoken import speaking


class Light(Enum):
    """The state of a bet spot. Colours, patterns and words are in `controller.devices.lights`."""

    EMPTY = "empty"
    BET = "bet"
    CARD = "card"
    CHOOSE = "choose"
    FORCED = "forced"
    STANDING = "standing"
    LOST = "lost"
    WON = "won"
    PUSH = "push"
    HELD = "held"
    CALLING = "calling"
    SHUFFLE = "shuffle"
    CLAP = "clap"


class Sound(Enum):
    """What the buzzer does; it sounds when the scene's sound changes to it.

    `REMIND`, `CALL` and `ALARM` go on until another sound takes their place.
    """

    QUIET = "quiet"
    REFUSED = "refused"
    HELD = "held"
    REMIND = "remind"
    CALL = "call"
    ALARM = "alarm"


class Scene:
    """Everything that the table shows. `lights[0]` is seat 1.

    Lights and sound are there at once. The displays are drawn from the same state when somebody
    looks, in English and once only: lamps do not wait for words.
    """

    __slots__ = ("_draw", "_drawn", "lights", "sound")

    def __init__(
        self,
        lights: tuple[Light, ...],
        sound: Sound,
        draw: Callable[[], tuple[DealerView, PlayersView]],
    ) -> None:
        self.lights = lights
        self.sound = sound
        self._draw = draw
        self._drawn: tuple[DealerView, PlayersView] | None = None

    def drawn_in(self, language: Language) -> tuple[DealerView, PlayersView]:
        """Both displays for whoever reads that language; drawn each time but for English."""
        if language.code == "en":
            return self._views()
        with speaking(language):
            return self._draw()

    def _views(self) -> tuple[DealerView, PlayersView]:
        if self._drawn is None:
            with speaking(None):  # also where somebody looks while another language is spoken
                self._drawn = self._draw()
        return self._drawn

    @property
    def dealer(self) -> DealerView:
        """The dealer display."""
        return self._views()[0]

    @property
    def players(self) -> PlayersView:
        """The players' page."""
        return self._views()[1]

    def _key(self) -> tuple[object, ...]:
        return (self.lights, self.sound, self._views())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]  # pictures are compared, never looked up

    def __repr__(self) -> str:
        return f"Scene({self.lights}, {self.sound}, {self.dealer}, {self.players})"
