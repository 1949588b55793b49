"""The service: one queue, one loop, and what the web and the devices see of them.

What becomes of an input is the business of `live_table`, what becomes of an error that of
`stops_on_error`. The only clock in the house is given here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.devices.contracts import Input
from controller.devices.inputs import Health
from controller.devices.scene import Scene
from controller.record.card_images import Evidence
from controller.rules.messages import Message
from controller.service.broadcast import Broadcast
from controller.service.input_queue import STOPPING, InputQueue, QueuedInput
from controller.service.live_table import LiveTable
from controller.service.ports import (
    Beside,
    Clock,
    Figures,
    Output,
    Reply,
    TableStopped,
)
from controller.service.recorder import OpenJournal, Recorder, RecordSettings, open_journal
from controller.service.recovery import (
    SetupRefused,
    Unrecoverable,
    first_day_problem,
    recovered_state,
)
from controller.service.screen_names import ScreenNames, names_path
from controller.service.stops_on_error import stops_on_error
from controller.service.timekeeping.calendar import Almanac
from controller.service.timekeeping.wakeup import (
    MS_PER_S,
    Wakeup,
)
from controller.service.turns import Turns
from controller.table.alarms import AlarmTimes
from controller.table.decide.remote_players.windows import closes_at_ns
from controller.table.inputs import (
    CloseDay,
    Command,
    DayCheck,
    DirectoryReport,
    FromPit,
    PinReport,
    Reload,
    RemoveDays,
    Setup,
    Start,
)
from controller.table.roles import Person, PersonId
from controller.table.state.state import State

#: Between two checks of the last decision: shorter than two cards can follow each other.
DECIDE_AGAIN_NS: Final = 15_000_000


class Service:
    """One table's service. `failures` counts device failures; `outputs` are shown every scene.

    `evidence` keeps the pictures of cards, None where no camera reads them; `almanac` says when
    gaming days end, None at a table whose day is never closed; `names` are those of people as they
    are known now, for what is shown and nothing else; `unseen_ns` is how long a picture stands
    before a button can be meant for it.
    """

    def __init__(
        self,
        start: Start,
        record: RecordSettings | Path,
        *,
        clock: Clock | None = None,
        almanac: Almanac | None = None,
        evidence: Evidence | None = None,
        names: Callable[[], Mapping[PersonId, str]] = dict,
        unseen_ns: int = 0,
        open_journal: OpenJournal = open_journal,
    ) -> None:
        settings = record if isinstance(record, RecordSettings) else RecordSettings(record)
        self.clock = clock or Clock()
        self.evidence = evidence
        self.failures: Callable[[], dict[str, int]] = dict
        self.recorder = Recorder(settings, open_journal)
        self._wakeup = Wakeup(self.clock, almanac)
        self._broadcast = Broadcast(start.setup.seats)
        self._screen_names = ScreenNames(names_path(settings.folder))
        self.table = LiveTable(
            start, self.clock, self.recorder, self._broadcast, evidence, names,
            self._screen_names, unseen_ns,
        )  # fmt: skip
        self._beside = Beside()
        self._queue = InputQueue(run_id=self.clock.nonce().hex()[:8])
        self._turns = Turns(self._queue, self._wakeup, self.clock)
        self._idle = False
        self._decide_again_from_ns = 0
        self._awaits_clock = False
        self._started_at_s = self.clock.wall_ms() / MS_PER_S

    # -- what the web sees (controller.service.ports.Desk) --

    @property
    def state(self) -> State | None:
        """The newest state that is written down; None while no record is available."""
        return self.table.state

    @property
    def stopped(self) -> str:
        """Why the table stopped; empty while it runs."""
        return self.table.stopped

    @property
    def setup(self) -> Setup:
        """What the table is: by its record; by the configuration while no record is available."""
        return self.table.setup

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names of people, for what is shown."""
        return self.table.names()

    @property
    def simulated(self) -> bool:
        """Whether this table's devices are not real."""
        return self.table.start.simulated

    @property
    def scene(self) -> Scene:
        """The newest picture."""
        return self._broadcast.scene

    @property
    def alarms(self) -> AlarmTimes:
        """When an alarm calls whom: as for `setup`."""
        return self.table.alarms

    @property
    def beside(self) -> Beside:
        """What pages say beside the table."""
        return self._beside

    def show_beside(self, beside: Beside) -> None:
        """Show that on the pages from now on."""
        self._beside = beside
        self._broadcast.wake()

    @property
    def outputs(self) -> list[Output]:
        """What is shown every scene."""
        return self._broadcast.outputs

    def changes(self) -> AsyncIterator[None]:
        """Yields at once and after each change, until the service closes."""
        return self._broadcast.changes()

    async def submit(
        self,
        command: Command | Reload | RemoveDays | FromPit,
        key: str | None,
        view_seq: int | None,
        by: tuple[Person, ...] = (),
        arrived_ns: int = 0,
        player: str = "",
    ) -> Reply:
        """Ask the table; returns when the answer is written down. Raises `TableStopped`."""
        self._check_open()
        cause = self._queue.cause("web")
        if key:
            # With the key in it: equal commands with other keys are not seen to be equal.
            asked = f"{key} {command!r}" + (f" for {player!r}" if player else "")
            cause = f"k:{key}#{self.recorder.print_of(asked.encode())}"
        came_ns = arrived_ns or self.clock.mono_ns()
        entry = QueuedInput(command, cause, came_ns, view_seq, by=by, player=player)
        return await self._answer(entry)

    async def note(self, report: PinReport | DirectoryReport) -> bool:
        """Put on record what was noticed of people; True once it is there, False if it cannot."""
        try:
            cause, now_ns = self._queue.cause("pins"), self.clock.mono_ns()
            answer = await self._answer(QueuedInput(report, cause, now_ns))
        except TableStopped:
            return False
        return answer.accepted

    def _check_open(self) -> None:
        if self.stopped or self._broadcast.closing:
            raise TableStopped(self.stopped or STOPPING)

    async def _answer(self, entry: QueuedInput) -> Reply:
        self._check_open()
        return await self._queue.ask(entry)

    async def picture(self, name: str) -> bytes | None:
        """The picture of a card, None if it is not kept."""
        return await asyncio.to_thread(self.evidence.get, name) if self.evidence else None

    def figures(self) -> Figures:
        """The running figures."""
        recorder = self.recorder
        return Figures(
            records=recorder.records,
            inputs=self.table.inputs,
            refused=self.table.refused,
            commit_s_sum=recorder.commit_s_sum,
            commit_s_max=recorder.commit_s_max,
            device_failures=self.failures(),
            started_at_s=self._started_at_s,
        )

    # -- what the devices see --

    async def offer(self, event: Input) -> None:
        """Take an input of a device; waits while the queue is full."""
        source = event.device if isinstance(event, Health) else event.source
        entry = QueuedInput(event, self._queue.cause(source), self.clock.mono_ns())
        # While players answer by the clock, an answer that reached the table before this may still
        # be on its way through the event loop: `Turns` looks for it, and this waits for its turn.
        alone = self._idle and self._queue.empty and closes_at_ns(self.state) is None
        if alone and not self._wakeup.is_due(self.state):
            self._take_at_once(entry)
        else:
            await self._queue.put(entry)

    def card_coming(self) -> None:
        """A device notices a card that it has not read yet: the last decision is checked meanwhile.

        What comes again and again, as the edges of a beam that flutters, is taken once in a while.
        """
        now_ns = self.clock.mono_ns()
        if self._idle and self._queue.empty and now_ns >= self._decide_again_from_ns:
            self._decide_again_from_ns = now_ns + DECIDE_AGAIN_NS
            with stops_on_error(self.table):
                self.table.decide_again()

    # -- the life of the service --

    async def recover(self) -> None:
        """Open the record, replay its newest day and resume the exact state.

        A record that cannot be opened or replayed leaves the table stopped, in its SAFE picture;
        it is not tried again by itself. Raises `JournalBusy` where another service has the
        record, `SetupRefused` where the configuration does not fit the round in play.
        """
        try:
            state = recovered_state(self.recorder, self.table.stop)
        except Unrecoverable as error:
            self.table.stop(str(error))
            return
        today = await self._wakeup.today(state)
        if problem := first_day_problem(state, today):
            self._awaits_clock = True
            self.table.stop(problem)
            return
        try:
            await self.table.resume(state, today)
        except SetupRefused:
            self.close()
            raise

    async def first_clock(self) -> None:
        """Returns once the clock is in step that kept a new table from opening its first day.

        Never at another table. The next start opens it.
        """
        if not self._awaits_clock:
            await asyncio.Event().wait()
        await self._wakeup.clock_in_step()

    async def run(self) -> None:
        """Take inputs until cancelled; whoever waits for an answer then gets one."""
        try:
            await self._loop()
        finally:
            # Whoever asks from here on is told at once. Viewers are let go with the web.
            self._idle = False
            self._broadcast.closing = True
            self._queue.fail_all(TableStopped(STOPPING))

    async def _loop(self) -> None:
        self._idle = True
        while True:
            if (entry := await self._turns.next(self.state)) is not None:
                self._idle = False
                *before, last = self._turns.with_more(entry)
                with stops_on_error(self.table, *before, last):
                    await self._take(last, before)
                self._idle = True

    def _take_at_once(self, entry: QueuedInput) -> None:
        """Take an input in its device's own turn of the event loop, while nothing else is asked.

        Between a card and its lamps every turn counts. Where the disk is slow, the loop waits.
        """
        with stops_on_error(self.table, entry):
            self.table.decide(entry)
            if entry.commit is None or self.recorder.is_written(entry.commit):
                self.table.finish(entry)
                # The loop sleeps until what was due in the state before: it has to look again.
                self._queue.put_nowait(None)
            else:
                self._queue.put_nowait(entry)

    async def _take(self, entry: QueuedInput, before: Sequence[QueuedInput] = ()) -> None:
        if before:
            self.table.decide_together((*before, entry))
        elif entry.decision is None:
            about_day = isinstance(entry.input, CloseDay | DayCheck)
            self.table.decide(entry, await self._wakeup.today(self.state) if about_day else None)
        if entry.commit is not None:
            # Past a while nothing may be shown of a table that cannot be recorded.
            await self.recorder.written(entry.commit, self._broadcast.show_safe)
        self.table.finish(entry, before)

    async def ping(self) -> None:
        """Returns when the loop and the journal's thread have shown that they run."""
        if not self.stopped:
            await self.recorder.ping()

    def let_viewers_go(self) -> None:
        """End every `changes`: the web can stop."""
        self._broadcast.let_viewers_go()

    def close(self) -> None:
        """Close the record and let every viewer go; safe to call twice."""
        self.let_viewers_go()
        if self.evidence is not None:
            self.evidence.close()
        self.recorder.close()
        self._screen_names.close()

    def copy_problem(self) -> Message | None:
        """What is wrong with the second copy of the record; None if nothing is, or none is."""
        return self.recorder.copy_problem()
