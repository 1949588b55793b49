"""Who may send commands and hear them, by a real server and the configuration that is written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from controller.bus.messages import Topic, subject
from controller.bus.server_conf import PIT, Leaves, ServerFiles, inbox, server_conf
from tests.bus.nats_server import PASSWORDS, NatsServer, flushed
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


class BrokerClient:
    """Somebody at the broker, and what it was refused."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.client = Client()
        self._news = asyncio.Event()

    async def enter(self, broker: NatsServer, user: str) -> BrokerClient:
        async def note(error: Exception) -> None:
            self.refused.append(str(error).lower())
            self._news.set()

        await self.client.connect(
            broker.url, user=user, password=PASSWORDS[user], inbox_prefix=inbox(user), error_cb=note
        )
        return self

    async def until_refused(self, times: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.refused) < times:
                self._news.clear()
                await self._news.wait()
        assert all("permissions violation" in each for each in self.refused)


async def test_a_table_hears_its_own_commands_alone_and_only_the_pit_sends_any(
    broker: NatsServer,
) -> None:
    pit, one, two = [await BrokerClient().enter(broker, user) for user in (PIT, "T1", "T2")]
    heard: list[bytes] = []

    async def answer(message: Msg) -> None:
        heard.append(message.data)
        await message.respond(b"taken")

    await one.client.subscribe(subject("T1", Topic.COMMAND), cb=answer)
    await flushed(one.client)
    asked = await pit.client.request(subject("T1", Topic.COMMAND), b"close", timeout=PATIENCE_S)
    assert asked.data == b"taken"
    # Nobody is there: that is said at once, so that nothing is waited for.
    with pytest.raises(NoRespondersError):
        await pit.client.request(subject("T2", Topic.COMMAND), b"close", timeout=PATIENCE_S)
    # Another table neither hears nor sends them, to others or to itself.
    await two.client.subscribe(subject("T1", Topic.COMMAND))
    await two.client.subscribe(subject("*", Topic.COMMAND))
    for table in ("T1", "T2"):
        await two.client.publish(subject(table, Topic.COMMAND), b"forged")
    await two.until_refused(4)
    assert heard == [b"close"]
    for each in (pit, one, two):
        await each.client.close()


async def test_the_pit_answers_nobody(broker: NatsServer) -> None:
    """Else the server would note for each message out of the buffer where an answer may go to."""
    pit, table = [await BrokerClient().enter(broker, user) for user in (PIT, "T1")]
    came = await pit.client.subscribe(subject("T1", Topic.STATUS))
    await flushed(pit.client)
    await table.client.publish(subject("T1", Topic.STATUS), b"{}", reply=f"{inbox('T1')}.answer")
    await (await came.next_msg(PATIENCE_S)).respond(b"heard")
    await pit.until_refused(1)
    for each in (pit, table):
        await each.client.close()


@pytest.mark.parametrize("commands", [False, True])
def test_headquarters_commands_reach_a_site_only_where_that_is_configured(commands: bool) -> None:
    leaves = Leaves("127.0.0.1:7422", {"HELSINKI": "secret"}, commands)
    text = server_conf("127.0.0.1:4222", ServerFiles("/x"), {PIT: "p"}, leaves=leaves)
    [site] = [each for each in text.splitlines() if '"HELSINKI"' in each and "LEAFNODE" in each]
    says, hears = site.split("subscribe:")
    assert subject("*", Topic.COMMAND) in says, "a site never commands tables elsewhere"
    assert (subject("*", Topic.COMMAND) in hears) is not commands
