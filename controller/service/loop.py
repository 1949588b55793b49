"""The service: one queue, one loop. Input, decision, journal, new state, scene, devices.

The only clock and the only identity in the house are given here. A broad `except` stands here and
in `drivers.supervise` alone: here, because a defect of ours or a damaged record must leave the
table in its safe picture, whatever it was that failed.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from controller.devices.contracts import Input
from controller.devices.inputs import Condition, Health, Reading
from controller.devices.scene import Scene, safe_scene
from controller.record.card_images import Evidence
from controller.record.checkpoint import Keeper, Point, checkpoint_path, resume
from controller.record.journal import Journal, JournalBusy, JournalError
from controller.record.recheck import CHECKPOINT, recheck
from controller.service.ports import Figures, Reply, TableStopped
from controller.table.decide.alarm_commands import wake_ns
from controller.table.decide.decide import Decision, decide
from controller.table.inputs import (
    Command,
    Given,
    Resolve,
    Setup,
    Stamp,
    Start,
    TimerFired,
    TurnCard,
)
from controller.table.roles import Person
from controller.table.state import State
from controller.table.views.english import say
from controller.table.views.scene import scene

log = logging.getLogger(__name__)

#: Inputs that may wait; a device that finds the queue full waits, and loses nothing.
QUEUE_INPUTS: Final = 256
#: A commit that takes longer shows SAFE until it is done.
SLOW_COMMIT_S: Final = 1.0


#: A timer fires so long after its moment, so that its moment has passed by any clock's grain.
TIMER_LATE_S: Final = 0.001
NS_PER_S: Final = 1_000_000_000

STOPPING: Final = "the service is stopping: send it again later, with the same key"


def _print(command: Command) -> str:
    """A short digest of a command, by which a key that comes again is told from a key reused.

    Never of a card that is entered: there are so few that a digest would tell it.
    """
    if isinstance(command, Resolve | TurnCard):
        command = replace(command, card=None)
    return hashlib.sha256(repr(command).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time and identity come from."""

    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    mono_ns: Callable[[], int] = time.monotonic_ns
    nonce: Callable[[], bytes] = lambda: os.urandom(16)


class Output(Protocol):
    """Takes the newest scene, without waiting for the device."""

    def show(self, scene: Scene) -> None:
        """Bring the device to `scene`."""
        ...


class SetupRefused(Exception):
    """The configuration does not fit the round that the journal holds; the text says what to do."""


@dataclass(slots=True)
class _Tally:
    records: int = 0
    inputs: int = 0
    refused: int = 0
    commit_s_sum: float = 0.0
    commit_s_max: float = 0.0


@dataclass(frozen=True, slots=True)
class _Entry:
    given: Given
    cause: str
    seen: int | None = None
    reply: asyncio.Future[Reply] | None = None
    by: tuple[Person, ...] = ()


