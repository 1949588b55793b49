"""The table as it runs: an input is decided, what follows is written, and then it is shown.

Either all of it happens, in this order, or the table stops and shows its safe picture; nothing is
tried again by itself. When to ask, and whom an answer goes to, is the loop's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from controller.devices.inputs import Button, Press, Reading
from controller.devices.scene import Scene
from controller.record.card_images import Evidence
from controller.record.codec import encode
from controller.record.journal import JournalError
from controller.service.broadcast import Broadcast
from controller.service.input_queue import QueuedInput
from controller.service.ports import Clock, TableStopped
from controller.service.recorder import Recorder
from controller.service.recovery import start_decision
from controller.service.screen_names import ScreenNames
from controller.service.shown_pictures import ShownPictures
from controller.table.alarms import AlarmTimes
from controller.table.decide.decide import decide
from controller.table.gaming_day import Today
from controller.table.inputs import CloseDay, DayCheck, Setup, Stamp, Start, TakeSeat, TimerFired
from controller.table.roles import Person, PersonId
from controller.table.state.state import State
from controller.table.views.scene import scene

log = logging.getLogger(__name__)


class DecidedDifferently(Exception):
    """The last decision, made again, is another one; the text says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "the last decision, made again, comes out differently: the memory of this machine is"
            " not to be trusted, or the program has a defect. Start the service again; where it"
            " happens twice, put the record on another machine"
        )


