"""What may be asked of `tablectl-update` on its command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

#: Not 2, as argparse has it: that says that an update went back.
EXIT_USAGE: Final = 64


class _Parser(argparse.ArgumentParser):
    """One whose exit status says that nothing was done."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(EXIT_USAGE, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="tablectl-update",
        description="Update this table, between two rounds, to a signed release. It is watched for"
        " a minute and goes back by itself where it does not do. Exit status 1: refused, nothing"
        " was changed; 2: it went back; 3: it runs, and what it needs around it is not whole.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?", help="the release: tablectl-....tar")
    what.add_argument("--install", type=Path, metavar="FILE", help="the first release here")
    what.add_argument("--back", action="store_true", help="go to the release before")
    what.add_argument("--list", action="store_true", help="the releases that are here")
    what.add_argument("--compare", action="store_true", help="compare all files with the manifest")
    what.add_argument("--seen", action="store_true", help="that an update went back was seen")
    what.add_argument("--uninstall", action="store_true", help="take all off but the record")
    what.add_argument(
        "--add-driver", type=Path, metavar="WHEEL",
        help="put a driver of others beside the releases; says what a configuration admits it by",
    )  # fmt: skip
    what.add_argument("--remove-driver", metavar="NAME", help="take it away again")
    what.add_argument("--boot", action="store_true", help=argparse.SUPPRESS)
    what.add_argument("--stand-by", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument(
        "--dry-run", action="store_true", help="look at the release in FILE, change nothing"
    )
    parser.add_argument(
        "--unsigned", action="store_true", help="a release that root built here of a checkout"
    )
    parser.add_argument("--root", type=Path, default=Path("/"), help=argparse.SUPPRESS)
    return parser


def arguments_of(argv: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for; one that asks for nothing that there is ends the program."""
    parser = _parser()
    found = parser.parse_args(argv)
    if found.dry_run and not found.file:
        parser.error("--dry-run goes with the FILE of a release, and with nothing else")
    return found
