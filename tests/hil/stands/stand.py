"""A bench's table: its programs are started, frozen and fed with power, its record verified."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import httpx

from controller.assembly.wiring import load
from controller.commands.demo.files import write_files
from controller.commands.demo.order import DemoOrder
from controller.commands.demo.processes import free_port
from controller.config.device_sections import DeviceSections
from controller.record.build import build
from sim_hw.devices.camera import Camera
from sim_hw.settings import Settings
from tests.hil.bench_file import RunSettings
from tests.hil.dealt.rig_camera import DECK
from tests.hil.stands.simulated import SimulatedRig
from tests.hil.stands.table_programs import table_programs
from tests.hil.stands.table_settings import (
    SPEED,
    reads_by,
    seats_of,
    with_lights,
    with_reader,
    world_settings,
)
from tests.hil.ways import BenchWay
from tests.support.patience import PATIENCE_S

LOOK_AGAIN_S: Final = 0.05
LATE_CODE_MS: Final = 120
#: The longest command is the check of a long day's record.
COMMAND_S: Final = 1_800.0


class Ran(NamedTuple):
    """A command that ended."""

    status: int
    said: str

    @property
    def summary(self) -> str:
        """The first line of it, without the name of a folder."""
        first = self.said.partition("\n")[0]
        return first.partition(": ")[2] or first


class Stand(Protocol):
    """A table that a bench can do anything to."""

    async def begin(self, game: str, way: BenchWay | None = None) -> Settings:
        """Start the service for this game on an empty record; the world's settings for it.

        `way` is how the table's cards are read and its spots lit; else as everything first is.
        """
        ...

    @property
    def devices(self) -> DeviceSections:
        """What devices the table has that was begun."""
        ...

    async def end(self) -> None:
        """Stop it."""
        ...

    async def freeze(self) -> None:
        """Let the service stand still, as if it hung."""
        ...

    async def thaw(self) -> None:
        """Let it go on."""
        ...

    async def ready(self) -> None:
        """Wait until it answers."""
        ...

    async def gone(self) -> None:
        """Wait until it answers no longer."""
        ...

    async def head(self) -> str:
        """Where its record ends now, as `DAY:SEQ:HASH`. Raises `RuntimeError`."""
        ...

    async def verify(self, head: str = "") -> Ran:
        """Check its record, and that it contains that head."""
        ...

    async def about(self) -> dict[str, Ran]:
        """Build, serial numbers, firmware, temperature, kernel's messages: what a record needs."""
        ...


async def until_health(url: str, healthy: bool, within_s: float) -> None:
    """Wait until a service answers, or answers no longer. Raises `TimeoutError`."""
    async with (
        httpx.AsyncClient(base_url=url, trust_env=False, timeout=2.0, verify=False) as web,
        asyncio.timeout(within_s),
    ):
        while True:
            status = 0
            with suppress(httpx.HTTPError):
                status = (await web.get("/healthz")).status_code
            if (status == httpx.codes.OK) is healthy:
                return
            await asyncio.sleep(LOOK_AGAIN_S)


