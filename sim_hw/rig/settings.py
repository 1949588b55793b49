"""The rig's own file, `rig.toml`: which of its pins and devices is which line. Checked."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from .protocol import PORT, SAY_MAX, RigError, is_name

T = TypeVar("T")

#: The GPIOs of the header.
PINS: Final = range(2, 28)
#: The numbers of universes, and the port, by E1.31.
UNIVERSES_MAX: Final = 63_999
SACN_PORT: Final = 5568
#: A panel of more pixels than this is none of ours.
SIDE_MAX: Final = 4_096


@dataclass(frozen=True, slots=True)
class Serial:
    """A serial line to the table, on which the rig is the scanner."""

    device: Path
    baud: int


@dataclass(frozen=True, slots=True)
class Hid:
    """A USB HID function (gadget), on which the rig types like a keyboard or sends reports."""

    device: Path
    report_bytes: int


@dataclass(frozen=True, slots=True)
class Sacn:
    """A universe of streaming ACN, whose fixtures the rig is.

    `host` is the address of the rig's that packets are sent to; without it they come by the
    universe's multicast group.
    """

    universe: int
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """The framebuffer of the panel before the table's camera, of 32 bits a pixel."""

    device: Path
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class RigSettings:
    """What a rig has. The keys of `serial`, `hid`, `sacn`, `outputs`, `inputs` and `plugs` name its
    lines.

    `outputs` are optocouplers whose far side is between a pin of the table and its ground;
    `inputs` are wired to outputs of the table; `plugs` and `power` are relays (on: connected).
    `inverted` names those of them, `power` too, that are on when their pin is low. `grab` is the
    command that writes one picture of the dealer's display to its standard output.
    """

    name: str
    host: str
    port: int
    serial: Mapping[str, Serial] = field(default_factory=dict)
    hid: Mapping[str, Hid] = field(default_factory=dict)
    sacn: Mapping[str, Sacn] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=dict)
    inputs: Mapping[str, int] = field(default_factory=dict)
    plugs: Mapping[str, int] = field(default_factory=dict)
    power: int | None = None
    inverted: frozenset[str] = frozenset()
    panel: PanelSettings | None = None
    grab: tuple[str, ...] = ()


def load(path: Path) -> RigSettings:
    """Read `rig.toml`. Raises `RigError` with what to change."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RigError(f"cannot read {path}: {error}") from error
    keys = _Keys(data, path.name)
    listen = _Keys(keys.take("listen", dict, {}), "[listen]")
    panel = keys.take("panel", dict, {})
    made = RigSettings(
        name=keys.take("name", str),
        host=listen.take("host", str, "127.0.0.1"),
        port=listen.number("port", 0, 65_535, PORT),
        serial=keys.each("serial", lambda value, where: _serial(value, where, path.parent)),
        hid=keys.each("hid", lambda value, where: _hid(value, where, path.parent)),
        sacn=keys.each("sacn", _sacn),
        outputs=keys.each("outputs", _pin),
        inputs=keys.each("inputs", _pin),
        plugs=keys.each("plugs", _pin),
        power=None if "power" not in data else _pin(keys.take("power", int), "power"),
        inverted=frozenset(map(str, keys.take("inverted", list, []))),
        panel=_panel(panel, path.parent) if panel else None,
        grab=tuple(map(str, keys.take("grab", list, []))),
    )
    listen.done()
    keys.done()
    if not is_name(made.name.replace("-", "_")):
        raise RigError(f"{path.name}: name is {made.name!r}: letters, digits, '-' and '_'")
    _check_pins(made)
    return made


def _check_pins(made: RigSettings) -> None:
    used: dict[int, str] = {}
    power = {} if made.power is None else {"power": made.power}
    groups = {"outputs": made.outputs, "inputs": made.inputs, "plugs": made.plugs, "": power}
    for group, lines in groups.items():
        for name, pin in lines.items():
            here = f"{group}.{name}".lstrip(".")
            if pin in used:
                raise RigError(f"{here}: pin {pin} is already used by {used[pin]}")
            used[pin] = here
    names = [*made.outputs, *made.inputs, *made.serial, *made.hid, *made.sacn]
    pins = {*made.outputs, *made.inputs, *made.plugs, *power}
    if strange := sorted(made.inverted - pins):
        raise RigError(f"inverted: {strange[0]!r} is no line on a pin")
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise RigError(f"two lines are called {twice}: each needs a name of its own")


def _pin(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in PINS:
        raise RigError(f"{where} is {value!r}: a GPIO of the header, {PINS[0]} to {PINS[-1]}")
    return value


def _serial(value: Any, where: str, base: Path) -> Serial:
    keys = _Keys(value, where)
    device = base / keys.take("device", str)
    made = Serial(device, keys.number("baud", 300, 4_000_000, 9_600))
    keys.done()
    return made


def _hid(value: Any, where: str, base: Path) -> Hid:
    keys = _Keys(value, where)
    device = base / keys.take("device", str)
    made = Hid(device, keys.number("report_bytes", 1, SAY_MAX))
    keys.done()
    return made


def _sacn(value: Any, where: str) -> Sacn:
    keys = _Keys(value, where)
    made = Sacn(
        keys.number("universe", 1, UNIVERSES_MAX),
        keys.take("host", str, ""),
        keys.number("port", 1, 65_535, SACN_PORT),
    )
    keys.done()
    return made


def _panel(value: Any, base: Path) -> PanelSettings:
    keys = _Keys(value, "[panel]")
    made = PanelSettings(
        base / keys.take("device", str, "/dev/fb0"),
        keys.number("width", 16, SIDE_MAX),
        keys.number("height", 16, SIDE_MAX),
    )
    keys.done()
    return made


class _Keys:
    """Takes keys out of a table one by one; what is left at the end is unknown."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict):
            raise RigError(f"{where} is a table of keys and values")
        self._left = dict(data)
        self._where = where

    def take(self, name: str, kind: type, default: Any = ...) -> Any:
        if name not in self._left and default is ...:
            raise RigError(f"{self._where}: {name} is missing; add it")
        value = self._left.pop(name, default)
        if not isinstance(value, kind):
            raise RigError(f"{self._where}: {name} cannot be {value!r}; see the rig's README.md")
        return value

    def number(self, name: str, low: int, high: int, default: Any = ...) -> int:
        value = self.take(name, int, default)
        if isinstance(value, bool) or not low <= value <= high:
            raise RigError(f"{self._where}: {name} is {value!r}: choose {low} to {high}")
        return int(value)

    def each(self, name: str, made: Callable[[Any, str], T]) -> dict[str, T]:
        """A table whose keys are names of lines."""
        found = {}
        for line, value in self.take(name, dict, {}).items():
            if not is_name(line):
                raise RigError(f"[{name}]: {line!r} is no name: letters, digits and '_'")
            found[line] = made(value, f"{name}.{line}")
        return found

    def done(self) -> None:
        if self._left:
            raise RigError(f"{self._where}: unknown key {next(iter(self._left))!r}; remove it")
