"""`tablectl read`: pictures of cards from files, one JSON line for each."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.assembly.card_reader import camera_libraries_missing
from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_CONFIG, fail


def add_parsers(commands: Subcommands) -> None:
    """Add `read`."""
    parser = add_command(
        commands,
        "read",
        "Read cards from pictures and print one JSON line for each: the card, or why"
        " none could be told.",
        "tablectl read card.jpg",
        "tablectl read --deck calibration/deck --style finnish *.jpg",
    )
    parser.add_argument("image", nargs="+", metavar="IMAGE", help="a picture of one card")
    parser.add_argument(
        "--deck", type=Path, metavar="DIR", help="the deck that calibration captured"
    )
    parser.add_argument(
        "--style",
        choices=("finnish", "anglo", "nordic", "german", "french", "russian", "any"),
        default="any",
        help="of the indices (any)",
    )
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Read every picture; the exit status."""
    if missing := camera_libraries_missing():
        return fail(missing, EXIT_CONFIG)
    # OpenCV and the networks are loaded where pictures are read, and only there.
    from controller.commands.read.card_files import read_files

    return read_files(arguments.image, arguments.deck, arguments.style)
