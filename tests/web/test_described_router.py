"""A running table makes nothing that only describes its API."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import FastAPI, Response
from fastapi.routing import APIRoute

from controller.web.api.described_router import DescribedRouter, description
from controller.web.problems import documented


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
