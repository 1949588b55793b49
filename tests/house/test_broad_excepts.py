"""Where whatever is raised is caught and does not go on is a list of a few files, and is true."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.service import stops_on_error

ROOT: Final = Path(__file__).parents[2]


def broad(path: Path) -> Iterator[ast.ExceptHandler]:
    for each in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(each, ast.ExceptHandler):
            kinds = {part.id for part in ast.walk(each.type or each) if isinstance(part, ast.Name)}
            caught = each.type is None or "Exception" in kinds
            if caught or ("BaseException" in kinds and not _goes_on(each)):
                yield each


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether what was caught is raised on at the end, whatever it was."""
    return isinstance(handler.body[-1], ast.Raise)


def test_the_head_of_stops_on_error_names_every_file_with_a_broad_except() -> None:
    assert stops_on_error.__doc__ is not None
    _, _, sentence = stops_on_error.__doc__.partition("A broad `except`")
    named = {"stops_on_error", *re.findall(r"`([a-z_.]+)`", sentence)}
    found = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for folder in ("controller", "drivers")
        for path in (ROOT / folder).rglob("*.py")
        if b"Exception" in path.read_bytes() and any(broad(path))
    }
    ends = {name: [each for each in found if f".{each}".endswith(f".{name}")] for name in named}
    assert {name: len(each) for name, each in ends.items()} == dict.fromkeys(named, 1)
    assert found == {each for some in ends.values() for each in some}
