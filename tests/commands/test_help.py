"""Every command describes itself: what it does, each of its options, and examples that parse."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import pytest

from controller.manual.command_list import COMMANDS


@cache
def whole() -> argparse.ArgumentParser:
    """The command line with every command loaded."""
    parser = argparse.ArgumentParser(prog="tablectl")
    commands = parser.add_subparsers(required=True)
    for module in dict.fromkeys(module for module, _ in COMMANDS.values()):
        import_module(f"controller.commands.{module}").add_parsers(commands)
    return parser


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands and of what is below them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield each
                yield from parsers(each)


ALL = {each.prog: each for each in parsers(whole())}


def test_every_command_of_the_list_is_there() -> None:
    assert {prog.removeprefix("tablectl ").split()[0] for prog in ALL} == COMMANDS.keys()


@pytest.mark.parametrize("prog", ALL)
def test_it_says_what_it_does_and_what_each_option_is(prog: str) -> None:
    parser = ALL[prog]
    assert parser.description
    assert re.search(r"[.)]$", parser.description), "a sentence"
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            assert action.help, f"{prog}: {action.option_strings or action.dest} has no help"


@pytest.mark.parametrize("prog", ALL)
def test_its_examples_are_command_lines_that_it_takes(prog: str) -> None:
    epilog = ALL[prog].epilog or ""
    head, *examples = epilog.splitlines()
    assert head == "examples:"
    assert examples
    for line in examples:
        found = re.search(r"tablectl ([^>|)]*)", line)
        assert found, line
        words = shlex.split(found[1], comments=True)
        whole().parse_args(words)
        assert " ".join(["tablectl", *words]).startswith(prog), f"{line} is of another command"
