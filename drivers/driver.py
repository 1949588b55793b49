"""What a driver is to the table: its section, settings, how a device is made, what it needs.

A third party's package makes one `Driver` known by an entry point of the group `tablectl.drivers`;
`drivers.door` admits it, and `drivers.builtin` has ours, which come in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from controller.devices.contracts import InputDevice, OutputDevice
from controller.rules.cards import Pack
from controller.rules.messages import Message


class DriverRole(Enum):
    """What a device is to the table. The guard of the lights holds an output, not a display."""

    READER = "reads the cards"
    INPUT = "is pressed by people"
    SENSOR = "senses chips on the bet spots"
    OUTPUT = "shows or sounds"
    DISPLAY = "shows words or pictures"
    PART = "is part of what reads the cards"


@dataclass(frozen=True, slots=True)
class SystemNeeds:
    """What a driver needs of the service's unit; the unit allows nothing else.

    `device_classes` are as systemd names those of `/proc/devices` (`char-ttyACM`), `device_nodes`
    paths, `addresses` those of the network that it speaks to, `modules` those of the kernel that
    make the classes known at boot.
    """

    device_classes: tuple[str, ...] = ()
    device_nodes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    address_families: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DriverContext:
    """What a table lends a driver that makes a device.

    `factory` is gpiozero's pin factory, None where no device of the table is on pins; `base` the
    folder that relative paths are seen from. `beam` are the settings of the exit beam, `owns_beam`
    whether this reader has to open it. `passing` is to be called with true when a card begins to
    pass a camera, and with false when it has.
    """

    base: Path
    pack: Pack
    seats: int
    factory: Any = None
    beam: Any = None
    owns_beam: bool = True
    passing: Callable[[bool], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Made:
    """A device, not opened yet, and its periodic health checks by name."""

    device: InputDevice | OutputDevice
    checks: Mapping[str, Callable[[], Message | None]] = field(default_factory=dict)


class UsedPin(NamedTuple):
    """A header pin that settings use: the key it stands in, whose it is there, and its number.

    `of_a_bus`: the kernel moves it, not a pin factory.
    """

    key: str
    whose: str
    pin: int
    of_a_bus: bool = False


class UsedNode(NamedTuple):
    """What settings take for one device alone: the key, and the node (of a bus, with its chip)."""

    key: str
    node: str


def _no_nodes(_: Any) -> Iterable[UsedNode]:
    return ()


def _no_pins(_: Any) -> Iterable[UsedPin]:
    return ()


def _no_spots(_: Any) -> int:
    return 0


def _no_needs(_: Any) -> SystemNeeds:
    return SystemNeeds()


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver. `settings` is a dataclass: its fields are the keys of `[section]`, typed.

    What is wrong with the settings is a `SettingsError` of the dataclass itself. `make` raises
    `ValueError` with what to change where they do not go with the table. `pins` are the header pins
    that settings use, each with its key; `spots` how many bet spots an output lights (0: none);
    `nodes` the device nodes that no second device may have. Settings of an output are numbers,
    texts, truth values, paths and tuples of them: the guard of the lights, which makes the device
    in its own process, gets them as JSON.
    """

    section: str
    role: DriverRole
    settings: type
    make: Callable[[Any, DriverContext], Made]
    needs: Callable[[Any], SystemNeeds] = _no_needs
    pins: Callable[[Any], Iterable[UsedPin]] = _no_pins
    spots: Callable[[Any], int] = _no_spots
    nodes: Callable[[Any], Iterable[UsedNode]] = _no_nodes
