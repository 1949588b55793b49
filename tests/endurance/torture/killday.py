"""A demo day in which the service is killed again and again; what the world saw of it.

World, dealer and players run here, in this process, so that their account of the cards is at hand.
The service is a process of its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from controller.commands.demo.files import write_files
from controller.commands.demo.order import DemoOrder
from controller.commands.demo.processes import free_port
from sim_hw.devices.faults import Fault, FaultKind, Faults
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.devices.spot_lamps import LampColour
from sim_hw.people.dealer import Dealer
from sim_hw.people.standstill import Stuck
from sim_hw.settings import load_settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Display
from sim_hw.table.oracle import Disagreement
from tests.endurance.torture import victim
from tests.endurance.torture.company import PRETENDERS, DayForm, locked, seat_people, vouched
from tests.endurance.torture.lamps import RED, colours, named
from tests.endurance.torture.moments import Files, Killer, KillMoment, KillPlan, plan
from tests.endurance.torture.witness import SeenBoard, SeenLink, SeenScanner, SeenWorld
from tests.support.patience import Stopwatch

#: The moment of a plan may not come by itself for so long: then the service is killed as it is.
MOMENT_S: Final = 1.0
PATIENCE_S: Final = 45.0
#: A pattern of lights is dark for less than this; then its colour comes again.
LIGHTS_S: Final = 4.0
#: Answers that refuse; 429 once so many PINs were wrong that the name is locked.
REFUSED: Final = (403, 409, 429)
#: From a kill to the light of a held table, where the lights have a guard.
HELD_S: Final = 3.0
SPEED: Final = 1_000.0
SEATS: Final = {
    "21-24-27": 3, "finnish-27": 3, "casino-7-27": 3, "blackjack": 3, "seven-twenty-seven": 4,
}  # fmt: skip
#: Faults that a reader may add to a day; each leads to a hold, or to nothing.
_FAULTS: Final = (
    FaultKind.MISS_CODE, FaultKind.GARBAGE, FaultKind.SPLIT, FaultKind.PUSH_BACK,
    FaultKind.MERGED, FaultKind.NOISE,
)  # fmt: skip


class DayFailed(Exception):
    """The day went wrong while it lasted; the text says how."""


@dataclass(frozen=True, slots=True)
class DayOrder:
    """One day: everything in it but the machine's own pace follows from seed and number."""

    seed: int
    number: int
    game: str
    kills: int
    form: DayForm = DayForm.PLAIN

    def chance(self, what: str) -> Random:
        """The day's choices of one sort."""
        return Random(f"{self.seed}/{self.number}/{what}")

    def __str__(self) -> str:
        return f"seed {self.seed}, day {self.number} ({self.game}, {self.form.value})"


@dataclass(slots=True)
class Kill:
    """One kill: when, and what could be seen at that time.

    `shown` is the last picture that came, `pins` what each pin of the lights had, `gone` how many
    cards had left the physical shoe; `first` is the first picture after the restart. `held_ms`:
    how long until every light said "held"; `tried`: how often what takes the floor was asked for by
    somebody else, `unlocked` what came of it, where it was not refused.
    """

    plan: KillPlan
    at_ns: int = 0
    shown: Display | None = None
    pins: dict[int, int] = field(default_factory=dict)
    gone: int = 0
    back_ns: int = 0
    first: Display | None = None
    lights: str = ""
    held_ms: float = 0.0
    unheld: str = ""
    tried: int = 0
    unlocked: list[str] = field(default_factory=list)


