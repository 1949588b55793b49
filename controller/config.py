"""The configuration: one TOML file, typed, in which anything unknown is an error.

Every message names the place in the file and says what is allowed. Paths may be relative to the
file. Durations, sizes and amounts carry their unit in the name; amounts are minor units.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from controller.rules.game import OptionError
from controller.rules.games import UnknownGame, game
from controller.table.inputs import Setup

Pin = Annotated[int, Field(ge=0, le=27)]


class ConfigError(ValueError):
    """The configuration cannot be used; the text says where and what to change."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSection(_Section):
    """`[table]`: what this table is."""

    name: Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9._-]+$")]
    game: str
    seats: Annotated[int, Field(ge=1, le=10)] = 7
    draw_means_hit: bool = True


class JournalSection(_Section):
    """`[journal]`: where the record is kept."""

    path: Path


class PitSection(_Section):
    """`[pit]`: the web. It binds to loopback only until sign-in and roles exist."""

    host: Literal["127.0.0.1", "::1"] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8027
    token_file: Path
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()
    max_viewers: Annotated[int, Field(ge=1, le=10_000)] = 200


class ScannerSection(_Section):
    """`[scanner]`: the serial shoe scanner (see drivers/README.md)."""

    port: Path
    baud: Annotated[int, Field(ge=300, le=4_000_000)] = 9_600
    bytesize: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd", "mark", "space"] = "none"
    stopbits: Literal[1, 2] = 1
    terminator: Literal["cr", "lf", "crlf", "idle"] = "cr"
    idle_ms: Annotated[int, Field(ge=10, le=1_000)] = 60
    max_bytes: Annotated[int, Field(ge=4, le=1_024)] = 64
    aim: Literal["absent", "required"] = "absent"
    symbologies: tuple[Annotated[str, Field(min_length=1, max_length=1)], ...] = ("C",)
    codes: str = "tablectl-1"


class BeamSection(_Section):
    """`[beam]`: the light barrier at the exit of the shoe."""

    pin: Pin
    active_low: bool = True
    pull_up: bool = True
    glitch_ms: Annotated[int, Field(ge=0, le=100)] = 4
    late_code_ms: Annotated[int, Field(ge=0, le=2_000)] = 120
    stuck_ms: Annotated[int, Field(ge=200, le=60_000)] = 3_000


class LedsSection(_Section):
    """`[leds]`: one RGB light per bet spot, seat 1 first, through driver transistors."""

    spots: tuple[tuple[Pin, Pin, Pin], ...]
    active_low: bool = False


class ButtonsSection(_Section):
    """`[buttons]`: the dealer's buttons, by what they mean; left out: not there."""

    next: Pin | None = None
    stand: Pin | None = None
    hit: Pin | None = None
    repeat: Pin | None = None
    call: Pin | None = None
    debounce_ms: Annotated[int, Field(ge=1, le=500)] = 25


class BuzzerSection(_Section):
    """`[buzzer]`: an active buzzer on one pin."""

    pin: Pin


class Config(_Section):
    """The whole file. `options` are the game's house options by name."""

    table: TableSection
    journal: JournalSection
    pit: PitSection
    options: dict[str, int | str | bool] = {}
    scanner: ScannerSection | None = None
    beam: BeamSection | None = None
    leds: LedsSection | None = None
    buttons: ButtonsSection | None = None
    buzzer: BuzzerSection | None = None

    @property
    def setup(self) -> Setup:
        """The part that the table itself knows, every house option spelt out."""
        plays = game(self.table.game)
        options = plays.with_options(self.options)
        named = {name: getattr(options, name) for name in options.__dataclass_fields__}
        return Setup(
            table=self.table.name,
            game=plays.name,
            seats=self.table.seats,
            options=tuple(sorted(named.items())),
            draw_means_hit=self.table.draw_means_hit,
        )


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises `ConfigError`."""
    try:
        with path.open("rb") as file:
            raw = tomllib.load(file)
    except FileNotFoundError:
        raise ConfigError(f"there is no configuration {path}: write one, see README") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    return check_config(raw, path)


def check_config(raw: dict[str, object], path: Path) -> Config:
    """Check what a configuration file says. Raises `ConfigError`."""
    try:
        config = Config.model_validate(raw, context={"path": path})
    except ValidationError as error:
        raise ConfigError(f"{path}:\n" + "\n".join(_problems(error))) from None
    try:
        config.setup  # noqa: B018  (the game and its options are checked by building the setup)
        _check_whole(config)
    except (UnknownGame, OptionError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return _resolved(config, path.parent)


def _problems(error: ValidationError) -> list[str]:
    lines = []
    for each in error.errors():
        where = ".".join(str(part) for part in each["loc"])
        if each["type"] == "extra_forbidden":
            known = ", ".join(_known_keys(each["loc"]))
            lines.append(f"  {where}: unknown key. Known here: {known}")
        elif each["type"] == "missing":
            lines.append(f"  {where}: missing. Add it")
        else:
            lines.append(f"  {where}: {each['msg']} (it is {each['input']!r})")
    return lines


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Config
    for part in location[:-1]:
        annotation = model.model_fields[str(part)].annotation
        found = [
            each
            for each in (annotation, *getattr(annotation, "__args__", ()))
            if isinstance(each, type) and issubclass(each, BaseModel)
        ]
        if not found:
            return []
        model = found[0]
    return sorted(model.model_fields)


def _check_whole(config: Config) -> None:
    seats = game(config.table.game).seats
    if config.table.seats not in seats:
        raise ValueError(
            f"table.seats: {config.table.game} has {seats.start} to {seats.stop - 1} seats, "
            f"not {config.table.seats}"
        )
    if config.leds and len(config.leds.spots) != config.table.seats:
        raise ValueError(
            f"leds.spots: {len(config.leds.spots)} lights for {config.table.seats} seats: "
            "give one [red, green, blue] for each seat"
        )
    if config.beam and not config.scanner:
        raise ValueError("beam: a beam needs a [scanner] section")
    used: dict[int, str] = {}
    for name, pin in _pins(config):
        if pin in used:
            raise ValueError(f"{name}: pin {pin} is already used by {used[pin]}")
        used[pin] = name


def _pins(config: Config) -> list[tuple[str, int]]:
    pins: list[tuple[str, int]] = []
    if config.beam:
        pins.append(("beam.pin", config.beam.pin))
    if config.buzzer:
        pins.append(("buzzer.pin", config.buzzer.pin))
    if config.buttons:
        pins.extend(
            (f"buttons.{name}", pin)
            for name in ("next", "stand", "hit", "repeat", "call")
            if (pin := getattr(config.buttons, name)) is not None
        )
    for seat, spot in enumerate(config.leds.spots if config.leds else (), start=1):
        pins.extend((f"leds.spots, seat {seat}", pin) for pin in spot)
    return pins


def _resolved(config: Config, base: Path) -> Config:
    """The configuration with paths as seen from the file's folder."""
    journal = config.journal.model_copy(update={"path": base / config.journal.path})
    pit = config.pit.model_copy(update={"token_file": base / config.pit.token_file})
    changes: dict[str, object] = {"journal": journal, "pit": pit}
    if config.scanner:
        changes["scanner"] = config.scanner.model_copy(update={"port": base / config.scanner.port})
    return config.model_copy(update=changes)
