"""Makes and sends the directories of tables while this pit is on duty; says how they stand."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, Engine

from controller.people.document import PersonLine
from controller.people.sealing import sealed_document
from controller.pit.accounts.factors.one_time import AppSecrets, OtherKey
from controller.pit.archive.findings.finding_rows import add_finding, settle
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.storage.database import NO_ANSWER, why_none, written_in_turn
from controller.pit.directories import rows
from controller.pit.directories.rows import TablePerson
from controller.pit.directories.settings import PeopleSettings
from controller.pit.directories.steps import (
    AGAIN_MS,
    DirectoryStanding,
    InForce,
    Issued,
    Make,
    content_of,
    next_step,
)
from controller.table.roles import Role

log: Final = logging.getLogger(__name__)

#: What changed on another pit of the same database, or in the archive, is noticed this late.
LOOK_S: Final = 0.5

_Wanted = tuple[tuple[PersonLine, ...], str] | None
SendPeople = Callable[[str, bytes], Awaitable[bool]]
"""Sends a table its directory; whether the broker has taken it."""


@dataclass(frozen=True, slots=True)
class TableDirectory:
    """How it is with one table's directory, for the page.

    `newest` is the one that was made last, `in_force` what the table has on record, and
    `in_force_ms` when that was known here. `people` may act there by now, by name; `floor`: one of
    them is of the floor.
    """

    name: str
    standing: DirectoryStanding
    newest: Issued | None
    in_force: InForce | None
    in_force_ms: int | None
    people: tuple[str, ...]
    floor: bool


class DirectoryKeeper:
    """Directories of the tables in `settings`, signed by `key`; `pins` opens hashes of PINs.

    `key` or `pins` None: this pit makes none, and says so.
    """

    def __init__(
        self, engine: Engine, settings: PeopleSettings, key: Ed25519PrivateKey | None,
        pins: AppSecrets | None, clock_ms: Callable[[], int],
    ) -> None:  # fmt: skip
        self._engine = engine
        self._settings = settings
        self._key = key
        self._pins = pins
        self._clock_ms = clock_ms
        self._changed = asyncio.Event()
        #: When the newest directory of a table was sent last, and which.
        self._sent: dict[str, tuple[int, int]] = {}
        #: Tables whose newest one the broker has not said to keep: a table that listened has it.
        self._not_kept: set[str] = set()
        #: What is to stand in each table's directory, and its digest, while these are the people.
        self._lines: tuple[list[TablePerson], dict[str, _Wanted]] = ([], {})
        #: Tables of which a finding is open; None: not looked up since the start.
        self._foreign: set[str] | None = None

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that take their people from here."""
        return tuple(sorted(self._settings.tables))

    def changed(self) -> None:
        """Somebody has changed who may act: it need not be waited for."""
        self._changed.set()

    async def run(self, send: SendPeople, is_on_duty: Callable[[], bool]) -> None:
        """Make and send until cancelled; whatever the database does, this goes on."""
        while True:
            self._changed.clear()
            if self.tables and is_on_duty():
                try:
                    await self.look(send)
                except NO_ANSWER as error:
                    log.warning("people: the database does not answer (%s)", why_none(error))
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._changed.wait()
            except TimeoutError:
                pass

    async def look(self, send: SendPeople) -> None:
        """Make what is to be made, and send what is not in force. Raises `DBAPIError`."""
        for name, body in await asyncio.to_thread(self._look):
            if await send(name, body):
                self._not_kept.discard(name)
            else:
                self._sent.pop(name, None)
                self._not_kept.add(name)

    def document(self, name: str) -> bytes | None:
        """The newest directory of a table, made anew where it has to be; None: there is none.

        Blocks. Raises `DBAPIError`.
        """
        self._look()
        with self._engine.connect().execution_options(reads_only=True) as connection:
            return rows.document_of(connection, name)

    def standings(self) -> list[TableDirectory]:
        """How it is with every table. Blocks."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            people = rows.table_people(connection)
            issued, in_force = rows.all_issued(connection), rows.all_in_force(connection)
        return [
            self._standing(name, people, issued.get(name, ()), in_force.get(name))
            for name in self.tables
        ]

    def known_at(self, name: str) -> dict[str, str]:
        """Names of those who may act at a table, by id; none where its people are its own. Blocks.

        Raises `DBAPIError`.
        """
        if name not in self._settings.tables:
            return {}
        with self._engine.connect().execution_options(reads_only=True) as connection:
            people = rows.table_people(connection)
        return {each.id_at(name): each.name for each in people if each.may_act(name)}

    def _look(self) -> list[tuple[str, bytes]]:
        """What is to be sent."""
        now_ms, to_send = self._clock_ms(), []
        with self._engine.connect().execution_options(reads_only=True) as connection:
            people = rows.table_people(connection)
            all_issued, all_in_force = rows.all_issued(connection), rows.all_in_force(connection)
            if self._foreign is None:
                self._foreign = rows.foreign(connection)
        for name in self.tables:
            issued, in_force = all_issued.get(name, ()), all_in_force.get(name)
            step = self._step(name, people, issued, in_force)
            self._find(name, in_force if step is DirectoryStanding.OF_ANOTHER_PIT else None)
            if isinstance(step, Make):
                to_send.append((name, self._make(name, people, step)))
                self._sent[name] = (step.serial, now_ms)
                continue
            if step is DirectoryStanding.IN_FORCE and issued[-1].in_force_ms is None:
                assert in_force is not None
                with written_in_turn(self._engine), self._engine.begin() as connection:
                    rows.note_in_force(connection, name, in_force, now_ms)
            if step is DirectoryStanding.SENT or (
                step is DirectoryStanding.IN_FORCE and name in self._not_kept
            ):
                serial, at_ms = self._sent.get(name, (0, 0))
                if serial != issued[-1].serial or abs(now_ms - at_ms) >= AGAIN_MS:
                    with self._engine.connect().execution_options(reads_only=True) as connection:
                        body = rows.document_of(connection, name)
                    if body is not None:
                        to_send.append((name, body))
                        self._sent[name] = (issued[-1].serial, now_ms)
        return to_send

    def _step(
        self, name: str, people: list[TablePerson], issued: tuple[Issued, ...],
        in_force: InForce | None,
    ) -> Make | DirectoryStanding:  # fmt: skip
        if self._key is None:
            return DirectoryStanding.NO_KEY
        if self._pins is None:
            return DirectoryStanding.PINS
        wanted = self._wanted(name, people, self._pins)
        if wanted is None:
            return DirectoryStanding.PINS
        return next_step(*wanted, issued, in_force, self._clock_ms(), self._settings.good_ms)

    def _wanted(self, name: str, people: list[TablePerson], pins: AppSecrets) -> _Wanted:
        """What is to stand in a table's directory, and its digest; None: PINs cannot be opened.

        To open every PIN twice a second is dear: while people are the same it is known.
        """
        before, known = self._lines
        if before != people:
            known = {}
            self._lines = (people, known)
        if name not in known:
            try:
                lines = rows.people_at(name, people, pins)
            except OtherKey:
                known[name] = None
            else:
                known[name] = (lines, content_of(lines, self._settings.tables[name]))
        return known[name]

    def _make(self, name: str, people: list[TablePerson], step: Make) -> bytes:
        """The document, kept before it is sent: no serial is used twice."""
        assert self._key is not None
        assert self._pins is not None
        now_ms, to = self._clock_ms(), self._settings.tables[name]
        wanted = self._wanted(name, people, self._pins)
        assert wanted is not None
        lines, content = wanted
        head = (name, step.serial, now_ms, now_ms + self._settings.good_ms)
        body, document = sealed_document(self._key, to, head, step.follows, lines)
        with written_in_turn(self._engine), self._engine.begin() as connection:
            rows.add_issued(connection, name, document, content, body)
        log.info("people: directory %s of %s is made, with %s", step.serial, name, len(lines))
        return body

    def _find(self, name: str, foreign: InForce | None) -> None:
        """Name a directory that this pit did not make, once; or that this is over."""
        assert self._foreign is not None
        if (foreign is not None) is (name in self._foreign):
            return
        with written_in_turn(self._engine), self._engine.begin() as connection:
            if foreign is None:
                settle(connection, name, (FindingKind.DIRECTORY,), self._clock_ms())
            else:
                add_finding(connection, name, _made_elsewhere(foreign), self._clock_ms())
        # Not before it is written: what the database did not take is tried again.
        if foreign is None:
            self._foreign.discard(name)
        else:
            self._foreign.add(name)

    def accept(self, connection: Connection, name: str, serial: int, digest: str, who: str) -> bool:
        """The next directory of a table follows that one, though it was not made here; False: it is
        not in force there, or not any more.
        """
        found = rows.all_in_force(connection).get(name)
        if found is None or (found.serial, found.digest) != (serial, digest):
            return False
        issued = rows.all_issued(connection).get(name, ())
        if any((each.serial, each.digest) == (serial, digest) for each in issued):
            return False
        rows.accept(connection, name, found, who, self._clock_ms())
        return True

    def _standing(
        self, name: str, people: list[TablePerson], issued: tuple[Issued, ...],
        in_force: InForce | None,
    ) -> TableDirectory:  # fmt: skip
        step = self._step(name, people, issued, in_force)
        known = next((each for each in issued if in_force and each.digest == in_force.digest), None)
        there = [each for each in people if each.may_act(name)]
        return TableDirectory(
            name, DirectoryStanding.SENT if isinstance(step, Make) else step,
            issued[-1] if issued else None, in_force, known.in_force_ms if known else None,
            tuple(each.name for each in there), any(each.role is Role.FLOOR for each in there),
        )  # fmt: skip


def _made_elsewhere(foreign: InForce) -> ArchiveFinding:
    text = (
        f"directory {foreign.serial} of people is in force there, which this pit never "
        "made: it was put back to a backup, or two pits have its key. Who was taken out "
        "since may be in again: look over /people, and say there that the next one follows"
    )
    return ArchiveFinding(FindingKind.DIRECTORY, foreign.seq, text)
