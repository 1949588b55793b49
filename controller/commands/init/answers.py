"""What `tablectl init` has to know: what was given, what was answered, else what is usual."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from controller.commands.init.machine import (
    OWN_PORT,
    SERVICE_FOLDER,
    cameras,
    local_zone,
    serial_ports,
)
from controller.rules.cards import IndexStyle
from controller.rules.game import Game
from drivers.settings.panel import DEFAULT_SPOTS

Reader = Literal["scanner", "camera", "both"]
READERS: Final = ("scanner", "camera", "both")
#: What the panel has, with the pins of the default wiring (drivers/panel/README.md).
PANEL: Final = ("beam", "leds", "strip", "buttons", "buzzer")


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table as its configuration will have it. Bets are minor units, None: as the game has it.

    `panel` are the sections of pins that it has, of `PANEL`. `people` is the directory of people,
    None: a table without roles.
    `index` is what the cards print. Paths are written as they stand here.
    """

    name: str
    game: str
    seats: int
    currency: str
    index: str
    min_bet: int | None
    max_bet: int | None
    reader: Reader
    scanner: str
    camera: str
    panel: frozenset[str]
    zone: str
    day_ends: str
    people: str | None
    record: str
    token_file: str
    port: int


def usual(path: Path, game: Game) -> NewTable:
    """What is usual for a table of that game at this machine, configured in the file `path`."""
    service = path.resolve().parent == SERVICE_FOLDER
    ports, eyes = serial_ports(), cameras()
    seats = min(len(DEFAULT_SPOTS), game.seats.stop - 1)
    return NewTable(
        name="T1",
        game=game.name,
        seats=seats,
        currency="EUR",
        index=IndexStyle.FINNISH.value,
        min_bet=None,
        max_bet=None,
        reader="camera" if eyes and not ports else "scanner",
        scanner=ports[0].path if ports else str(OWN_PORT),
        camera=eyes[0].path if eyes else "/dev/video0",
        panel=frozenset(PANEL) - {"strip"},
        zone=local_zone(),
        day_ends="06:00",
        people=None,
        record="/var/lib/tablectl/record" if service else "record",
        # systemd reads the token beside the configuration and hands it over there.
        token_file="/run/credentials/tablectl.service/api-token" if service else "api-token",
        port=8027,
    )


def usual_people(path: Path) -> str:
    """Where the directory of people usually is: the service's user alone may read it."""
    if path.resolve().parent == SERVICE_FOLDER:
        return "/var/lib/tablectl/people.toml"
    return "people.toml"


def needs_beam(game: Game, reader: Reader) -> str:
    """Why such a table needs an exit beam; empty where it does not."""
    if game.hides:
        return f"{game.title} deals cards face down, and only a beam sees one that was not read"
    if reader == "both":
        return "only a beam tells which code and which picture are of one card"
    return ""
