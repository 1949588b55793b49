"""What is run and what it came to; the table that a seed has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from controller.commands.demo.wiring import BEAM, BUZZER, CALL, NEXT, SPOTS, STAND
from controller.rules.game import Game
from controller.rules.games.registry import game as game_called
from controller.rules.options import plain
from controller.table.inputs import Setup
from drivers.settings.panel import ButtonSettings, BuzzerSettings, LedSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from sim_hw.settings import Settings, parse_settings
from tests.endurance.breaking.table import WiredDevices

SEATS_MAX: Final = len(SPOTS)
#: So many of the tables that may do without an exit beam have none.
BEAMLESS: Final = 0.25


@dataclass(frozen=True, slots=True)
class RunOrder:
    """What is run. `faults` is a file of faults, None: at random. `calm`: no faults at all."""

    seed: int
    game: str
    hours: float
    faults: Path | None = None
    crashes: bool = False
    calm: bool = False

    def chance(self, of: str) -> Random:
        """The generator of one choice: nothing that others choose changes it."""
        return Random(f"{self.seed}/{self.game}/{of}")

    @property
    def command(self) -> str:
        """What runs it again."""
        parts = [f"--seed {self.seed} --game {self.game} --hours {self.hours:g}"]
        parts += [f"--faults {self.faults}"] if self.faults else []
        parts += ["--crashes"] if self.crashes else []
        parts += ["--calm"] if self.calm else []
        return "python -m tests.endurance.breaking " + " ".join(parts)


@dataclass(slots=True)
class RunOutcome:
    """What a run came to; `problem` is empty if nothing was wrong.

    `met` counts what went wrong, `held` the holds by their titles.
    """

    order: RunOrder
    problem: str = ""
    virtual_s: float = 0.0
    real_s: float = 0.0
    rounds: int = 0
    void: int = 0
    cards: int = 0
    records: int = 0
    holds: int = 0
    kills: int = 0
    lives: int = 0
    stopped: int = 0
    held: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    journal: str = ""
    pins: str = ""
    displays: str = ""

    @property
    def times_real(self) -> float:
        """How many times real time it ran."""
        return self.virtual_s / self.real_s if self.real_s else 0.0

    @property
    def digests(self) -> tuple[str, str, str]:
        """The journal's last hash, the history of the pins, and every display."""
        return self.journal, self.pins, self.displays


@dataclass(frozen=True, slots=True)
class SeededHouse:
    """What the seed says about the table: who plays, what is wired, who may do what."""

    setup: Setup
    game: Game
    devices: WiredDevices
    settings: Settings


def house(order: RunOrder) -> SeededHouse:
    """The table of a seed."""
    chance = order.chance("house")
    plays = game_called(order.game)
    seats = chance.randint(plays.seats.start, min(SEATS_MAX, plays.seats.stop - 1))
    late_ms, gap_ms, baud = chance.choice(((0, 30, 115_200), (120, 130, 9_600)))
    serials, roles = chance.random() < 0.5, chance.random() < 0.5
    draw_means_hit = chance.random() < 0.8
    beamless = not plays.hides and chance.random() < BEAMLESS
    setup = Setup(
        "breaking", plays.name, seats, tuple(sorted(plain(plays.options).items())),
        draw_means_hit=draw_means_hit, roles=roles, reconcile="off" if plays.vying else "count",
    )  # fmt: skip
    devices = WiredDevices(
        ScannerSettings(Path("scanner"), baud=baud),
        None if beamless else BeamSettings(BEAM, late_code_ms=late_ms),
        LedSettings(SPOTS[:seats]),
        ButtonSettings(next=NEXT, stand=STAND, call=CALL),
        BuzzerSettings(BUZZER),
    )
    settings = parse_settings(
        {
            "game": plays.name, "seats": seats, "speed": 1.0, "rounds": 0,
            "seed": order.chance("world").randrange(2**31),
            "headless": True, "rundir": "nowhere", "port": 0, "token": "t",
            "service_url": "http://127.0.0.1:9", "serial_numbers": serials, "baud": baud,
            "card_gap_ms": gap_ms, "draw_means_hit": draw_means_hit,
            "pins": {
                "spots": [list(each) for each in SPOTS[:seats]], "beam": BEAM, "buzzer": BUZZER,
                "buttons": {"next": NEXT, "stand": STAND, "call": CALL},
            },
        }
    )  # fmt: skip
    return SeededHouse(setup, plays, devices, settings)
