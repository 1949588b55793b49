"""Where a value stands in a request, and how it is read: what fits, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import Parameter
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from pydantic import Field, TypeAdapter, ValidationError
from starlette.requests import Request

from controller.rules.frozen import frozen

#: The default of what must be sent, as `inspect` has it.
MUST_BE_SENT: Final = Parameter.empty
#: What was sent where nothing was: `null` is something.
NOTHING: Final = object()


# Each is itself alone, so that a type with it has one reader, however many routes take it.
@dataclass(frozen=True, slots=True, eq=False)
class SentIn:
    """Metadata of a parameter of a route: the part of a request that it stands in, its name there
    if that is another, and its bounds and description as pydantic's `Field` takes them.
    """

    part: Literal["path", "query", "header", "cookie"]
    bounds: Mapping[str, Any]
    alias: str | None = None


def in_path(**bounds: Any) -> SentIn:
    """A part of the address."""
    return SentIn("path", bounds)


def in_query(alias: str | None = None, **bounds: Any) -> SentIn:
    """A value behind the address's question mark."""
    return SentIn("query", bounds, alias)


def in_header(alias: str, **bounds: Any) -> SentIn:
    """A header."""
    return SentIn("header", bounds, alias)


def in_cookie(alias: str, **bounds: Any) -> SentIn:
    """A cookie."""
    return SentIn("cookie", bounds, alias)


@frozen
class RouteParameter:
    """A parameter of a route: by what name the endpoint takes it, from where, and its default.

    `read` makes what was sent into what the endpoint takes.
    """

    name: str
    sent: SentIn
    default: Any
    read: Callable[..., Any]

    def of(self, request: Request, wrong: list[Mapping[str, Any]]) -> Any:
        """The value that was sent, or the default; what is wrong with it is added to `wrong`."""
        name = self.sent.alias or self.name
        said = _part(request, self.sent.part).get(name, NOTHING)
        if said is NOTHING and self.default is not MUST_BE_SENT:
            return self.default
        return fitting(self.read, said, (self.sent.part, name), wrong)


def sent_of(hint: Any) -> SentIn | None:
    """Where a parameter of that type is sent; None: it is the body, or the request itself."""
    found = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((each for each in found if isinstance(each, SentIn)), None)


def fitting(
    read: Callable[..., Any], said: Any, at: tuple[str, ...], wrong: list[Mapping[str, Any]]
) -> Any:
    """What was `said` there, as `read` makes it; None, and `wrong` grows, where it does not fit."""
    if said is NOTHING:
        wrong.append({"type": "missing", "loc": at, "msg": "Field required"})
        return None
    try:
        return read(said, from_attributes=True)
    except ValidationError as error:
        # Without the input: what somebody sent is told to nobody.
        found = error.errors(include_url=False, include_input=False)
        wrong.extend({**each, "loc": (*at, *each["loc"])} for each in found)
        return None


def _part(request: Request, part: str) -> Mapping[str, Any]:
    if part == "path":
        return request.path_params
    if part == "query":
        return request.query_params
    return request.headers if part == "header" else request.cookies


@cache
def reader(hint: Any) -> Callable[..., Any]:
    """What reads a parameter, or a body, of that type: made once, however many routes take it."""
    sent = sent_of(hint)
    if sent is not None:
        hint = Annotated[get_args(hint)[0], Field(**sent.bounds)]
    return TypeAdapter[Any](hint).validate_python
