"""Proves by name and PIN who stands for a command. Wrong tries lock a name (`pin_tries`)."""

from __future__ import annotations

import asyncio
import datetime
import hmac
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.access.directory import PeopleError, local_day
from controller.access.people_file import PeopleFile, PeopleSource
from controller.access.pin_tries import REPORT_AFTER_S, PinTries, Source, TriesReport
from controller.access.pins import matches
from controller.access.sent_people import SentPeople
from controller.access.tries_file import TriesFile
from controller.rules.messages import Message, message
from controller.table.inputs import UNKNOWN_PERSON, PinReport
from controller.table.roles import Person, PersonId
from controller.table.views.english import say

log = logging.getLogger(__name__)

#: PINs that are judged at a time, and that wait for it: each takes 16 MB and a core for a while.
WAITING_MAX: Final = 8
#: Names are counted in this many groups, whether anybody has them or not: nothing tells which.
NAME_GROUPS: Final = 65_536
#: Longer times are said in minutes.
SECONDS_UP_TO: Final = 90


class NotProven(Exception):
    """A name and PIN that do not fit, or too many wrong tries; `why` is for who tried.

    `wait_s` is how long the next try has to wait; 0: it need not.
    """

    def __init__(self, why: Message, wait_s: float = 0.0) -> None:
        super().__init__(why)
        self.why = why
        self.wait_s = wait_s

    def __str__(self) -> str:
        """It in the language of who tried."""
        return say(self.why)


