"""Which pin lights which lamp: each pin is lit once, and a person answers which lamp it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import gpiozero

from calibration.guide import Choice, Guide, NotGoodEnough, need, yes
from calibration.measure import Measurement
from drivers.io.pins import Factory, pin_errors
from drivers.settings.panel import LedSettings

COLOURS: Final = ("red", "green", "blue")
#: A lamp that is shown again is dark for so long before.
DARK_S: Final = 0.5
_NOTHING: Final = Choice("n", "nothing")
_AGAIN: Final = Choice("s", "show again")


class Lamps:
    """Output pins whose lamps are not known yet. All are low but those that are put high."""

    def __init__(self, pins: Sequence[int], factory: Factory) -> None:
        self._numbers = tuple(pins)
        self._factory = factory
        self._pins: dict[int, Any] = {}

    @contextmanager
    def held(self) -> Iterator[None]:
        """Take the pins, and release them. Raises `DeviceError`."""
        with pin_errors("leds"):
            try:
                for number in self._numbers:
                    self._pins[number] = gpiozero.OutputDevice(number, pin_factory=self._factory)
                yield
            finally:
                for pin in self._pins.values():
                    pin.close()
                self._pins = {}

    def put(self, high: frozenset[int]) -> None:
        """Put these pins high and all others low. Raises `DeviceError`."""
        with pin_errors("leds"):
            for number, pin in self._pins.items():
                pin.value = number in high


async def calibrate_leds(
    guide: Guide, lamps: Lamps, pins: Sequence[int], seats: int
) -> tuple[LedSettings, list[Measurement]]:
    """Find out what each of `pins` lights, in the order in which they are likely wired.

    Raises `NotGoodEnough`, `Abandoned`, `DeviceError`.
    """
    with lamps.held():
        active_low = await _dark(guide, lamps, pins)
        lit: dict[tuple[int, str], int] = {}
        unlit = ""
        for at, pin in enumerate(pins):
            likely = (at // 3 + 1, COLOURS[at % 3]) if at < 3 * seats else None
            lamp = await _which(guide, lamps, pin, frozenset(pins), active_low, seats, likely)
            if lamp is None:
                guide.tell(f"GPIO {pin} lights nothing: not used")
                unlit = unlit or _question(pin)
            elif lamp in lit:
                raise NotGoodEnough(
                    f"GPIO {lit[lamp]} and GPIO {pin} both light {_name(lamp)}: check the wires"
                )
            else:
                lit[lamp] = pin
        settings = _settings(lit, seats, active_low, unlit)
        measured = await _verify(guide, lamps, settings, frozenset(pins))
    return settings, measured


async def _dark(guide: Guide, lamps: Lamps, pins: Sequence[int]) -> bool:
    """Whether a low pin lights its lamp."""
    lamps.put(frozenset())
    level = await guide.choose(
        f"All {len(pins)} pins are low. The spots are",
        (Choice("d", "all dark"), Choice("l", "all lit"), Choice("m", "mixed")),
    )
    if level == "m":
        raise NotGoodEnough(
            "some lamps are lit and some dark on low pins: a lamp or a wire is stuck, or two kinds "
            "of lamps are mixed. Make them alike"
        )
    return level == "l"


async def _which(
    guide: Guide, lamps: Lamps, pin: int, all_pins: frozenset[int], active_low: bool, seats: int,
    likely: tuple[int, str] | None,
) -> tuple[int, str] | None:  # fmt: skip
    """The lamp that `pin` lights: its seat and colour; None for nothing."""
    every = [(seat, colour) for seat in range(1, seats + 1) for colour in COLOURS]
    if likely is not None:
        every.remove(likely)
        every.insert(0, likely)
    choices = [Choice(f"{seat}{colour[0]}", _name((seat, colour))) for seat, colour in every]
    while True:
        lamps.put(_high(frozenset((pin,)), all_pins, active_low))
        key = await guide.choose(_question(pin), (*choices, _NOTHING, _AGAIN))
        if key == _NOTHING.key:
            return None
        if key != _AGAIN.key:
            return every[[choice.key for choice in choices].index(key)]
        # Shorter an eye would see nothing change.
        lamps.put(_high(frozenset(), all_pins, active_low))
        await asyncio.sleep(DARK_S)


def _question(pin: int) -> str:
    return f"GPIO {pin} is lit. Which lamp is it?"


def _high(lit: frozenset[int], all_pins: frozenset[int], active_low: bool) -> frozenset[int]:
    return all_pins - lit if active_low else lit


def _settings(
    lit: dict[tuple[int, str], int], seats: int, active_low: bool, unlit: str
) -> LedSettings:
    """`unlit` is the first question of which the answer was that nothing is lit: a lamp that is
    missing may be on that pin.
    """
    missing = [
        _name((seat, colour))
        for seat in range(1, seats + 1)
        for colour in COLOURS
        if (seat, colour) not in lit
    ]
    if missing:
        raise NotGoodEnough(
            f"no pin lights {', '.join(missing)}: check lamp and wire, or name the pins that it "
            "may be on with --pins",
            since=unlit,
        )
    spots = tuple(
        (lit[seat, "red"], lit[seat, "green"], lit[seat, "blue"]) for seat in range(1, seats + 1)
    )
    return LedSettings(spots, active_low)


async def _verify(
    guide: Guide, lamps: Lamps, settings: LedSettings, all_pins: frozenset[int]
) -> list[Measurement]:
    """Each spot once with all its lamps and no other, confirmed by a person."""
    found = []
    for seat, spot in enumerate(settings.spots, start=1):
        lamps.put(_high(frozenset(spot), all_pins, settings.active_low))
        alone = await yes(guide, f"Spot {seat} is white, all others are dark?")
        found.append(
            Measurement(
                f"spot {seat} on GPIO {spot[0]}, {spot[1]}, {spot[2]}", int(alone), "seen alone",
                at_least=1, remedy="Check its lamps and wires, then calibrate again",
            )
        )  # fmt: skip
        need(guide, found[-1])  # here, where the answer that was not good is the last one
    lamps.put(_high(frozenset(), all_pins, settings.active_low))
    return found


def _name(lamp: tuple[int, str]) -> str:
    return f"spot {lamp[0]} {lamp[1]}"