@dataclass(slots=True)
class Service:
    """One table's service. `outputs` are shown every scene; `failures` counts device failures.

    `copy` is where the second copy of the journal is kept, None where there is none. `open_journal`
    opens the journal at a path, with its copy. `evidence` keeps the pictures of cards, None where
    no camera reads them.
    """

    start: Start
    journal_path: Path
    clock: Clock = field(default_factory=Clock)
    outputs: list[Output] = field(default_factory=list)
    failures: Callable[[], dict[str, int]] = dict
    state: State | None = None
    stopped: str = ""
    copy: Path | None = None
    evidence: Evidence | None = None
    open_journal: Callable[[Path, Path | None], Journal] = Journal
    _journal: Journal | None = None
    _keeper: Keeper | None = None
    _began: Point | None = None
    _safe: Scene = field(init=False)
    _scene: Scene = field(init=False)
    _queue: asyncio.Queue[_Entry] = field(default_factory=lambda: asyncio.Queue(QUEUE_INPUTS))
    _viewers: set[asyncio.Event] = field(default_factory=set)
    _tally: _Tally = field(default_factory=_Tally)
    _count: int = 0
    _run_id: str = ""
    _closing: bool = False
    _started_at_s: float = 0.0

    def __post_init__(self) -> None:
        self._safe = safe_scene(self.start.setup.seats)
        self._scene = self._safe
        self._started_at_s = self.clock.wall_ms() / 1000
        self._run_id = self.clock.nonce().hex()[:8]

    # -- what the web sees (controller.service.ports.Desk) --

    @property
    def setup(self) -> Setup:
        """What the configuration says the table is."""
        return self.start.setup

    @property
    def simulated(self) -> bool:
        """Whether this table's devices are not real."""
        return self.start.simulated

    @property
    def scene(self) -> Scene:
        """The newest picture."""
        return self._scene

    async def changes(self) -> AsyncIterator[None]:
        """Yields at once and after each change, until the service closes."""
        changed = asyncio.Event()
        self._viewers.add(changed)
        try:
            while not self._closing:
                changed.clear()
                yield
                await changed.wait()
        finally:
            self._viewers.discard(changed)

    async def submit(
        self, command: Command, key: str | None, seen: int | None, by: tuple[Person, ...] = ()
    ) -> Reply:
        """Ask the table; returns when the answer is written down. Raises `TableStopped`."""
        if self.stopped or self._closing:
            raise TableStopped(self.stopped or STOPPING)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        cause = f"k:{key}#{_print(command)}" if key else self._cause("web")
        await self._queue.put(_Entry(command, cause, seen, reply, by))
        return await reply

    async def picture(self, name: str) -> bytes | None:
        """The picture of a card, None if it is not kept."""
        return await asyncio.to_thread(self.evidence.get, name) if self.evidence else None

    def figures(self) -> Figures:
        """The running figures."""
        tally = self._tally
        return Figures(
            records=tally.records,
            inputs=tally.inputs,
            refused=tally.refused,
            commit_s_sum=tally.commit_s_sum,
            commit_s_max=tally.commit_s_max,
            device_failures=self.failures(),
            started_at_s=self._started_at_s,
        )

    # -- what the devices see --

    async def offer(self, given: Input) -> None:
        """Take an input of a device; waits while the queue is full, so that none is lost."""
        source = given.device if isinstance(given, Health) else given.source
        await self._queue.put(_Entry(given, self._cause(source)))

    def _cause(self, source: str) -> str:
        self._count += 1
        return f"{source}:{self._run_id}:{self._count}"

    # -- the life of the service --

    async def recover(self) -> None:
        """Open the journal, replay it and resume the exact state.

        A journal that cannot be opened or replayed leaves the table stopped, in its SAFE picture;
        it is not tried again by itself. Raises `JournalBusy` where another service has the
        journal, `SetupRefused` where the configuration does not fit the round in play.
        """
        try:
            self._journal = self.open_journal(self.journal_path, self.copy)
            self._journal.on_failure = self._stop
            state, self._began = resume(self._journal)
            self._keeper = Keeper(self._journal)
        except JournalBusy:
            raise
        except Exception as error:
            # Whatever it is, this record cannot be trusted to tell the table's state.
            self._stop(f"the journal cannot be replayed: {error}")
            log.exception("replay failed")
            return
        decision = decide(state, self.start, self._stamp("start", None))
        if decision.refused:
            self.close()
            raise SetupRefused(say(decision.refused))
        try:
            await self._commit_and_show(decision)
        except JournalError as error:
            self._stop(str(error))

    async def recheck(self) -> None:
        """Hold the checkpoint that the table began from, if any, against its records.

        What came of it is recorded, as the health of a device. A table that is not what its records
        say stops; its checkpoint is deleted, so that the next start replays every record.
        """
        if self._began is None or self._journal is None or self.stopped:
            return
        refuted, why = await recheck(self._journal.path, self._began)
        if refuted and self._keeper is not None:
            self._keeper.close(None)
            self._keeper = None
            checkpoint_path(self.journal_path).unlink(missing_ok=True)
        told = Health(CHECKPOINT, Condition.DOWN if why else Condition.UP, why)
        written: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        await self._queue.put(_Entry(told, self._cause(CHECKPOINT), reply=written))
        with suppress(TableStopped):
            await written
        if refuted and not self.stopped:
            self._stop(why)

    async def run(self) -> None:
        """Take inputs until cancelled; whoever waits for an answer then gets one."""
        try:
            await self._loop()
        finally:
            self._closing = True
            while not self._queue.empty():
                if reply := self._queue.get_nowait().reply:
                    reply.set_exception(TableStopped(STOPPING))

    async def _loop(self) -> None:
        while True:
            entry = await self._next()
            try:
                reply = await self._take(entry)
            except asyncio.CancelledError:
                if entry.reply and not entry.reply.done():
                    # Whether it was written is for the sender's key to find out.
                    entry.reply.set_exception(TableStopped(STOPPING))
                raise
            except TableStopped as error:
                if entry.reply and not entry.reply.done():
                    entry.reply.set_exception(error)
            except Exception as error:
                # A defect of ours, or a journal that failed: the table stops, the record is whole.
                self._stop(str(error) or type(error).__name__)
                if not isinstance(error, JournalError):
                    log.exception("the table was stopped by a defect")
                if entry.reply and not entry.reply.done():
                    entry.reply.set_exception(TableStopped(self.stopped))
            else:
                if entry.reply and not entry.reply.done():
                    entry.reply.set_result(reply)

    async def _next(self) -> _Entry:
        """The next input; when the table asked to be woken by then, that it is time."""
        due_ns = None if self.state is None else wake_ns(self.state, self.clock.mono_ns())
        if due_ns is None:
            return await self._queue.get()
        # What is due goes first: inputs without a pause cannot keep an alarm back.
        if due_ns > 0:
            # A timer that fires a little late has fired; one that is early would ask again at once.
            with suppress(TimeoutError):
                async with asyncio.timeout(due_ns / NS_PER_S + TIMER_LATE_S):
                    return await self._queue.get()
        return _Entry(TimerFired(), self._cause("timer"))

    async def _take(self, entry: _Entry) -> Reply:
        if self.stopped:
            raise TableStopped(self.stopped)
        if not isinstance(entry.given, TimerFired):
            self._tally.inputs += 1
        decision = decide(self.state, entry.given, self._stamp(entry.cause, entry.seen, entry.by))
        if decision.refused:
            self._tally.refused += 1
        if decision.records:
            given = entry.given
            if self.evidence is not None and isinstance(given, Reading):
                self.evidence.keep(given.picture, given.evidence)
            await self._commit_and_show(decision)
        return Reply(decision.seq, decision.refused)

    def _stamp(self, cause: str, seen: int | None, by: tuple[Person, ...] = ()) -> Stamp:
        clock = self.clock
        return Stamp(clock.wall_ms(), clock.mono_ns(), cause, clock.nonce(), seen, by)

    async def _commit_and_show(self, decision: Decision) -> None:
        if self._journal is None:
            raise JournalError("the journal is not open")
        began = time.perf_counter()
        # Past this nothing may be shown of a table that cannot be recorded, until it is done.
        slow = asyncio.get_running_loop().call_later(SLOW_COMMIT_S, self._show, self._safe)
        try:
            await self._journal.append(decision.records)
        finally:
            slow.cancel()
        took = time.perf_counter() - began
        tally = self._tally
        tally.records += len(decision.records)
        tally.commit_s_sum += took
        tally.commit_s_max = max(tally.commit_s_max, took)
        if self.stopped:
            return  # it is on record, but the record went wrong right after it
        self.state = decision.state
        self._show(scene(decision.state))
        if self._keeper:
            self._keeper.note(decision.state)

    def _show(self, picture: Scene) -> None:
        self._scene = picture
        for output in self.outputs:
            output.show(picture)
        for viewer in self._viewers:
            viewer.set()

    def _stop(self, why: str) -> None:
        if not self.stopped:
            log.error("table stopped: %s", why)
        self.stopped = why
        self.state = None
        self._safe = safe_scene(self.start.setup.seats, why)
        self._show(self._safe)

    async def ping(self) -> None:
        """Returns when the loop and the journal's thread have shown that they run."""
        if self._journal is not None and not self.stopped:
            await self._journal.ping()

    def let_viewers_go(self) -> None:
        """End every `changes`: the web can stop."""
        self._closing = True
        for viewer in self._viewers:
            viewer.set()

    def close(self) -> None:
        """Let go of the journal and of every viewer; safe to call twice."""
        self.let_viewers_go()
        if self._keeper is not None:
            self._keeper.close(None if self.stopped else self.state)
            self._keeper = None
        if self.evidence is not None:
            self.evidence.close()
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def copy_problem(self) -> str:
        """What is wrong with the second copy of the journal; empty if nothing is, or none is."""
        return self._journal.copy_problem() if self._journal else ""
