"""Problems: the answer to a request that does not reach the table, one text with its remedy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from controller.access.staff import NotProven
from controller.rules.frozen import frozen

#: Nobody reads more than this.
MAX_TEXT_CHARS: Final = 600

AsPage = Callable[[Request, int, str], Response | None]
"""Makes a page of a problem, by its status and text, for whoever asks for pages; None: does not."""

_WORDS: Final = {
    400: 'The body cannot be read: send JSON in UTF-8, such as {"do": "close_bets"}.',
    404: "There is nothing at this address: /openapi.json lists what there is.",
    405: "This address does not take this method: /openapi.json says which.",
}


@frozen
class HttpProblem:
    """Why a request did not reach the table, and what to change."""

    detail: str


class RequestRejected(HTTPException):
    """A request that is refused before it reaches the table; `detail` is for the sender."""


class RequestMisfit(Exception):
    """A request that does not fit its description: `errors` as pydantic tells them, `loc` beginning
    with the part of the request, as FastAPI has them.
    """

    def __init__(self, errors: Sequence[Mapping[str, Any]]) -> None:
        super().__init__("the request does not fit its description")
        self._errors = errors

    def errors(self) -> Sequence[Mapping[str, Any]]:
        """What is wrong with it."""
        return self._errors


def not_proven(error: NotProven) -> RequestRejected:
    """The refusal of names and PINs; 429 where the next try has to wait."""
    if not error.wait_s:
        return RequestRejected(403, str(error))
    return RequestRejected(429, str(error), {"Retry-After": str(math.ceil(error.wait_s))})


def problem(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer that says why a request did not reach the table."""
    # A text may quote what the sender wrote, which need not be encodable, and may be of any length.
    plain = text[:MAX_TEXT_CHARS].encode("utf-8", "backslashreplace").decode("utf-8")
    body = msgspec.json.encode(HttpProblem(plain))
    return Response(body, status, headers, media_type="application/json")


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The part of the API's description that says which problems a request may meet."""
    descriptions = {
        400: "The body is not JSON.",
        401: "The token is missing or another one.",
        403: "A page of another origin may not write.",
        404: "There is no such thing, or not any more.",
        413: "The body is too long.",
        415: "The body is not declared as JSON.",
        421: "The host name is not the table's.",
        422: "The request does not fit its description.",
        429: "Too many wrong PINs: `Retry-After` says how long to wait.",
        503: "The record is not available.",
    }
    return {each: {"model": HttpProblem, "description": descriptions[each]} for each in statuses}


def install_problems(
    app: Starlette, as_page: AsPage | None = None, misfit: type[Exception] = RequestMisfit
) -> None:
    """Let the app answer every error as a `HttpProblem`, or as the page that `as_page` makes.

    `misfit` is what its routes raise where a request does not fit its description.
    """

    def answer(
        request: Request, status: int, text: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        page = None if as_page is None else as_page(request, status, text)
        if page is None:
            return problem(status, text, headers)
        page.headers.update(headers or {})
        return page

    async def http_problem(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        own = isinstance(error, RequestRejected)
        text = error.detail if own else _WORDS.get(error.status_code, error.detail)
        return answer(request, error.status_code, text, error.headers)

    async def validation_problem(request: Request, error: Exception) -> Response:
        assert isinstance(error, misfit)
        errors: Sequence[Mapping[str, Any]] = error.errors()  # type: ignore[attr-defined]
        return answer(request, *_invalid(errors))

    app.add_exception_handler(HTTPException, http_problem)
    app.add_exception_handler(misfit, validation_problem)


def _invalid(found: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """The status and the text of a request that does not fit its description."""
    if any(each["type"] == "json_invalid" for each in found):
        return 400, _WORDS[400]
    texts = "; ".join(_error_text(each) for each in found[:3])
    return 422, f"{texts}. Send it as /openapi.json describes it."


def _error_text(error: Mapping[str, Any]) -> str:
    """One validation error, without the value that the sender wrote."""
    # The first part of a place says only whether it is in the body, a header or the address.
    where = ".".join(str(part) for part in error["loc"][1:]) or "body"
    if error["type"] == "union_tag_invalid":
        return f"do: one of {error['ctx']['expected_tags']} is expected"
    if error["type"] == "union_tag_not_found":
        return "do: it is missing, and says what is wanted"
    return f"{where}: {error['msg']}"
