"""`tablectl calibrate`: measure a device of a table together with people, and configure it so.

The table must not run meanwhile: as root, the installed service and its guard are stopped and
started again, and the record's lock is held. What was found is
written into the configuration, with its certificate, only when all of it is good and whoever
calibrates agrees; the old configuration is kept beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import shutil
from datetime import datetime
from pathlib import Path
from typing import Final

from calibration.answers import KeptAnswers, ResumingGuide, Undone
from calibration.certificate import digest
from calibration.console import Console
from calibration.guide import Abandoned, Choice, Guide, NotGoodEnough
from calibration.page import PageGuide
from controller.assembly.card_reader import camera_libraries_missing
from controller.assembly.certificates import SECTIONS
from controller.assembly.wiring import load
from controller.commands.calibrate.found import ANSWERS, DRAFT, FOLDER, PART, Found
from controller.commands.calibrate.measure import measure
from controller.commands.calibrate.service_away import NotStopped, service_away
from controller.commands.calibrate.write import (
    NotWritable,
    check_writable,
    end_broken_off,
    keep,
    take_back,
)
from controller.commands.doctor.machine import Machine
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.configuration import Config
from controller.config.problems import ConfigError
from controller.devices.contracts import DeviceError
from controller.record.files.database import JournalError
from controller.record.files.owner import lock_for_owner
from drivers.io.pins import PinFactoryError

GO_ON: Final = Choice("g", "go on with it")
ANEW: Final = Choice("n", "begin anew")


def add_parsers(commands: Subcommands) -> None:
    """Add `calibrate`."""
    parser = add_command(
        commands,
        "calibrate",
        "Measure a device of a table together with people, and write what was found"
        " into its configuration, with a certificate. The table must not run meanwhile.",
        "tablectl calibrate leds table.toml",
        "tablectl calibrate camera table.toml --page   # guided in a browser",
        "tablectl calibrate leds table.toml --undo     # as it was before",
        "tablectl calibrate board board.pdf           # the board that a camera looks at",
        "tablectl calibrate video table.toml --video rtsp://studio/table   # the table runs",
    )
    parser.add_argument(
        "kind", choices=("camera", "codes", "leds", "buttons", "beam", "board", "video"),
        help="the device to measure; board: draw the board for a camera; video: how late it is",
    )  # fmt: skip
    parser.add_argument("config", type=Path, help="table.toml; of board: the PDF to be written")
    parser.add_argument(
        "--pins", type=_pins, metavar="N,N,…", help="GPIOs that it may be on (as configured)"
    )
    parser.add_argument(
        "--serial-digits", type=int, default=0, metavar="N",
        help="codes end in a serial number of that many characters (0)",
    )  # fmt: skip
    parser.add_argument(
        "--page", type=int, nargs="?", const=0, metavar="PORT", help="on a page instead (any port)"
    )
    parser.add_argument(
        "--undo", action="store_true", help="put back what the last one of this kind replaced"
    )
    parser.add_argument("--video", metavar="SOURCE", help="a recording, or a stream's address")
    parser.add_argument("--began", metavar="TIME", help="when the recording began, with its zone")
    parser.add_argument("--allow-simulated", action="store_true", help="as for run")
    parser.set_defaults(command=run)


def _pins(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(","))


def run(arguments: argparse.Namespace) -> int:
    """Calibrate one device, on the command line or on a page; the exit status."""
    if arguments.kind in ("camera", "board", "video") and (missing := camera_libraries_missing()):
        return fail(missing, EXIT_CONFIG)
    if arguments.kind == "board":
        # It is drawn by OpenCV, which is loaded for a camera only.
        from controller.commands.calibrate.camera import write_board

        return write_board(arguments.config)
    if arguments.kind == "video":
        from controller.commands.calibrate.video import measure_video

        return measure_video(arguments)
    try:
        config = load(arguments.config)
        check_writable(arguments.config, config)
        with service_away(arguments.config, config, Machine()) as stopped:
            if stopped:
                print("The table and its guard are stopped; they start again at the end.")
            return _calibrate(arguments, config)
    except (ConfigError, NotWritable, NotStopped) as error:
        return fail(str(error), EXIT_CONFIG)


def _calibrate(arguments: argparse.Namespace, config: Config) -> int:
    """Calibrate with the record locked, so that no table runs; the exit status."""
    try:
        held = lock_for_owner(config.record.folder)
    except JournalError as error:
        return fail(f"{error}. A table that is calibrated must not run", EXIT_CONFIG)
    try:
        ended = _ended_broken_off(arguments, config)
        if arguments.undo:
            return 0 if arguments.kind in ended else _undo(arguments, config)
        way = _in_terminal if arguments.page is None else _on_page
        return asyncio.run(way(arguments, config))
    except OSError as error:
        return fail(f"{error}\nThe same command goes on with it", EXIT_BAD)
    finally:
        held.close()


def _ended_broken_off(arguments: argparse.Namespace, config: Config) -> list[str]:
    """The kinds whose calibration a power cut broke off as it was written: it is undone now.

    Raises `OSError`.
    """
    ended = [each for each in SECTIONS if end_broken_off(each, arguments.config, config.base)]
    for each in ended:
        print(f"A calibration of {each} was cut off as it was written: it is as it was before.")
    return ended


def _undo(arguments: argparse.Namespace, config: Config) -> int:
    """Put back what the last calibration of that kind replaced; the exit status. `OSError`."""
    take_back(arguments.kind, arguments.config, config.base)
    print(f"{arguments.config}: {arguments.kind} is as it was before its last calibration")
    return 0


async def _in_terminal(arguments: argparse.Namespace, config: Config) -> int:
    guide = Console()
    guide.tell(f"Calibrating the {arguments.kind} of table {config.table.name}. q gives up.")
    outcome, good = await _guided(guide, arguments, config)
    if not good:
        return fail(outcome, EXIT_BAD)
    guide.tell(outcome)
    return 0


async def _on_page(arguments: argparse.Namespace, config: Config) -> int:
    # A web server takes half a second to load, and most calibrations need none.
    from controller.commands.calibrate.served_page import CannotStart, served

    guide = PageGuide(f"Calibrating the {arguments.kind} of table {config.table.name}")
    try:
        async with served(guide, arguments.page) as address:
            print(f"Open {address}", flush=True)
            outcome, good = await _guided(guide, arguments, config)
            guide.end(outcome, good=good)
            print(outcome, flush=True)
    except CannotStart as error:
        return fail(str(error), EXIT_CONFIG)
    return 0 if good else EXIT_BAD


async def _guided(guide: Guide, arguments: argparse.Namespace, config: Config) -> tuple[str, bool]:
    """Measure and write; the text to print, and whether it was good."""
    answers = saved_answers(arguments, config)
    try:
        found = await _agreed(guide, answers, arguments, config)
        replaced = keep(arguments.kind, arguments.config, config, found)
    except NotGoodEnough as error:
        answers.take_back(error.since)  # the same answers would come to the same end
        return _not_written(f"{error}\n", arguments.kind, answers, config), False
    except (DeviceError, PinFactoryError, OSError) as error:
        return _not_written(f"{error}\n", arguments.kind, answers, config), False
    except Abandoned:
        return _not_written("Given up. ", arguments.kind, answers, config), False
    finally:
        # Captures of a calibration that did not come to its end are nobody's.
        shutil.rmtree(config.base / FOLDER / PART, ignore_errors=True)
    if found.draft is not None:
        shutil.rmtree(found.draft, ignore_errors=True)
    answers.discard()
    written = f"{FOLDER}/{arguments.kind}.json"
    return (
        f"Written: {arguments.config.name} and its certificate {written}.\nThe configuration as it"
        f" was is {replaced.name}: the same command with --undo goes back to it.\nNext: tablectl"
        f" doctor {arguments.config}"
    ), True


async def _agreed(
    guide: Guide, answers: KeptAnswers, arguments: argparse.Namespace, config: Config
) -> Found:
    """What was measured, and agreed to; an answer that is undone is asked for again.

    Raises what the script raises.
    """
    await _go_on_or_anew(guide, answers)
    resuming = ResumingGuide(guide, answers)
    while True:
        resuming.begin()
        try:
            # The camera keeps its cards itself.
            asked: Guide = guide if arguments.kind == "camera" else resuming
            found = await measure(asked, arguments, config)
            if not await resuming.agreed(f"All good. Write it into {arguments.config}?"):
                raise Abandoned
        except Undone:
            answers.take_back()
        else:
            return found


async def _go_on_or_anew(guide: Guide, answers: KeptAnswers) -> None:
    """Ask whether to resume with the kept answers; discard them if not."""
    if not answers.answers:
        return
    began = datetime.fromtimestamp(answers.began_ms / 1000).astimezone()
    text = (
        f"A calibration of {began:%d %B, %H:%M} was broken off. Go on with it?\n"
        f"{len(answers.answers)} answers are kept. If a device was touched since, begin anew."
    )
    if await guide.choose(text, (GO_ON, ANEW)) == ANEW.key:
        answers.discard()


def saved_answers(arguments: argparse.Namespace, config: Config) -> KeptAnswers:
    """The answers of a calibration of this device, as configured and asked for now."""
    section = config.devices.section(SECTIONS[arguments.kind])
    about = {
        "kind": arguments.kind, "pins": arguments.pins, "serial_digits": arguments.serial_digits,
        "seats": config.table.seats, "game": config.game.name,
        "device": None if section is None else dataclasses.asdict(section),
    }  # fmt: skip
    path = config.base / FOLDER / ANSWERS.format(kind=arguments.kind)
    return KeptAnswers.load(path, digest(about))


def _not_written(why: str, kind: str, answers: KeptAnswers, config: Config) -> str:
    """Why nothing was written, and what the calibration of that kind has kept."""
    text = f"{why}Nothing was written."
    if kind == "camera" and (config.base / FOLDER / DRAFT).exists():
        return f"{text} The cards captured so far are kept: the same command goes on with them."
    if answers.answers:
        return f"{text} The answers so far are kept: the same command goes on with them."
    return text
