"""JSON Schemas of what a record holds, for programs that read one: a schema for each kind of fact.

Made from the facts' own classes, as the codec writes them: sealed cards are commitments. Draft 7,
which most tools read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any, Final

import msgspec

from controller.record.fact_kinds import KINDS
from controller.rules.cards import DECK_52, JOKER, Card
from controller.rules.messages import Message
from controller.rules.sealed import Sealed
from controller.table.gaming_day import CarryOver

Schema = dict[str, Any]

#: What the codec writes of types that JSON has no word for.
_WRITTEN: Final[Mapping[type, Schema]] = {
    Card: {
        "enum": [each.code for each in (*DECK_52, JOKER)],
        "description": "A card: rank and suit, as in Th, As, 9c; Jo is the Joker.",
    },
    Sealed: {
        "type": "string", "pattern": "^([0-9a-f]{64})?$",
        "description": "The commitment to a card that lies face down: HMAC-SHA256 of its code and "
        "serial number under a random nonce. Empty: the card could not be read.",
    },
    Message: {
        "type": "array", "minItems": 2, "maxItems": 2,
        "items": [{"type": "string"}, {"type": "object"}],
        "description": "What is to be said: a code, and its parameters by name.",
    },
    CarryOver: {
        "type": "object", "required": ["fields", "hidden"],
        "properties": {
            "fields": {"type": "object"},
            "hidden": {"type": "string", "description": "Its commitment to what it hides."},
        },
        "description": "What a gaming day takes over from the one before; its form is the table's "
        "own.",
    },
}  # fmt: skip
_REF: Final = "#/components/schemas/{name}"
#: `["CardDealt/1", at_ms, mono_ns, cause, fields]`.
_LINE_ITEMS: Final = 5


def record_schema() -> Schema:
    """The schema of a record's bytes: one of the kinds of facts, by its name and version."""
    return {"oneOf": [_line(kind, name) for kind, name in KINDS.names.items()]}


def fact_schemas() -> dict[str, Schema]:
    """The schemas that `record_schema` refers to: of each fact, and of what facts hold."""
    return components(KINDS.names)


def components(kinds: Iterable[Any]) -> dict[str, Schema]:
    """The schemas of these classes and of all that they hold, by name."""
    _, found = msgspec.json.schema_components(kinds, schema_hook=_hook, ref_template=_REF)
    return {name: _draft_7(schema) for name, schema in found.items()}


def ref(kind: type) -> Schema:
    """What refers to the schema of a class."""
    return {"$ref": _REF.format(name=kind.__name__)}


def _hook(kind: type) -> Schema:
    if kind not in _WRITTEN:
        raise NotImplementedError(kind.__name__)
    return _WRITTEN[kind]


def _line(kind: type, name: str) -> Schema:
    items = [
        {"const": name},
        {"type": "integer", "description": "The table's wall time, in ms since 1970."},
        {"type": "integer", "description": "A clock that only goes forward, in ns."},
        {"type": "string", "description": "What led to it: a device, a command, the clock."},
        ref(kind),
    ]
    return {
        "type": "array", "items": items, "minItems": _LINE_ITEMS, "maxItems": _LINE_ITEMS,
    }  # fmt: skip


def _draft_7(value: Any) -> Any:
    """A schema of draft 2020-12 in the words of draft 7: tuples are `items`."""
    if isinstance(value, list | tuple):
        return [_draft_7(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _draft_7(each) for name, each in value.items()}
    if "prefixItems" in found:
        found["items"] = found.pop("prefixItems")
    if isinstance(found.get("description"), str):
        found["description"] = cleandoc(found["description"])
    return found
