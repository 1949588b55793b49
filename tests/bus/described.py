"""Whether a message is what the AsyncAPI document says of it, to the last field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs

from controller.bus.asyncapi import asyncapi

Schema = dict[str, Any]


def fits(channel: str, body: bytes) -> None:
    """Fails unless `body` is a message of that channel, with no field that is not described."""
    document = described()
    messages = document["channels"][channel]["messages"].values()
    payloads = [resolved(document, each)["payload"] for each in messages]
    fit({"anyOf": payloads}, json.loads(body))


def fit(schema: Schema, value: Any) -> None:
    """Fails unless a value and the texts in it that are JSON themselves are as described."""
    for error in validator(json.dumps(schema)).iter_errors(value):
        raise AssertionError(str(error))
    for inner, text in texts_in(schema, value):
        fit(inner, json.loads(text))


def texts_in(schema: Schema, value: Any) -> Iterator[tuple[Schema, str]]:
    """The texts in a value that the document says to be JSON, with the schema of each."""
    schema = resolved(described(), schema)
    if "contentSchema" in schema:
        yield schema["contentSchema"], value
    for each in schema.get("anyOf", ()):
        if validator(json.dumps(each)).is_valid(value):
            yield from texts_in(each, value)
    for name, each in schema.get("properties", {}).items():
        yield from texts_in(each, value[name])
    if isinstance(schema.get("items"), dict):
        for item in value:
            yield from texts_in(schema["items"], item)


def resolved(document: Schema, schema: Schema) -> Schema:
    """What a reference refers to."""
    while "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


@cache
def described() -> Schema:
    """The document, in which an object has all that is described and nothing else."""
    document = asyncapi()
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema |= {"additionalProperties": False, "required": list(schema["properties"])}
    return document


@cache
def validator(schema: str) -> jsonschema_rs.Draft7Validator:
    """What checks against a schema of the document."""
    whole = {"components": described()["components"], "allOf": [json.loads(schema)]}
    return jsonschema_rs.Draft7Validator(whole)
