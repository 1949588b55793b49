"""A running table makes nothing that only describes its API, and each route once."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pydantic
import pytest
from fastapi import FastAPI, Response
from fastapi.routing import APIRoute
from starlette.routing import Route

from controller.web.api.described_router import DescribedRouter, description
from controller.web.app import create_app
from controller.web.problems import documented
from controller.web.settings import WebSettings
from tests.web.conftest import TOKEN
from tests.web.desk import PlayedDesk


@dataclass(frozen=True, slots=True)
class NumberShown:
    """What the route answers."""

    number: int


async def shown() -> Response:
    """The number."""
    return Response(b'{"number": 27}', media_type="application/json")


def router() -> DescribedRouter:
    made = DescribedRouter("/numbers", documented(421))
    made.add_api_route("/shown", shown, response_model=NumberShown, responses=documented(404))
    made.get("/again", response_model=NumberShown, responses=documented(404))(shown)
    return made


def test_a_route_has_no_validator_of_its_answers() -> None:
    served = [each for each in router().routes if isinstance(each, APIRoute)]
    assert [each.path for each in served] == ["/numbers/shown", "/numbers/again"]
    assert all(each.response_field is None for each in served)
    assert not any(each.response_fields for each in served)


def test_its_description_has_every_answer() -> None:
    said = description(FastAPI(title="numbers"), [router()])()
    assert sorted(said["components"]["schemas"]) == ["HttpProblem", "NumberShown"]
    for path in ("/numbers/shown", "/numbers/again"):
        assert sorted(said["paths"][path]["get"]["responses"]) == ["200", "404", "421"]


def test_the_first_request_finds_every_route_made() -> None:
    """A router that is included makes its routes once more then, while cards wait."""
    app = create_app(PlayedDesk(), WebSettings(token=TOKEN))
    assert {type(each) for each in app.router.routes} <= {Route, APIRoute, *_quick()}


def _quick() -> set[type]:
    """The kinds of routes of our own."""
    return set(APIRoute.__subclasses__())


def test_the_first_edition_of_pydantic_is_not_loaded_for_routes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [each for each in sys.modules if each.split(".")[:2] == ["pydantic", "v1"]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(pydantic, "v1", raising=False)
    create_app(PlayedDesk(), WebSettings(token=TOKEN))
    assert "pydantic.v1" not in sys.modules
