"""One word, one meaning: a class of a name stands in one file."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_two_files_define_a_class_of_the_same_name() -> None:
    places: defaultdict[str, set[str]] = defaultdict(set)
    for folder in ("controller", "drivers", "calibration", "sim_hw", "systemd", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].add(str(path.relative_to(ROOT)))
    assert len(places) > 1_000
    assert {name: at for name, at in places.items() if len(at) > 1} == {}
