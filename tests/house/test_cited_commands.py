"""A command that a page tells the reader to type is there, with each of its options."""

from __future__ import annotations

import argparse
import re
from functools import cache
from importlib.util import find_spec

import pytest

from controller.__main__ import _parser
from controller.manual.command_list import COMMANDS
from tests.house.test_cited_names import ROOT, tracked

#: A change of last year is described with the options of last year.
PAGES = [each for each in tracked() if each.endswith(".md") and each != "CHANGELOG.md"]
#: `tablectl …` between backticks, or a line of a block of commands.
_TABLECTL = re.compile(r"(?:`|^ {4}|^)(?:sudo )?tablectl ([^`\n]+)", re.MULTILINE)
_MAKE = re.compile(r"(?:`|^ {4}|^)(?:sudo )?make ([a-z][a-z-]*)", re.MULTILINE)
_MODULE = re.compile(r"python3? -m ([\w.]+)")
_PACKAGED = ("calibration", "controller", "drivers", "sim_hw", "systemd", "tests")


@cache
def options(command: str) -> frozenset[str]:
    """Every long option of a command, those of its own commands too."""
    found, parsers = set[str](), [_parser(command)]
    while parsers:
        for action in parsers.pop()._actions:
            found.update(each for each in action.option_strings if each.startswith("--"))
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
    return frozenset(found)


def wrong(line: str) -> list[str]:
    """What of the words after `tablectl` is no command, or none of its options."""
    line = line.partition(" #")[0]
    command, *_ = re.split(r"[|\s,;:]", line)
    if not re.fullmatch(r"[a-z]+", command):
        return []
    if command not in COMMANDS:
        return [command]
    return sorted(set(re.findall(r"(?<=[\s\[|])--[a-z][a-z-]*", line)) - options(command))


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_has_its_reader_type_can_be_typed(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [(line, bad) for line in _TABLECTL.findall(text) if (bad := wrong(line))] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {each for line in re.findall(r"^([a-z][a-z -]*):", makefile, re.MULTILINE)
               for each in line.split()}  # fmt: skip
    assert set(_MAKE.findall(text)) <= targets
    for module in _MODULE.findall(text):
        if module.startswith(_PACKAGED):
            assert find_spec(module), f"python -m {module}"


def test_what_cannot_be_typed_is_found() -> None:
    assert wrong("replay RECORD [--round N]") == []
    assert wrong("replay RECORD --runde N") == ["--runde"]
    assert wrong("repaly RECORD") == ["repaly"]
