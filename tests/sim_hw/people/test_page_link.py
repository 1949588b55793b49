"""The dealer display as it comes over the wire: an event stream, and none when it breaks off."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from sim_hw.people.page_link import Link, NotReached, events
from sim_hw.table.changes import Changes
from sim_hw.table.oracle import AccountStep
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

PICTURE = {
    "seq": 7, "round": 1, "phase": "burn", "tone": "shuffle", "headline": "Burn a card",
    "why": "", "bonus": "", "refusal": "", "keys": [], "hands": [], "dealer": None, "holds": [],
    "devices": [],
    "shoe": {"number": 1, "gone": 0, "cut": 243, "state": "to be burned"},
    "pot": "", "button": 0, "kept_cards": 0, "spots": [], "note": "",
}  # fmt: skip
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\nconnection: close\r\n\r\n"

Answer = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def service(answer: Answer) -> AsyncIterator[str]:
    """A service that answers every request by `answer` and then hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        await answer(asked, writer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        async with asyncio.timeout(PATIENCE_S):  # who did not go would be waited for
            await server.wait_closed()


async def test_events_are_taken_from_their_lines() -> None:
    async def lines() -> AsyncIterator[str]:
        for line in (
            "event: scene",
            "data: {}",
            "",
            ": comment",
            "",
            "event: beat",
            "",
            "data:x",
            "",
        ):
            yield line

    assert [each async for each in events(lines())] == [("scene", "{}"), ("message", "x")]


async def test_the_display_is_live_while_the_stream_is_and_comes_back() -> None:
    hang_up = asyncio.Event()

    async def answer(asked: bytes, writer: asyncio.StreamWriter) -> None:
        assert asked.startswith(b"GET /events/dealer ")
        picture = f"event: scene\ndata: {json.dumps(PICTURE)}\n\n".encode()
        writer.write(HEAD % b"text/event-stream" + picture)
        await hang_up.wait()
        hang_up.clear()

    changes = Changes()
    async with service(answer) as url:
        link = Link(url, "token", changes)
        watching = asyncio.ensure_future(link.watch())
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(2):
                while link.display is None:
                    await changes.wait(1)
                assert link.display.headline == "Burn a card"
                hang_up.set()
                while link.display is not None:
                    await changes.wait(1)
        hang_up.set()
        watching.cancel()
        await asyncio.wait([watching])
        await link.close()


async def test_a_command_carries_token_and_key_and_its_refusal_comes_back() -> None:
    asked: list[bytes] = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(request)
        refusal = {"accepted": False, "refused": "No more bets: the round is in play"}
        head = (HEAD % b"application/json").replace(b"200 OK", b"409 Conflict")
        writer.write(head + json.dumps(refusal).encode())

    async with service(answer) as url:
        link = Link(url, "secret", Changes())
        said = await link.send({"do": "place_wager", "seat": 1, "amount": 1000})
        await link.close()
    assert said == (False, "No more bets: the round is in play")
    assert b"POST /api/v1/commands" in asked[0]
    assert b"authorization: bearer secret" in asked[0].lower()
    assert b"idempotency-key: " in asked[0].lower()


async def test_the_account_of_a_round_is_its_steps_in_order() -> None:
    async def answer(asked: bytes, writer: asyncio.StreamWriter) -> None:
        assert asked.startswith(b"GET /api/v1/rounds/7 ")
        card = {"seat": 2, "hand": 1, "said": "", "amount": None, "text": "9♣ to seat 2"}
        body = {"number": 7, "steps": [card, {**card, "said": "raise", "amount": 500}]}
        writer.write(HEAD % b"application/json" + json.dumps(body).encode())

    async with service(answer) as url:
        link = Link(url, "token", Changes())
        assert await link.account(7) == [
            AccountStep(2, 1, "", None),
            AccountStep(2, 1, "raise", 500),
        ]
        await link.close()
    link = Link(url, "token", Changes())
    assert await link.account(7) == []
    await link.close()


async def test_a_service_that_is_away_is_not_reached() -> None:
    link = Link("http://127.0.0.1:9", "secret", Changes())
    with pytest.raises(NotReached, match="did not answer"):
        await link.send({"do": "call_floor"})
    await link.close()
