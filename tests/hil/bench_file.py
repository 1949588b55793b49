"""`bench.toml`: which table and which rig, what is run on them, and the limits that must hold."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from sim_hw.rig.protocol import PORT
from tests.hil.ways import (
    BENCH_LIGHTS,
    BENCH_SCANNERS,
    CAMERA_SCANNERS,
    GAMES_LIT_BY,
    HEARD_LIGHTS,
    USUAL_GAME,
    BenchWay,
    config_name,
    ways_of,
)

S = TypeVar("S")

SUITES: Final = ("contracts", "table", "faults", "latency", "guard", "power", "kiosk")

#: The games that a rig deals.
BENCH_GAMES: Final = (
    "21-24-27", "finnish-27", "casino-7-27", "blackjack", "seven-twenty-seven",
)  # fmt: skip

#: How long a card may be before a camera, in ms.
PASSING_MS: Final = (100, 5_000)
#: What the record of a run says of a table: without it nobody can tell what was measured.
TOLD_OF_TABLE: Final = ("build", "devices", "firmware", "temperature", "dmesg")


#: What is dealt by a scanner that is not the bench's first, or under lights that are not: one in so
#: many of the rounds, and of the cards.
FEWER: Final = 10


class BenchError(ValueError):
    """A bench that makes no sense; the text says what to change."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """`[bench]`: what is run, and how much of it. `report` is the folder of the report.

    `games` are those that are dealt `rounds` rounds each, `cards` how many cards are timed, `cuts`
    how often the power is cut, `seed` the day of the simulated people. `scanners` is what the
    table's scanner speaks, or its camera; where it can be several in turn, everything is dealt by
    the first, and of rounds, faults, hang and latency a tenth by each of the others. `lights` is
    what lights its spots: of several the first at everything, and of rounds, hang and latency a
    tenth by each of the others. A card is before a camera for `passing_ms`.
    """

    name: str
    report: str = ".hil-report"
    suites: tuple[str, ...] = SUITES
    games: tuple[str, ...] = BENCH_GAMES
    scanners: tuple[str, ...] = ("plain",)
    lights: tuple[str, ...] = ("pins",)
    rounds: int = 20
    cards: int = 1_000
    cuts: int = 100
    seed: int = 1
    passing_ms: int = 500


@dataclass(frozen=True, slots=True)
class TableSettings:
    """`[table]`: the table. `simulated`: its programs run here, and end at the simulated rig.

    Of a real one, `url` and `token_file` are those of its service, `configs` one configuration for
    each game (for a scanner that is not the first called "GAME by SCANNER", for lights that are not
    "GAME lit by LIGHTS"), as files here that are the same as there. The commands run there: each
    begins with `at` (as in ["ssh", "tablectl@table"]; empty where this runs at the table), and
    `{config}` and `{record}` in them are the name of the configuration's file and its record's
    folder. `fresh` empties the record, `start`, `stop`, `freeze` and `thaw` are for the service
    (what was started is there again after the power was cut), `verify` checks the record (`--head`
    is added to it), `head` prints where it ends, and `about` are commands whose output is kept in
    the run's record, `TOLD_OF_TABLE` at least. `tunnel` is a program that runs here while a table
    is in use, and again whenever it ends: a table answers on its own machine alone.
    """

    simulated: bool = False
    url: str = ""
    token_file: str = ""
    tunnel: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    configs: Mapping[str, str] = field(default_factory=dict)
    fresh: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()
    freeze: tuple[str, ...] = ()
    thaw: tuple[str, ...] = ()
    verify: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    about: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RigAt:
    """`[rig]`: where the rig's program listens, or `simulated`."""

    simulated: bool = False
    host: str = ""
    port: int = PORT


@dataclass(frozen=True, slots=True)
class BenchLimits:
    """`[limits]`: what must hold. Milliseconds and seconds as the names say.

    From the last of a card to the lamp that answers it, and how much longer that may take where
    frames of a camera are read (`latency_ms` and the reading of the last one), or where lamps are
    heard of on a line (a board tells of a strip's frame once it is over); from a picture on
    the panel to the photodiode that sees it; from the hang of the service to a held
    table; from power to a table that can be played at; how far a grabbed picture may differ from
    the page, as a share of full scale.
    """

    scan_to_lamp_p50_ms: float = 10.0
    scan_to_lamp_p99_ms: float = 20.0
    scan_to_lamp_max_ms: float = 100.0
    camera_later_ms: float = 100.0
    lights_later_ms: float = 20.0
    panel_ms: float = 100.0
    held_s: float = 3.0
    power_to_ready_s: float = 60.0
    kiosk_difference: float = 0.06

    def lights_ms(self, way: BenchWay) -> float:
        """How much longer a lamp may take, where it is heard of on a line."""
        return self.lights_later_ms if way.lights in HEARD_LIGHTS else 0.0

    def later_ms(self, way: BenchWay) -> float:
        """How much longer it may take from a card to its lamp."""
        camera = self.camera_later_ms if way.scanner in CAMERA_SCANNERS else 0.0
        return camera + self.lights_ms(way)


