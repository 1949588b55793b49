"""`[leds]`, `[strip]`, `[buttons]`, `[buzzer]`: the panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from drivers.settings.checks import Wrong, pin_problem, refuse, within

DEFAULT_SPOTS: Final = (
    (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23), (24, 25, 27),
)  # fmt: skip
"""The proposed wiring of seven spots: red, green and blue of seat 1, of seat 2 and so on."""

DEFAULT_NEXT: Final = 2
DEFAULT_STAND: Final = 3
DEFAULT_CALL: Final = 4
DEFAULT_BUZZER: Final = 26
#: The dealer's buttons by what they mean, as `[buttons]` names them.
BUTTON_NAMES: Final = ("next", "stand", "hit", "repeat", "call")
#: A button held for this long is stuck.
DEFAULT_STUCK_S: Final = 10

#: What the kernel sends at a time (4096), less the pauses around the pixels of a strip.
STRIP_BYTES_MAX: Final = 4_096 - 240
#: More spots than any table has seats.
SPOTS_MAX: Final = 12


@dataclass(frozen=True, slots=True)
class LedSettings:
    """`[leds]`: one RGB light per bet spot, seat 1 first, as (red, green, blue) pins.

    `active_low`: a low pin lights the lamp.
    """

    spots: tuple[tuple[int, int, int], ...]
    active_low: bool = False

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.spots:
            yield Wrong("spots", "it is empty: give one [red, green, blue] for each seat")
        pins = [pin for spot in self.spots for pin in spot]
        for pin in pins:
            yield from pin_problem("spots", pin)
        if len(set(pins)) != len(pins):
            yield Wrong("spots", "a pin stands twice; every lamp needs a pin of its own")


@dataclass(frozen=True, slots=True)
class StripSettings:
    """`[strip]`: a strip of WS2812 or SK6812 pixels for all spots, on an SPI bus.

    `device` is the bus's node; its data line is all that is wired. `spots` lights with `pixels` in
    a row each, seat 1 first. `order` is that of the colours: "grb", "rgb" (WS2811) or "grbw"
    (SK6812 with white). `brightness` is that of a lit colour, of 255; where all that is lit takes
    more than `max_ma` (20 mA a colour at 255), the whole strip is dimmed to that.
    """

    device: str = "/dev/spidev0.0"
    spots: int = 7
    pixels: int = 4
    order: Literal["grb", "rgb", "grbw"] = "grb"
    brightness: int = 96
    max_ma: int = 2_000

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.device.startswith("/"):
            yield Wrong("device", "name the bus's node with its whole path, as /dev/spidev0.0")
        yield from within("spots", self.spots, 1, SPOTS_MAX)
        most = STRIP_BYTES_MAX // (4 * len(self.order)) // min(max(self.spots, 1), SPOTS_MAX)
        yield from within("pixels", self.pixels, 1, most)
        yield from within("brightness", self.brightness, 1, 255)
        yield from within("max_ma", self.max_ma, 100, 20_000)


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """`[buttons]`: the dealer's buttons between pin and ground, by what they mean.

    A press counts when it was steady for `debounce_ms`, a release likewise; a button held for
    `stuck_s` is stuck.
    """

    next: int | None = None
    stand: int | None = None
    hit: int | None = None
    repeat: int | None = None
    call: int | None = None
    debounce_ms: int = 25
    stuck_s: int = DEFAULT_STUCK_S

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        named = {name: getattr(self, name) for name in BUTTON_NAMES}
        pins = {name: pin for name, pin in named.items() if pin is not None}
        for name, pin in pins.items():
            yield from pin_problem(name, pin)
        if not pins:
            yield Wrong("next", "there is no button: give at least this one a pin")
        if len(set(pins.values())) != len(pins):
            twice = next(n for n, pin in pins.items() if list(pins.values()).count(pin) > 1)
            yield Wrong(twice, "its pin is another button's too: every button needs its own")
        yield from within("debounce_ms", self.debounce_ms, 1, 500)
        yield from within("stuck_s", self.stuck_s, 1, 600)


@dataclass(frozen=True, slots=True)
class BuzzerSettings:
    """`[buzzer]`: an active buzzer that sounds while its pin is high."""

    pin: int

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from pin_problem("pin", self.pin)
