"""The enforced rules of a game as a sheet: sections of lines and tables, made by what enforces."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Grid(NamedTuple):
    """A table: the head and its rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of a sheet: a title, lines of text, and a table if it has one."""

    title: str
    lines: tuple[str, ...] = ()
    grid: Grid | None = None


Sheet: TypeAlias = tuple[Section, ...]
