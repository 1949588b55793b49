"""One word, one meaning: a class of a name stands in one file."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_two_files_define_a_class_of_the_same_name() -> None:
    likely: defaultdict[str, set[Path]] = defaultdict(set)
    for folder in ("controller", "drivers", "calibration", "sim_hw", "systemd", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            # Also in a text that holds a program. Whatever defines a class is found.
            for name in re.findall(r"\bclass\s+(\w+)", path.read_text("utf-8")):
                likely[name].add(path)
    assert len(likely) > 1_000
    places = {
        name: {str(path.relative_to(ROOT)) for path in paths if name in defined_in(path)}
        for name, paths in likely.items()
        if len(paths) > 1
    }
    assert {name: at for name, at in places.items() if len(at) > 1} == {}


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The classes of a file, by its grammar: reading every file so took five seconds."""
    found = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(each.name for each in found if isinstance(each, ast.ClassDef))
