"""Reads one section of a configuration: as its model has it, or all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from controller.config.problems import Problem
from drivers.settings.checks import SettingsError

#: What to write for a key that must be there.
EXAMPLES: Final = {
    "table.name": 'name = "T1"', "table.game": 'game = "blackjack"',
    "record.folder": 'folder = "record"', "web.token_file": 'token_file = "api-token"',
    "people.file": 'file = "people.toml"', "scanner.port": 'port = "/dev/tablectl-scanner"',
    "camera.source": 'source = "/dev/video0"', "beam.pin": "pin = 5", "buzzer.pin": "pin = 26",
    "leds.spots": "spots = [[6, 7, 8], ...], one [red, green, blue] for each seat",
}  # fmt: skip

#: What stands for a key that is missing or wrong while the rest of the file is looked at.
STAND_INS: Final = {"table.name": "T1", "record.folder": "record", "web.token_file": "api-token"}
#: What a value must be, where its pattern would say it to programmers alone.
WANTED: Final = {
    "table.name": "it has 1 to 32 letters, digits, dots, - or _",
    "table.currency": "it is a currency's three capital letters, as EUR",
}
#: How a problem begins whose key is missing.
_MISSING: Final = "missing."


def field_names(model: Any) -> list[str]:
    """The keys of a section's model, a pydantic one or a dataclass."""
    named = getattr(model, "model_fields", None)
    return list(named) if named else [each.name for each in fields(model)]


def unknown(where: str, known: Iterable[str], what: str) -> Problem:
    """An unknown name, with the known ones and the one that was likely meant."""
    known = list(known)
    close = get_close_matches(where.rpartition(".")[2], known, n=1)
    meant = f" Did you mean {close[0]}?" if close else ""
    return Problem(where, f"unknown {what}.{meant} Known here: {', '.join(known)}")


def read_section(
    name: str, model: Any, keys: list[str], section: Any, problems: list[Problem]
) -> Any:
    """The section as its model has it, None where it is wrong; every problem is added."""
    if not isinstance(section, dict):
        problems.append(Problem(name, f"it is a section: write its keys below [{name}]"))
        return None
    problems += [unknown(f"{name}.{key}", keys, "key") for key in section if key not in keys]
    rest = {key: value for key, value in section.items() if key in keys}
    try:
        return TypeAdapter(model).validate_python(rest)
    except ValidationError as error:
        problems += _described(name, error)
        wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
    return _without(name, model, rest, wrong, problems)


def _without(
    name: str, model: Any, rest: dict[str, Any], wrong: set[str], problems: list[Problem]
) -> Any:
    """A section without its wrong keys, so that what else is wrong in the file is found too.

    None where it cannot be without them. It never runs a table: its problems are named already.
    """
    others = {key: value for key, value in rest.items() if key not in wrong}
    others |= {key: STAND_INS[f"{name}.{key}"] for key in wrong if f"{name}.{key}" in STAND_INS}
    if not wrong:
        return None
    try:
        return TypeAdapter(model).validate_python(others)
    except ValidationError as error:
        found = _described(name, error)
        problems += (each for each in found if not each.text.startswith(_MISSING))
        return None


def _described(section: str, error: ValidationError) -> Iterator[Problem]:
    for each in error.errors():
        where = ".".join(map(str, (section, *each["loc"])))
        if each["type"] in ("missing", "missing_argument"):
            example = EXAMPLES.get(where)
            yield Problem(where, f"{_MISSING} Add it" + (f", as in: {example}" if example else ""))
        elif each["type"] == "value_error":
            cause = each["ctx"]["error"]
            if isinstance(cause, SettingsError):
                yield from (Problem(f"{section}.{key}", text) for key, text in cause.problems)
            else:
                yield Problem(where, str(cause))
        else:
            wanted = WANTED.get(where, each["msg"])
            yield Problem(where, f"{wanted} (it is {each['input']!r})")
