"""The quick way of a batch answers as FastAPI's own: what fits, and whatever does not."""

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


async def test_the_same_is_read_whichever_way(web: httpx.AsyncClient) -> None:
    body = json.dumps({"commands": [{"key": "k", "command": BET}]}).encode()
    quick = await asked(web, body)
    # A charset in capitals is nothing that the quick way knows.
    usual = await asked(web, body, "application/json; charset=UTF8")
    assert quick.status_code == usual.status_code == 200
    assert quick.json() == usual.json()


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
