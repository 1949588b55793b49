"""What a body may be, and what is said of any other."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.web.conftest import TOKEN

pytestmark = pytest.mark.anyio

BET = {"do": "place_wager", "seat": 1, "amount": 1_000}
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


async def asked(web: httpx.AsyncClient, body: bytes, kind: str = "application/json") -> Any:
    return await web.post("/api/v1/batch", content=body, headers={**HEADERS, "Content-Type": kind})


async def test_a_charset_may_be_named(web: httpx.AsyncClient) -> None:
    body = json.dumps({"commands": [{"key": "k", "command": BET}]}).encode()
    plain = await asked(web, body)
    named = await asked(web, body, "Application/JSON; charset=UTF8")
    assert plain.status_code == named.status_code == 200
    assert plain.json() == named.json()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422), (b"{", 400), (b"[]", 422), (b'{"commands": []}', 422),
        (b"[" * 5_000, 400), (b"\xff\xfe", 400),
        (b'{"commands": [{"key": "k", "command": {"do": "undo", "seat": "1"}}]}', 422),
        (json.dumps({"commands": [{"key": "k", "command": {"do": "fly"}}]}).encode(), 422),
        (json.dumps({"commands": [{"key": "k", "command": BET}], "more": 1}).encode(), 422),
    ],
)  # fmt: skip
async def test_what_does_not_fit_is_answered_as_ever(
    web: httpx.AsyncClient, body: bytes, status: int
) -> None:
    answer = await asked(web, body)
    assert answer.status_code == status, answer.text
    assert len(answer.json()["detail"]) > 15


async def test_a_body_that_is_not_declared_as_json_is_refused(web: httpx.AsyncClient) -> None:
    body = json.dumps({"commands": [{"key": "k", "command": BET}]}).encode()
    assert (await asked(web, body, "text/plain")).status_code == 415
