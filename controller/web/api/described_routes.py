"""Routes of the API: each reads what its endpoint takes, and answers by it.

FastAPI describes them (`description.py`), where the description is written. It serves none: to
load it is a sixth of a table's start and six megabytes, it makes validators of every class that a
route says it answers, and it solves a request's dependencies anew each time, which takes longer
than the table takes to decide.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from inspect import signature
from typing import Any, Final, get_type_hints

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.api.parameters import NOTHING, RouteParameter, fitting, reader, sent_of
from controller.web.json_views import JSON
from controller.web.problems import RequestMisfit, RequestRejected

Endpoint = Callable[..., Coroutine[Any, Any, Response]]
_Responses = Mapping[int | str, Mapping[str, Any]]


class DescribedRoute(Route):
    """A route of one method. `asked` is its endpoint; `about` is for the description alone: of
    what FastAPI's routes take, and whether it `takes_token`.
    """

    def __init__(self, path: str, asked: Endpoint, method: str, about: Mapping[str, Any]) -> None:
        self.asked: Final = asked
        self.about: Final = about
        super().__init__(path, _served(asked), methods=[method], name=asked.__name__)
        self.methods = {method}  # `HEAD` is none of them, which is not described


class DescribedRoutes:
    """Routes below one address; `responses` are described as those that all of them may give."""

    def __init__(self, prefix: str = "", responses: _Responses | None = None) -> None:
        self.routes: Final[list[DescribedRoute]] = []
        self._prefix = prefix
        self._responses = dict(responses or {})

    def add(self, path: str, asked: Endpoint, method: str = "GET", **about: Any) -> None:
        """Add a route; for `about` see `DescribedRoute`."""
        about["responses"] = {**self._responses, **about.get("responses", {})}
        self.routes.append(DescribedRoute(f"{self._prefix}{path}", asked, method, about))

    def get(self, path: str, **about: Any) -> Callable[[Endpoint], Endpoint]:
        """Makes a route of the endpoint that it decorates."""
        return self._made("GET", path, about)

    def post(self, path: str, **about: Any) -> Callable[[Endpoint], Endpoint]:
        """As `get`."""
        return self._made("POST", path, about)

    def _made(
        self, method: str, path: str, about: Mapping[str, Any]
    ) -> Callable[[Endpoint], Endpoint]:
        def added(asked: Endpoint) -> Endpoint:
            self.add(path, asked, method, **about)
            return asked

        return added


def _served(asked: Endpoint) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """What answers a request by `asked`, with what it takes read from the request.

    It takes the request itself, values that say where they are (`SentIn`), and one body.
    """
    hints = get_type_hints(asked, include_extras=True)
    itself, body, taken = "", "", []
    for name, each in signature(asked).parameters.items():
        hint = hints[name]
        sent = sent_of(hint)
        if sent is not None:
            taken.append(RouteParameter(name, sent, each.default, reader(hint)))
        elif hint is Request:
            itself = name
        else:
            assert not body, f"{asked.__name__} takes one body"
            body, read = name, reader(hint)

    async def answer(request: Request) -> Response:
        wrong: list[Mapping[str, Any]] = []
        values = {each.name: each.of(request, wrong) for each in taken}
        if body:
            values[body] = fitting(read, await _sent_body(request), ("body",), wrong)
        if wrong:
            raise RequestMisfit(wrong)
        if itself:
            values[itself] = request
        return await asked(**values)

    return answer


async def _sent_body(request: Request) -> Any:
    """The body; `NOTHING` where there is none. Raises `HTTPException`, also where its sender goes
    before all of it came: whoever waits for the answer hears nothing of it, the log neither.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RequestRejected(415, f"Declare the body as JSON: Content-Type: {JSON}")
    try:
        sent = await request.body()
        # `utf-8-sig`: some programs begin with a mark that says so.
        return _DECODER.decode(sent.decode("utf-8-sig")) if sent else NOTHING
    except (ClientDisconnect, ValueError, RecursionError):
        raise HTTPException(400) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that has each name once. What stands before the table, a game server say, may have
    read the first of two, where this would take the last (RFC 8259, 4). Raises `RequestRejected`.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        raise RequestRejected(400, "A name stands twice in an object of the body: send it once")
    return made


def _no_number(_: str) -> Any:
    """JSON has no NaN and nothing without end. Raises `ValueError`."""
    raise ValueError


#: As RFC 8259 has it.
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
