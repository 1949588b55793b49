"""The feed of facts: each once and in order, from any record on, and no hidden card before it is
turned.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest

from controller.record.files.head_anchor import Position
from controller.record.reading.record_tail import CannotGoOn, RecordTail
from controller.service.timekeeping.clock_error import clock_error
from controller.table import inputs as i
from controller.table.inputs import WindowTimes
from controller.web.feed import fact_feed
from controller.web.feed.fact_feed import FactFeed
from controller.web.feed.feed_api import feed_api
from tests.records.make import SETS
from tests.service.test_windows import burn, studio
from tests.support.forms import long_only
from tests.support.patience import PATIENCE_S
from tests.web.conftest import WRITER
from tests.web.desk import PlayedDesk
from tests.web.server import Served

pytestmark = pytest.mark.anyio

FACTS = "/events/facts"
NEWEST_SET = max(SETS.iterdir())
TIMES = WindowTimes(bets_ms=3_600_000)
Event = tuple[str, str, Any]


@asynccontextmanager
async def consumer(
    server: Served, *, after: int | None = None, last_id: str = ""
) -> AsyncIterator[AsyncIterator[Event]]:
    """Somebody who takes the feed: each event as its name, id and data."""
    headers = {**WRITER, **({"Last-Event-ID": last_id} if last_id else {})}
    asked = {} if after is None else {"after": str(after)}
    async with (
        httpx.AsyncClient(
            base_url=server.url, headers=headers, timeout=PATIENCE_S, verify=False
        ) as web,
        web.stream("GET", FACTS, params=asked) as answer,
    ):
        assert answer.status_code == 200
        yield _events(answer)


async def _events(answer: httpx.Response) -> AsyncIterator[Event]:
    name = number = data = ""
    async for line in answer.aiter_lines():
        if not line:
            yield name, number, json.loads(data)
            name = number = data = ""
        field, _, value = line.partition(": ")
        name = value if field == "event" else name
        number = value if field == "id" else number
        data = value if field == "data" else data


async def facts(events: AsyncIterator[Event], count: int) -> list[dict[str, Any]]:
    """The next facts, each with its number as its id."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(found) < count:
            name, number, said = await anext(events)
            if name == "fact":
                assert number == str(said["seq"])
                found.append(said)
    return found


def kinds(received: list[dict[str, Any]]) -> list[str]:
    return [each["record"][0].partition("/")[0] for each in received]


async def test_every_fact_comes_once_and_in_order_and_then_as_it_happens(tmp_path: Path) -> None:
    async with studio(tmp_path / "record", TIMES) as (service, server):
        await burn(service)
        async with consumer(server, after=0) as events:
            assert service.state is not None
            received = await facts(events, service.state.seq)
            assert [each["seq"] for each in received] == list(range(1, service.state.seq + 1))
            assert kinds(received)[0] == "TableOpened"
            assert {each["round"] for each in received} == {None}
            for seat in (1, 2):
                await service.submit(i.PlaceWager(seat, 1_000), None, None)
            await service.submit(i.CloseBets(), None, None)
            more = await facts(events, 3)
            assert kinds(more) == ["WagerPlaced", "WagerPlaced", "BetsClosed"]
            assert [each["seq"] - received[-1]["seq"] for each in more] == [1, 2, 3]
            identity = more[-1]["round"]
            assert identity.endswith("-1")
            # Whoever was away goes on where it ended, and is told the same round.
        await service.submit(i.CallFloor(), None, None)
        async with consumer(server, last_id=str(more[-1]["seq"])) as events:
            (held,) = await facts(events, 1)
            assert kinds([held]) == ["HoldRaised"]
            assert held["round"] == identity


