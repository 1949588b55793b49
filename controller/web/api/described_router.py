"""Routes that carry what answers them, and what describes them only where the API is described.

FastAPI makes validators of every class that a route says it answers, for each status: seconds of
start and megabytes for a document that nobody may ever ask for, since every answer here is encoded
by its route. So the running table serves the document as it was written (`openapi.json`), and a
test holds it against the routes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI

#: The description of the API, written by `make schema`.
DOCUMENT: Final = Path(__file__).with_name("openapi.json")

_Responses = Mapping[int | str, Mapping[str, Any]]


class DescribedRouter(APIRouter):
    """A router whose routes answer a `Response` each; `responses` are those that all may give."""

    def __init__(self, prefix: str = "", responses: _Responses | None = None) -> None:
        super().__init__(prefix=prefix)
        self._responses: Final = responses or {}
        self._routes: Final[list[tuple[str, Callable[..., Any], dict[str, Any]]]] = []

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **about: Any) -> None:
        """Add a route; its `response_model` and `responses` are for the description alone."""
        self._routes.append((path, endpoint, about))
        served = {name: each for name, each in about.items() if name != "responses"}
        super().add_api_route(path, endpoint, **{**served, "response_model": None})

    def described(self) -> APIRouter:
        """The same routes with all that describes them."""
        router = APIRouter(prefix=self.prefix, responses=_plain(self._responses))
        for path, endpoint, about in self._routes:
            router.add_api_route(path, endpoint, **about)
        return router


def description(app: FastAPI, routers: Iterable[DescribedRouter]) -> Callable[[], dict[str, Any]]:
    """What makes the OpenAPI document of an app with these routers, each time anew."""

    def described() -> dict[str, Any]:
        whole = FastAPI(
            title=app.title, version=app.version, description=app.description,
            separate_input_output_schemas=app.separate_input_output_schemas,
        )  # fmt: skip
        for router in routers:
            whole.include_router(router.described())
        return whole.openapi()

    return described


def _plain(responses: _Responses) -> dict[int | str, dict[str, Any]]:
    return {status: dict(about) for status, about in responses.items()}
