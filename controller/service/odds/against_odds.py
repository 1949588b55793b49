"""The running table held against its odds: today's rounds as they end, earlier ones by a process.

Earlier rounds are read by `tablectl day expected`, which leaves the loop alone; a round that ends
is held in a thread. What the table's rounds come to is shown on pages and as metrics, an early
warning to the pit alone, as the health of a device named `odds`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from controller.host.defects import report
from controller.odds.live.held import HeldRound
from controller.record.reading.expected import Holders, Results, beside, known_edge
from controller.rules.game import Edge, Game
from controller.rules.messages import Message, message
from controller.service.house_edges import COMPUTING, NOT_COMPUTED, log_edge
from controller.service.odds.expectation_files import ExpectationFiles
from controller.service.ports import Desk
from controller.table.recorded.round import RecordedRound
from controller.table.views.english import say

log = logging.getLogger(__name__)

ReadEarlier = Callable[[Path, int], Awaitable[Results]]
"""Reads the results of the rounds before a number. Raises `NotRead`."""


class NotRead(Exception):
    """The rounds before cannot be held against their odds; the text says why."""


async def by_a_process(folder: Path, before: int) -> Results:
    """The results of the rounds before that number, by a process of low priority."""
    try:
        child = await asyncio.create_subprocess_exec(
            "nice", "-n", "19", sys.executable, "-m", "controller", "day", "expected", str(folder),
            "--json", "--before", str(before), stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
    except OSError as error:
        raise NotRead(f"no process could be started: {error}") from None
    try:
        out, err = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    try:
        return Results.from_data(json.loads(out))
    except (ValueError, LookupError, TypeError):
        raise NotRead(err.decode(errors="replace").strip() or "no answer") from None


class AgainstOdds:
    """What the rounds of the record in `folder` come to; `results` is None until they are read.

    `day` labels the gaming day that is open; `files` are the expectations of this table's options.
    """

    def __init__(self, folder: Path, earlier: ReadEarlier = by_a_process) -> None:
        self.results: Results | None = None
        self._folder = folder
        self._earlier = earlier
        self.files = ExpectationFiles(folder)
        self._holders = Holders(beside(folder))
        self.day = ""
        self._edge_of: tuple[str, object] = ("", None)
        self._ended = False
        self._before = 0
        self._not_read = False
        self._settled = Results()
        #: Rounds that ended and may still be corrected, each with who dealt it.
        self._newest: dict[int, tuple[RecordedRound, str]] = {}
        self._held: dict[int, tuple[RecordedRound, HeldRound | None]] = {}

    def warning(self) -> Message | None:
        """What the pit is warned of.

        What was found in the gaming day that is open, that nothing can be found any more, or that
        earlier rounds are missing.
        """
        if self._ended:
            return message("odds-not-held")
        found = self.results.warnings[-1:] if self.results else ()
        if not found or found[0].day != self.day:
            return message("odds-without-earlier", round=self._before) if self._not_read else None
        warned = found[0]
        if warned.for_players:
            return message("players-win-too-much", round=warned.round, day=warned.day)
        return message("house-wins-too-much", round=warned.round, day=warned.day)

    async def run(self, service: Desk) -> None:
        """Hold every round that ends, until the service closes, or until it cannot be done.

        A file of expectations that is damaged, or a defect of ours: no card waits for these
        figures, and the table goes on without them.
        """
        try:
            await self._run(service)
        except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
            report("rounds are no longer held against their odds", error)
            self.results = None
            self._ended = True
        finally:
            await self.files.close()

    async def _run(self, service: Desk) -> None:
        past: object = None
        async for _ in service.changes():
            state = service.state
            if state is None:
                continue
            plays = state.game
            if (plays.identity, plays.options) != self._edge_of:
                self._edge_of = (plays.identity, plays.options)
                await self._compute(service, plays)
                state = service.state or state
            if state.day is None:
                continue
            if state.rounds.past is past and state.day.label == self.day:
                continue
            past = state.rounds.past
            if state.day.label != self.day:
                await self._begin(state.day.label, state.counts.rounds + 1)
                state = service.state or state
            dealer = str(state.people.dealer or "")
            self.results = await asyncio.to_thread(self._take, state.rounds.past, dealer)

    async def _compute(self, service: Desk, plays: Game) -> None:
        """What these options are held against, and their edge: computed where it is not known."""
        found = await asyncio.to_thread(known_edge, self._folder, plays)
        if computing := found is None or not found.exact:
            _show_edge(service, plays, COMPUTING)
        await self.files.computed(plays)
        if computing:
            found = await asyncio.to_thread(known_edge, self._folder, plays)
        if found is None or not found.exact:
            failure = self.files.failure(plays)
            why = (
                message("house-edge-is-not-computed-why", why=failure) if failure else NOT_COMPUTED
            )
            log.warning("%s: %s", plays.title, say(why))
            _show_edge(service, plays, why)
        elif found != plays.edge(plays.options):
            log_edge(plays, found)
            _show_edge(service, plays, found)

    async def _begin(self, day: str, before: int) -> None:
        """Another day: what was played before it, or before the start, is read once."""
        self.day, self._before = day, before
        self._newest.clear()
        self._held.clear()
        self._not_read = False
        self._settled = Results()
        if before == 1:  # a new table: there is nothing to read
            return
        try:
            self._settled = await self._earlier(self._folder, before)
        except NotRead as error:
            log.warning("earlier rounds are not held against their odds: %s", error)
            self._not_read = True

    def _take(self, past: tuple[RecordedRound, ...], dealer: str) -> Results:
        """The results with all that has ended; what cannot be corrected any more stays in them."""
        recalled = {each.number for each in past}
        for number in sorted(set(self._newest) - recalled):
            self._settled = self._with(self._settled, *self._newest.pop(number))
            self._held.pop(number, None)
        for each in past:
            if each.day == self.day and each.number >= self._before:
                known = self._newest.get(each.number)
                self._newest[each.number] = (each, known[1] if known else dealer)
        found = self._settled
        for number in sorted(self._newest):
            found = self._with(found, *self._newest[number])
        return found

    def _with(self, found: Results, played: RecordedRound, dealer: str) -> Results:
        if played.void or played.dummy:
            return found
        known = self._held.get(played.number)
        if known is None or known[0] is not played:
            known = self._held[played.number] = (played, self._holders.held(played))
        return found.after(played, dealer, known[1])


def _show_edge(service: Desk, plays: Game, found: Edge | Message) -> None:
    edges = service.beside.edges.plus(plays, found)
    service.show_beside(replace(service.beside, edges=edges))