@pytest.mark.parametrize(
    "error", [CannotGoOn("gone", fork=False), sqlite3.OperationalError("disk I/O error")]
)
async def test_after_a_failure_the_record_is_read_ahead_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A reading that fails once neither stops the feed nor leaves a gap in it."""
    monkeypatch.setattr(fact_feed, "AGAIN_S", 0.01)
    reads, loop = RecordTail.position, asyncio.get_running_loop()
    failures: list[Exception] = []
    looks: asyncio.Queue[int] = asyncio.Queue()

    def fails_once(tail: RecordTail, seq: int) -> Position:
        if failures:
            raise failures.pop()
        loop.call_soon_threadsafe(looks.put_nowait, seq)
        return reads(tail, seq)

    async def read_ahead_to(seq: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while await looks.get() != seq:
                pass

    monkeypatch.setattr(RecordTail, "position", fails_once)
    async with studio(tmp_path / "record", TIMES) as (service, _):
        feed = FactFeed(tmp_path / "record", service)
        with feed.followed():
            head = await feed.head()
            await read_ahead_to(head)
            waits = asyncio.create_task(feed.next(head, PATIENCE_S))
            failures.append(error)
            await burn(service)
            async with asyncio.timeout(PATIENCE_S / 2):
                received = await waits
                while len(received) < 2:
                    received += await feed.next(received[-1].seq, PATIENCE_S)
                # It is read ahead again: whoever waits at the end is woken by what comes.
                await read_ahead_to(received[-1].seq)
                waits = asyncio.create_task(feed.next(received[-1].seq, PATIENCE_S))
                await service.submit(i.PlaceWager(1, 1_000), None, None)
                received += await waits
            assert not failures
            assert [each.seq for each in received] == list(range(head + 1, received[-1].seq + 1))
            assert b"WagerPlaced" in received[-1].sent


async def test_it_ends_with_the_service_and_with_all_that_was_recorded(tmp_path: Path) -> None:
    async with studio(tmp_path / "record", TIMES) as (service, server), consumer(server) as events:
        await anext(events)  # the clock: it begins where the record ends now
        await burn(service)
        assert service.state is not None
        newest = service.state.seq
        service.let_viewers_go()
        async with asyncio.timeout(PATIENCE_S):
            received = [int(number) async for name, number, _ in events if name == "fact"]
    assert received
    assert received[-1] == newest


async def test_what_is_read_as_the_last_consumer_goes_is_none_of_the_next_ones(
    kept_record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tail of the record is one thread's: two would leave a file open behind."""
    reads, places, goes_on = RecordTail.head, RecordTail.position, threading.Event()
    used: dict[int, set[int]] = {}
    calls: list[int] = []
    began, went_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(tail: RecordTail) -> tuple[bytes, Position] | None:
        calls.append(id(tail))
        used.setdefault(id(tail), set()).add(threading.get_ident())
        if len(calls) == 2:  # the first is of the reading ahead
            loop.call_soon_threadsafe(began.set)
            goes_on.wait(PATIENCE_S)
        return reads(tail)

    def placed(tail: RecordTail, seq: int) -> Position:
        used.setdefault(id(tail), set()).add(threading.get_ident())
        if goes_on.is_set():
            loop.call_soon_threadsafe(went_on.set)
        return places(tail, seq)

    monkeypatch.setattr(RecordTail, "head", slow)
    monkeypatch.setattr(RecordTail, "position", placed)
    feed = FactFeed(kept_record, PlayedDesk())
    with feed.followed():
        asked = asyncio.create_task(feed.next(0, PATIENCE_S))
        await began.wait()
        asked.cancel()
        await asyncio.wait([asked])
    with feed.followed():
        assert await feed.head()  # the next tail is at work
        goes_on.set()
        async with asyncio.timeout(PATIENCE_S):
            await went_on.wait()
        assert await feed.next(0, PATIENCE_S)
    assert all(len(threads) == 1 for threads in used.values()), used


async def test_without_a_place_the_feed_begins_now_and_says_what_the_clock_is_worth(
    tmp_path: Path,
) -> None:
    async with studio(tmp_path / "record", TIMES) as (service, server):
        await burn(service)
        async with consumer(server) as events:
            name, _, clock = await anext(events)
            assert name == "clock"
            assert clock["at_ms"] > 1_700_000_000_000
            assert clock["error_ms"] == clock_error().error_ms or clock["error_ms"] > 0
            await service.submit(i.PlaceWager(1, 1_000), None, None)
            (placed,) = await facts(events, 1)
            assert kinds([placed]) == ["WagerPlaced"]


@pytest.mark.parametrize(
    ("after", "says"),
    [
        ("x", "is no number"),
        ("-1", "is no number"),
        ("٣", "is no number"),
        ("9" * 17, "no number"),
        ("9" * 5_000, "no number"),
    ],
)
async def test_a_place_that_is_none_is_refused(tmp_path: Path, after: str, says: str) -> None:
    async with (
        studio(tmp_path / "record", TIMES) as (_, server),
        httpx.AsyncClient(
            base_url=server.url, headers=WRITER, timeout=PATIENCE_S, verify=False
        ) as web,
    ):
        answer = await web.get(FACTS, params={"after": after})
        assert answer.status_code == 422
        assert says in answer.json()["detail"]


