"""The command line of `tablectl`: running, calibrating and examining a table, and its record."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from controller import __version__
from controller.rules.games.registry import GAMES

#: sysexits.h EX_CONFIG: the configuration is at fault; systemd does not start us again.
EXIT_CONFIG = 78
EXIT_DIFFERENT = 1
EXIT_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 when it did what it was asked."""
    # Read by numpy when it is imported, which is later: over pictures as small as a card its
    # threads do nothing but wait for each other, at a whole core's cost.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 141


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tablectl", description="The casino table controller.")
    parser.add_argument("--version", action="version", version=f"tablectl {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="run a table from its configuration")
    run.add_argument("config", type=Path, help="table.toml")
    run.add_argument(
        "--allow-simulated", action="store_true", help="accept a simulated pin factory (marked)"
    )
    run.set_defaults(command=_run)

    demo = commands.add_parser("demo", help="a table on simulated devices")
    demo.add_argument(
        "--game", default="21-24-27", help=f"the game to deal: {', '.join(GAMES)} (21-24-27)"
    )
    demo.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house option"
    )
    demo.add_argument(
        "--seats", type=int, default=5, help="seats in play, 1 to 7, or as the game says (5)"
    )
    demo.add_argument("--seed", type=int, default=1, help="the day: same seed, same rounds (1)")
    demo.add_argument("--speed", type=float, help="times real time (1; 100 when headless)")
    demo.add_argument("--rounds", type=int, default=0, help="stop after so many rounds (0: never)")
    demo.add_argument("--headless", action="store_true", help="no browser: print the rounds")
    demo.add_argument("--faults", type=Path, help="device faults to play, from a file")
    demo.add_argument(
        "--reader", choices=("serial", "camera", "both"), default="serial",
        help="what reads the cards (serial)",
    )  # fmt: skip
    demo.add_argument(
        "--people", action="store_true", help="a table that knows a dealer and the floor by PIN"
    )
    demo.add_argument("--port", type=int, default=8028, help="port of the drawn table (8028)")
    demo.add_argument("--dir", type=Path, help="where the demo keeps its files (a new one)")
    demo.set_defaults(command=_demo)

    deal = commands.add_parser("deal", help="play rounds from a file through the engine")
    deal.add_argument("cases", type=Path, help="JSON list of cases")
    deal.add_argument("--check", action="store_true", help="compare with what each case expects")
    deal.set_defaults(command=_deal)

    rules = commands.add_parser("rules", help="print the rules of a game as they are enforced")
    rules.add_argument("game", nargs="?", help="the game; left out: list the games")
    rules.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house option"
    )
    form = rules.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="as Markdown; of all, without GAME")
    form.add_argument("--json", action="store_true", help="as data; of all, without GAME")
    rules.set_defaults(command=_rules)

    met = commands.add_parser("procedures", help="print what is done when something goes wrong")
    met.add_argument("profile", nargs="?", help="the profile; left out: all of them")
    met.add_argument("--own", type=Path, metavar="FILE", help="the house's own rows beside it")
    met.add_argument("--markdown", action="store_true", help="as Markdown")
    met.set_defaults(command=_procedures)

    read = commands.add_parser("read", help="read cards from pictures, one JSON line for each")
    read.add_argument("image", nargs="+", metavar="IMAGE", help="a picture of one card")
    read.add_argument("--deck", type=Path, metavar="DIR", help="the deck that calibration captured")
    read.add_argument(
        "--style", choices=("finnish", "anglo", "any"), default="any", help="of the indices (any)"
    )
    read.set_defaults(command=_read)

    doctor = commands.add_parser("doctor", help="check an installation and say what to change")
    doctor.add_argument("config", type=Path, help="table.toml")
    doctor.add_argument("--allow-simulated", action="store_true", help="as for run")
    doctor.set_defaults(command=_doctor)

    calibrate = commands.add_parser("calibrate", help="measure a device and configure it so")
    calibrate.add_argument("kind", choices=("camera", "codes", "leds", "buttons", "beam", "board"))
    calibrate.add_argument("config", type=Path, help="table.toml; of board: the PDF to be written")
    calibrate.add_argument(
        "--pins", type=_pins, metavar="N,N,…", help="GPIOs that it may be on (as configured)"
    )
    calibrate.add_argument(
        "--serial-digits", type=int, default=0, metavar="N",
        help="codes end in a serial number of so many characters (0)",
    )  # fmt: skip
    calibrate.add_argument(
        "--page", type=int, nargs="?", const=0, metavar="PORT", help="on a page instead (any port)"
    )
    calibrate.add_argument("--allow-simulated", action="store_true", help="as for run")
    calibrate.set_defaults(command=_calibrate)

    token = commands.add_parser("token", help="write a new API token, readable by the owner alone")
    token.add_argument("path", type=Path)
    token.set_defaults(command=_token)

    person = commands.add_parser("person", help="add somebody to the people of a table, with a PIN")
    person.add_argument("path", type=Path, help="people.toml")
    person.add_argument("name")
    person.add_argument("--role", choices=("dealer", "floor"), default="dealer")
    person.set_defaults(command=_person)
    _add_record(commands)
    return parser


