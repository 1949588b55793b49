"""Errors of a record say what happened, then what to do, where they are raised.

DECISIONS.md, 48.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import controller
from controller.devices.safe import safe_scene
from controller.record.files.database import RESTORE, JournalDamaged, RecordNewer

ROOT = Path(str(controller.__file__)).parent
#: Whose text is all that a person gets; the others end with a remedy of their own.
WITH_REMEDY = {"JournalError", "JournalBusy", "BackupRefused"}


def shown(node: ast.expr) -> str | None:
    """A text as it is written, `…` for what is put in; None where it is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(each.value) if isinstance(each, ast.Constant) else "…" for each in node.values
        )
    return None


def texts() -> Iterator[tuple[str, str]]:
    """Each error's place and text."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            if node.func.id in WITH_REMEDY and (text := shown(node.args[0])):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", text


ALL = dict(texts())


@pytest.mark.parametrize("place", ALL)
def test_it_says_what_happened_then_what_to_do(place: str) -> None:
    text = ALL[place].removeprefix("…: ")
    what, found, remedy = text.partition(": ") if ": " in text else text.partition(". ")
    assert found, f"no remedy: {text!r}"
    assert what
    assert remedy
    assert not text.endswith("."), text


def test_the_test_sees_them() -> None:
    assert len(ALL) > 25


def test_damage_and_newer_records_carry_their_remedy_themselves() -> None:
    assert str(JournalDamaged(Path("x"), "cut", 7)) == (
        f"x: cut. Records 1 to 7 are whole. {RESTORE}"
    )
    assert str(RecordNewer(Path("x"), "newer: start that")).endswith("Nothing was changed")


def words(value: object) -> Iterator[str]:
    """Every text in a view."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for each in fields(value):
            yield from words(getattr(value, each.name))
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from words(each)


def test_players_never_read_them() -> None:
    why = "/var/lib/tablectl/record: cut. Put back a backup"
    picture = safe_scene(7, why)
    assert picture.dealer.refusal == why
    assert not any(why in each for each in words(picture.players))
