"""The pit's own server whose commands go to its table through a real nats-server.

Each side has a connection of its own, as its own user. The clock by which the pit dates commands is
in the test's hand.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from controller.bus.connection import BusClient
from controller.bus.server_conf import PIT, inbox
from controller.config.bus_section import BusSection
from controller.pit.acts.commander import Commander
from controller.pit.line.buffer import BufferLimits
from controller.pit.line.line import Hearers, PitLine
from controller.pit.wall.settings import WallSettings
from controller.table.inputs import Setup
from tests.bus.nats_server import PASSWORDS, NatsServer, flushed
from tests.pages.pit_pages.pit_server import PitServer, now_ms
from tests.support.patience import PATIENCE_S


class PitOverBus(PitServer):
    """`behind_ms`: how much the pit's clock is slow. `sent` is every message of a command that
    went out, as often as it did.
    """

    def __init__(
        self, settings: WallSettings, table: Setup, broker: NatsServer, folder: Path
    ) -> None:
        super().__init__(settings, table)
        self.behind_ms = 0
        self.sent: list[bytes] = []
        self._broker = broker
        secret = folder / "pit.password"
        secret.write_text(PASSWORDS[PIT])
        self._line = PitLine(BusSection((broker.url,), PIT, secret), BufferLimits(gigabytes=0.1))
        self._commander = Commander(self._key, self._request, lambda: now_ms() - self.behind_ms)

    async def _request(self, table: str, body: bytes, wait_s: float) -> bytes:
        self.sent.append(body)
        return await self._line.command(table, body, wait_s)

    async def _serve(self, settings: WallSettings) -> None:
        client = BusClient()
        await client.connect(
            self._broker.url, user="T1", password=PASSWORDS["T1"], inbox_prefix=inbox("T1")
        )
        assert self._desk is not None
        await self._desk.listen(client)
        await flushed(client)
        line = asyncio.ensure_future(self._line.run(Hearers(_records, _hear, _hear), _no_buffer))
        async with asyncio.timeout(PATIENCE_S):
            while self._line.why:  # noqa: ASYNC110  (a line tells nobody that it is up)
                await asyncio.sleep(0.01)
        try:
            await super()._serve(settings)
        finally:
            line.cancel()
            with suppress(asyncio.CancelledError):
                await line
            await client.close()


async def _records(_table: str, _body: bytes, _number: int) -> None:
    """There is no archive here."""


def _hear(_table: str, _body: bytes) -> None:
    """Nor heads: the test says what the wall shows."""


async def _no_buffer() -> int | None:
    return None
