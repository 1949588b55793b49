"""The OpenAPI document of a table, made by FastAPI from its routes: `make schema` writes it down.

No running table loads this: it serves the document as it was written (`openapi.json`), and a test
holds it against the routes.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, get_args, get_type_hints

import fastapi
from fastapi.security import HTTPBearer
from starlette.applications import Starlette
from starlette.requests import Request

from controller import __version__
from controller.web.api.described_routes import DescribedRoute, Endpoint
from controller.web.api.parameters import SentIn, sent_of
from controller.web.old_pydantic import without_old_pydantic

ABOUT: Final = """\
What the table shows, and its commands.

Views are also sent as they change, as server-sent events: `/events/dealer` and `/events/players`
(`event: scene`), `/events/status` (`event: status`). The newest view comes at once, a slow viewer
misses those between, and `event: beat` comes every two seconds, with the table's time and
the `edition` of its pages: one that changes makes a page load itself anew.

`/events/facts` is another kind: every fact once and in order, for game servers, with the token;
`Last-Event-ID` goes on where it ended. `/events/public` is what of it players may see, for
everybody. `/asyncapi.json` describes both.

What is said comes in English, or as `?lang=` says (fi, sv, de, es, lv); codes and records do not
change with it.

Reads are open to whoever reaches the port, but for those of the whole record. These and writes need
the table's token.
"""
_PARTS: Final[dict[str, Callable[..., Any]]] = {
    "path": fastapi.Path, "query": fastapi.Query, "header": fastapi.Header,
    "cookie": fastapi.Cookie,
}  # fmt: skip


@without_old_pydantic()
def openapi(app: Starlette, title: str = "tablectl") -> dict[str, Any]:
    """The document of the `DescribedRoute`s of an app, made anew."""
    # Admission checks the token, before any route; this describes it.
    token = fastapi.Depends(HTTPBearer(auto_error=False, description="The table's token."))
    whole = fastapi.FastAPI(
        title=title, version=__version__, description=ABOUT, separate_input_output_schemas=False
    )
    for route in app.router.routes:
        if isinstance(route, DescribedRoute):
            about = dict(route.about)
            needs = [token] if about.pop("takes_token", False) else []
            whole.add_api_route(
                route.path, _described(route.asked), methods=list(route.methods or ()),
                dependencies=needs, **about,
            )  # fmt: skip
    return whole.openapi()


def _described(asked: Endpoint) -> Callable[..., Any]:
    """A function that takes what `asked` takes, as FastAPI describes it."""

    async def described() -> None:
        raise AssertionError("it serves nothing")

    described.__name__, described.__doc__ = asked.__name__, asked.__doc__
    described.__signature__ = as_fastapi_has_it(asked)  # type: ignore[attr-defined]
    return described


def as_fastapi_has_it(asked: Endpoint) -> Signature:
    """What `asked` takes of a request, in FastAPI's words."""
    hints = get_type_hints(asked, include_extras=True)
    return Signature(
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=each.default, annotation=_hint(hint))
            for name, each in signature(asked).parameters.items()
            if (hint := hints[name]) is not Request
        ]
    )


def _hint(hint: Any) -> Any:
    sent = sent_of(hint)
    if sent is None:
        return hint
    return Annotated[get_args(hint)[0], _as_fastapi(sent)]


def _as_fastapi(sent: SentIn) -> Any:
    name = {} if sent.alias is None else {"alias": sent.alias}
    return _PARTS[sent.part](**name, **sent.bounds)