@dataclass(frozen=True, slots=True)
class BenchFile:
    """A whole `bench.toml`; relative paths are seen from its folder."""

    path: Path
    run: RunSettings
    table: TableSettings
    rig: RigAt
    limits: BenchLimits

    @property
    def ways(self) -> list[BenchWay]:
        """By what is dealt and under which lights, the first of both first."""
        return ways_of(self.run.scanners, self.run.lights)

    def game(self, best: str = USUAL_GAME, way: BenchWay | None = None) -> str:
        """What a suite deals that needs one game: the best for it, or the first that there is.

        A way that is not the first has one and the same game in every suite.
        """
        first, found = self.ways[0], best
        if way is not None and way != first:
            others = way.lights != first.lights
            found = GAMES_LIT_BY.get(way.lights, USUAL_GAME) if others else USUAL_GAME
        possible = (found, USUAL_GAME, *self.run.games)
        return next(each for each in possible if each in self.run.games)

    @property
    def dealt(self) -> list[tuple[str, BenchWay]]:
        """The games, each with the way in which it is dealt."""
        first, *others = self.ways
        return [
            *((game, first) for game in self.run.games),
            *((self.game(way=each), each) for each in others),
        ]

    def share(self, whole: int, way: BenchWay) -> int:
        """How many of so many rounds or cards are dealt this way: of all but the first, fewer."""
        return whole if way == self.ways[0] else max(1, whole // FEWER)

    def config_of(self, game: str, way: BenchWay) -> str:
        """Under which name `[table.configs]` has the configuration of a game that is dealt so."""
        return config_name(game, way, self.ways[0])

    def beside(self, name: str) -> Path:
        """A file that it names."""
        return self.path.parent / name


def is_bench(path: Path) -> bool:
    """Whether a file given to `--hil` is a bench, and not a table's own configuration."""
    try:
        return "rig" in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False  # whoever reads it as a configuration says what is wrong


def load_bench(path: Path) -> BenchFile:
    """Read a bench. Raises `BenchError` with what to change."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    unknown = data.keys() - {"bench", "table", "rig", "limits"}
    if unknown:
        raise BenchError(f"unknown section [{min(unknown)}]: remove it")
    made = BenchFile(
        path.resolve(),
        _section(RunSettings, "bench", data),
        _section(TableSettings, "table", data),
        _section(RigAt, "rig", data),
        _section(BenchLimits, "limits", data),
    )
    _check(made)
    return made


def _check(made: BenchFile) -> None:
    if strange := set(made.run.suites) - set(SUITES):
        raise BenchError(f"bench.suites: {min(strange)} is none: choose of {', '.join(SUITES)}")
    if strange := set(made.run.games) - set(BENCH_GAMES):
        known = ", ".join(BENCH_GAMES)
        raise BenchError(f"bench.games: {min(strange)} is none that is dealt: choose of {known}")
    if strange := set(made.run.scanners) - set(BENCH_SCANNERS):
        known = ", ".join(BENCH_SCANNERS)
        raise BenchError(f"bench.scanners: {min(strange)} is none: choose of {known}")
    if strange := set(made.run.lights) - set(BENCH_LIGHTS):
        known = ", ".join(BENCH_LIGHTS)
        raise BenchError(f"bench.lights: {min(strange)} is none: choose of {known}")
    for name in ("suites", "games", "scanners", "lights"):
        if not getattr(made.run, name):
            raise BenchError(f"bench.{name} is empty: name one, or leave the key out for all")
    if not PASSING_MS[0] <= made.run.passing_ms <= PASSING_MS[1]:
        raise BenchError(
            f"bench.passing_ms is {made.run.passing_ms}: {PASSING_MS[0]} to {PASSING_MS[1]}; what"
            " stays longer is stuck in the exit"
        )
    for name in ("rounds", "cards", "cuts"):
        # Nothing done would be within every limit.
        if (count := getattr(made.run, name)) < 1:
            raise BenchError(f"bench.{name} is {count}: at least 1")
    if made.table.simulated is not made.rig.simulated:
        raise BenchError("table and rig are both simulated, or both real: change one of them")
    if not made.rig.simulated and not (made.rig.host and made.table.url):
        raise BenchError("rig.host and table.url are missing: say where they are, or simulated")
    needed = {made.config_of(*each) for each in made.dealt}
    missing = needed - set(made.table.configs)
    if not made.table.simulated and missing:
        raise BenchError(
            f"table.configs has no configuration for {min(missing)}: give it one, or leave it"
            " out of bench.games, bench.scanners and bench.lights"
        )
    untold = [each for each in TOLD_OF_TABLE if each not in made.table.about]
    if not made.table.simulated and untold:
        raise BenchError(
            f"table.about has no command for {untold[0]}: give it one, else nobody can tell what"
            " was measured"
        )


def _section(kind: type[S], name: str, data: Mapping[str, Any]) -> S:
    values = dict(data.get(name, {}))
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    for key, value in values.items():
        if key not in known:
            raise BenchError(f"{name}.{key} is no key of a bench: remove it")
        if isinstance(value, list):
            values[key] = tuple(value)
        elif isinstance(value, dict):
            values[key] = {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise BenchError(f"[{name}]: {error}") from None
