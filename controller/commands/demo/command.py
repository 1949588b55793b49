"""`tablectl demo`: the unchanged service on a simulated world (`run.run_demo`)."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.commands.demo.order import (
    READERS,
    SPEED_MAX,
    TROUBLE,
    DemoError,
    DemoOrder,
    TrainingOrder,
)
from controller.commands.demo.pit import run_pit_demo
from controller.commands.demo.run import run_demo
from controller.commands.terminal.parsers import (
    Subcommands,
    add_command,
    add_language,
    complete_with,
)
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES


def add_parsers(commands: Subcommands) -> None:
    """Add `demo`."""
    parser = add_command(
        commands,
        "demo",
        "Run a table on simulated devices: cards, lights, buttons and people come from"
        " a simulated world, everything else is the real service.",
        "tablectl demo",
        "tablectl demo --game blackjack --seats 7 --people --reader both",
        "tablectl demo --train --rounds 10        # you deal, and a report says how it went",
        "tablectl demo --pit --tables 6           # many tables, their wall and their archive",
        "tablectl demo --studio                   # players at a distance: join from a telephone",
        "tablectl demo --headless --rounds 20 --seed 7   # prints the rounds, opens nothing",
    )
    _add_table(parser)
    _add_day(parser)
    _add_training(parser)
    _add_other_places(parser)
    parser.add_argument("--port", type=int, default=8028, help="port of the drawn table (8028)")
    parser.add_argument(
        "--open", action="store_true", help="open the table in a browser, where there is a desktop"
    )
    parser.add_argument(
        "--dir",
        type=Path,
        help="where the demo keeps its files (a new folder)",
    )
    parser.add_argument(
        "--also",
        type=Path,
        metavar="FILE",
        help="further sections of its configuration, as a driver of yours: drivers/YOUR_DRIVER.md",
    )
    add_language(parser)
    parser.set_defaults(command=run)


def _add_table(parser: argparse.ArgumentParser) -> None:
    """What the table is."""
    complete_with(
        parser.add_argument(
            "--game", default="21-24-27", help=f"the game to deal: {', '.join(GAMES)} (21-24-27)"
        ),
        lambda: GAMES,
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house option"
    )
    parser.add_argument(
        "--seats", type=int, default=5, help="seats in play, 1 to 7, or as the game says (5)"
    )
    parser.add_argument(
        "--reader",
        choices=READERS,
        default="serial",
        help="what reads the cards (serial); other: a reader of yours, by --also",
    )
    parser.add_argument(
        "--index", choices=[each.value for each in IndexStyle], default="finnish",
        help="what the cards print: 1 13 12 11 (finnish) or A K Q J (anglo)",
    )  # fmt: skip
    parser.add_argument(
        "--people", action="store_true", help="a table that knows a dealer and the floor by PIN"
    )
    parser.add_argument(
        "--bet-spots", action="store_true", help="RFID readers under the spots sense the chips"
    )
    parser.add_argument("--name", default="demo", help="the table's name (demo)")


def _add_day(parser: argparse.ArgumentParser) -> None:
    """What happens on its day, how fast, and how it is shown."""
    parser.add_argument("--seed", type=int, default=1, help="the day: same seed, same rounds (1)")
    parser.add_argument(
        "--speed",
        type=float,
        help="times what people take (1; headless: they take no time, and rounds go as fast as the"
        " machine allows)",
    )
    parser.add_argument(
        "--rounds", type=int, default=0, help="stop after that many rounds (0: never)"
    )
    parser.add_argument("--headless", action="store_true", help="no browser: print the rounds")
    parser.add_argument("--faults", type=Path, help="device faults to play, from a file")


def _add_other_places(parser: argparse.ArgumentParser) -> None:
    """The pit it belongs to, or makes, and players who are elsewhere."""
    parser.add_argument("--bus", default="", metavar="URL", help="the broker of a pit, nats://…")
    parser.add_argument(
        "--bus-password", type=Path, metavar="FILE", help="its password for the user of that name"
    )
    parser.add_argument(
        "--pit-key", default="", metavar="HEX", help="the key of the pit that may ask it for acts"
    )
    parser.add_argument(
        "--pit-people", type=Path, metavar="FILE",
        help="those whom that pit sends to the table, as --pit writes them with their rota",
    )  # fmt: skip
    parser.add_argument(
        "--pit", action="store_true", help="many tables: broker, archive, wall and tables"
    )
    parser.add_argument(
        "--studio", action="store_true",
        help="players at a distance: a game server with robots, and a page on which people join",
    )  # fmt: skip
    parser.add_argument(
        "--join-address", default="127.0.0.1", metavar="ADDRESS",
        help="with --studio: where that page is served; 0.0.0.0 for telephones in your network",
    )  # fmt: skip
    parser.add_argument("--tables", type=int, default=12, help="how many, with --pit (12)")


def _add_training(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--train", action="store_true",
        help="you deal, the world makes trouble, and a report says how it went",
    )  # fmt: skip
    parser.add_argument(
        "--trouble", choices=TROUBLE,
        help="with --train: how much of it; it comes more often with each round (some)",
    )  # fmt: skip
    parser.add_argument(
        "--minutes", type=float, help="with --train: over after so long (0: when it is stopped)"
    )
    parser.add_argument(
        "--target", type=float, metavar="PACE",
        help="with --train: rounds an hour that are asked for (by seats: 200 to 52)",
    )  # fmt: skip


def _training_of(arguments: argparse.Namespace) -> TrainingOrder | None:
    """What is asked of a training; None where there is none. Raises `DemoError`."""
    options = {name: getattr(arguments, name) for name in ("trouble", "minutes", "target")}
    asked = {name: value for name, value in options.items() if value is not None}
    if arguments.train and arguments.pit:
        raise DemoError("--train: at one table: leave --pit out")
    if arguments.train:
        return TrainingOrder(**asked)
    if asked:
        raise DemoError(f"--{next(iter(asked))}: it goes with --train")
    return None


def run(arguments: argparse.Namespace) -> int:
    """Run the demo; the exit status."""
    try:
        training = _training_of(arguments)
    except DemoError as error:
        return fail(str(error), EXIT_USAGE)
    if arguments.pit:
        if arguments.studio:
            return fail("--studio: one table; leave out --pit", EXIT_USAGE)
        try:
            return run_pit_demo(
                arguments.tables, arguments.seed, arguments.dir, arguments.port, show=arguments.open
            )
        except DemoError as error:
            return fail(str(error), EXIT_USAGE)
    speed = arguments.speed
    if speed is None:
        speed = SPEED_MAX if arguments.headless else 1.0
    order = DemoOrder(
        game=arguments.game,
        seats=arguments.seats,
        seed=arguments.seed,
        speed=speed,
        rounds=arguments.rounds,
        headless=arguments.headless,
        show=arguments.open,
        faults=arguments.faults,
        port=arguments.port,
        folder=arguments.dir,
        options=tuple(arguments.option),
        people=arguments.people,
        reader=arguments.reader,
        index=IndexStyle(arguments.index),
        bet_spots=arguments.bet_spots,
        name=arguments.name,
        bus=arguments.bus,
        bus_password=arguments.bus_password,
        pit_key=arguments.pit_key,
        pit_people=arguments.pit_people,
        studio=arguments.studio,
        join_address=arguments.join_address,
        training=training,
        language=arguments.lang,
        also=arguments.also,
    )
    try:
        return run_demo(order)
    except DemoError as error:
        return fail(str(error), EXIT_USAGE)
