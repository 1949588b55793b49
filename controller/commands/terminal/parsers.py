"""How commands describe themselves: a description, examples, and what completes an argument."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

#: Help is not wider than a page of text, however wide the terminal.
WIDTH_MAX: Final = 100


class Subcommands(Protocol):
    """Where commands add their parsers: argparse has no public name for it."""

    def add_parser(self, name: str, **keywords: Any) -> argparse.ArgumentParser:
        """The parser of a new command."""


def add_command(
    commands: Subcommands, name: str, description: str, *examples: str, summary: str | None = None
) -> argparse.ArgumentParser:
    """The parser of a new command that describes itself and shows `examples`, each a line.

    `summary` is its line in a list of commands; None where another place has it.
    """
    shown = {} if summary is None else {"help": summary}
    return commands.add_parser(
        name,
        description=textwrap.fill(description, width()),
        epilog="\n".join(("examples:", *(f"  {each}" for each in examples))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **shown,
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """Let the reader choose the language of what is printed: `--lang fi`."""
    from controller.languages.languages import LANGUAGES  # noqa: PLC0415  (not for every command)

    names = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    parser.add_argument(
        "--lang", choices=tuple(LANGUAGES), default="en", metavar="CODE",
        help=f"the language: {names}",
    )  # fmt: skip


def width() -> int:
    """How wide help is printed here, in characters."""
    return min(shutil.get_terminal_size().columns - 2, WIDTH_MAX)


def complete_with(action: argparse.Action, candidates: Callable[[], Iterable[str]]) -> None:
    """Let a shell complete an argument with `candidates()`, asked when somebody presses Tab."""

    def completer(prefix: str, **_: object) -> Sequence[str]:
        return [each for each in candidates() if each.startswith(prefix)]

    setattr(action, "completer", completer)  # noqa: B010 (argcomplete's name, not argparse's)