@dataclass(slots=True)
class WitnessedDay:
    """What the world saw: `exits` are all cards that left, with the number of their shoe."""

    order: DayOrder
    folder: Path
    kills: list[Kill] = field(default_factory=list)
    exits: list[tuple[int, PhysicalCard]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    holds: int = 0


class _KilledTable:
    """The world, and the service that is killed, on one folder."""

    def __init__(self, order: DayOrder, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.day = WitnessedDay(order, folder)
        self.killer = Killer()
        port = free_port()
        seats = SEATS[order.game]
        seed = order.chance("deal").randrange(1_000_000)
        asked = DemoOrder(order.game, seats, seed, SPEED, 0, True, None, 0, folder)
        self.config = write_files(asked, folder, port)
        if order.form.roles:
            seat_people(self.config)
        self.guard_at = folder / "guard.sock" if order.form.guarded else None
        self.guard: ForkServerProcess | None = None
        settings = load_settings(folder / "world.json")
        self.changes = Changes()
        self.world = SeenWorld(settings, Faults(faults(order)), self.changes)
        self.world.killer = self.killer
        self.world.exits = self.day.exits
        self.world.reader.scanner = SeenScanner(
            settings.rundir / "scanner", baud=settings.baud, with_serial=False, seed=seed
        )
        self.world.reader.scanner.killer = self.killer
        self.board = SeenBoard(settings.wiring, self.changes.notify, self.killer)
        self.world.board = self.board
        self.link = SeenLink(settings.service_url, settings.token, self.changes)
        self.link.killer = self.killer
        self.link.roles = order.form.roles
        self.round_over = asyncio.Event()
        self.dealer = Dealer(self.world, self.link, self.changes, self._log, strict=True)
        self.web = httpx.AsyncClient(
            base_url=settings.service_url, trust_env=False, timeout=PATIENCE_S
        )
        self.headers = {"Authorization": f"Bearer {settings.token}"}
        self.service: ForkServerProcess | None = None
        self.dead: Stopwatch | None = None

    def _log(self, line: str) -> None:
        self.day.lines.append(line)
        self.round_over.set()

    # The service

    def start(self) -> None:
        """Start it, without waiting for anything."""
        self.board.pins.clear()
        if self.guard is not None:
            self.board.pins.update((pin, self.board.level(pin)) for pin in self._lamps)
        self.board.until_ns = None
        self.link.first = None
        self.service = victim.start(self.config, self.day.folder / "service.log", self.guard_at)
        self.killer.notice(KillMoment.START)

    async def ended(self, within_s: float) -> bool:
        """Whether the service ends by then."""
        assert self.service is not None
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.service.sentinel, over.set)
        try:
            async with asyncio.timeout(within_s):
                await over.wait()
        except TimeoutError:
            return False
        finally:
            loop.remove_reader(self.service.sentinel)
        return True

    def collect(self) -> int | None:
        """The exit status of a service that has ended."""
        assert self.service is not None
        self.service.join()
        status = self.service.exitcode
        self.service.close()
        self.service = None
        return status

    def start_guard(self) -> None:
        """Start the guard of the lights, where this day has one."""
        if self.guard_at is not None:
            self.guard = victim.start_guard(self.guard_at, self.day.folder / "guard.log")

    @property
    def _lamps(self) -> list[int]:
        return [pin for spot in self.world.settings.wiring.spots for pin in spot]

    async def close(self) -> None:
        """Stop everything."""
        if self.service is not None:
            self.service.terminate()
            if not await self.ended(15):
                self.service.kill()
            self.collect()
        if self.guard is not None:
            self.guard.terminate()
            await asyncio.to_thread(self.guard.join)
            self.guard.close()
        await self.web.aclose()
        await self.link.close()
        await self.world.close()
        self.killer.close()

    # The kills

    async def kill(self, kill: Kill) -> None:
        """Kill the service at the kill's moment, or (START) the one that is being started."""
        starting = kill.plan.moment is KillMoment.START
        if starting and self.service is not None:
            await self._end_quietly()
        self.killer.arm(kill.plan, self._kill)
        if self.service is None:
            self.start()
        if not await self.ended(MOMENT_S):
            self.killer.fire()
            if not await self.ended(PATIENCE_S):
                raise DayFailed("the service does not end")
        kill.at_ns = time.monotonic_ns()
        self.dealer.paused = True
        if (status := self.collect()) != -9:
            raise DayFailed(f"the service ended by itself ({status}):\n{_tail(self.day.folder)}")
        await self.until(lambda: self.link.display is None, "the display stays")
        kill.shown, kill.pins = self.link.last, dict(self.board.pins)
        kill.gone = self.world.shoe.gone
        if self.guard is not None:
            await self._held(kill)

    def _kill(self) -> None:
        if self.service is not None:
            # Before the kill: from then on what the lamps show is the guard's.
            self.board.until_ns = time.monotonic_ns() if self.guard is not None else None
            self.dead = Stopwatch()
            self.service.kill()
            self.board.until_ns = self.board.until_ns or time.monotonic_ns()

    def _spots(self) -> dict[int, LampColour]:
        return {
            seat: self.board.perceived(seat) for seat in range(1, self.world.settings.seats + 1)
        }

    async def _held(self, kill: Kill) -> None:
        """The guard shows a held table, and soon enough."""
        assert self.dead is not None
        while set(self._spots().values()) != {RED}:
            if self.dead.passed_s() > HELD_S or self.dead.elapsed_s() > PATIENCE_S:
                kill.unheld = f"not held after {HELD_S:g} s: {named(self._spots())}"
                return
            await self.changes.wait(0.05)
        kill.held_ms = max(1.0, self.dead.passed_s() * 1e3)

    async def _end_quietly(self) -> None:
        assert self.service is not None
        self.dealer.paused = True
        self.service.terminate()
        if not await self.ended(PATIENCE_S):
            raise DayFailed("told to stop, the service does not end")
        if status := self.collect():
            raise DayFailed(f"told to stop, the service ended with {status}")
        await self.until(lambda: self.link.display is None, "the display stays")

    async def come_back(self, kill: Kill) -> None:
        """Start the service anew: a picture comes, and the lights say what it says."""
        kill.back_ns = time.monotonic_ns()
        if self.guard is not None and not kill.unheld and set(self._spots().values()) != {RED}:
            kill.unheld = f"held no longer: {named(self._spots())}"
        self.start()
        await self.until(lambda: self.link.display is not None, "no picture after the restart")
        kill.first = self.link.first
        kill.lights = await self._lights()
        if self.link.roles:
            await self._pretend(kill)
        self.dealer.paused = False

    async def _pretend(self, kill: Kill) -> None:
        """Ask for what takes the floor without it: refused, and every hold is where it was."""
        assert self.link.display is not None
        holds = self.link.display.holds
        for number, command in enumerate(locked(self.link.display)):
            for people in PRETENDERS if not number else PRETENDERS[:-1]:  # a PIN is guessed once
                kill.tried += 1
                body = vouched(command, *people)
                answer = await self.web.post("/api/v1/commands", json=body, headers=self.headers)
                if answer.status_code not in REFUSED:
                    kill.unlocked.append(f"{body} was answered {answer.status_code}")
        scene = (await self.web.get("/api/v1/scene")).json()
        if [each["number"] for each in scene["holds"]] != [each.number for each in holds]:
            kill.unlocked.append(f"of {len(holds)} holds {len(scene['holds'])} are left")

    async def _lights(self) -> str:
        """What is wrong with the lights, empty if they come to what the display says."""
        began = Stopwatch()
        while True:
            answer = await self.web.get("/api/v1/scene")
            wanted = colours(answer.json())
            shown = self._spots()
            if shown == wanted:
                return ""
            if began.passed_s() > LIGHTS_S or began.elapsed_s() > PATIENCE_S:
                return f"the display wants {named(wanted)}, the lights are {named(shown)}"
            await self.changes.wait(0.1)

    async def until(self, holds: Any, problem: str, within_s: float = PATIENCE_S) -> None:
        """Wait for it. Raises `DayFailed`, also where the service ends by itself."""
        deadline_s = time.monotonic() + within_s
        while not holds():
            if self.service is not None and not self.service.is_alive():
                raise DayFailed(f"the service ended by itself:\n{_tail(self.day.folder)}")
            if time.monotonic() > deadline_s:
                raise DayFailed(f"{problem}\n{_tail(self.day.folder)}")
            await self.changes.wait(0.05)


async def run_day(order: DayOrder, folder: Path) -> WitnessedDay:
    """Deal the day; returns when a round after its last kill is over. Raises `DayFailed`."""
    table = _KilledTable(order, folder)
    chance = order.chance("kills")
    at_work: list[asyncio.Task[None]] = []
    (folder / "record").mkdir()
    files = Files(folder / "record", table.killer.notice)
    try:
        await table.world.open()
        at_work = [
            asyncio.ensure_future(table.link.watch()),
            asyncio.ensure_future(_kills(table, [plan(chance) for _ in range(order.kills)])),
            asyncio.ensure_future(table.dealer.play()),
        ]
        done, _ = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except (Stuck, Disagreement, httpx.HTTPError) as error:
        raise DayFailed(f"{type(error).__name__}: {error}\n{_tail(folder)}") from error
    finally:
        for task in at_work:
            task.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)
        await table.close()
        files.close()
    table.day.holds = len(table.dealer.book.tally.holds)
    return table.day


async def _kills(table: _KilledTable, plans: Sequence[KillPlan]) -> None:
    table.start_guard()
    table.start()
    await table.until(lambda: table.link.display is not None, "no picture")
    for each in plans:
        kill = Kill(each)
        await table.kill(kill)
        table.day.kills.append(kill)
        await table.come_back(kill)
    table.round_over.clear()
    await table.until(table.round_over.is_set, "the round does not end")


def faults(order: DayOrder) -> list[Fault]:
    """Every other day the reader has faults, too."""
    if order.number % 2 == 0:
        return []
    chance = order.chance("faults")
    return [
        Fault(number, card, chance.choice(_FAULTS))
        for number in range(1, 200)
        for card in chance.sample(range(1, 13), 2)
    ]


def _tail(folder: Path, lines: int = 12) -> str:
    log = folder / "service.log"
    return "\n".join(log.read_text().splitlines()[-lines:]) if log.exists() else ""
