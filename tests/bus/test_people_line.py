"""A table's people over a real broker: who may send and hear them, and what is caught up with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from nats.js.api import DiscardPolicy, StreamConfig

from controller.access.people_keeper import PeopleKeeper
from controller.access.sent_people import SentPeople
from controller.access.staff import NotProven, Staff
from controller.bus.forwarder import Forwarder
from controller.bus.messages import PEOPLE_STREAM, Topic, last_people, subject
from controller.bus.people_line import PeopleLine
from controller.bus.server_conf import PIT, Leaves, ServerFiles, server_conf
from controller.config.bus_section import BusSection
from controller.people.document import PeopleMark
from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import genesis
from controller.record.reading.record_tail import RecordTail
from controller.service.loop import Service
from tests.access.test_sent_people import SentTable
from tests.bus.described import fits
from tests.bus.nats_server import PASSWORDS, NatsServer, flushed
from tests.bus.test_command_subjects import BrokerClient
from tests.bus.test_forwarder import until
from tests.people.documents import AINO, AINO_PIN, EINO, EINO_PIN, document
from tests.service.test_loop import running
from tests.support.patience import PATIENCE_S
from tests.support.pit import setup

pytestmark = pytest.mark.anyio


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


async def pit_at(broker: NatsServer) -> BrokerClient:
    """The pit, and the stream that keeps the last document of each table."""
    pit = await BrokerClient().enter(broker, PIT)
    await pit.client.jetstream().add_stream(
        StreamConfig(
            name=PEOPLE_STREAM, subjects=[subject("*", Topic.PEOPLE)], max_msgs_per_subject=1,
            allow_direct=True, discard=DiscardPolicy.OLD,
        )
    )  # fmt: skip
    return pit


async def test_a_table_hears_and_asks_for_its_own_people_alone(broker: NatsServer) -> None:
    pit = await pit_at(broker)
    one, two = [await BrokerClient().enter(broker, user) for user in ("T1", "T2")]
    body = document()[0]
    heard = await one.client.subscribe(subject("T1", Topic.PEOPLE))
    await flushed(one.client)
    await pit.client.jetstream().publish(subject("T1", Topic.PEOPLE), body)
    assert (await heard.next_msg(PATIENCE_S)).data == body
    fits("people", body)
    # It comes later, and is given the last one; there is none for another table.
    answer = await one.client.request(last_people("T1"), b"", timeout=PATIENCE_S)
    assert answer.data == body
    assert (await two.client.request(last_people("T2"), b"", timeout=PATIENCE_S)).data == b""
    # Another table neither hears it nor asks for it, and nobody but the pit sends any.
    await two.client.subscribe(subject("T1", Topic.PEOPLE))
    await two.client.subscribe(subject("*", Topic.PEOPLE))
    await two.client.publish(last_people("T1"), b"")
    for table in ("T1", "T2"):
        await two.client.publish(subject(table, Topic.PEOPLE), b"forged")
    for asked in (f"$JS.API.STREAM.MSG.GET.{PEOPLE_STREAM}", f"$JS.API.STREAM.INFO.{PEOPLE_STREAM}",
                  f"$JS.API.STREAM.PURGE.{PEOPLE_STREAM}"):  # fmt: skip
        await two.client.publish(asked, b"{}")
    await two.until_refused(8)
    answer = await one.client.request(last_people("T1"), b"", timeout=PATIENCE_S)
    assert answer.data == body
    for each in (pit, one, two):
        await each.client.close()


def test_a_site_neither_sends_people_to_headquarters_nor_hears_any() -> None:
    leaves = Leaves("127.0.0.1:7422", {"HELSINKI": "secret"}, commands=True)
    text = server_conf("127.0.0.1:4222", ServerFiles("/x"), {PIT: "p"}, leaves=leaves)
    [site] = [each for each in text.splitlines() if '"HELSINKI"' in each and "LEAFNODE" in each]
    says, hears = site.split("subscribe:")
    assert subject("*", Topic.PEOPLE) in says
    assert subject("*", Topic.PEOPLE) in hears


class TableOfPit:
    """A running table whose people the pit sends over the bus."""

    def __init__(self, folder: Path, service: Service, broker: NatsServer) -> None:
        self.service = service
        self.sent = SentTable(folder)
        self.sent.now_ms = time.time_ns() // 1_000_000
        self.people = SentPeople(self.sent.settings, lambda: self.sent.now_ms)
        self.keeper = PeopleKeeper(self.people, service.note)
        self.staff = Staff(self.people)
        (folder / "T1.password").write_text(PASSWORDS["T1"])
        section = BusSection((broker.url,), "T1", folder / "T1.password")
        self.line = Forwarder(
            "T1", folder / "record", section, status=lambda: (0, b"{}"),
            clock_ms=service.clock.wall_ms, software="x",
            people=PeopleLine("T1", self.keeper.take),
        )  # fmt: skip

    async def until(self, serial: int) -> None:
        await until(lambda: self.serial == serial)

    @property
    def serial(self) -> int:
        return self.people.in_force.head.serial if self.people.in_force else 0

    async def wake(self) -> None:
        """What is recorded is forwarded at once."""
        async for _ in self.service.changes():
            self.line.wake()

    async def knows(self, name: str, pin: str) -> bool:
        try:
            await self.staff.prove([(name, pin)])
        except NotProven:
            return False
        return True


@asynccontextmanager
async def table_of(folder: Path, broker: NatsServer) -> AsyncIterator[TableOfPit]:
    async with running(folder / "record", setup(3)) as (service, _):
        table = TableOfPit(folder, service, broker)
        state = service.state
        assert state is not None
        known = state.pit.directory
        await table.keeper.begin(PeopleMark(known.serial, known.digest) if known else None)
        tasks = [asyncio.ensure_future(table.line.run()), asyncio.ensure_future(table.wake())]
        try:
            yield table
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.wait(tasks)


async def test_a_change_at_the_pit_is_in_force_and_on_record_at_the_table(
    tmp_path: Path, broker: NatsServer
) -> None:
    pit = await pit_at(broker)
    stream = pit.client.jetstream()
    folder = tmp_path / "T1"
    folder.mkdir()
    body, first = document(1)
    # Sent while the table was off: the broker has kept it.
    await stream.publish(subject("T1", Topic.PEOPLE), body)
    async with table_of(folder, broker) as table:
        await table.until(1)
        assert await table.knows("Aino", AINO_PIN)
        new, second = document(2, follows=(first.digest,), people=(EINO,))
        await stream.publish(subject("T1", Topic.PEOPLE), new)
        await table.until(2)
        assert not await table.knows("Aino", AINO_PIN)
        assert await table.knows("Eino", EINO_PIN)
        # What the broker has kept of an older time is no way back.
        await stream.publish(subject("T1", Topic.PEOPLE), body)
        await until(lambda: table.people.counts.refused > 0)
        assert not await table.knows("Aino", AINO_PIN)
        state = table.service.state
        assert state is not None
        assert state.pit.directory is not None
        assert state.pit.directory.digest == second.digest
    with_pins = b"".join(each.body for each in _rows(folder / "record"))
    assert with_pins.count(b"DirectoryInstalled/1") == 2
    for secret in (AINO.pin, EINO.pin, "Aino", AINO_PIN):
        assert secret.encode() not in with_pins, "neither a name nor a PIN gets onto the record"
    await pit.client.close()


async def test_what_was_missed_while_the_line_was_cut_is_caught_up_with(
    tmp_path: Path, broker: NatsServer
) -> None:
    pit = await pit_at(broker)
    folder = tmp_path / "T1"
    folder.mkdir()
    body, first = document(1)
    await pit.client.jetstream().publish(subject("T1", Topic.PEOPLE), body)
    async with table_of(folder, broker) as table:
        await table.until(1)
        await pit.client.close()
        broker.kill()
        # The pit and the broker are away: the table goes on with the people that it has.
        assert await table.knows("Aino", AINO_PIN)
        broker.wipe()
        broker.start()
        pit = await pit_at(broker)
        new = document(2, follows=(first.digest,), people=(EINO,))[0]
        await pit.client.jetstream().publish(subject("T1", Topic.PEOPLE), new)
        await table.until(2)
        assert not await table.knows("Aino", AINO_PIN)
    await pit.client.close()


def _rows(folder: Path) -> list[Row]:
    with closing(RecordTail(folder)) as tail:
        found = tail.head()
        assert found is not None
        return list(tail.after(genesis(found[0])))
