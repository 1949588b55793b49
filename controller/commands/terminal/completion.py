"""`tablectl completion`: what a shell needs to complete commands, options, games and files."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from argcomplete.shell_integration import shellcode

from controller.commands.terminal.parsers import Subcommands, add_command

SHELLS: Final = ("bash", "zsh", "fish")


def add_parsers(commands: Subcommands) -> None:
    """Add `completion`."""
    parser = add_command(
        commands,
        "completion",
        "Print what completes `tablectl` in a shell. The installation puts it where each shell"
        " looks; elsewhere add it to the shell's own files.",
        'eval "$(tablectl completion bash)"',
        "tablectl completion zsh > ~/.zfunc/_tablectl   # a folder of fpath",
        "tablectl completion fish > ~/.config/fish/completions/tablectl.fish",
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the shell's own code; the exit status."""
    sys.stdout.write(shellcode(["tablectl"], shell=arguments.shell).lstrip("\n"))
    return 0
