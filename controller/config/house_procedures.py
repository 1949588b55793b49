"""A house's own procedures beside its profile, from a TOML file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.config.problems import Problem, refusal
from controller.config.toml_file import read_toml
from controller.table.irregularities.procedures import Own


def load_own(path: Path) -> Own:
    """A house's own procedures: a TOML file with a section for each irregularity it changes.

    Keys are `text`, `source`, `resolutions` (a list of ids, likeliest first) and, below `who`, who
    may choose a resolution (floor or two). What they may be is judged by `procedures`. Raises
    `ConfigError` with all that is wrong.
    """
    source, raw = read_toml(
        path, "there are no procedures {path}: write them, or leave procedures_file out"
    )
    found: list[tuple[str, str, str]] = []
    problems: list[Problem] = []
    for what, section in raw.items():
        if not isinstance(section, dict):
            problems.append(Problem(what, "write it below the [section] of an irregularity"))
            continue
        for key, value in section.items():
            rows = list(_rows(what, key, value))
            found += rows
            if not rows and not (key == "who" and value == {}):
                problems.append(
                    Problem(
                        f"{what}.{key}",
                        "text and source are sentences, resolutions a list of ids, who a section"
                        " of ids with floor or two",
                    )
                )
    if problems:
        raise refusal(path, source, problems)
    return tuple(found)


def _rows(what: str, key: str, value: Any) -> Iterator[tuple[str, str, str]]:
    """What one key says; nothing where it is not as it should be."""
    if key == "resolutions" and isinstance(value, list) and all(map(_is_text, value)):
        yield what, key, " ".join(value)
    elif key == "who" and isinstance(value, dict) and all(map(_is_text, value.values())):
        for resolution, whom in value.items():
            yield what, f"who.{resolution}", whom
    elif key in ("text", "source") and _is_text(value):
        yield what, key, value


def _is_text(value: object) -> bool:
    return isinstance(value, str)
