"""The set-up of a simulated world: the JSON file that `tablectl demo` writes, checked."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeVar

from controller.rules.cards import IndexStyle
from controller.rules.game import Game
from controller.rules.games.registry import UnknownGame
from controller.rules.games.registry import game as game_called
from controller.rules.options import HouseOptions, OptionError
from sim_hw.devices.pins.pin_world import PanelButton, Wiring
from sim_hw.devices.scanner import PROTOCOLS
from sim_hw.rota import Rota

E = TypeVar("E", bound=Enum)

MAX_SPEED: Final = 10_000.0
#: How much trouble a training makes.
TROUBLE: Final = ("none", "few", "some", "many")
#: Longer than a scanner may take to speak after a card has gone (`late_code_ms`, 120): faster
#: hands would make a code nobody's.
CARD_GAP_MS: Final = 130
#: The same where it says a code again for as long as a card lies before it, ten times a second: an
#: equal card that follows sooner looks like the one before.
AGAIN_GAP_MS: Final = 280

#: How long a card covers the beam, and how long before it its code is said.
BEAM_MS: Final = 12
SETTLE_MS: Final = 4


class ReaderKind(Enum):
    """What reads the cards; the value is its name in the set-up."""

    SERIAL = "serial"
    CAMERA = "camera"
    BOTH = "both"

    @property
    def scanner(self) -> bool:
        """Whether there is a code scanner."""
        return self is not ReaderKind.CAMERA

    @property
    def camera(self) -> bool:
        """Whether there is a camera."""
        return self is not ReaderKind.SERIAL


class WorldError(ValueError):
    """A set-up that makes no sense; the message says which key and what to write."""


@dataclass(frozen=True, slots=True)
class Attendant:
    """Somebody of the house who can stand for a way on: `role` is dealer or floor.

    `id` is who they are on record, where the table's people come from a pit; else empty.
    """

    name: str
    role: str
    pin: str = field(repr=False)
    id: str = ""


@dataclass(frozen=True, slots=True)
class Training:
    """A visitor deals and is trained: how much `trouble` (none, few, some or many), the pace that
    is asked for in rounds an hour, and after how many rounds or minutes it is over (0: never).
    """

    trouble: str
    target: float
    rounds: int
    minutes: float


@dataclass(frozen=True, slots=True)
class Settings:
    """A world's set-up. `speed` times real time; `rounds` 0 goes on for ever.

    `game` has the house options of the table: limits, and the place of the cut.
    `card_gap_ms` is the least time from one card's leaving the exit to the next one's code,
    `beam_ms` how long it covers the beam, `settle_ms` how long before that its code is said.
    `camera_port` is where its stream is served (0: any), `deck` how they are printed before
    it, `index` the style in which every card prints its rank. `bet_spots`: RFID readers lie
    under the spots. `protocol` is what the scanner speaks; `beam_triggers`: it reads
    a card that is in the beam, when it is told to; `rough_line`: its line is a bad one (SSI).
    `players_elsewhere`: nobody sits at the table; a game server bets and decides.
    `training`: a visitor deals, and is trained. `rota`: which of the dealers among `people` deals
    when; None: nobody says who deals. `chips` are those of the rack, the smallest first, in minor
    units; none: the table keeps no account of them.
    """

    game: Game
    seats: int
    seed: int
    speed: float
    rounds: int
    headless: bool
    faults: Path | None
    rundir: Path
    port: int
    service_url: str
    token: str
    wiring: Wiring
    serial_numbers: bool
    baud: int
    card_gap_ms: int
    beam_ms: int
    settle_ms: int
    draw_means_hit: bool
    people: tuple[Attendant, ...] = ()
    reader: ReaderKind = ReaderKind.SERIAL
    camera_port: int = 0
    deck: str = ""
    index: IndexStyle = IndexStyle.FINNISH
    bet_spots: bool = False
    protocol: str = "plain"
    beam_triggers: bool = False
    rough_line: bool = False
    players_elsewhere: bool = False
    training: Training | None = None
    rota: Rota | None = None
    chips: tuple[int, ...] = ()

    @property
    def dealers(self) -> tuple[Attendant, ...]:
        """Those who deal, in the order of the rota."""
        return tuple(each for each in self.people if each.role == "dealer")

    @property
    def options(self) -> HouseOptions:
        """The house options of the game."""
        return self.game.options


def load_settings(path: Path) -> Settings:
    """Read a set-up from a JSON file. Raises `WorldError`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise WorldError(f"cannot read the world's set-up {path}: {error}") from error
    return parse_settings(data)


