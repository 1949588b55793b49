"""The people whom a pit sends: taken where they hold, kept on the disk, used while it is away.

What was taken last stays in force until a newer one is, past its time too: nobody could be taken
out meanwhile, and a table is never left without anybody who may settle a hold. A house that wants
it otherwise names people of the table's own, who alone may act then.
"""

from __future__ import annotations

import datetime
import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from controller.access.directory import Directory, PeopleError, PersonEntry, RoleTerm
from controller.access.durable_file import forget_unfinished, put_in_place
from controller.access.people_file import PeopleFile
from controller.access.people_words import (
    lost_said,
    no_floor_said,
    not_there_said,
    overdue_said,
    refused_said,
)
from controller.access.sent_files import Overdue, SentSettings, opened, own_key, read_body
from controller.access.write_directory import write_directory
from controller.people.document import (
    PeopleDocument,
    PeopleMark,
    PeopleRefused,
    WhyRefused,
    check_next,
)
from controller.people.pin_hash import NOBODY
from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.table.roles import PersonId, Role

log: Final = logging.getLogger(__name__)

MS_PER_S: Final = 1_000


@frozen
class PeopleCounts:
    """Since the start: directories that were taken, and that were refused."""

    taken: int = 0
    refused: int = 0


class SentPeople:
    """The pit's directory of one table's people. Its methods block, and may be called in threads.

    `clock_ms` is the wall time. It says nothing before `begin`.
    """

    def __init__(self, settings: SentSettings, clock_ms: Callable[[], int]) -> None:
        """Raises `PeopleError` where the key, or the file of own people, cannot be used."""
        self._settings = settings
        self._clock_ms = clock_ms
        self._key = own_key(settings.key_file)
        self._own = None if settings.own is None else PeopleFile(settings.own)
        self._lock = threading.Lock()
        #: Until it is known what the record says, nobody is judged by an older one.
        self._begun = False
        self._in_force: PeopleDocument | None = None
        self._mark: PeopleMark | None = None
        self._lost: WhyRefused | None = None
        self._refused: PeopleRefused | None = None
        self._seen: tuple[int, int, int] | None = None
        self._directory = Directory()
        self._names: Mapping[PersonId, str] = {}
        self.counts = PeopleCounts()

    @property
    def path(self) -> Path:
        """The file of names."""
        return self._settings.names_file

    @property
    def nobody(self) -> str:
        """The hash that a PIN is held against for a name that nobody has."""
        return NOBODY

    @property
    def known(self) -> Directory:
        """The directory as it was read last."""
        return self._directory

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names of those in force, by id."""
        return self._names

    @property
    def in_force(self) -> PeopleDocument | None:
        """The document by which PINs are judged."""
        return self._in_force

    def check(self, today: datetime.date) -> None:
        """Raises `PeopleError` where the table's own people are none. Without any document a table
        begins: it has to be there to be sent one.
        """
        if self._own is not None:
            self._own.check(today)
        folder = self._settings.path.parent
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PeopleError(
                f"people.directory: {folder} cannot be written by the service: name a place that is"
                " its own, such as /var/lib/tablectl/people.sealed"
            )

    def begin(self, recorded: PeopleMark | None) -> PeopleDocument | None:
        """Look at what lies on the disk, once; `recorded` is what the record says is in force.

        What is returned is to be put on record, and then in force (`use`).
        """
        with self._lock:
            self._mark = recorded
            try:
                forget_unfinished(self._settings.path)
            except OSError as error:
                log.warning("people: %s", error)
            found = self._on_disk()
            if found is None and recorded is not None and self._lost is None:
                self._lost = WhyRefused.NO_DOCUMENT
            self._begun = found is None
            return found

    def find(self) -> PeopleDocument | None:
        """What somebody has put on the disk since, if it is another document and holds."""
        with self._lock:
            if self._stat() in (None, self._seen):
                return None
            return self._on_disk()

    def take(self, body: bytes) -> PeopleDocument | None:
        """Keep a document that came, durably: it is to be put on record, then in force (`use`).

        None: it is the one in force. Raises `PeopleRefused`; what is in force stays.
        """
        with self._lock:
            try:
                document = self._opened(body)
                if self._in_force is not None and document.mark == self._in_force.mark:
                    self._refused = None
                    return None
                check_next(document, self._mark, self._clock_ms())
                self._keep(body, document)
            except PeopleRefused as error:
                self._note(error)
                raise
            return document

    def use(self, document: PeopleDocument) -> None:
        """Judge PINs by that from now on."""
        with self._lock:
            self._in_force, self._mark = document, document.mark
            self._lost = self._refused = None
            self._begun = True
            self.counts = PeopleCounts(self.counts.taken + 1, self.counts.refused)
            entries = _entries(document)
            self._names = {each.id: each.name for each in entries}
            self._directory = Directory(entries)
            try:
                nameless = [PersonEntry(each.id, each.name, each.history) for each in entries]
                write_directory(self._settings.names_file, Directory(nameless))
            except PeopleError as error:
                log.warning("people: names in the logbook are those of before: %s", error)

    def read(self) -> Directory:
        """Who may act now. Raises `PeopleError`."""
        if not self._begun:
            raise PeopleError("the service is coming up")
        document = self._in_force
        entries = () if document is None or self._is_own_turn(document) else _entries(document)
        if self._own is not None and (document is None or not self._is_good(document)):
            taken = {each.name for each in entries} | {each.id for each in entries}
            try:
                own = self._own.read().entries.values()
            except PeopleError:
                if not entries:
                    raise
                own = {}.values()
            entries += tuple(each for each in own if not {each.id, each.name} & taken)
        self._directory = Directory(entries)
        return self._directory

    def problem(self) -> Message | None:
        """What the technician and the pit have to know; None while all is well."""
        document, lost, refused = self._in_force, self._lost, self._refused
        own = self._own is not None
        if document is None:
            if lost is not None:
                return lost_said(lost, own=own)
            return not_there_said(own=own) if refused is None else refused_said(refused)
        if self._is_overdue(document):
            end_s = document.head.good_until_ms / MS_PER_S
            day = datetime.datetime.fromtimestamp(end_s, datetime.UTC).date().isoformat()
            return overdue_said(day, own_alone=self._is_own_turn(document))
        if refused is not None:
            return refused_said(refused)
        return None if document.has_floor else no_floor_said(own=own)

    def _is_good(self, document: PeopleDocument) -> bool:
        """Whether the table needs no people of its own beside it."""
        return document.has_floor and not self._is_overdue(document)

    def _is_overdue(self, document: PeopleDocument) -> bool:
        return document.head.good_until_ms <= self._clock_ms()

    def _is_own_turn(self, document: PeopleDocument) -> bool:
        """Whether nobody but the table's own people may act."""
        is_own = self._own is not None and self._settings.overdue is Overdue.OWN
        return is_own and self._is_overdue(document)

    def _opened(self, body: bytes) -> PeopleDocument:
        return opened(body, self._settings, self._key)

    def _on_disk(self) -> PeopleDocument | None:
        """The document of the file where it may come next, and is not in force."""
        self._seen = self._stat()
        try:
            body = read_body(self._settings.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            log.error("people: %s cannot be read: %s", self._settings.path, error.strerror)
            self._lost = WhyRefused.NO_DOCUMENT
            return None
        at_start = self._in_force is None
        try:
            document = self._opened(body)
            check_next(document, self._mark, self._clock_ms(), at_start=at_start)
        except PeopleRefused as error:
            if at_start:
                self._lost = error.why
            self._note(error)
            return None
        return None if self._in_force == document else document

    def _keep(self, body: bytes, document: PeopleDocument) -> None:
        """Raises `PeopleRefused` where it cannot be written: a restart would not know of it."""
        try:
            put_in_place(self._settings.path, body)
        except OSError as error:
            log.error("people: %s cannot be written: %s", self._settings.path, error.strerror)
            raise PeopleRefused(WhyRefused.NOT_KEPT, document.head.serial) from error
        self._seen = self._stat()

    def _note(self, error: PeopleRefused) -> None:
        same = self._refused
        if same is None or (same.why, same.serial) != (error.why, error.serial):
            log.warning("people: directory %s was not taken: %s", error.serial, error.why.value)
        self._refused = error
        self.counts = PeopleCounts(self.counts.taken, self.counts.refused + 1)

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._settings.path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size


def _entries(document: PeopleDocument) -> tuple[PersonEntry, ...]:
    since = datetime.datetime.fromtimestamp(document.head.issued_ms / MS_PER_S, datetime.UTC).date()
    return tuple(
        PersonEntry(PersonId(each.id), each.name, (RoleTerm(Role(each.role), since),), each.pin)
        for each in document.people
    )