class SimulatedStand:
    """Service and guard as processes here, their pins and scanner at the simulated rig."""

    def __init__(self, rig: SimulatedRig, folder: Path, run: RunSettings) -> None:
        self._rig = rig
        self._folder = folder
        self._run = run
        self._begun = 0
        self._config = folder / "table.toml"
        self._url = ""
        self._way = BenchWay()
        self._devices = DeviceSections()
        self._fed: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        self._running: list[asyncio.subprocess.Process] = []

    @property
    def devices(self) -> DeviceSections:
        """What devices it has."""
        return self._devices

    async def begin(self, game: str, way: BenchWay | None = None) -> Settings:
        """A folder, a configuration and a record of its own; then its power is on."""
        self._way = way = way or BenchWay(self._run.scanners[0], self._run.lights[0])
        scanner, lights = way
        self._begun += 1
        folder = self._folder / f"table-{self._begun}"
        folder.mkdir()
        port = free_port()
        seed, reader = self._run.seed, reads_by(scanner)
        seats = seats_of(game, lights)
        order = DemoOrder(game, seats, seed, SPEED, 0, False, None, 0, folder, reader=reader)
        self._config = write_files(order, folder, port)
        passing_ms = self._run.passing_ms
        text = with_reader(
            with_lights(self._config.read_text(), lights, self._rig.folder, seats),
            scanner, self._rig.folder, self._rig.camera, passing_ms,
        )  # fmt: skip
        # Bytes and edges go ways of their own: a code may be late, as on a real table.
        self._config.write_text(text.replace("late_code_ms = 0", f"late_code_ms = {LATE_CODE_MS}"))
        if reader != "serial":
            # What a calibration before this panel would have left.
            Camera(0, DECK[order.index], seed).write_captures(folder / "deck")
        self._url = f"http://127.0.0.1:{port}"
        config = load(self._config)
        self._devices = config.devices
        (self._rig.folder / "page").write_text(f"{self._url}/dealer")
        self._fed = asyncio.create_task(self._feed())
        await self.ready()
        token = (folder / "token").read_text().strip()
        return world_settings(config, self._url, token, seed, way, passing_ms)

    async def end(self) -> None:
        """Stop all."""
        if self._fed is not None:
            self._fed.cancel()
            await asyncio.wait([self._fed])
            self._fed = None
        await self._kill()

    async def freeze(self) -> None:
        """SIGSTOP."""
        self._running[-1].send_signal(signal.SIGSTOP)

    async def thaw(self) -> None:
        """SIGCONT."""
        self._running[-1].send_signal(signal.SIGCONT)

    async def ready(self) -> None:
        """Wait until the service answers."""
        assert self._fed is not None
        up = asyncio.create_task(self._up.wait())
        try:
            await asyncio.wait([up, self._fed], return_when=asyncio.FIRST_COMPLETED)
            if self._fed.done():
                self._fed.result()
        finally:
            up.cancel()
            await asyncio.wait([up])
        await until_health(self._url, True, PATIENCE_S)

    async def gone(self) -> None:
        """Wait until power is away."""
        async with asyncio.timeout(PATIENCE_S):
            while self._up.is_set():  # noqa: ASYNC110  (an event has no "until it is cleared")
                await asyncio.sleep(LOOK_AGAIN_S)

    async def head(self) -> str:
        """`tablectl head` on the record."""
        return said_by(await run([*self._command("head")]))

    async def verify(self, head: str = "") -> Ran:
        """`tablectl verify` on the record."""
        return await run([*self._command("verify"), *containing(head)])

    def _command(self, name: str) -> list[str]:
        return [sys.executable, "-m", "controller", name, str(self._config.parent / "record")]

    async def about(self) -> dict[str, Ran]:
        """There is no device to tell of."""
        return {"build": Ran(0, build()), "devices": Ran(0, "simulated: pty, pins, MJPEG")}

    async def _feed(self) -> None:
        """Run the programs while the relay of the power is on."""
        reader, writer = await asyncio.open_unix_connection(self._rig.folder / "power")
        try:
            while line := await reader.readline():
                if line == b"on\n":
                    await self._start()
                    self._up.set()
                else:
                    self._up.clear()
                    await self._kill()
        finally:
            self._up.clear()
            writer.close()

    async def _start(self) -> None:
        programs = table_programs(self._rig, self._way, self._devices, self._config)
        more = programs.environment
        for name, command in programs.each:
            log = self._config.parent / f"{name}.log"
            with log.open("ab") as said:
                process = await asyncio.create_subprocess_exec(
                    sys.executable, *command, env={**os.environ, **more}, stdin=DEVNULL,
                    stdout=PIPE, stderr=said,
                )  # fmt: skip
            self._running.append(process)
            assert process.stdout is not None
            async with asyncio.timeout(PATIENCE_S):
                ready = await process.stdout.readline()
            if not ready.startswith(b"ready"):
                raise RuntimeError(f"the {name} did not start: {log.read_text()[-2_000:]}")

    async def _kill(self) -> None:
        for process in reversed(self._running):
            if process.returncode is None:
                process.kill()
            await process.wait()
        self._running.clear()


def containing(head: str) -> list[str]:
    """What `tablectl verify` is told of a head that the record must contain."""
    return ["--head", head] if head else []


def said_by(ran: Ran) -> str:
    """What a command that succeeded said. Raises `RuntimeError`."""
    if ran.status:
        raise RuntimeError(f"a command ended with {ran.status}: {ran.said}")
    return ran.said.strip()


async def run(command: list[str], **more: Any) -> Ran:
    """Run a command to its end. Raises `TimeoutError` after `COMMAND_S`, when it was killed."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, **more
    )
    try:
        async with asyncio.timeout(COMMAND_S):
            said, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return Ran(process.returncode or 0, said.decode(errors="replace"))
