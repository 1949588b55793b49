"""The checked files of expectations: one a game with its default options."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Final

from controller.odds.live.expectations import Expectations, as_data, from_data
from controller.rules.game import Edge, Game
from controller.rules.games.edges import EXACT, changes, exact_at
from controller.rules.games.registry import GAMES

FOLDER: Final = Path(__file__).with_name("computed")


class NoExpectations(ValueError):
    """A file of expectations that cannot be used; the message says why."""


@lru_cache(maxsize=4)
def read_expectations(path: Path) -> Expectations:
    """The expectations in that file. Raises `NoExpectations`."""
    try:
        return from_data(json.loads(path.read_bytes()))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise NoExpectations(f"{path}: no file of expectations: {error}") from error


def write_expectations(path: Path, found: Expectations) -> None:
    """Write them, a dealer's lines to a line, in one step."""
    data = as_data(found)
    lines = data.pop("lines")
    head = json.dumps(data, ensure_ascii=False, indent=1).removesuffix("\n}")
    rows = ",\n".join(
        f"  {json.dumps(dealer)}: {json.dumps(each, separators=(',', ':'))}"
        for dealer, each in lines.items()
    )
    made = path.with_name(f".{path.name}.new")
    made.write_text(f'{head},\n "lines": {{\n{rows}\n }}\n}}\n', encoding="utf-8")
    made.replace(path)


def edge_of(found: Expectations) -> Edge:
    """The house's edge at the table's least wager."""
    at = exact_at(found.facts["wager"]) if found.value.fixed else EXACT
    return Edge(found.facts["edge_per_cent"], at)


def delivered(game: Game) -> Path | None:
    """The file that the software brings for the game with these options; None: there is none.

    Where a bonus is a fixed amount, the figures are those of the wagers that may be placed.
    """
    usual = GAMES.get(game.name)
    if usual is None or changes(game.options, usual.options):
        return None
    path = FOLDER / f"{game.name}.json"
    # Of another revision of the rules, it is nothing that this table could be held against.
    if not path.exists():
        return None
    found = read_expectations(path)
    wagers = list(map(str, dict.fromkeys(game.options.wager_bounds)))
    if found.value.fixed and wagers != list(found.facts["edges"]):
        return None
    return path if found.identity == game.identity else None
