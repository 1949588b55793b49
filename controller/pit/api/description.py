"""The OpenAPI document of a pit: what its routes answer, made from the classes that are sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from fastapi import FastAPI

from controller.pit.api.answers import ANSWERS, ApiRoute
from controller.record.fact_schemas import components

_REF = "#/components/schemas/{name}"


def describe(app: FastAPI) -> None:
    """Let the app's document say what each route of `ANSWERS` answers and is asked with."""
    plain: Callable[[], dict[str, Any]] = app.openapi
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(plain())
            made["components"]["schemas"] |= components(each.answer for each in ANSWERS.values())
            for name, route in ANSWERS.items():
                method, _, path = name.partition(" ")
                _complete(made["paths"][path][method.lower()], route)
        return made

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(operation: dict[str, Any], route: ApiRoute) -> None:
    (schema,), _ = msgspec.json.schema_components([route.answer], ref_template=_REF)
    answered: dict[str, Any] = operation["responses"]["200"]
    answered["content"] = {"application/json": {"schema": schema}}
    parameters: list[dict[str, Any]] = operation.setdefault("parameters", [])
    for each in parameters:
        each["schema"] = route.path.get(each["name"], each["schema"])
    parameters.extend(
        {"name": name, "in": "query", "required": False, "schema": asked}
        for name, asked in route.asks.items()
    )
