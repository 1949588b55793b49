"""Routes serve what FastAPI describes: they read requests, and refuse them, as FastAPI would."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Annotated, Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.web.api.described_routes import DescribedRoute, DescribedRoutes
from controller.web.api.description import as_fastapi_has_it, openapi
from controller.web.api.parameters import in_cookie, in_header, in_path, in_query
from controller.web.app import create_app
from controller.web.problems import RequestMisfit, documented
from controller.web.settings import WebSettings
from tests.support.forms import long_only
from tests.web.conftest import TOKEN
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class NumberShown:
    """What the routes answer."""

    number: int


class NumberSent(BaseModel):
    """What is sent to one of them."""

    model_config = ConfigDict(extra="forbid")

    number: Annotated[int, Field(ge=1)]


Number = Annotated[int, in_path(ge=1, le=99, description="The number.")]
Mark = Annotated[str, in_query("with", pattern=r"^[a-z]*$")]
Count = Annotated[int, in_query(ge=1)]
Key = Annotated[str | None, in_header("Idempotency-Key", min_length=1, max_length=8)]
Shown = Annotated[str, in_cookie("shown", max_length=4)]


async def shown(number: Number, count: Count, marks: Mark = "", key: Key = None) -> Response:
    """The number."""
    return JSONResponse([number, count, marks, key])


async def sent(request: Request, asked: NumberSent, number: Number, seen: Shown = "") -> Response:
    """Take a number."""
    return JSONResponse([request.method, asked.number, number, seen])


def routes() -> DescribedRoutes:
    made = DescribedRoutes("/numbers", documented(421))
    made.get("/{number}", response_model=NumberShown, responses=documented(404))(shown)
    made.add("/{number}", sent, "POST", response_model=NumberShown, takes_token=True)
    return made


def ours() -> Starlette:
    app = Starlette(routes=routes().routes)
    app.router.redirect_slashes = False
    app.add_exception_handler(RequestMisfit, misfit)
    return app


def fastapis() -> FastAPI:
    """The same, served by FastAPI."""
    app = FastAPI(redirect_slashes=False)
    app.add_exception_handler(RequestValidationError, misfit)

    async def answer(**values: Any) -> Response:
        return await shown(**values)

    async def take(request: Request, **values: Any) -> Response:
        return await sent(request, **values)

    answer.__signature__ = as_fastapi_has_it(shown)  # type: ignore[attr-defined]
    app.add_api_route("/numbers/{number}", answer, methods=["GET"])
    told = as_fastapi_has_it(sent).parameters.values()
    itself = Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request)
    take.__signature__ = Signature([itself, *told])  # type: ignore[attr-defined]
    app.add_api_route("/numbers/{number}", take, methods=["POST"])
    return app


async def misfit(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestMisfit | RequestValidationError)
    told = sorted((each["type"], [*each["loc"]], each["msg"]) for each in error.errors())
    return JSONResponse(told, 422)


@pytest.fixture
async def both() -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    ask = [
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        for app in (ours(), fastapis())
    ]
    async with ask[0], ask[1]:
        yield ask[0], ask[1]


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("/numbers/27?count=2", {}, 200),
        ("/numbers/27?count=2&with=ab&count=3", {"Idempotency-Key": "k"}, 200),
        ("/numbers/27?count=%202", {}, 200),
        ("/numbers/27?count=2.0", {}, 200),
        ("/numbers/27", {}, 422),
        ("/numbers/27?count=", {}, 422),
        ("/numbers/0?count=0&with=A", {"Idempotency-Key": ""}, 422),
        ("/numbers/x?count=x", {"Idempotency-Key": "123456789"}, 422),
        ("/numbers/27/?count=2", {}, 404),
    ],
)
async def test_what_is_asked_is_read_as_fastapi_reads_it(
    both: tuple[httpx.AsyncClient, httpx.AsyncClient],
    address: str, headers: Mapping[str, str], status: int,
) -> None:  # fmt: skip
    mine, fastapis_ = [await each.get(address, headers=headers) for each in both]
    assert (mine.status_code, fastapis_.status_code) == (status, status)
    if status != 404:
        assert mine.json() == fastapis_.json()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"number": 1}', 200), (b'{"number": "1"}', 200), (b"", 422), (b"null", 422),
        (b"[]", 422), (b"7", 422), (b'{"number": 0}', 422), (b'{"number": 1, "more": 1}', 422),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("cookie", "number"),
    [
        ("", "1"),
        ("shown=abcde", "100"),
        long_only("shown=abc", "1"),
        long_only("shown=abcde", "1"),
        long_only("", "100"),
        long_only("shown=abc", "100"),
    ],
)
async def test_what_is_sent_is_read_as_fastapi_reads_it(
    both: tuple[httpx.AsyncClient, httpx.AsyncClient],
    body: bytes, status: int, cookie: str, number: str,
) -> None:  # fmt: skip
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    mine, fastapis_ = [
        await each.post(f"/numbers/{number}", content=body, headers=headers) for each in both
    ]
    fits = status == 200 and cookie != "shown=abcde" and number == "1"
    assert mine.status_code == fastapis_.status_code == (200 if fits else 422)
    assert mine.json() == fastapis_.json()


@pytest.mark.parametrize("method", ["HEAD", "PUT"])
async def test_a_route_takes_its_methods_alone(
    both: tuple[httpx.AsyncClient, httpx.AsyncClient], method: str
) -> None:
    assert [(await each.request(method, "/numbers/1")).status_code for each in both] == [405, 405]


def test_its_description_has_every_answer() -> None:
    said = openapi(Starlette(routes=routes().routes))
    assert "NumberShown" in said["components"]["schemas"]
    told = said["paths"]["/numbers/{number}"]
    assert {"200", "404", "421"} <= {*told["get"]["responses"]}
    assert [each["name"] for each in told["get"]["parameters"]] == [
        "number", "count", "with", "Idempotency-Key",
    ]  # fmt: skip
    assert told["get"]["description"] == "The number."
    assert "security" not in told["get"]
    assert told["post"]["security"]
    assert json.dumps(said)


def test_every_route_of_a_table_is_a_plain_one() -> None:
    app = create_app(PlayedDesk(), WebSettings(token=TOKEN))
    assert {type(each) for each in app.router.routes} == {Route, DescribedRoute}


async def test_what_reads_a_request_is_there_before_the_first_and_made_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    create_app(PlayedDesk(), WebSettings(token=TOKEN))
    monkeypatch.setattr("controller.web.api.parameters.TypeAdapter", None)
    app = create_app(PlayedDesk(), WebSettings(token=TOKEN))
    url, headers = "http://127.0.0.1", {"Authorization": f"Bearer {TOKEN}", "Idempotency-Key": "k"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=url, headers=headers
    ) as web:
        assert (await web.get("/api/v1/rounds?with=win")).status_code != 500
        assert (await web.post("/api/v1/commands", json={"do": "close_bets"})).status_code == 409


def test_an_endpoint_takes_one_body() -> None:
    async def two(asked: NumberSent, more: NumberShown) -> Response:
        return JSONResponse([asked.number, more.number])

    with pytest.raises(AssertionError, match="two takes one body"):
        DescribedRoutes().add("/two", two, "POST")


def test_a_request_is_no_part_of_what_is_told_of_it() -> None:
    assert list(as_fastapi_has_it(sent).parameters) == ["asked", "number", "seen"]
