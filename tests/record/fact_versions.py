"""What each kind of fact holds, by version: `python -m tests.record.fact_versions` adds new ones.

An entry that is there is never changed by it: a kind whose fields changed gets a version (see
`controller.record.fact_kinds`). Until the first release, `--anew` writes all of them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

from controller.record.fact_kinds import KINDS

PINNED: Final = Path(__file__).with_name("fact_versions.json")


def shape(kind: Any) -> Any:
    """A type as data: fields of classes and values of enumerations spelt out."""
    if get_origin(kind) is not None or get_args(kind):
        return {str(getattr(get_origin(kind), "__name__", "")): [shape(e) for e in get_args(kind)]}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return sorted(str(each.value) for each in kind)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return {each.name: shape(hints[each.name]) for each in fields(kind)}
    if isinstance(kind, type) and hasattr(kind, "_fields"):
        return {name: shape(each) for name, each in get_type_hints(kind).items()}
    return getattr(kind, "__name__", str(kind))


@cache
def today() -> dict[str, Any]:
    """Every kind of fact, with its version, as this software has it."""
    return {name: shape(kind) for kind, name in KINDS.names.items()}


@cache
def pinned() -> dict[str, Any]:
    """What was written down."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def main(arguments: list[str]) -> None:
    """Write down what is not written yet."""
    known = {} if "--anew" in arguments else pinned()
    text = json.dumps(today() | known, indent=1, sort_keys=True)
    PINNED.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
