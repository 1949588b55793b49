"""The messages that source code makes, found by reading it: their codes and parameter names."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from controller.rules.messages import Catalogue, params_of


class MessageCall(NamedTuple):
    """A call of `message(…)`: its code, its parameters' names, and where it stands."""

    code: str
    params: frozenset[str]
    where: str


def made_in(*roots: Path) -> list[MessageCall]:
    """All messages made below `roots` (folders or files).

    Raises `AssertionError` for a call whose code or parameters cannot be read from the source.
    """
    paths = [path for root in roots for path in (root.rglob("*.py") if root.is_dir() else [root])]
    return [made for path in sorted(paths) for made in _calls(path)]


def _calls(path: Path) -> Iterable[MessageCall]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id != "message":
            continue
        where = f"{path}:{node.lineno}"
        assert len(node.args) == 1, f"{where}: one code, then parameters by name"
        code = node.args[0]
        assert isinstance(code, ast.Constant), f"{where}: write the code out"
        names = [each.arg for each in node.keywords]
        assert None not in names, f"{where}: write the parameters out"
        yield MessageCall(str(code.value), frozenset(map(str, names)), where)


def problems(made: Iterable[MessageCall], catalogue: Catalogue) -> list[str]:
    """What does not fit between messages and their words: none missing, none left over."""
    found = []
    codes: dict[str, MessageCall] = {}
    for each in made:
        first = codes.setdefault(each.code, each)
        if first.params != each.params:
            found.append(f"{each.where}: {each.code} has other parameters than at {first.where}")
    for code, each in codes.items():
        if code not in catalogue:
            found.append(f"{each.where}: {code} has no words")
        elif (used := set(params_of(catalogue[code]))) != each.params:
            found.append(f"{each.where}: {code} has {set(each.params)}, its words use {used}")
    return found + [f"{code} has words and is never said" for code in catalogue.keys() - codes]
