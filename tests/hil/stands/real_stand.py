"""A table of its own: its programs are reached by the commands of `bench.toml`."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.access.token import read_token
from controller.assembly.wiring import load
from controller.config.device_sections import DeviceSections
from sim_hw.settings import Settings
from tests.hil.bench_file import BenchFile, TableSettings
from tests.hil.stands.stand import Ran, containing, run, said_by, until_health
from tests.hil.stands.table_settings import world_settings
from tests.hil.ways import BenchWay
from tests.support.patience import PATIENCE_S

#: So long may a table take until it answers after power came back.
BOOT_S: Final = 300.0
#: As a shell says it.
_NO_SUCH_PROGRAM: Final = 127
#: So long after its end the tunnel is opened again: power takes it away.
TUNNEL_AGAIN_S: Final = 0.5


class RealStand:
    """A table of its own, reached by the commands of `bench.toml`."""

    def __init__(self, bench: BenchFile) -> None:
        self._bench = bench
        self._at: TableSettings = bench.table
        self._config = Path()
        self._devices = DeviceSections()
        self._record = ""
        self._tunnel: asyncio.Task[None] | None = None
        self._tunnel_said = ""

    @property
    def devices(self) -> DeviceSections:
        """What its configuration has."""
        return self._devices

    async def begin(self, game: str, way: BenchWay | None = None) -> Settings:
        """Its service with the configuration of this game, dealt and lit so; else as the first."""
        await self.end()
        way = way or self._bench.ways[0]
        named = self._bench.config_of(game, way)
        self._config = self._bench.beside(self._at.configs[named])
        config = load(self._config)
        self._devices = config.devices
        self._record = str(config.record.folder)
        if self._at.tunnel:
            self._tunnel = asyncio.create_task(self._keep_tunnel())
        await self._do(self._at.fresh)
        await self._do(self._at.start)
        await self.ready()
        token = read_token(self._bench.beside(self._at.token_file))
        run = self._bench.run
        return world_settings(config, self._at.url, token, run.seed, way, run.passing_ms)

    async def end(self) -> None:
        """Stop its service."""
        if self._tunnel is not None:
            self._tunnel.cancel()
            await asyncio.wait([self._tunnel])
            self._tunnel = None
        if self._config != Path():
            await self._do(self._at.stop)

    async def freeze(self) -> None:
        """Its own command."""
        await self._do(self._at.freeze)

    async def thaw(self) -> None:
        """Its own command."""
        await self._do(self._at.thaw)

    async def ready(self) -> None:
        """Wait until it has booted and answers. Raises `TimeoutError`."""
        try:
            await until_health(self._at.url, True, BOOT_S)
        except TimeoutError as error:
            if self._tunnel_said:
                error.add_note(f"the tunnel ended last with: {self._tunnel_said}")
            raise

    async def gone(self) -> None:
        """Wait until it answers no longer."""
        await until_health(self._at.url, False, PATIENCE_S)

    async def head(self) -> str:
        """Its own command."""
        return said_by(await run(self._command(self._at.head)))

    async def verify(self, head: str = "") -> Ran:
        """Its own command."""
        return await run([*self._command(self._at.verify), *containing(head)])

    async def about(self) -> dict[str, Ran]:
        """What each command of `[table.about]` came to."""
        return {name: await self._told(each) for name, each in self._at.about.items()}

    async def _told(self, words: tuple[str, ...]) -> Ran:
        try:
            return await run(self._command(words))
        except FileNotFoundError as error:
            return Ran(_NO_SUCH_PROGRAM, f"there is no {error.filename} here")

    async def _keep_tunnel(self) -> None:
        while True:
            try:
                process = await asyncio.create_subprocess_exec(
                    *self._at.tunnel, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
                )
            except OSError as error:
                self._tunnel_said = str(error)
                await asyncio.sleep(TUNNEL_AGAIN_S)
                continue
            try:
                said, _ = await process.communicate()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            self._tunnel_said = said.decode(errors="replace").strip()[-500:]
            await asyncio.sleep(TUNNEL_AGAIN_S)

    def _command(self, words: tuple[str, ...]) -> list[str]:
        if not words:
            raise RuntimeError("bench.toml has no command for this; see tests/hil/README.md")
        named = {"{config}": self._config.name, "{record}": self._record}
        return [*self._at.at, *(_filled(each, named) for each in words)]

    async def _do(self, words: tuple[str, ...]) -> None:
        ran = await run(self._command(words))
        if ran.status:
            raise RuntimeError(f"{words} ended with {ran.status}: {ran.said}")


def _filled(text: str, named: Mapping[str, str]) -> str:
    for name, value in named.items():
        text = text.replace(name, value)
    return text
