"""What is wrong with a configuration, all of it at once, each with its line and its key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

_BARE: Final = r"[A-Za-z0-9_-]+"
_HEADER: Final = re.compile(rf"\s*\[\s*({_BARE}(?:\s*\.\s*{_BARE})*)\s*\]\s*(?:#.*)?$")
_KEY: Final = re.compile(rf"\s*({_BARE}(?:\s*\.\s*{_BARE})*)\s*=(.*)$")
#: What no bracket counts in: strings, and a comment up to the end of the line.
_QUIET: Final = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*$')


class Problem(NamedTuple):
    """One thing that is wrong: `where` is a key with its section, such as `table.seats`."""

    where: str
    text: str


class ConfigError(ValueError):
    """The configuration cannot be used; the text says where and what to change.

    `problems` are all that were found, none where the file as a whole could not be read.
    """

    def __init__(self, text: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(text)
        self.problems = tuple(problems)


def refusal(path: Path, source: str, problems: Iterable[Problem]) -> ConfigError:
    """The error that names every problem of the file `path`, in the order of its lines."""
    lines = line_numbers(source)
    end = source.count("\n") + 2
    found = sorted(set(problems), key=lambda each: (_line(lines, each.where) or end, each))
    sentences = [
        f"  {_place(lines, each.where)}{each.where}: " + each.text.replace("\n", "\n    ")
        for each in found
    ]
    count = "one thing has" if len(sentences) == 1 else f"{len(sentences)} things have"
    return ConfigError("\n".join([f"{path}: {count} to be changed", *sentences]), found)


def _place(lines: dict[str, int], where: str) -> str:
    line = _line(lines, where)
    return "" if line is None else f"line {line}, "


def _line(lines: dict[str, int], where: str) -> int | None:
    """The line of a key, else of what it stands in; None: nothing of it is in the file."""
    parts = where.split(".")
    for length in range(len(parts), 0, -1):
        if (found := lines.get(".".join(parts[:length]))) is not None:
            return found
    return None


def line_numbers(source: str) -> dict[str, int]:
    """The line, from 1, of every section and key of a TOML file that has been read already."""
    found: dict[str, int] = {}
    section = ""
    rows = iter(enumerate(source.splitlines(), start=1))
    for number, row in rows:
        if header := _HEADER.match(row):
            section = _name(header[1])
            found.setdefault(section, number)
        elif key := _KEY.match(row):
            name = _name(key[1])
            found.setdefault(f"{section}.{name}" if section else name, number)
            _skip_value(key[2], rows)
    return found


def _name(text: str) -> str:
    return re.sub(r"\s*\.\s*", ".", text.strip())


def _skip_value(value: str, rows: Iterator[tuple[int, str]]) -> None:
    """Read on to the end of a value that goes over several lines."""
    for quotes in ('"""', "'''"):
        if value.lstrip().startswith(quotes) and value.count(quotes) == 1:
            next((row for _, row in rows if quotes in row), None)
            return
    depth = _depth(value)
    while depth > 0 and (row := next(rows, None)) is not None:
        depth += _depth(row[1])


def _depth(text: str) -> int:
    """How many brackets are opened and not closed."""
    bare = _QUIET.sub("", text)
    return sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