async def test_a_place_that_the_table_has_not_reached_is_said_and_ends_the_feed(
    tmp_path: Path,
) -> None:
    async with (
        studio(tmp_path / "record", TIMES) as (_, server),
        consumer(server, after=1_000_000) as events,
    ):
        received = [each async for each in events]
        assert [name for name, _, _ in received] == ["clock", "reset"]
        assert received[-1][2] == {"fork": True, "why": "the table has no record 1000000 yet"}


async def test_it_takes_the_token(tmp_path: Path) -> None:
    async with (
        studio(tmp_path / "record", TIMES) as (_, server),
        httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S, verify=False) as web,
    ):
        assert (await web.get(FACTS)).status_code == 401


@pytest.fixture(params=["blackjack", "seven-twenty-seven", long_only("21-24-27")])
def kept_record(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A record of two gaming days."""
    folder = tmp_path / "record"
    shutil.copytree(NEWEST_SET / request.param, folder)
    return folder


async def _all(folder: Path) -> list[dict[str, Any]]:
    received: list[dict[str, Any]] = []
    feed = FactFeed(folder, PlayedDesk())
    with feed.followed():
        head = await feed.head()
        while not received or received[-1]["seq"] < head:
            found = await feed.next(received[-1]["seq"] if received else 0, PATIENCE_S)
            received += [json.loads(each.sent.partition(b"\ndata: ")[2]) for each in found]
    return received


async def test_closed_days_are_caught_up_without_a_gap(
    kept_record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_feed, "MOST_RECORDS", 7)
    received = await _all(kept_record)
    with closing(RecordTail(kept_record)) as tail:
        head = tail.head()
    assert head is not None
    assert [each["seq"] for each in received] == list(range(1, head[1].seq + 1))
    assert kinds(received).count("DayOpened") == 2
    rounds = {each["round"] for each in received} - {None}
    numbers = sorted(int(each.rpartition("-")[2]) for each in rounds)
    assert numbers == list(range(1, len(numbers) + 1))
    assert len({each.rpartition("-")[0] for each in rounds}) == 1


async def test_a_face_down_card_is_a_commitment_until_it_is_turned_and_opens_as_that_card(
    kept_record: Path,
) -> None:
    received = await _all(kept_record)
    down: dict[str, dict[str, Any]] = {}
    opened = 0
    for each in received:
        kind, fields = each["record"][0].partition("/")[0], each["record"][4]
        if kind == "CardDealtDown" and fields["card"]:
            down[fields["card"]] = fields
        if kind == "CardTurned" and fields["nonce"]:
            key, said = (
                bytes.fromhex(fields["nonce"]),
                f"{fields['card']}{fields.get('serial', '')}",
            )
            digest = hmac.digest(key, said.encode(), "sha256").hex()
            before = down[digest]
            assert (before["seat"], before["hand"]) == (fields["seat"], fields["hand"])
            opened += 1
    assert opened or not down


async def test_what_is_sent_is_what_is_described(kept_record: Path) -> None:
    document = json.loads(json.dumps(feed_api()))
    schema = {"$ref": "#/components/schemas/FactEvent", "components": document["components"]}
    validator = jsonschema_rs.Draft7Validator(schema)
    received = await _all(kept_record)
    for each in received:
        validator.validate(each)
    with pytest.raises(jsonschema_rs.ValidationError):
        validator.validate({**received[0], "record": ["Nothing/1", 1, 2, "", {}]})


async def test_a_record_whose_first_days_are_gone_says_so(kept_record: Path) -> None:
    for name in ("day", "day.openings", "day.signature"):
        os.unlink(kept_record / f"2023-11-14.{name}")
    feed = FactFeed(kept_record, PlayedDesk())
    with feed.followed(), pytest.raises(CannotGoOn, match="no longer in the table's record"):
        await feed.next(0, 1.0)


async def test_the_document_is_served(tmp_path: Path) -> None:
    async with (
        studio(tmp_path / "record", TIMES) as (_, server),
        httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S, verify=False) as web,
    ):
        said = (await web.get("/asyncapi.json")).json()
    assert said["channels"]["facts"]["address"] == FACTS
    assert "CardDealt" in said["components"]["schemas"]
    assert said == json.loads(json.dumps(feed_api()))
