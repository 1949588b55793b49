"""One run of the breaking world: the table is dealt at, broken, and watched."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import process_time
from typing import Any, Final
from unittest.mock import patch

import msgspec

from controller.devices.scene import Scene
from controller.web.json_views import Page
from sim_hw.devices.faults import load_faults
from sim_hw.devices.spot_lamps import DARK
from sim_hw.people import standstill
from sim_hw.people.dealer import Dealer
from sim_hw.people.standstill import Stuck
from sim_hw.table.changes import Changes
from sim_hw.table.oracle import Disagreement
from tests.endurance.breaking.account import (
    Discrepancy,
    RecordCheck,
    hidden_in_status,
    hidden_shown,
)
from tests.endurance.breaking.chaos import Chaos, CountedFaults, card_faults
from tests.endurance.breaking.loop import VirtualClock, VirtualLoop
from tests.endurance.breaking.order import RunOrder, RunOutcome, house
from tests.endurance.breaking.people import NearLink, NearWorld
from tests.endurance.breaking.table import NearTable
from tests.endurance.torture.lamps import colours

#: A dealer who waits longer than this, in virtual seconds, waits for ever.
STUCK_S: Final = 240.0
#: A round that was begun before the end of the run ends within this, in virtual seconds.
LAST_ROUND_S: Final = 3_600.0
#: When a picture has been on the display for so long the lamps say the same, in virtual seconds.
LAMPS_S: Final = 1.0
#: The status page is looked at once in so many pictures.
STATUS_EVERY: Final = 12
ROUNDS_AN_HOUR_MAX: Final = 300


#: Resolutions by which the cards on the felt are entered or counted.
_BY_CARD: Final = frozenset(("count", "enter_card", "face_down", "one"))

Script = Callable[["BreakingRun"], Coroutine[Any, Any, None]]
"""Lets something certain go wrong; two more rounds are dealt after it."""


class BreakingRun:
    """One run: the world, the table, the dealer, and those who watch that nothing goes wrong."""

    def __init__(
        self, order: RunOrder, loop: VirtualLoop, root: Path, script: Script | None = None
    ) -> None:
        self.order = order
        self._script = script
        self.loop = loop
        self.house = house(order)
        self.changes = Changes()
        faults = load_faults(order.faults) if order.faults else []
        if not order.faults and not order.calm:
            faults = card_faults(
                order.chance("card faults"), int(order.hours * ROUNDS_AN_HOUR_MAX) + 10
            )
        met: Counter[str] = Counter()
        self.world = NearWorld(
            loop, self.house.settings, CountedFaults(faults, met), self.changes, self._cut_power,
            order.chance,
        )  # fmt: skip
        self.table = NearTable(
            loop, self.house.setup, self.house.game.pack, self.house.devices, self.world.scanner,
            self.world.board, root, order.chance,
        )  # fmt: skip
        self.link = NearLink(self.table, self.changes, order.chance)
        self.dealer = Dealer(self.world, self.link, self.changes, self._round_ended, strict=True)
        self.account = RecordCheck(self.world)
        self.chaos = Chaos(
            loop, self.table, self.world, order.chance("chaos"),
            calm=order.calm or order.faults is not None,
            crashes=order.crashes,
            met=met, problem=self.fail,
        )  # fmt: skip
        self.chaos.awaits_no_card = self._awaits_no_card
        self.chaos.call_by_mistake = self.link.call_by_mistake
        self.failed: asyncio.Future[str] = loop.create_future()
        self.displays = hashlib.sha256()
        self._root = str(root)
        self._holds: dict[int, str] = {}
        self._net = 0
        self._lamps: asyncio.TimerHandle | None = None
        self._round_over = asyncio.Event()
        self._log = _Ears(self.fail)
        loop.on_error = self.fail
        self.table.on_picture = self._picture
        self.table.on_scene = self._scene
        self.table.on_written = self.account.written
        self.table.on_recovered = self._recovered
        self.table.on_end = self._ended

    # What is watched

    def fail(self, why: str) -> None:
        """Something is wrong: the run is over."""
        if not self.failed.done():
            self.failed.set_result(why)

    def _recovered(self, journal: Any) -> None:
        try:
            self.account.recovered(journal)
        except Discrepancy as wrong:
            self.fail(str(wrong))

    def _round_ended(self, line: str) -> None:
        """The witness saw a round end."""
        net, self._net = self.dealer.book.tally.net - self._net, self.dealer.book.tally.net
        if "void" in line:
            self.fail(f"nobody asked for it: {line}")
        else:
            try:
                self.account.round_over(line, net)
            except Discrepancy as wrong:
                self.fail(str(wrong))
        self._round_over.set()

    def _scene(self, scene: Scene) -> None:
        self.chaos.shown(scene)
        if self.house.game.hides and (where := hidden_shown(self.world.felt.hands(), scene)):
            self.fail(f"{where}: the players' page shows a card that is hidden")

    def _picture(self, picture: bytes | None) -> None:
        self.link.arrive(picture)
        if picture is None:
            return
        self.displays.update(picture.replace(self._root.encode(), b""))
        display = self.link.display
        if display is not None:
            self.dealer.paused = display.safe
            self._holds.update({each.number: each.title for each in display.holds})
        if self._lamps is not None:
            self._lamps.cancel()
        self._lamps = self.loop.call_later(LAMPS_S, self._look_at_lamps)
        life = self.table.life
        if self.house.game.hides and life and self.link.pictures % STATUS_EVERY == 0:
            status = msgspec.json.decode(life.pictures.newest(Page.STATUS))
            if where := hidden_in_status(self.world.felt.hands(), status):
                self.fail(f"{where}: the status page shows a card that is hidden")

    def _look_at_lamps(self) -> None:
        life, newest = self.table.life, self.link.newest
        if life is None or life.process.frozen or self.link.display is None:
            return
        if (
            self.table.picture_on_its_way
            or self.link.display.safe
            or "leds" in self.link.display.down
        ):
            return
        wanted, board = colours(newest), self.world.board
        # A spot that is to be dark is dark at any moment; an eye remembers the colour before.
        shown = {
            seat: board.spot(seat) if colour == DARK else board.perceived(seat)
            for seat, colour in wanted.items()
        }
        if shown != wanted:
            self.fail(f"the display says {newest['headline']!r}: {wanted}, the lamps show {shown}")

    def _awaits_no_card(self) -> bool:
        """Whether the display waits for chips, a turned card or bets: a card is early then."""
        display = self.link.display
        if display is None or display.safe or self.world.drawing:
            return False
        if display.holds:
            # Not while cards are counted or entered: nobody could say which of them is which.
            return all(each.resolutions.keys().isdisjoint(_BY_CARD) for each in display.holds)
        early = ("settle", "confirm_wager", "close_bets", "turn")
        return any(display.key(each) is not None for each in early)

    def _cut_power(self) -> None:
        self.chaos.cut_power()

    def _ended(self) -> None:
        self.dealer.paused = True
        self.chaos.ended()

    # The run

    async def go(self) -> RunOutcome:
        """Deal until the hours are over, and the round after them."""
        outcome = RunOutcome(self.order)
        began_s = self.loop.time()
        await self.world.open()
        self.table.start()
        with self._log.listening():
            outcome.problem = await self._deal()
            if not outcome.problem:
                outcome.problem = await self._close()
        outcome.virtual_s = self.loop.time() - began_s
        tally = self.dealer.book.tally
        outcome.rounds, outcome.void = tally.rounds, tally.void
        outcome.cards, outcome.records = len(self.world.exits), len(self.account.records)
        outcome.holds, outcome.stopped = len(tally.holds), self.chaos.stopped
        outcome.kills, outcome.lives = self.table.kills, self.table.lives
        outcome.met, outcome.held = self.chaos.met, Counter(self._holds.values())
        outcome.journal = self.account.mark.hash.hex()
        outcome.pins, outcome.displays = self.world.board.digest, self.displays.hexdigest()
        return outcome

    async def _deal(self) -> str:
        """Play; what went wrong, empty if nothing did."""
        playing = self.loop.create_task(self.dealer.play(), name="dealer")
        chaos = self.loop.create_task(self.chaos.run(), name="chaos")
        watch = self.loop.create_task(self._hours(), name="hours")
        tasks: list[asyncio.Future[Any]] = [playing, chaos, watch, self.failed]
        try:
            while True:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if self.failed in done:
                    return self.failed.result()
                for each in done - {chaos}:
                    each.result()
                if chaos in done:
                    chaos.result()
                    tasks.remove(chaos)
                if watch in done:
                    return ""
        except (Stuck, Disagreement, TimeoutError) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            for task in (playing, chaos, watch):
                task.cancel()
            await asyncio.gather(playing, chaos, watch, return_exceptions=True)

    async def _hours(self) -> None:
        if self._script is None:
            await asyncio.sleep(self.order.hours * 3600)
            await self.rounds(1)
        else:
            async with asyncio.timeout(LAST_ROUND_S):
                await self._script(self)
            await self.rounds(2)

    async def rounds(self, count: int) -> None:
        """Until so many more rounds are over. Raises `TimeoutError` where they never are."""
        for _ in range(count):
            self._round_over.clear()
            async with asyncio.timeout(LAST_ROUND_S):
                await self._round_over.wait()

    async def _close(self) -> str:
        """Stop in order and hold the whole record against the world; what is wrong."""
        self.table.on_end = lambda: None
        await self.table.stop()
        verdict = self.account.whole()
        found = [*self.table.problems, *verdict.problems]
        if self.link.alone:
            found.append(f"the dealer alone could choose {self.link.alone}")
        if self.failed.done():
            found.append(self.failed.result())
        return "; ".join(found)


class _Ears(logging.Handler):
    """Hears the log: a defect of ours is never only logged."""

    def __init__(self, fail: Any) -> None:
        super().__init__(logging.WARNING)
        self._fail = fail

    def emit(self, record: logging.LogRecord) -> None:
        """A line was logged."""
        text = record.getMessage()
        if "unexpectedly" in text or "defect" in text or record.exc_info:
            error = record.exc_info[1] if record.exc_info else None
            self._fail(f"in the log: {text} {error or ''}".strip())

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear what the house logs, and nobody else does."""
        with ExitStack() as stack:
            for name in ("controller", "drivers"):
                logger = logging.getLogger(name)
                stack.callback(setattr, logger, "propagate", logger.propagate)
                stack.callback(logger.removeHandler, self)
                logger.propagate = False
                logger.addHandler(self)
            yield


def run(order: RunOrder, script: Script | None = None) -> RunOutcome:
    """Run it; the outcome says what went wrong, if anything did.

    With a script the hours of the order do not count.
    """
    memory = Path("/dev/shm")
    where = str(memory) if memory.is_dir() else None
    began_s = process_time()
    with tempfile.TemporaryDirectory(prefix="tablectl-", dir=where) as folder:
        clock = VirtualClock()
        loop = VirtualLoop(clock)
        with (
            closing(loop),
            clock.as_the_systems(),
            patch.object(standstill, "STUCK_S", STUCK_S),
        ):
            one = BreakingRun(order, loop, Path(folder), script)
            try:
                outcome = loop.run_until_complete(one.go())
            except Exception as error:  # noqa: BLE001  (whatever it was, the seed is told with it)
                outcome = RunOutcome(order, "".join(traceback.format_exception(error)[-6:]))
            finally:
                one.table.on_end = lambda: None
                one.table.kill()
                loop.run_until_complete(asyncio.sleep(0))
    outcome.real_s = process_time() - began_s
    return outcome
