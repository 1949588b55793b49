"""The types that the pages' JavaScript is checked against are those of the service's schemas."""

from __future__ import annotations

import pytest

from controller.web.app import DOCUMENT
from tests.pages.schema import TYPES, declared, document, union, written


def test_the_committed_types_are_those_of_the_schemas() -> None:
    assert TYPES.read_text(encoding="utf-8") == written(), "write them anew: make schema"


def test_the_document_that_a_table_serves_is_that_of_its_routes() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "write it anew: make schema"


def test_a_field_with_a_default_may_be_left_out_of_a_command_but_not_of_a_view() -> None:
    schema = {"properties": {"seat": {"type": "integer"}, "card": {"type": "string"}},
              "required": ["seat"]}  # fmt: skip
    view = "\n".join(declared("Seen", schema))
    command = "\n".join(declared("Sent", schema | {"additionalProperties": False}))
    assert "seat: number;" in view
    assert "card: string;" in view
    assert "card?: string;" in command


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "object", "additionalProperties": {"$ref": "#/x/Key"}}, "Record<string, Key>"),
        ({"const": True}, "true"),
        ({"type": "object"}, "Record<string, unknown>"),
    ],
)
def test_a_schema_has_its_type(schema: dict[str, object], expected: str) -> None:
    assert union(schema) == expected


def test_a_schema_that_has_no_type_is_refused() -> None:
    with pytest.raises(ValueError, match="has no type here"):
        union({"type": "tuple"})
