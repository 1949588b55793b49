"""What is asked of the demo, and whether it can be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from controller.commands.demo.wiring import SEATS_MAX
from controller.languages.languages import Code
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES, UnknownGame, game
from controller.rules.options import OptionError
from controller.rules.printed.rulebook import options_from_text

READERS: Final = ("serial", "camera", "both", "other")
SPEED_MAX: Final = 10_000.0
#: The table's page is at this port, the service one below it and the players' page one above.
PAGE_PORTS: Final = range(2, 65_535)


class DemoError(Exception):
    """The demo cannot run as asked; the text says what to change."""


#: How much trouble a training makes.
TROUBLE: Final = ("none", "few", "some", "many")
MINUTES_MAX: Final = 1_000.0
TARGET_MAX: Final = 1_000.0


@dataclass(frozen=True, slots=True)
class TrainingOrder:
    """What was asked of a training: how much trouble, for how many minutes (0: no end), and the
    pace in rounds an hour (None: the usual one).
    """

    trouble: str = "some"
    minutes: float = 0.0
    target: float | None = None


@dataclass(frozen=True, slots=True)
class DemoOrder:
    """What was asked of the demo. `speed` is times real time, `rounds` 0 goes on for ever.

    `options` are house options as NAME=VALUE. `people`: the table knows a dealer and the floor.
    `reader` is what reads the cards: serial, camera, both, or an `other` maker's; `index` is what
    they print. `show`: a browser opens the table. `bet_spots`: RFID readers lie under the spots.
    `name` is the table's, `bus` the address of a pit's broker, to which it is the user of its name;
    `pit_key`: the public key of the pit whose commands it takes, `pit_people` the file of those
    whom it sends the table, and of their rota. `studio`: players are elsewhere,
    on a page at `join_address`. `training`: whoever sits at the page deals, and is trained.
    `language` is that of the table's pages and of the training's report. `also`: a file with
    further sections of the table's configuration, as those of a driver of somebody else; where it
    reads the cards, their codes come at the serial line `scanner` of the demo's folder.
    """

    game: str
    seats: int
    seed: int
    speed: float
    rounds: int
    headless: bool
    faults: Path | None
    port: int
    folder: Path | None
    options: tuple[str, ...] = ()
    people: bool = False
    reader: str = "serial"
    show: bool = False
    index: IndexStyle = IndexStyle.FINNISH
    bet_spots: bool = False
    name: str = "demo"
    bus: str = ""
    bus_password: Path | None = None
    pit_key: str = ""
    pit_people: Path | None = None
    studio: bool = False
    join_address: str = "127.0.0.1"
    training: TrainingOrder | None = None
    language: Code = "en"
    also: Path | None = None


def check_order(order: DemoOrder) -> None:
    """Raises `DemoError` where the demo cannot run as asked."""
    if find_spec("sim_hw") is None:
        raise DemoError(
            "the simulated world is not part of a table's release. It is in the source of"
            " tablectl: in a checkout of it, `make run` starts the demo"
        )
    try:
        plays = game(order.game)
        plays.with_options(options_from_text(plays, order.options))
    except (UnknownGame, OptionError) as error:
        raise DemoError(str(error)) from None
    if order.seats not in plays.seats or order.seats > SEATS_MAX:
        fewest, most = plays.seats.start, plays.seats.stop - 1
        wired = f"; the demo's table has {SEATS_MAX} spots" if most > SEATS_MAX else ""
        raise DemoError(
            f"--seats: {order.game} is dealt to {fewest} to {most} players{wired}: choose"
            f" {fewest} to {min(most, SEATS_MAX)}"
        )
    if not order.headless and order.port not in PAGE_PORTS:
        raise DemoError(f"--port: from {PAGE_PORTS.start} to {PAGE_PORTS.stop - 1}")
    if not 0.1 <= order.speed <= SPEED_MAX:
        raise DemoError("--speed: from 0.1 to 10000 times real time")
    if bool(order.bus) is not bool(order.bus_password):
        raise DemoError("--bus: it goes with --bus-password, and that with it")
    if order.pit_key and not (order.bus and re.fullmatch("[0-9a-f]{64}", order.pit_key)):
        raise DemoError("--pit-key: 64 hexadecimal digits, and it goes with --bus")
    if order.pit_people is not None and (not order.pit_key or order.people):
        raise DemoError("--pit-people: it goes with --pit-key, and without --people")
    if order.studio and (order.headless or order.rounds or order.bet_spots or order.people):
        raise DemoError(
            "--studio: its players are people and robots on pages, for as long as it runs; leave"
            " out --headless, --rounds, --people and --bet-spots"
        )
    if order.studio and plays.vying:
        others = ", ".join(each.name for each in GAMES.values() if not each.vying)
        raise DemoError(
            f"--studio: at {order.game} players play against each other for a pot, which the demo's"
            f" game server does not keep: choose {others}"
        )
    if order.join_address != "127.0.0.1" and not order.studio:
        raise DemoError("--join-address: it goes with --studio")
    if order.training is not None:
        _check_training(order, order.training)
    if order.rounds < 0:
        raise DemoError("--rounds: 0 or more")
    if order.headless and not order.rounds:
        raise DemoError("--headless needs --rounds: say how many rounds to play")
    if order.faults is not None and not order.faults.is_file():
        raise DemoError(f"--faults: there is no file {order.faults}")
    if order.reader == "other" and order.also is None:
        raise DemoError("--reader other: name the sections of that reader by --also")
    if order.also is not None and not order.also.is_file():
        raise DemoError(f"--also: there is no file {order.also}")
    if order.folder is not None:
        check_no_record(order.folder)


def check_no_record(folder: Path) -> None:
    """Raises `DemoError` for the folder of a demo that has dealt: another world has other cards."""
    if (folder / "record").exists():
        raise DemoError(
            f"--dir: there is a record in {folder} already, and the cards of its world are gone:"
            " give a folder of its own, or remove that one"
        )


def least_wager(order: DemoOrder) -> int:
    """The least wager that the demo's table takes, in minor units."""
    plays = game(order.game)
    plays = plays.with_options(options_from_text(plays, order.options))
    return next(each for each in plays.options.some_wagers() if not plays.wager_problem(each))


def _check_training(order: DemoOrder, training: TrainingOrder) -> None:
    if order.headless:
        raise DemoError("--train: somebody must deal at the page: leave --headless out")
    if order.studio:
        raise DemoError("--train: its players are robots at the table: leave --studio out")
    if training.trouble not in TROUBLE:
        raise DemoError(f"--trouble: {', '.join(TROUBLE)}, not {training.trouble!r}")
    if not 0 <= training.minutes <= MINUTES_MAX:
        raise DemoError(f"--minutes: from 0 (no end) to {MINUTES_MAX:.0f}")
    if training.target is not None and not 1 <= training.target <= TARGET_MAX:
        raise DemoError(f"--target: from 1 to {TARGET_MAX:.0f} rounds an hour")