class Staff:
    """The people of a table, as their file, or the pit's directory, has them at the moment.

    Whoever is removed from it is out at the next try, not at the next start. `now_s` is a
    monotonic clock, `today` the calendar day here.
    """

    def __init__(
        self,
        source: Path | PeopleSource,
        now_s: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime.date] = local_day,
        counts: Path | None = None,
    ) -> None:
        """Know people by `source`, or by the file at that path; `counts` is where wrong tries
        outlast a restart.

        Raises `PeopleError` where the table could not begin with them.
        """
        self._source = PeopleFile(source) if isinstance(source, Path) else source
        self._now_s = now_s
        self._today = today
        self._tries = PinTries()
        self._file = TriesFile(counts)
        self._savings = 0
        if self._file.tries is not None:
            try:
                self._tries.load(self._file.tries, now_s())
            except ValueError as error:
                log.error("%s cannot be read (%s): wrong PINs are counted anew", counts, error)
        self._reports: list[TriesReport] = []
        self._leaving: list[PinReport] = []
        self._reporting = asyncio.Lock()
        self._unknown: list[TriesReport] = []
        self._unknown_due_s = 0.0
        self._slots, self._known_slots = _Slots(), _Slots()
        self._source.check(today())

    @property
    def path(self) -> Path:
        """A file of the directory, with the names at least."""
        return self._source.path

    @property
    def sent(self) -> SentPeople | None:
        """The people whom the pit sends; None: they are the table's own."""
        return self._source if isinstance(self._source, SentPeople) else None

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names that are known, by id, as they were when somebody last gave a PIN."""
        return self._source.names

    async def prove(
        self, proofs: Sequence[tuple[str, str]], known: Sequence[PersonId] = ()
    ) -> tuple[Person, ...]:
        """The people whose names and PINs these are. Raises `NotProven`.

        `known` are those who have proven themselves before at the display that asks.
        """
        return tuple([await self._one(name, pin, known) for name, pin in proofs])

    async def report(self, put: Callable[[PinReport], Awaitable[bool]]) -> None:
        """Have `put` put on record what is to go there now, and then save that it is there.

        `put` is true once a report is on record; where it is not, that report waits for the next
        call. Where it cannot be saved, the next start puts it on record again: better than never.
        """
        async with self._reporting:
            self._leaving += self.reports()
            put_any = False
            while self._leaving and await put(self._leaving[0]):
                del self._leaving[0]
                put_any = True
            if put_any:
                with suppress(NotProven):
                    await self._save()

    def reports(self) -> list[PinReport]:
        """What is to go on record of wrong PINs now; each is given once."""
        now_s = self._now_s()
        self._reports += self._tries.due(now_s)
        reports, self._reports = self._reports, []
        found = []
        for each in reports:
            if each.who:
                found.append(PinReport(PersonId(each.who), each.wrong, each.locked_s))
            else:
                self._unknown.append(each)
        # Names that nobody has are without number: one report for all of them, periodically.
        if self._unknown and now_s >= self._unknown_due_s:
            wrong = sum(each.wrong for each in self._unknown)
            locked_s = max(each.locked_s for each in self._unknown)
            found.append(PinReport(UNKNOWN_PERSON, wrong, locked_s))
            self._unknown, self._unknown_due_s = [], now_s + REPORT_AFTER_S
        return found

    @property
    def wrong_pins(self) -> tuple[int, int]:
        """Wrong PINs and lock-outs since the start."""
        return self._tries.wrong_total, self._tries.locks_total

    async def _one(self, name: str, pin: str, known: Sequence[PersonId]) -> Person:
        entry = self._source.known.named(name)
        # Which names are known is nobody's business: one that is not is counted as others are.
        who = entry.id if entry else ""
        source = Source(self._group(name), bool(who) and who in known, who)
        if (wait_s := self._tries.wait_s(source, self._now_s())) > 0:
            self._tries.refused(source, self._now_s())
            raise NotProven(wait_said(wait_s), wait_s)
        slots = self._known_slots if source.known else self._slots
        if slots.waiting >= WAITING_MAX:
            raise NotProven(message("pins-too-many-at-once"), 1.0)
        # Counted, on the disk, before it is judged: many tries at once are as many tries, and
        # whoever switches the table off has tried all the same.
        self._tries.begin(source, self._now_s())
        try:
            async with slots:
                await self._save()
                person = await asyncio.to_thread(self._judge, name, pin)
        except BaseException:
            self._tries.gave_up(source, self._now_s())
            raise
        if person is None:
            if report := self._tries.wrong(source, self._now_s()):
                self._reports.append(report)
            raise NotProven(message("pin-does-not-fit"))
        if report := self._tries.right(source):
            self._reports.append(report)
        await self._save()
        return person

    async def _save(self) -> None:
        """Have the counts on the disk. Raises `NotProven` where that fails."""
        self._savings += 1
        pending = [(each.who, each.wrong) for each in (*self._reports, *self._unknown)]
        for each in self._leaving:
            pending.append(("" if each.person == UNKNOWN_PERSON else each.person, each.wrong))
        saved = self._tries.saved(self._now_s(), pending)
        try:
            await asyncio.to_thread(self._file.save, saved, self._savings)
        except OSError as error:
            said = message("pins-cannot-be-counted", error=str(error.strerror))
            raise NotProven(said) from None

    def _judge(self, name: str, pin: str) -> Person | None:
        """Who that is, by the file as it is now. Raises `NotProven` without a file."""
        try:
            entry = self._source.read().named(name)
        except PeopleError as error:
            raise NotProven(message("people-cannot-be-read", error=str(error))) from None
        role = entry.role(self._today()) if entry else None
        right = matches(pin, entry.pin if entry and role else self._source.nobody)
        return Person(entry.id, role) if right and entry and role else None

    def _group(self, name: str) -> str:
        digest = hmac.digest(self._file.secret, name.encode("utf-8", "replace"), "sha256")
        return f"{int.from_bytes(digest[:4], 'big') % NAME_GROUPS:04x}"


class _Slots:
    """Lets one PIN be judged at a time; `waiting` counts those that wait."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()
        self.waiting = 0

    async def __aenter__(self) -> None:
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1

    async def __aexit__(self, *_: object) -> None:
        self._free.release()


def wait_said(wait_s: float) -> Message:
    """How long a name has to wait."""
    if wait_s <= SECONDS_UP_TO:
        return message("pin-wait-seconds", seconds=math.ceil(wait_s))
    return message("pin-wait-minutes", minutes=math.ceil(wait_s / 60))
