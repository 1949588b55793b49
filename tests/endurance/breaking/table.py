"""The real service with its real drivers, a process in virtual time that may die and come back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from pydantic import TypeAdapter

from controller.devices.scene import Scene
from controller.record.commit import Commit
from controller.record.files.head_anchor import Position
from controller.record.journal import Journal
from controller.rules.cards import Pack
from controller.service.loop import Service
from controller.service.ports import Clock as ServiceClock
from controller.service.ports import Reply, TableStopped
from controller.table.facts import Record
from controller.table.inputs import Command, Setup, Start
from controller.table.roles import Person
from controller.web.api.command_bodies import AnyCommandBody, CommandBody
from controller.web.json_views import Page, ViewCache
from drivers.builtin.buttons import pin_buttons
from drivers.code_book import code_book
from drivers.panel.buzzer import Buzzer
from drivers.panel.lights.leds import PinLamps, SpotLights
from drivers.settings.panel import ButtonSettings, BuzzerSettings, LedSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.serial_shoe import SerialShoe
from drivers.supervision.supervise import Supervisor
from tests.endurance.breaking.disk import FaultyDisk, opened
from tests.endurance.breaking.line import LinePort, LineScanner
from tests.endurance.breaking.loop import LoopProcess, VirtualLoop
from tests.endurance.breaking.pins import NearBoard, NearFactory

SCANNER: Final = "scanner"
#: How long a picture is on its way to the display, in seconds, from and to.
PICTURE_S: Final = (0.004, 0.030)
#: How long systemd waits before it starts a service that died (RestartSec=1 and the start).
RESTART_S: Final = (1.0, 4.0)
#: What does not belong to the service, whoever brought it about.
OUTSIDE: Final = copy_context()
_COMMANDS: Final[TypeAdapter[CommandBody]] = TypeAdapter(AnyCommandBody)


class Gone(Exception):
    """The service does not answer: it is not there, or it died over it."""


@dataclass(frozen=True, slots=True)
class WiredDevices:
    """What is wired to the table, as its configuration says it."""

    scanner: ScannerSettings
    beam: BeamSettings | None
    leds: LedSettings
    buttons: ButtonSettings
    buzzer: BuzzerSettings


@dataclass(slots=True)
class Life:
    """One life of the service, from its start to its end."""

    process: LoopProcess
    folder: Path
    service: Service
    factory: NearFactory
    main: asyncio.Task[None] | None = None
    pictures: ViewCache = field(init=False)

    def __post_init__(self) -> None:
        self.pictures = ViewCache(self.service)


class NearTable:
    """The machine beside the dealer. `on_picture` gets each dealer display that arrives, as JSON.

    `on_scene` is called with every scene at the moment the service shows it, `on_recovered` with
    the journal once a service has resumed on it, `on_written` with records once they are
    acknowledged and where the journal then ends, `on_end` when a life has ended, however it did.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        setup: Setup,
        pack: Pack,
        devices: WiredDevices,
        scanner: LineScanner,
        board: NearBoard,
        root: Path,
        chance: Callable[[str], Random],
    ) -> None:
        self.loop = loop
        self.setup = setup
        self.pack = pack
        self.devices = devices
        self.scanner = scanner
        self.board = board
        self.disk = FaultyDisk(root, chance("disk"), self.kill)
        self.life: Life | None = None
        self.lives = 0
        self.kills = 0
        self.problems: list[str] = []
        self.on_picture: Callable[[bytes | None], None] = lambda _: None
        self.on_scene: Callable[[Scene], None] = lambda _: None
        self.on_recovered: Callable[[Journal], None] = lambda _: None
        self.on_written: Callable[[Sequence[Record], Position], None] = lambda records, mark: None
        self.on_end: Callable[[], None] = lambda: None
        self._nonce = chance("nonce")
        self._travel = chance("travel")
        self._newest: Scene | None = None
        self.picture_on_its_way = False
        self.gone = asyncio.Event()

    # Its lives

    def start(self) -> None:
        """Start the service on the disk as it is."""
        assert self.life is None, "one life at a time"
        process = LoopProcess(self.loop, f"service {self.lives}")
        self.lives += 1
        self.life = process.run(self._assemble, process)
        self.gone.clear()
        assert self.life is not None
        self.life.main = process.task(self._main(self.life), name="service")

    def _assemble(self, process: LoopProcess) -> Life:
        clock, nonce = self.loop.clock, self._nonce
        service = Service(
            Start(self.setup, "0.0-breaking", (SCANNER,), simulated=True),
            self.disk.journal,
            clock=ServiceClock(clock.wall_ms, clock.mono_ns, lambda: nonce.randbytes(16)),
            open_journal=opened(self.disk, self.loop, process, nonce.randbytes),
        )
        return Life(process, self.disk.folder, service, NearFactory(self.board, process))

    def _supervisor(self, life: Life) -> Supervisor:
        sections, factory = self.devices, life.factory
        book = code_book(sections.scanner.codes, self.pack)
        port = LinePort(sections.scanner, self.scanner)
        shoe = SerialShoe(sections.scanner, book, sections.beam, factory, SCANNER, port)
        return Supervisor(
            life.service.offer,
            [shoe, pin_buttons(sections.buttons, factory)],
            [SpotLights(PinLamps(sections.leds, factory)), Buzzer(sections.buzzer, factory)],
        )

    async def _main(self, life: Life) -> None:
        """As `controller.assembly.assemble` does it, without the web."""
        service = life.service
        supervisor = self._supervisor(life)
        service.outputs.extend((supervisor, _Look(self, life)))
        service.failures = supervisor.failures
        try:
            await service.recover()
            journal = service.recorder.journal
            if journal is not None and not service.stopped:
                self.on_recovered(journal)
                service.recorder.count = self._noted(service)  # type: ignore[method-assign,assignment]
            async with asyncio.TaskGroup() as group:
                group.create_task(service.run(), name="table")
                group.create_task(supervisor.run(), name="devices")
        finally:
            service.close()

    def _noted(self, service: Service) -> Callable[[Commit], None]:
        """Tell what was written once it is acknowledged to the service."""
        count = service.recorder.count

        def noted(commit: Commit) -> None:
            count(commit)
            if (journal := service.recorder.journal) is not None:
                self.on_written(commit.records, journal.head)

        return noted

    def kill(self) -> None:
        """End the service where it is, as `kill -9` or a power cut do."""
        life, self.life = self.life, None
        if life is None:
            return
        self._look_for_its_end(life)
        self.kills += 1
        life.process.kill()
        self.disk.survive()
        self._release(life)
        self.loop.call_soon(self._bury, life, context=OUTSIDE)

    def _release(self, life: Life) -> None:
        """What the system does for a process that ended: pins are free, the line is closed."""
        self.board.leave(life.factory)
        if self.scanner.line is not None:
            self.scanner.line.close()
        self._newest = None
        self.on_picture(None)
        self.gone.set()
        self.on_end()

    def _bury(self, life: Life) -> None:
        life.process.bury()
        life.service.table.stopped = "killed"  # its state is nothing to be kept
        life.service.close()
        self.disk.forget(life.folder)

    async def stop(self) -> None:
        """Tell the service to stop, and wait until it has."""
        life = self.life
        if life is None:
            return
        assert life.main is not None
        self._look_for_its_end(life)
        life.main.cancel()
        gone = self.loop.create_task(self.gone.wait())
        await asyncio.wait([life.main, gone], return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if self.life is life and life.main.done():
            self.life = None
            self._release(life)
            self._judge(life)

    def _judge(self, life: Life) -> None:
        """A service that was told to stop ends without an error."""
        assert life.main is not None
        if not life.main.cancelled() and (error := life.main.exception()):
            self.problems.append(f"the service ended with {type(error).__name__}: {error}")

    def _look_for_its_end(self, life: Life) -> None:
        """A service never ends by itself; a kill that came later would hide that it did."""
        if life.main is not None and life.main.done():
            self.problems.append("the service ended by itself")
            self._judge(life)

    def freeze(self) -> None:
        """Stop the process where it is."""
        if self.life is not None:
            self.life.process.freeze()

    def thaw(self) -> None:
        """Let it go on."""
        if self.life is not None and self.life.process.frozen:
            self.life.process.thaw()
            self.life.factory.catch_up()

    # Its display

    def show(self, life: Life, scene: Scene) -> None:
        """The service shows a scene: it is on its way to the display."""
        if life is not self.life:
            return
        self.on_scene(scene)
        self._newest = scene
        if not self.picture_on_its_way:
            self.picture_on_its_way = True
            self.outside(self._travel.uniform(*PICTURE_S), self._arrive)

    def outside(self, after_s: float, do: Callable[[], None]) -> None:
        """Do it after a while, whatever becomes of the service meanwhile."""
        self.loop.call_later(after_s, do, context=OUTSIDE)

    def _arrive(self) -> None:
        self.picture_on_its_way = False
        if self._newest is not None and self.life is not None:
            self.on_picture(self.life.pictures.newest(Page.DEALER))

    # Its door

    async def ask(
        self, command: dict[str, Any], view_seq: int | None, key: str, by: tuple[Person, ...] = ()
    ) -> Reply:
        """Ask as a page does. Raises `Gone` where no answer comes."""
        life = self.life
        if life is None:
            raise Gone("it is not there")
        asked = _COMMANDS.validate_json(json.dumps(command))
        await asyncio.sleep(self._travel.uniform(*PICTURE_S))
        if life is not self.life:
            raise Gone("it died")
        doing = life.process.task(
            self._submit(life, asked.command, key, view_seq, by), name="asked"
        )
        gone = self.loop.create_task(self.gone.wait())
        try:
            await asyncio.wait([doing, gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
        if not doing.done():
            raise Gone("it died over it")
        try:
            return doing.result()  # type: ignore[no-any-return]
        except TableStopped as error:
            raise Gone(str(error)) from None

    async def _submit(
        self, life: Life, command: Command, key: str, view_seq: int | None, by: tuple[Person, ...]
    ) -> Reply:
        return await life.service.submit(command, key, view_seq, by)


class _Look:
    """The service's output for pages: every scene goes to the table's display."""

    def __init__(self, table: NearTable, life: Life) -> None:
        self._table = table
        self._life = life

    def show(self, scene: Scene) -> None:
        """A scene is shown."""
        self._table.show(self._life, scene)