def _add_record(commands: Any) -> None:
    """`verify|replay|export|backup|restore`: what is asked of a journal."""

    def command(name: str, text: str) -> Any:
        one = commands.add_parser(name, help=text)
        one.set_defaults(command=_record, record=name)
        return one

    one = command("verify", "check a journal: chain, anchor, rules; no openings needed")
    one.add_argument("journal", type=Path)
    one.add_argument("--copy", type=Path, help="the second copy, to be compared")

    one = command("replay", "list the rounds of a journal, or tell one step by step")
    one.add_argument("journal", type=Path)
    one.add_argument("--round", type=int, help="the round to be told; left out: list them all")
    one.add_argument("--json", action="store_true", help="as data")
    one.add_argument(
        "--openings", action="store_true", help="the auditor's: show burned and hidden cards"
    )

    one = command("export", "print every record; no hidden card before its reveal")
    one.add_argument("journal", type=Path)
    one.add_argument("--format", choices=("jsonl", "csv"), default="jsonl")

    one = command("backup", "write a backup of a journal, also while its service runs")
    one.add_argument("journal", type=Path)
    one.add_argument("target", type=Path)

    one = command("restore", "put the best of backups and second copies in a journal's place")
    one.add_argument("source", type=Path, nargs="+", help="backups, second copies")
    one.add_argument("journal", type=Path)
    one.add_argument(
        "--readable", action="store_true", help="take what can be read of a damaged source"
    )


def _pins(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(","))


def _fail(text: str, status: int) -> int:
    print(f"tablectl: {text}", file=sys.stderr)
    return status


def _run(arguments: argparse.Namespace) -> int:
    from controller.assemble import CannotStart, load, run_table
    from controller.config import ConfigError

    try:
        config = load(arguments.config)
        return run_table(config, allow_simulated=arguments.allow_simulated)
    except (ConfigError, CannotStart) as error:
        return _fail(str(error), EXIT_CONFIG)


def _demo(arguments: argparse.Namespace) -> int:
    from controller.commands.demo import DemoError, DemoOrder, run_demo

    order = DemoOrder(
        game=arguments.game,
        seats=arguments.seats,
        seed=arguments.seed,
        speed=_speed(arguments.speed, headless=arguments.headless),
        rounds=arguments.rounds,
        headless=arguments.headless,
        faults=arguments.faults,
        port=arguments.port,
        folder=arguments.dir,
        options=tuple(arguments.option),
        people=arguments.people,
        reader=arguments.reader,
    )
    try:
        return run_demo(order)
    except DemoError as error:
        return _fail(str(error), EXIT_USAGE)


def _speed(asked: float | None, *, headless: bool) -> float:
    if asked is not None:
        return asked
    return 100.0 if headless else 1.0


def _deal(arguments: argparse.Namespace) -> int:
    from controller.commands.deal import CaseError, answer, check, load_cases

    try:
        cases = load_cases(arguments.cases)
    except CaseError as error:
        return _fail(str(error), EXIT_USAGE)
    answers = [answer(case) for case in cases]
    if not arguments.check:
        print(json.dumps(answers, indent=1))
        return 0
    different = 0
    for case, answered in zip(cases, answers, strict=True):
        if lines := check(case, answered):
            different += 1
            print(f"{case.get('id')}: {case.get('title', '')}")
            print("\n".join(f"  {line}" for line in lines))
    print(f"{len(cases) - different} of {len(cases)} cases as expected")
    return EXIT_DIFFERENT if different else 0


