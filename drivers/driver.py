"""What a driver is to the table: its section, settings, how a device is made, what it needs.

A third party's package makes one `Driver` known by an entry point of the group `tablectl.drivers`;
`drivers.door` admits it, and `drivers.builtin` has ours, which come in the same way.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple

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


class NeedRefused(ValueError):
    """A driver asks for what no driver may have; the text says for what."""


#: What each kind of need looks like: a word of a unit's line, and never two.
_WORDS: Final = {
    "device_classes": re.compile(r"char-[A-Za-z0-9_.-]+"),
    "device_nodes": re.compile(r"/[A-Za-z0-9_.:@+,=#~/-]+"),
    "groups": re.compile(r"[a-z_][a-z0-9_-]{0,31}"),
    "modules": re.compile(r"[A-Za-z0-9_-]+"),
}
#: Memory, ports and disks: whoever has them has the machine, and the record of every table on it.
#: `/dev/char` and `/dev/block` have them all once more, by their numbers.
_NEVER: Final = re.compile(
    r"char-(mem|raw|sg|bsg)"
    r"|/dev/(mem|kmem|port|sd|sg|bsg|sr|hd|xvd|mmcblk|nvme|vd|loop|dm-|md|nbd"
    r"|(mapper|disk|block|char|raw)(/|$)).*"
    r"|root|disk|kmem|shadow|sudo|adm|docker|lxd|systemd-journal"
)
#: Kinds of sockets beyond those that the service has anyway. Raw packets are not among them.
FAMILIES: Final = frozenset({
    "AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_CAN", "AF_BLUETOOTH"
})  # fmt: skip
#: So many addresses are the machines that a device speaks to; more are a network.
_ADDRESSES_MAX: Final = 256


@dataclass(frozen=True, slots=True)
class SystemNeeds:
    """What a driver needs of the service's unit; the unit allows nothing else.

    `device_classes` are as systemd names those of `/proc/devices` (`char-ttyACM`), `device_nodes`
    whole paths, `address_families` of `FAMILIES`, `addresses` those of the network that it speaks
    to, `modules` those of the kernel that make the classes known at boot. Raises `NeedRefused` for
    what would open the unit to more than devices: memory, disks, groups of administrators, a whole
    network, and text that would be a line of its own.
    """

    device_classes: tuple[str, ...] = ()
    device_nodes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    address_families: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, form in _WORDS.items():
            for each in getattr(self, name):
                # Another spelling of a path is the same node: /dev/./mem, //dev/mem.
                spelt = each.startswith("//") or each != posixpath.normpath(each)
                if spelt or not form.fullmatch(each) or _NEVER.fullmatch(each):
                    raise NeedRefused(f"{name}: {each!r} is nothing that a driver may have")
        for each in self.address_families:
            if each not in FAMILIES:
                allowed = ", ".join(sorted(FAMILIES))
                raise NeedRefused(f"address_families: {each!r} is none of {allowed}")
        for each in self.addresses:
            _few(each)


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


def _few(address: str) -> None:
    """Refuse what is no address, or that of a whole network. Raises `NeedRefused`."""
    try:
        count = ip_network(address.partition("%")[0], strict=False).num_addresses
    except ValueError:
        raise NeedRefused(f"addresses: {address!r} is no address") from None
    if count > _ADDRESSES_MAX:
        raise NeedRefused(f"addresses: {address!r} is a whole network: name the machines")


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
    `nodes` the device nodes that no second device may have. `apart`: its device writes to a bus
    that may hang, and so has a thread of its own, as every device of others. Settings of an output
    are numbers, texts, truth values, paths and tuples of them: the guard of the lights, which makes
    the device in its own process, gets them as JSON.
    """

    section: str
    role: DriverRole
    settings: type
    make: Callable[[Any, DriverContext], Made]
    needs: Callable[[Any], SystemNeeds] = _no_needs
    pins: Callable[[Any], Iterable[UsedPin]] = _no_pins
    spots: Callable[[Any], int] = _no_spots
    nodes: Callable[[Any], Iterable[UsedNode]] = _no_nodes
    apart: bool = False
