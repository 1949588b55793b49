"""The command line of `tablectl`: the list of its commands, of which it loads the one asked for."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from controller.manual.command_list import COMMANDS

#: The variable in which a shell asks for completions; argcomplete answers.
COMPLETING: Final = "_ARGCOMPLETE"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 when it did what it was asked."""
    # Read by numpy when it is imported, which is later: over pictures as small as a card its
    # threads do nothing but wait for each other, at a whole core's cost.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Pydantic looks for plugins in every package that is installed, and would load what it finds.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        arguments = _loaded(words, own_process=argv is None).parse_args(words)
        command: Callable[[argparse.Namespace], int] = arguments.command
        return command(arguments)
    except KeyboardInterrupt:  # while a command is loaded, too: that takes seconds on a table
        return 130
    except BrokenPipeError:
        return 141


def _loaded(words: Sequence[str], *, own_process: bool) -> argparse.ArgumentParser:
    """The command line with the command that `words` ask for."""
    gc.disable()  # what is loaded stays: looking for garbage in it takes a tenth of the start
    try:
        if COMPLETING in os.environ:
            _complete()
        return _parser(words[0] if words else "")
    finally:
        if own_process:
            # Else the first collections of the command, and the last at its end, look at it all.
            gc.freeze()
        gc.enable()


def _complete() -> None:
    """Answer a shell that completes a line, and exit."""
    import argcomplete

    line = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", "0"))]
    words = line.split()
    # A word that is still being typed is no command yet.
    asked = words[1] if len(words) > 2 or (len(words) == 2 and line.endswith(" ")) else ""
    argcomplete.autocomplete(_parser(asked), always_complete_options="long")


def _parser(asked: str) -> argparse.ArgumentParser:
    """The whole command line where no command is `asked` for, else that command's alone."""
    parser = argparse.ArgumentParser(
        prog="tablectl", description="The casino table controller.",
        epilog="tablectl COMMAND --help describes a command, with examples.",
    )  # fmt: skip
    parser.add_argument("--version", action=_Version, nargs=0, help="print the name of this build")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    if asked in COMMANDS:
        module, _ = COMMANDS[asked]
        import_module(f"controller.commands.{module}").add_parsers(commands)
    else:
        for name, (_, summary) in COMMANDS.items():
            commands.add_parser(name, help=summary)
    return parser


class _Version(argparse.Action):
    """Prints the name of the build, which takes reading all of it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from controller.record.build import build

        print(f"tablectl {build()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
