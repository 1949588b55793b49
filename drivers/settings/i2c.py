"""`[i2c_leds]`, `[i2c_buttons]`: lamps and buttons on chips of an I2C bus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from drivers.settings.checks import Wrong, refuse, within
from drivers.settings.panel import BUTTON_NAMES, DEFAULT_STUCK_S, SPOTS_MAX

#: Three of 16 outputs a spot.
SPOTS_A_CHIP: Final = 5
#: Where the chips can be wired to answer, by their address pins.
_PCA9685: Final = range(0x40, 0x80)
#: The address that every PCA9685 answers to when it wakes.
_ALL_CALL: Final = 0x70
MCP23017: Final = range(0x20, 0x28)
#: GPA7 and GPB7: Microchip, MCP23017 data sheet DS20001952 revision D (2022).
OUTPUTS_ALONE: Final = (7, 15)


def of_the_bus(bus: str) -> Iterator[Wrong]:
    """What is wrong with the path of a bus."""
    if not bus.startswith("/"):
        yield Wrong("bus", "name the bus's node with its whole path, as /dev/i2c-1")


@dataclass(frozen=True, slots=True)
class I2cLedSettings:
    """`[i2c_leds]`: the spots' lamps on chips of an I2C bus, five spots a chip, seat 1 first.

    `chip` is "pca9685", whose lamps have a `brightness` (of 255), or "mcp23017", on or off.
    `addresses` are the chips' in the order of the spots. `active_low`: a low output lights.
    """

    chip: Literal["pca9685", "mcp23017"] = "pca9685"
    bus: str = "/dev/i2c-1"
    addresses: tuple[int, ...] = (0x40, 0x41)
    spots: int = 7
    brightness: int = 96
    active_low: bool = False

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from of_the_bus(self.bus)
        yield from within("spots", self.spots, 1, SPOTS_MAX)
        yield from within("brightness", self.brightness, 1, 255)
        chips = -(-self.spots // SPOTS_A_CHIP)
        if len(self.addresses) != chips or len(set(self.addresses)) != chips:
            yield Wrong("addresses", f"{self.spots} spots take {chips} chips: give each its own")
        possible = _PCA9685 if self.chip == "pca9685" else MCP23017
        for each in self.addresses:
            if each not in possible or each == _ALL_CALL:
                yield Wrong(
                    "addresses",
                    f"{each:#x} is no address of this chip: {possible[0]:#x} to {possible[-1]:#x}",
                )


@dataclass(frozen=True, slots=True)
class I2cButtonSettings:
    """`[i2c_buttons]`: the dealer's buttons between the pins of an MCP23017 and ground.

    The numbers of `next` and the others are those of the chip's pins: 0 to 6 are GPA0 to GPA6, 8 to
    14 GPB0 to GPB6; the last of each port is an output alone. The chip is asked every `poll_ms`.
    """

    bus: str = "/dev/i2c-1"
    address: int = 0x20
    next: int | None = None
    stand: int | None = None
    hit: int | None = None
    repeat: int | None = None
    call: int | None = None
    poll_ms: int = 5
    debounce_ms: int = 25
    stuck_s: int = DEFAULT_STUCK_S

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from of_the_bus(self.bus)
        if self.address not in MCP23017:
            yield Wrong("address", f"an MCP23017 has {MCP23017[0]:#x} to {MCP23017[-1]:#x}")
        named = {name: getattr(self, name) for name in BUTTON_NAMES}
        pins = {name: pin for name, pin in named.items() if pin is not None}
        for name, pin in pins.items():
            yield from within(name, pin, 0, 15)
            if pin in OUTPUTS_ALONE:
                yield Wrong(
                    name,
                    f"pin {pin} of an MCP23017 is an output alone (GPA7, GPB7: as inputs they may"
                    " spoil the bus): take another",
                )
        if not pins:
            yield Wrong("next", "there is no button: give at least this one a pin")
        if len(set(pins.values())) != len(pins):
            yield Wrong("next", "a pin stands twice: every button needs its own")
        yield from within("poll_ms", self.poll_ms, 1, 50)
        yield from within("debounce_ms", self.debounce_ms, 1, 500)
        yield from within("stuck_s", self.stuck_s, 1, 600)
