"""The API's description, and the pages' types for TypeScript: `python -m tests.pages.schema`.

The API describes its views, documents and commands (OpenAPI), in a document that a table serves as
it lies there; a calibration's and the simulated table's pages have their own schemas. Both files
are committed, and tests say when they are out of date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import msgspec

from calibration.page import Shown
from controller.devices.displays import PlayersView
from controller.host.service_log import LogRing
from controller.pit.reports.search.pictures import RoundPictures
from controller.pit.reports.search.round_steps import ArchivedRound
from controller.pit.wall.live_view import LivePicture
from controller.pit.wall.picture import Change
from controller.service.odds.against_odds import AgainstOdds
from controller.web.api.description import openapi
from controller.web.app import DOCUMENT, create_app
from controller.web.settings import WebSettings
from sim_hw.people.visitor_acts import PageView
from sim_hw.studio.player_view import PlayerPageView
from tests.web.desk import PlayedDesk

TYPES: Final = Path(__file__).parents[2] / ".ci" / "pages" / "schema.d.ts"
WIDTH: Final = 100
Schema = Mapping[str, Any]
_SIMPLE: Final = {
    "string": "string", "integer": "number", "number": "number", "boolean": "boolean",
    "null": "null",
}  # fmt: skip
_HEAD: Final = """\
// Written by `python -m tests.pages.schema` from the schemas of the service. Do not edit.
"""


@lru_cache(maxsize=1)
def described() -> dict[str, Any]:
    """The API of a table with all that a table may have."""
    settings = WebSettings(
        token="schema", record=Path("record"), log=LogRing(1), odds=AgainstOdds(Path("record"))
    )
    return openapi(create_app(PlayedDesk(), settings))


def document() -> str:
    """The whole description, a line for each of its parts."""
    return f"{json.dumps(described(), ensure_ascii=False, indent=0)}\n"


def written() -> str:
    """The whole file of types."""
    table = dict(described()["components"]["schemas"])
    table |= components(PlayersView)
    command = described()["paths"]["/api/v1/commands"]["post"]["requestBody"]
    table["Command"] = command["content"]["application/json"]["schema"]
    return "\n".join(
        [
            _HEAD,
            *namespace("Table", table),
            *namespace("Calibration", components(Shown)),
            *namespace("World", components(PageView)),
            *namespace("Studio", components(PlayerPageView)),
            *namespace(
                "Pit",
                components(Change)
                | components(LivePicture)
                | components(ArchivedRound)
                | components(RoundPictures),
            ),
        ]
    )


def components(kind: type[Any]) -> dict[str, Any]:
    """The schema of a class and of all that it is made of, by name."""
    _, found = msgspec.json.schema_components([kind])
    return found


def namespace(name: str, schemas: Mapping[str, Schema]) -> Iterator[str]:
    """The lines that declare these types in a namespace."""
    yield f"declare namespace {name} {{"
    for each in sorted(schemas):
        yield from declared(each, schemas[each])
    yield "}\n"


def declared(name: str, schema: Schema) -> Iterator[str]:
    """The lines that declare one type, with its description."""
    yield from comment(str(schema.get("description", "")), "  ")
    if "properties" not in schema:
        yield from f"  type {name} = {union(schema)};".splitlines()
        return
    yield f"  interface {name} {{"
    required = set(schema.get("required", ()))
    for field, about in schema["properties"].items():
        # What the service sends always has every field; what it takes may leave out defaults.
        optional = field not in required and schema.get("additionalProperties") is False
        yield f"    {field}{'?' if optional else ''}: {union(about)};"
    yield "  }"


def union(schema: Schema) -> str:
    """The type expression of a schema. Raises `ValueError` for one that this cannot say."""
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(union(each) for each in schema[several]))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return msgspec.json.encode(schema["const"]).decode()
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(each).decode() for each in schema["enum"])
    kind = schema.get("type")
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind == "array":
        return array(schema)
    if kind == "object" and "additionalProperties" in schema:
        return f"Record<string, {union(schema['additionalProperties'])}>"
    if kind == "object" and "properties" not in schema:
        return "Record<string, unknown>"
    raise ValueError(f"{schema} has no type here: say in tests/pages/schema.py what it is")


def array(schema: Schema) -> str:
    """The type of a list, or of a tuple of a fixed length."""
    if "prefixItems" in schema:
        return f"[{', '.join(union(each) for each in schema['prefixItems'])}]"
    each = union(schema["items"])
    return f"({each})[]" if "|" in each else f"{each}[]"


def comment(text: str, indent: str) -> Iterator[str]:
    """A description as a comment, in lines of the usual width."""
    paragraphs = [" ".join(each.split()) for each in text.replace("*/", "").split("\n\n")]
    lines = [line for each in paragraphs for line in ("", *wrap(each, WIDTH - len(indent) - 3))][1:]
    if not text:
        return
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}".rstrip() for line in lines)
    yield f"{indent} */"


if __name__ == "__main__":
    TYPES.write_text(written(), encoding="utf-8")
    DOCUMENT.write_text(document(), encoding="utf-8")
    sys.stdout.write(f"{TYPES}\n{DOCUMENT}\n")
