"""Bytes that no browser sends, on a real socket: refused, and the next request is answered."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator

import pytest

from controller.web.server import server
from tests.support.patience import PATIENCE_S
from tests.web.admission.test_connections import Site, site
from tests.web.conftest import TOKEN

pytestmark = pytest.mark.anyio

HOST = b"Host: 127.0.0.1\r\n"
AUTH = f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n".encode()
BODY = b'{"do":"load_pack"}'


def post(body: bytes, *headers: bytes, length: int | None = None) -> bytes:
    sent = len(body) if length is None else length
    head = b"POST /api/v1/commands HTTP/1.1\r\n" + HOST + AUTH + b"".join(headers)
    return head + b"Content-Length: %d\r\n\r\n" % sent + body


#: What is sent, and the statuses that may come back (none: the connection ends).
HOSTILE: dict[str, tuple[bytes, set[int]]] = {
    "two lengths": (post(BODY, b"Content-Length: 5\r\n"), {400}),
    "length and chunks": (
        b"POST /api/v1/commands HTTP/1.1\r\n" + HOST + AUTH
        + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x", {400, 422},
    ),
    "chunks of another kind": (
        b"POST / HTTP/1.1\r\n" + HOST + AUTH + b"Transfer-Encoding: xchunked\r\n\r\n", {400, 501},
    ),
    "a length below zero": (post(BODY, length=-5), {400}),
    "a length that is none": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1_0\r\n\r\n", {400},
    ),
    "chunks that are none, to a page": (
        b"GET /manual HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n{}\r\n", {400},
    ),
    "chunks that are none, where the token is asked for": (
        b"GET /api/v1/chips HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n{}\r\n",
        {400},
    ),
    "chunks that are none, to the record": (
        b"GET /api/v1/record/logbook HTTP/1.1\r\n" + HOST + AUTH
        + b"Transfer-Encoding: chunked\r\n\r\n{}\r\n", {400},
    ),
    "chunks that are none, to a stream": (
        b"GET /events/dealer HTTP/1.1\r\n" + HOST
        + b"Transfer-Encoding: chunked\r\n\r\n{}\r\n", {400},
    ),
    "chunks that are none, to a command": (
        b"POST /api/v1/commands HTTP/1.1\r\n" + HOST + AUTH
        + b"Transfer-Encoding: chunked\r\n\r\n{}\r\n", {400},
    ),
    "two hosts": (b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil\r\n\r\n", {400, 421}),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", {400, 421}),
    "another host in the address": (
        b"GET http://evil/api/v1/table HTTP/1.1\r\nHost: evil\r\n\r\n", {400, 404, 421},
    ),
    "a folded header": (b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n", {200, 400}),
    "a name with a space": (b"GET / HTTP/1.1\r\n" + HOST + b"Host : evil\r\n\r\n", {400}),
    "a null in a header": (b"GET / HTTP/1.1\r\n" + HOST + b"X: a\x00b\r\n\r\n", {400}),
    "a huge head": (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 200_000, {400, 431}),
    "many headers": (b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n" * 20_000, {400, 431}),
    "HTTP/0.9": (b"GET /\r\n\r\n", {400}),
    "HTTP/9": (b"GET / HTTP/9.9\r\n" + HOST + b"\r\n", {200, 400, 505}),
    "a websocket": (
        b"GET /events/dealer HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n", {200},
    ),
    "h2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400, 421, 505}),
    "a path upwards": (b"GET /static/../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", {404}),
    "a path upwards, encoded": (
        b"GET /static/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\n" + HOST + b"\r\n", {404},
    ),
    "a path with a null": (b"GET /static/a%00b HTTP/1.1\r\n" + HOST + b"\r\n", {404}),
    "a long path": (b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", {400, 404, 414}),
    "a deep body": (post(b"[" * 16_000), {400}),
    "a deep body that closes": (post(b"[" * 8_000 + b"]" * 8_000), {400, 422}),
    "a deep object": (post(b'{"do":' * 2_000 + b"1" + b"}" * 2_000), {400, 422}),
    "a number of 9,000 digits": (
        post(b'{"do":"place_wager","seat":1,"amount":' + b"9" * 9_000 + b"}"), {400, 422},
    ),
    "a number without end": (
        post(b'{"do":"place_wager","seat":1,"amount":1e999}'), {400, 422},
    ),
    "not a number": (post(b'{"do":"place_wager","seat":NaN,"amount":1}'), {400}),
    "half a surrogate": (
        post(b'{"do":"resolve","hold":1,"resolution":"release","reason":"\\ud800",'
             b'"people":[{"name":"\\ud800","pin":"\\udfff11"}]}'), {400, 403, 409, 422},
    ),
    "not UTF-8": (post(b'{"do":"\xff\xfe"}'), {400, 422}),
    "UTF-16": (post(json.dumps({"do": "load_pack"}).encode("utf-16")), {400}),
    "a command twice": (post(b'{"do":"load_pack","do":"load_pack"}'), {400}),
    "an amount twice": (
        post(b'{"do":"place_wager","seat":1,"amount":1,"\\u0061mount":100000}'), {400},
    ),
    "a name twice, deep in a batch": (
        b"POST /api/v1/batch HTTP/1.1\r\n" + HOST + AUTH + b"Content-Length: 78\r\n\r\n"
        b'{"commands":[{"key":"a","key":"b","command":{"do":"load_pack"}},{"key":"c"}]}\n', {400},
    ),
    "a body that is too long": (post(b" " * 100_000), {413}),
    "a bomb": (post(BODY, b"Content-Encoding: gzip\r\n"), {200, 400, 409, 415}),
    "a key that breaks lines": (post(BODY, b"Idempotency-Key: a\tb\r\n"), {400, 422}),
    "a list of displays that is none": (
        post(BODY, b"Cookie: tablectl-display=" + b"~" * 400 + b"\r\n"), {200, 409, 422},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
async def here() -> AsyncIterator[Site]:
    """One web that all of it is sent to, one after the other."""
    async with site(20) as made:
        yield made


@pytest.mark.parametrize("name", sorted(HOSTILE))
async def test_hostile_bytes_are_refused_and_the_web_goes_on(
    name: str, here: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_S", 0.5)
    monkeypatch.setattr(server, "TRUSTED_REQUEST_S", 0.5)
    sent, expected = HOSTILE[name]
    reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
    writer.write(sent)
    async with asyncio.timeout(PATIENCE_S):
        try:
            first = await reader.readline()
        except ConnectionError:
            first = b""
    status = int(first.split()[1]) if first else None
    assert status in {*expected, None}, (name, first)
    writer.transport.abort()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    answer = await here.web.get("/healthz", headers={"Connection": "close"})
    assert answer.status_code == 200
    await here.until_connected(0)
    bad = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert [each.getMessage() for each in bad] == []
