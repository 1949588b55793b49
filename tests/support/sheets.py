"""A sheet's tables read back, by what their words say and not by what made them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from controller.rules.actions import Action
from controller.rules.script.felt import Play
from controller.rules.sheets.sheet import Grid, Kind, Section

BEST = "27"


def section(sheet: Iterable[Section], title: str) -> Section:
    """The one section of that title."""
    found = [each for each in sheet if each.title == title]
    assert len(found) == 1, title
    return found[0]


def grid(sheet: Iterable[Section], title: str) -> Grid:
    """The table of the section of that title."""
    found = section(sheet, title).grid
    assert found is not None, title
    return found


def actions(cell: str) -> tuple[set[Action], Action | None]:
    """What a cell allows, and what the dealer offers by name; `must` goes with one action."""
    forced = cell.startswith("must ")
    parts = cell.removeprefix("must ").split(", ")
    offered = [part.removesuffix(" (offered)") for part in parts if part.endswith(" (offered)")]
    words = [part.removesuffix(" (offered)").replace(" ", "-") for part in parts]
    assert forced is (len(words) == 1)
    return {Action(word) for word in words}, Action(offered[0]) if offered else None


def read_back(play: Play[Any, Any]) -> tuple[set[Action], Action | None]:
    """What `actions` ought to read of a play."""
    return set(play.options), play.offer


def covers(label: str, kind: Kind) -> bool:
    """Whether a label of ranges names `kind`."""
    word, number = kind
    for part in label.split(", "):
        if part == "any":
            return True
        found = re.fullmatch(r"(.+) (\d+)(?:-(\d+))?", part)
        assert found, part
        if found[1] == word and int(found[2]) <= number <= int(found[3] or found[2]):
            return True
    return False


def _compares(label: str, mine: Kind, theirs: Kind) -> bool | None:
    """Whether a label of comparisons fits; None where it is one of ranges."""
    how = {-1: "less than", 0: "equal to", 1: "more than"}[
        (mine[1] > theirs[1]) - (mine[1] < theirs[1])
    ]
    if "the dealer's" not in label:
        return None
    fits = {f"{how} the dealer's", f"{mine[0]} {how} the dealer's"}
    return bool(fits & set(label.split(", ")))


def cell(table: Grid, mine: Kind, theirs: Kind) -> str:
    """What the table says of a total against a dealer's; just one row must say it."""
    rows = table.rows
    if len(table.head) == 3:
        rows = tuple(row[1:] for row in rows if covers(row[0], theirs))
    alone = [row for row in rows if str(mine[1]) == BEST and BEST in row[0].split(", ")]
    found = []
    for row in alone or rows:
        fits = True if alone else _compares(row[0], mine, theirs)
        if fits if fits is not None else row[0] != BEST and covers(row[0], mine):
            found.append(row[1])
    assert len(found) == 1, f"{mine} against {theirs}: {found}"
    return found[0]