def _rules(arguments: argparse.Namespace) -> int:
    from controller.rules.games.registry import GAMES, UnknownGame, game
    from controller.rules.options import OptionError
    from controller.rules.printed.markdown import all_as_markdown, as_markdown, as_text
    from controller.rules.printed.rulebook import options_from_text, rule_book

    if arguments.game is None:
        if arguments.option:
            return _fail("--option belongs to a game: name it before the options", EXIT_USAGE)
        if arguments.markdown:
            sys.stdout.write(all_as_markdown(map(rule_book, GAMES.values())))
        elif arguments.json:
            books = [rule_book(each).as_data() for each in GAMES.values()]
            print(json.dumps(books, indent=1, ensure_ascii=False))
        else:
            for name, each in GAMES.items():
                print(f"{name:20}{each.title:20}{each.edge_text}")
        return 0
    try:
        plays = game(arguments.game)
        book = rule_book(plays.with_options(options_from_text(plays, arguments.option)))
    except (UnknownGame, OptionError) as error:
        return _fail(str(error), EXIT_USAGE)
    if arguments.json:
        print(json.dumps(book.as_data(), indent=1, ensure_ascii=False))
    else:
        sys.stdout.write(as_markdown(book) if arguments.markdown else as_text(book))
    return 0


def _procedures(arguments: argparse.Namespace) -> int:
    from controller.config import ConfigError, load_own
    from controller.rules.printed.markdown import sections_as_markdown, sections_as_text
    from controller.table.irregularities.procedures import (
        PROFILES,
        ProcedureError,
        procedures,
        told,
    )

    names = [arguments.profile] if arguments.profile else list(PROFILES)
    try:
        own = load_own(arguments.own) if arguments.own else ()
        for name in names:
            sections = told(procedures(name, own), ids=True)
            if arguments.markdown:
                print(
                    "\n".join([f"# Procedures: `{name}`", *sections_as_markdown(sections, 2), ""])
                )
            else:
                print("\n".join([f"procedures = {name!r}", *sections_as_text(sections), ""]))
    except (ConfigError, ProcedureError) as error:
        return _fail(str(error), EXIT_USAGE)
    return 0


def _read(arguments: argparse.Namespace) -> int:
    from controller.commands.read import run

    return run(arguments)


def _doctor(arguments: argparse.Namespace) -> int:
    from calibration.devices import lights_guard as guard
    from calibration.doctor import free_space, pins, serial_port, sync_time
    from controller.assemble import load
    from controller.config import ConfigError

    try:
        config = load(arguments.config)
    except ConfigError as error:
        return _fail(str(error), EXIT_CONFIG)
    folder = config.journal.path.parent
    print(f"{config.game.title}: {config.game.edge_text}")
    findings = [free_space(folder), sync_time(folder)]
    findings.append(serial_port(config.base / config.devices["scanner"].port))
    if config.devices.keys() - {"scanner"}:
        findings.append(pins(arguments.allow_simulated))
    if not config.devices.keys().isdisjoint({"leds", "buzzer"}):
        findings += [each for each in (guard.unit(), guard.answer(guard.guard_socket())) if each]
    for finding in findings:
        print(finding)
    return 0 if all(finding.good for finding in findings) else 1


def _calibrate(arguments: argparse.Namespace) -> int:
    from controller.commands.calibrate import run, write_board

    return write_board(arguments.config) if arguments.kind == "board" else run(arguments)


def _person(arguments: argparse.Namespace) -> int:
    from getpass import getpass

    from controller.access.staff import PeopleError, add_person
    from controller.table.roles import Role

    try:
        # From a terminal it is typed twice and not shown; from a pipe it is one line.
        pin = getpass("PIN: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        if sys.stdin.isatty() and getpass("Again: ") != pin:
            return _fail("the two PINs differ", EXIT_USAGE)
        add_person(arguments.path, arguments.name, Role(arguments.role), pin)
    except PeopleError as error:
        return _fail(str(error), EXIT_USAGE)
    print(f"{arguments.name} is {arguments.role} in {arguments.path}")
    return 0


def _token(arguments: argparse.Namespace) -> int:
    from controller.access.token import TokenError, write_token

    try:
        write_token(arguments.path)
    except TokenError as error:
        return _fail(str(error), EXIT_CONFIG)
    print(f"token written to {arguments.path}")
    return 0


def _record(arguments: argparse.Namespace) -> int:
    from controller.commands.record import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