def parse_settings(data: Any) -> Settings:
    """The set-up in parsed JSON. Raises `WorldError`."""
    keys = _WorldKeys(data, "the world's set-up")
    try:
        game = game_called(keys.take("game", str)).with_options(keys.take("options", dict, {}))
    except (UnknownGame, OptionError) as error:
        raise WorldError(str(error)) from error
    seats = keys.number("seats", game.seats.start, game.seats.stop - 1)
    faults = keys.take("faults", (str, type(None)), None)
    protocol = keys.named("protocol", PROTOCOLS, "plain")
    gap_ms = AGAIN_GAP_MS if protocol == "gm65" else CARD_GAP_MS
    settings = Settings(
        game=game,
        seats=seats,
        seed=keys.take("seed", int),
        speed=keys.real("speed", 0.01, MAX_SPEED),
        rounds=keys.number("rounds", 0, 10**9),
        headless=keys.take("headless", bool),
        faults=None if faults is None else Path(faults),
        rundir=Path(keys.take("rundir", str)),
        port=keys.number("port", 0, 65535),
        service_url=keys.take("service_url", str).rstrip("/"),
        token=keys.take("token", str),
        wiring=_wiring(keys.take("pins", dict), seats),
        serial_numbers=keys.take("serial_numbers", bool, False),
        baud=keys.number("baud", 300, 4_000_000, 9600),
        card_gap_ms=keys.number("card_gap_ms", 0, 10_000, gap_ms),
        beam_ms=keys.number("beam_ms", 1, 10_000, BEAM_MS),
        settle_ms=keys.number("settle_ms", 0, 1_000, SETTLE_MS),
        draw_means_hit=keys.take("draw_means_hit", bool, True),
        people=tuple(map(_attendant, keys.take("people", list, []))),
        reader=keys.one_of("reader", ReaderKind, ReaderKind.SERIAL),
        camera_port=keys.number("camera_port", 0, 65535, 0),
        deck=keys.take("deck", str, "kotka"),
        index=keys.one_of("index", IndexStyle, IndexStyle.FINNISH),
        bet_spots=keys.take("bet_spots", bool, False),
        protocol=protocol,
        beam_triggers=keys.take("beam_triggers", bool, False),
        rough_line=keys.take("rough_line", bool, False),
        players_elsewhere=keys.take("players_elsewhere", bool, False),
        training=_training(keys.take("training", (dict, type(None)), None)),
        rota=_rota(keys.take("rota", (dict, type(None)), None)),
        chips=_chips(keys.take("chips", list, [])),
    )
    keys.done()
    if settings.rota is not None and len(settings.dealers) != settings.rota.tables + 1:
        raise WorldError(f"rota: {settings.rota.tables} tables have one dealer more than that")
    return settings


def _rota(data: Mapping[str, Any] | None) -> Rota | None:
    if data is None:
        return None
    keys = _WorldKeys(data, "rota")
    tables = keys.number("tables", 1, 100)
    rota = Rota(keys.number("table", 0, tables - 1), tables, keys.real("step_s", 1, 86_400))
    keys.done()
    return rota


def _chips(data: list[Any]) -> tuple[int, ...]:
    if any(type(each) is not int or each < 1 for each in data) or data != sorted({*data}):
        raise WorldError("chips: name each chip's worth in minor units once, the smallest first")
    if len(data) == 1:
        raise WorldError("chips: name two or more, or none where the table counts none")
    return tuple(data)


def _training(data: Mapping[str, Any] | None) -> Training | None:
    if data is None:
        return None
    keys = _WorldKeys(data, "training")
    training = Training(
        keys.named("trouble", TROUBLE, "some"),
        keys.real("target", 1, 10_000),
        keys.number("rounds", 0, 10**9, 0),
        keys.real("minutes", 0, 10_000),
    )
    keys.done()
    return training


def _attendant(data: Any) -> Attendant:
    keys = _WorldKeys(data, "people")
    one = Attendant(
        keys.take("name", str), keys.take("role", str), keys.take("pin", str),
        keys.take("id", str, ""),
    )  # fmt: skip
    keys.done()
    if one.role not in ("dealer", "floor"):
        raise WorldError(f"people: the role of {one.name} must be dealer or floor")
    return one


def _wiring(data: Mapping[str, Any], seats: int) -> Wiring:
    keys = _WorldKeys(data, "pins")
    spots = tuple(tuple(each) for each in keys.take("spots", list))
    if len(spots) < seats or any(len(each) != 3 for each in spots):
        raise WorldError(f"pins: spots must list red, green and blue pins for {seats} seats")
    buttons = _WorldKeys(keys.take("buttons", dict), "pins: buttons")
    wiring = Wiring(
        spots=spots,
        buttons={each: buttons.number(each.value, 0, 27) for each in PanelButton},
        beam=keys.pin("beam"),
        buzzer=keys.pin("buzzer"),
        beam_active_low=keys.take("beam_active_low", bool, True),
        buttons_active_low=keys.take("buttons_active_low", bool, True),
        leds_active_low=keys.take("leds_active_low", bool, False),
        debounce_ms=keys.number("debounce_ms", 1, 1000, 25),
    )
    buttons.done()
    keys.done()
    return wiring


class _WorldKeys:
    """Takes keys out of a table one by one; what is left at the end is unknown."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict):
            raise WorldError(f"{where} must be an object of keys and values")
        self._left = dict(data)
        self._where = where

    def take(self, name: str, kind: Any, default: Any = ...) -> Any:
        if name not in self._left:
            if default is ...:
                raise WorldError(f"{self._where}: {name!r} is missing; add it")
            return default
        value = self._left.pop(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise WorldError(f"{self._where}: {name!r} cannot be {value!r}; see sim_hw/README.md")
        return value

    def one_of(self, name: str, kinds: type[E], default: E) -> E:
        return kinds(self.named(name, [each.value for each in kinds], default.value))

    def named(self, name: str, names: Collection[str], default: str) -> str:
        value: str = self.take(name, str, default)
        if value not in names:
            allowed = ", ".join(names)
            raise WorldError(f"{self._where}: {name!r} must be one of {allowed}, not {value!r}")
        return value

    def number(self, name: str, low: int, high: int, default: Any = ...) -> int:
        return int(self._within(name, self.take(name, int, default), low, high))

    def real(self, name: str, low: float, high: float) -> float:
        return float(self._within(name, self.take(name, (int, float)), low, high))

    def pin(self, name: str) -> int | None:
        """An optional GPIO number: absent or null where the table has no such device."""
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return None
        return self.number(name, 0, 27)

    def _within(self, name: str, value: float, low: float, high: float) -> float:
        if not low <= value <= high:
            raise WorldError(f"{self._where}: {name!r} must be {low} to {high}, not {value}")
        return value

    def done(self) -> None:
        if self._left:
            raise WorldError(
                f"{self._where}: unknown key {next(iter(self._left))!r}; remove it or see"
                " sim_hw/README.md for the keys"
            )
