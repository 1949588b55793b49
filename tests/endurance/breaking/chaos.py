"""What goes wrong by the seed: devices, clocks, the disk, the service; and who puts it right."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.devices.displays import Tone
from controller.devices.scene import Scene
from sim_hw.devices.faults import LASTING, Fault, FaultKind, Faults
from sim_hw.devices.scanner import TERMINATOR, printed_code
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.people.page_link import NotReached
from tests.endurance.breaking.disk import DEADLY, Due, WriteTrouble
from tests.endurance.breaking.loop import VirtualLoop, owner
from tests.endurance.breaking.people import NearWorld
from tests.endurance.breaking.table import OUTSIDE, RESTART_S, NearTable

HOUR_MS: Final = 3_600_000
TEN_YEARS_MS: Final = 10 * 365 * 24 * HOUR_MS
#: Something happens this often on average, in virtual seconds.
EVERY_S: Final = 150.0
#: One round in so many has a card with a fault.
FAULTY_ROUNDS: Final = 3
#: How long people take to see to a table that is stopped.
MENDED_S: Final = (20.0, 90.0)
#: A scanner gone mad: so many frames in a second, in so many strokes.
FLOOD_FRAMES: Final = 10_000
FLOOD_STROKES: Final = 100
_CARD_FAULTS: Final = tuple(kind for kind in FaultKind if kind is not FaultKind.POWER_CUT)
_LASTS_S: Final = (0.1, 6.0)


def card_faults(chance: Random, rounds: int) -> list[Fault]:
    """Faults of cards at random, for so many rounds."""
    found = []
    for number in range(1, rounds + 1):
        if chance.randrange(FAULTY_ROUNDS) == 0:
            kind = chance.choice(_CARD_FAULTS)
            lasts_s = round(chance.uniform(*_LASTS_S), 2) if kind in LASTING else 0.0
            found.append(Fault(number, chance.randint(1, 14), kind, lasts_s))
    return found


class CountedFaults(Faults):
    """Faults of cards that are counted as they come."""

    def __init__(self, planned: Iterable[Fault], met: Counter[str]) -> None:
        super().__init__(planned)
        self._met = met

    def take(self, round_: int, card: int) -> list[Fault]:
        """What goes wrong with this card."""
        faults = super().take(round_, card)
        self._met.update(each.kind.value.replace("_", " ") for each in faults)
        return faults


@dataclass(frozen=True, slots=True)
class _Happening:
    """Something that may happen; `name` is what reports count it as."""

    name: str
    do: Callable[[], object]


class Chaos:
    """Lets things happen at random moments, and brings the table back.

    `calm`: nothing happens by itself. `crashes`: the service is killed, and the disk fails. What
    happens is counted in `met`. `problem` is called with what must never be.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        table: NearTable,
        world: NearWorld,
        chance: Random,
        *,
        calm: bool,
        crashes: bool,
        met: Counter[str],
        problem: Callable[[str], None],
    ) -> None:
        self.met = met
        self.stopped = 0
        self._loop = loop
        self._table = table
        self._world = world
        self._calm = calm
        self._crashes = crashes
        self._problem = problem
        self._chance = chance
        self._mending: asyncio.Task[None] | None = None
        self._turns = 0
        self._asked_to_stop = False
        self.awaits_no_card: Callable[[], bool] = lambda: False
        self.call_by_mistake: Callable[[], Awaitable[str]] | None = None

    async def run(self) -> None:
        """Let things happen until cancelled."""
        happenings = self._happenings()
        while happenings:
            await asyncio.sleep(self._chance.expovariate(1 / EVERY_S))
            if self._table.life is None or self._mending is not None:
                continue
            happening = self._chance.choice(happenings)
            self.met[happening.name] += 1
            done = happening.do()
            if asyncio.iscoroutine(done):
                await done

    def _happenings(self) -> list[_Happening]:
        found: list[_Happening] = []
        if not self._calm:
            found += [
                _Happening("clock back an hour", lambda: self._step_wall(-HOUR_MS)),
                _Happening("clock forward ten years", lambda: self._step_wall(TEN_YEARS_MS)),
                _Happening(
                    "clock steps", lambda: self._step_wall(self._chance.randint(-9000, 9000))
                ),
                _Happening("process stopped", self._stand_still),
                _Happening("scanner unplugged", self._unplug),
                *(
                    # Without a beam nobody can tell such frames from cards: people count them.
                    [_Happening("flood of frames", self.flood)] if self._table.devices.beam else []
                ),
                _Happening("random bytes", self.noise),
                *([_Happening("card drawn early", self._draw_early)] * 3),
                _Happening("called by mistake", self._call_by_mistake),
                _Happening("beam flickers", self._flicker),
                _Happening("buttons bounce", self._bounce),
                _Happening("buttons all at once", self._world.board.lean),
            ]
        if self._crashes:
            found += [_Happening("killed at a step", self._kill_soon)] * 6
            found += [
                _Happening(each.value, lambda each=each: self._trouble(each))  # type: ignore[misc]
                for each in WriteTrouble
            ]
            found += [_Happening("restarted in order", self._restart)]
        return found

    # Devices and clocks

    def _step_wall(self, by_ms: int) -> None:
        self._loop.clock.step_wall(by_ms)

    async def _stand_still(self) -> None:
        await self.stand_still(self._chance.choice((0.3, 3.0, 30.0)))

    async def stand_still(self, for_s: float) -> None:
        """The process is stopped, the world is not."""
        self._table.freeze()
        await asyncio.sleep(for_s)
        self._table.thaw()

    def _unplug(self) -> None:
        self._world.reader.unplug(self._chance.uniform(*_LASTS_S))

    async def flood(self) -> None:
        """For a second as many frames as a scanner gone mad may say, of cards that do not leave."""
        kinds = list(self._world.settings.game.pack.kinds())
        for _ in range(FLOOD_STROKES):
            frames = [
                printed_code(PhysicalCard(self._chance.choice(kinds), 0), with_serial=False)
                for _ in range(FLOOD_FRAMES // FLOOD_STROKES)
            ]
            self._world.scanner.flood(b"".join(each + TERMINATOR for each in frames))
            await asyncio.sleep(1 / FLOOD_STROKES)

    def noise(self) -> None:
        """Random bytes on the line, and no card."""
        self._world.scanner.flood(self._chance.randbytes(self._chance.randint(1, 600)))

    async def _draw_early(self) -> None:
        """A card is drawn at a moment when the display waits for anything but a card."""
        if self.awaits_no_card():
            await self._world.draw_early()

    async def _call_by_mistake(self) -> None:
        if self.call_by_mistake is not None and self._table.life is not None:
            with suppress(NotReached):
                await self.call_by_mistake()

    async def _flicker(self) -> None:
        board = self._world.board
        for _ in range(self._chance.randint(1, 30)):
            board.beam(broken=True)
            await asyncio.sleep(0.001)
            board.beam(broken=False)
            await asyncio.sleep(self._chance.uniform(0.0005, 0.01))

    def _bounce(self) -> None:
        self._world.board.bounces = self._chance.randint(1, 40)

    # The service and its disk

    def _kill_soon(self) -> None:
        """Kill it at one of its next steps, whatever it does then."""
        self._turns = int(self._chance.choice((3, 30, 300)) * self._chance.random()) + 1
        self._loop.each_turn = self._turn

    def _turn(self) -> None:
        life = self._table.life
        if life is None or not any(owner(each) is life.process for each in self._loop.ready()):
            return
        self._turns -= 1
        if self._turns <= 0:
            self._loop.each_turn = None
            self._table.kill()

    def _trouble(self, trouble: WriteTrouble) -> None:
        self._table.disk.plan(Due(trouble, self._chance.randrange(6)))

    async def _restart(self) -> None:
        self._asked_to_stop = True
        await self._table.stop()
        self._asked_to_stop = False

    def cut_power(self) -> None:
        """A fault of the file: the service has no power for a moment."""
        self._table.kill()

    # Who puts it right

    def ended(self) -> None:
        """A life of the service has ended: it is started again."""
        self._loop.each_turn = None
        if self._table.disk.met in DEADLY:
            self._table.disk.plan(None)
        self._table.outside(self._chance.uniform(*RESTART_S), self._start)

    def _start(self) -> None:
        if self._table.life is None:
            self._table.start()
            if self._crashes and self._chance.random() < 0.2:
                self.met["killed in recovery"] += 1
                self._kill_soon()

    def shown(self, scene: Scene) -> None:
        """A scene is shown: is the table stopped, and may it be?"""
        life = self._table.life
        if life is None or not life.service.stopped:
            return
        if scene.dealer.tone is not Tone.SAFE:
            self._problem(f"stopped, the table shows {scene.dealer.headline!r}")
        if self._table.disk.met is None:
            self._problem(f"the table stopped by itself: {life.service.stopped}")
        if self._mending is None:
            self.stopped += 1
            self._mending = self._loop.create_task(self._mend(), context=OUTSIDE.copy())

    async def _mend(self) -> None:
        """People come, see to the disk and start the service again."""
        await asyncio.sleep(self._chance.uniform(*MENDED_S))
        self._table.disk.plan(None)
        await self._table.stop()
        self._mending = None
