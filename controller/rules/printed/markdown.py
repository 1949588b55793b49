"""A rule book as text of at most 100 columns, and as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from controller.rules.messages import message
from controller.rules.printed.rulebook import RuleBook
from controller.rules.sheets.sheet import Grid, Section, text_of

WIDTH: Final = 100
_INDENT: Final = "  "
_GAP: Final = "  "


def as_text(book: RuleBook) -> str:
    """The rule book as text; its tables stand in columns. A negative edge is its first line."""
    edge = textwrap.wrap(book.edge, WIDTH)
    lines = [*((*edge, "") if book.house_loses else ()), book.title, "=" * len(book.title)]
    lines += sections_as_text(book.sections)
    return "\n".join([*lines, *(() if book.house_loses else ("", *edge))]) + "\n"


def sections_as_text(sections: Iterable[Section]) -> Iterator[str]:
    """Parts of a rule sheet as lines of text."""
    for section in sections:
        yield from ("", section.title)
        for line in section.lines:
            yield from textwrap.wrap(
                line, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT * 2
            )
        if section.grid:
            yield from [*([""] if section.lines else []), *_columns(section.grid)]


def _columns(grid: Grid) -> Iterator[str]:
    """A table in columns; what stands in the row above need not be said again."""
    widths = _widths(grid)
    yield from _row(grid.head, widths)
    yield from _row([("-" * width) for width in widths], widths)
    above: Sequence[str] = ()
    for row in grid.rows:
        same = 0
        while same < len(row) - 1 and row[: same + 1] == above[: same + 1]:
            same += 1
        yield from _row([*([""] * same), *row[same:]], widths)
        above = row


def _widths(grid: Grid) -> list[int]:
    """How wide each column is: as its widest cell, less where the line would be too long."""
    columns = list(zip(grid.head, *grid.rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for cell in column for word in cell.split(" ")) for column in columns]
    room = WIDTH - len(_INDENT) - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room:
        wide = [at for at, width in enumerate(widths) if width > least[at]]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    wrapped = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(cells, widths, strict=True)
    ]
    for nth in range(max(map(len, wrapped))):
        parts = (
            (lines[nth] if nth < len(lines) else "").ljust(width)
            for lines, width in zip(wrapped, widths, strict=True)
        )
        yield (_INDENT + _GAP.join(parts)).rstrip()


def as_markdown(book: RuleBook, level: int = 1) -> str:
    """The rule book as Markdown, its title a heading of that level."""
    lines = [f"{'#' * level} {book.title}", "", _edge(book)]
    lines += sections_as_markdown(book.sections, level + 1)
    return "\n".join(lines) + "\n"


def sections_as_markdown(sections: Iterable[Section], level: int) -> Iterator[str]:
    """Parts of a rule sheet as lines of Markdown, their titles headings of that level."""
    for section in sections:
        yield from ("", f"{'#' * level} {section.title}", "")
        yield from (f"- {line}" for line in section.lines)
        if section.grid:
            yield from [*([""] if section.lines else []), *_table(section.grid)]


def _edge(book: RuleBook) -> str:
    return f"**{book.edge}**" if book.house_loses else book.edge


def _table(grid: Grid) -> Iterator[str]:
    yield _cells(grid.head)
    yield _cells("---" for _ in grid.head)
    yield from map(_cells, grid.rows)


def _cells(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def all_as_markdown(books: Iterable[RuleBook]) -> str:
    """Several rule books as one page of Markdown, with a list of them at its top."""
    books = tuple(books)
    lines = [
        f"# {text_of(message('sheet-all-rules'))}",
        "",
        text_of(message("sheet-all-made-by", command="`tablectl rules --markdown`")),
        text_of(message("sheet-all-options", command="`tablectl rules GAME --option NAME=VALUE`")),
        "",
        *(f"- [{book.title}](#{_anchor(book.title)}): {book.rule} {_edge(book)}" for book in books),
        "",
    ]
    return "\n".join(lines) + "\n" + "\n".join(as_markdown(book, 2) for book in books)


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")
