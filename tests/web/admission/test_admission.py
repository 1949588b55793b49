"""Who may ask: by the table's own name, from its own pages, with its token, and not too much."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.forms import quick_first
from tests.web.conftest import PORT, TOKEN
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

COMMANDS = "/api/v1/commands"
ASK = {"do": "load_pack"}


@pytest.fixture(scope="module")
def settings() -> WebSettings:
    return WebSettings(
        token=TOKEN, hosts=("table.example", "pit.example:443"), origins=("https://pit.example",),
        frame_ancestors=("http://127.0.0.1:8028",),
    )  # fmt: skip


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8027", "localhost:8027", "LocalHost:9000", "[::1]:8027", "127.0.0.1",
        "table.example:8027", "pit.example:443",
    ],
)  # fmt: skip
async def test_the_table_answers_to_its_own_names(web: Any, host: str) -> None:
    assert (await web.get("/api/v1/table", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "casino.example:8027", "pit.example", "pit.example:80", "127.0.0.1.casino.example", "",
        "[::1", "localhost:8027:1", "localhost.", "localhost:", "127.0.0.1:8027, casino.example",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "path",
    quick_first(
        ["/", "/api/v1/table", "/events/dealer", "/healthz", "/static/x"], ["/api/v1/table"]
    ),
)
async def test_a_foreign_name_that_leads_here_is_not_answered(
    web: Any, host: str, path: str
) -> None:
    answer = await web.get(path, headers={"Host": host})
    assert answer.status_code == 421
    assert "127.0.0.1" in answer.json()["detail"]


@pytest.mark.parametrize("origin", [f"http://127.0.0.1:{PORT}", "https://pit.example", None])
async def test_the_tables_pages_and_game_servers_may_write(web: Any, origin: str | None) -> None:
    headers = {"Origin": origin} if origin else {}
    assert (await web.post(COMMANDS, json=ASK, headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://casino.example", "null", "http://127.0.0.1:8028", f"https://127.0.0.1:{PORT}",
        "http://pit.example", "",
    ],
)  # fmt: skip
async def test_another_page_may_not_write(desk: PlayedDesk, web: Any, origin: str) -> None:
    answer = await web.post(COMMANDS, json=ASK, headers={"Origin": origin})
    assert answer.status_code == 403
    assert desk.asked == []


@pytest.mark.parametrize(
    "said",
    [
        None, "", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}", "Bearer ä", f"Bearer {TOKEN} {TOKEN}",
    ],
)  # fmt: skip
async def test_without_the_token_nothing_is_written(
    desk: PlayedDesk, web: Any, said: str | None
) -> None:
    del web.headers["Authorization"]
    headers = {} if said is None else {"Authorization": said.encode()}
    answer = await web.post(COMMANDS, json=ASK, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer realm="tablectl"'
    assert "Authorization: Bearer TOKEN" in answer.json()["detail"]
    assert desk.asked == []


async def test_the_token_comes_before_the_body(web: Any) -> None:
    del web.headers["Authorization"]
    headers = {"Content-Type": "application/json"}
    assert (await web.post(COMMANDS, content=b"{", headers=headers)).status_code == 401


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "LOCK"])
@pytest.mark.parametrize("path", ["/", "/api/v1/table", "/nowhere", "/events/dealer"])
async def test_no_write_of_any_kind_passes_without_the_token(
    web: Any, method: str, path: str
) -> None:
    del web.headers["Authorization"]
    assert (await web.request(method, path)).status_code == 401


@pytest.mark.parametrize("path", ["/api/v1/table", "/api/v1/rounds", "/healthz", "/metrics", "/"])
async def test_reading_needs_no_token(web: Any, path: str) -> None:
    del web.headers["Authorization"]
    assert (await web.get(path)).status_code == 200


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "json"])
async def test_a_body_must_be_declared_as_json(
    desk: PlayedDesk, web: Any, kind: str | None
) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    answer = await web.post(COMMANDS, content=b'{"do": "load_pack"}', headers=headers)
    assert answer.status_code == 415
    assert "Content-Type: application/json" in answer.json()["detail"]
    assert desk.asked == []


async def test_json_may_say_its_encoding(web: Any) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = await web.post(COMMANDS, content=b'{"do": "load_pack"}', headers=headers)
    assert answer.status_code == 200


async def test_too_long_a_body_is_refused(desk: PlayedDesk, web: Any) -> None:
    body = b'{"do": "load_pack"' + b" " * 16_384 + b"}"
    headers = {"Content-Type": "application/json"}
    declared = await web.post(COMMANDS, content=body, headers=headers)

    async def in_pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(body), 1_000):
            yield body[at : at + 1_000]

    undeclared = await web.post(COMMANDS, content=in_pieces(), headers=headers)
    for answer in (declared, undeclared):
        assert answer.status_code == 413
        assert answer.json()["detail"].endswith("send one command, at most 16384 bytes")
    assert desk.asked == []


async def test_just_short_enough_is_taken(web: Any) -> None:
    body = b'{"do": "load_pack"}'.ljust(16_384)
    headers = {"Content-Type": "application/json"}
    assert (await web.post(COMMANDS, content=body, headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/dealer", "/api/v1/table", "/api/v1/rounds/9", "/metrics", "/openapi.json"]
)
async def test_browsers_are_told_to_trust_nothing_else(web: Any, path: str) -> None:
    headers = (await web.get(path)).headers
    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors http://127.0.0.1:8028"
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == ("no-cache" if path in ("/", "/dealer") else "no-store")


async def test_nobody_may_frame_the_pages_unless_allowed(desk: PlayedDesk) -> None:
    app = httpx.ASGITransport(create_app(desk, WebSettings(token=TOKEN)))
    async with httpx.AsyncClient(transport=app, base_url=f"http://localhost:{PORT}") as web:
        for answer in (
            await web.get("/dealer"),
            await web.get("/dealer", headers={"Host": "casino.example"}),
        ):
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_no_page_of_the_descriptions_maker_is_served(web: Any) -> None:
    for path in ("/docs", "/redoc", "/docs/oauth2-redirect"):
        assert (await web.get(path)).status_code == 404


async def test_the_token_is_not_printed() -> None:
    assert TOKEN not in repr(WebSettings(token=TOKEN))


@pytest.mark.parametrize(
    "wrong",
    [
        {"token": ""},
        {"token": "x", "hosts": ("http://table.example",)},
        {"token": "x", "origins": ("table.example",)},
        {"token": "x", "origins": ("http://table.example/",)},
        {"token": "x", "frame_ancestors": ("http://a.example; script-src *",)},
        {"token": "x", "frame_ancestors": ("*",)},
    ],
)
async def test_settings_that_would_open_the_door_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="write"):
        WebSettings(**wrong)