class LiveTable:
    """The newest state that is written down, and the way from an input to the next one.

    `state` is None while no record is available, and `stopped` says why it is not (empty: it is).
    `inputs` and `refused` count what was asked since the start.
    """

    def __init__(
        self,
        start: Start,
        clock: Clock,
        recorder: Recorder,
        broadcast: Broadcast,
        evidence: Evidence | None,
        people: Callable[[], Mapping[PersonId, str]],
        screen_names: ScreenNames,
        unseen_ns: int = 0,
    ) -> None:
        self.start = start
        self.state: State | None = None
        self.stopped = ""
        self.inputs = 0
        self.refused = 0
        self._people = people
        self._screen_names = screen_names
        self._clock = clock
        self._recorder = recorder
        self._broadcast = broadcast
        self._evidence = evidence
        self._shown = ShownPictures(unseen_ns)
        self._last: QueuedInput | None = None

    def names(self) -> Mapping[PersonId, str]:
        """The names of people, and of players at a distance, as they are known now."""
        of_players = self._screen_names.names
        return {**self._people(), **of_players} if of_players else self._people()

    @property
    def setup(self) -> Setup:
        """What the table is: by its record; by the configuration while no record is available."""
        return self.start.setup if self.state is None else self.state.setup

    @property
    def alarms(self) -> AlarmTimes:
        """When an alarm calls whom: as for `setup`."""
        return self.start.alarms if self.state is None else self.state.run.alarm_times

    async def resume(self, state: State | None, today: Today | None) -> None:
        """Put the start on record and go on from `state`, None for a new table.

        A start that cannot be written stops the table. Raises `SetupRefused` where the
        configuration does not fit the round in play.
        """
        self._screen_names.recover(state)
        stamp = self._stamp("start", None, (), today, 0)
        start = replace(self.start, print_key=self._recorder.print_commitment)
        decision = start_decision(state, start, stamp)
        try:
            commit = self._recorder.begin(decision.records)
            await self._recorder.written(commit, self._broadcast.show_safe)
        except JournalError as error:
            self.stop(str(error))
        else:
            self._show(decision.state, scene(decision.state, self.names()))

    def decide(self, entry: QueuedInput, today: Today | None = None) -> None:
        """Decide on an input, and have what follows written. Raises `TableStopped`."""
        self._judge(entry, self.state, today)
        self._write(entry, ())

    def decide_together(self, entries: Sequence[QueuedInput]) -> None:
        """Decide on several inputs, one after the other, and have all of it written as one.

        What one leads to is the table for the next; nobody sees any of it before it is written, and
        if it cannot be written none of it was. Raises `TableStopped`.
        """
        state = self.state
        for each in entries:
            self._judge(each, state, None)
            assert each.decision is not None
            state = each.decision.state
        *others, last = entries
        self._write(last, others)

    def _judge(self, entry: QueuedInput, state: State | None, today: Today | None) -> None:
        if self.stopped:
            raise TableStopped(self.stopped)
        if not isinstance(entry.input, TimerFired | DayCheck):
            # Of those two the table asks itself.
            self.inputs += 1
        view_seq = entry.view_seq
        if isinstance(entry.input, Press) and entry.input.button is not Button.CALL:
            # Pressed twice, Stand would be the next player's word, and Next another payment's.
            view_seq = self._shown.by(entry.arrived_ns or self._clock.mono_ns())
        stamp = self._stamp(entry.cause, view_seq, entry.by, today, entry.arrived_ns)
        if entry.player:
            stamp = replace(stamp, player=entry.player)
        entry.before, entry.stamp = state, stamp
        entry.decision = decide(state, entry.input, stamp)
        if entry.decision.refused:
            self.refused += 1
        elif isinstance(entry.input, TakeSeat) and entry.decision.records:
            self._screen_names.note(entry.input.player, entry.input.name.strip())

    def _write(self, entry: QueuedInput, before: Sequence[QueuedInput]) -> None:
        """Have written what the inputs `before` and `entry`, the last one, lead to."""
        event, decision = entry.input, entry.decision
        assert decision is not None
        records = decision.records
        if before:
            records = tuple(
                each for one in (*before, entry) if one.decision for each in one.decision.records
            )
        if records:
            if self._evidence is not None and isinstance(event, Reading):
                self._evidence.keep(event.picture, event.evidence)
                self._evidence.keep_frames(event.picture, event.frames)
            entry.commit = self._recorder.begin(records)
            # Drawn while the writer wakes, and shown once it has written.
            entry.scene = scene(decision.state, self.names())

    def finish(self, entry: QueuedInput, before: Sequence[QueuedInput] = ()) -> None:
        """Show what is written, and answer; also those `before` it that were written with it."""
        assert entry.decision is not None
        if entry.scene is not None:
            self._show(entry.decision.state, entry.scene)
            # Closing a day takes longer than a card is on its way.
            self._last = None if isinstance(entry.input, CloseDay | DayCheck) else entry
        for each in before:
            each.answer()
        entry.answer()

    def decide_again(self) -> None:
        """Make the last decision again, and compare it with what was recorded and shown.

        Decisions are pure: it differs only where memory has changed by itself, or where something
        changed a state that is never to be changed. Nothing is recorded, and nothing shown. It is
        done as a card comes, and brings what the card's own decision needs near the processor.
        Raises `DecidedDifferently`.
        """
        last = self._last
        if last is None or last.decision is None or last.stamp is None or last.scene is None:
            return
        again = decide(last.before, last.input, last.stamp)
        picture = scene(again.state, self.names())
        # As bytes, since seals are equal only where they are one object. Words are left out: they
        # are drawn when somebody looks, and name people by what they are called then.
        if (
            [*map(encode, again.records)] != [*map(encode, last.decision.records)]
            or picture.lights != last.scene.lights
            or picture.sound is not last.scene.sound
        ):
            raise DecidedDifferently

    def stop(self, why: str) -> None:
        """Show the safe picture from now on, and take no input any more."""
        if not self.stopped:
            log.error("table stopped: %s", why)
        self.stopped = why
        # A configuration that was taken over since the start stays what the table is.
        self.start = replace(self.start, setup=self.setup, alarms=self.alarms)
        self.state = self._last = None
        self._broadcast.stop(why)

    def _stamp(
        self, cause: str, view_seq: int | None, by: tuple[Person, ...], today: Today | None,
        arrived_ns: int,
    ) -> Stamp:  # fmt: skip
        clock = self._clock
        return Stamp(
            clock.wall_ms(), clock.mono_ns(), cause, clock.nonce(), view_seq, by, today,
            arrived_ns or None,
        )  # fmt: skip

    def _show(self, state: State, picture: Scene) -> None:
        if self.stopped:
            return  # it is on record, but the record went wrong right after it
        if self.state is not None and state.remote.players is not self.state.remote.players:
            self._screen_names.keep_seated(state)
        self.state = state
        self._broadcast.show(picture)
        self._shown.show(state.clock.since_seq, self._clock.mono_ns())
