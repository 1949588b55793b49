"""Whether a record holds: pages, chain, ends, signatures, openings, rules, what days take over.

Nothing here writes, and no opening is needed: without the openings hidden cards are commitments.
Days are read one after the other; a damaged record is read up to its damage, and the text says
where that is.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from controller.record.codec import commitments_in
from controller.record.files.chain_store import ChainReader, Row
from controller.record.files.database import (
    JournalDamaged,
    JournalError,
    RecordOfAnotherBuild,
    may_read,
)
from controller.record.files.day_files import DayFile, openings_path, signature_path
from controller.record.files.day_writer import is_closed
from controller.record.files.head_anchor import NotedHead, Position, anchor_path
from controller.record.files.openings import Openings
from controller.record.files.signing import check_signature, public_key_path, read_public_key
from controller.record.files.span import OnProgress, Span
from controller.record.reading.audit import Audit
from controller.record.reading.commitments import Commitments
from controller.record.reading.replay import Decoded, replayed
from controller.rules.engine.round import Round
from controller.table.decide.judge import NotCarried, judge, other_decisions
from controller.table.evolve.carry_over import canonical, carry_over, covers, public_form
from controller.table.facts import DayClosed, DayOpened, DayRemoved, Record, RoundEnded, RoundVoided
from controller.table.state.state import State
from controller.table.views.english import show

#: Where the fact stands in a record's bytes (`controller.record.codec`).
_FACT: Final = 4


def verify(
    folder: Path,
    first: str = "",
    last: str = "",
    public_key: str = "",
    noted: NotedHead | None = None,
    on_progress: OnProgress | None = None,
) -> Audit:
    """Check pages, chain, ends, signatures, turned cards, openings, what each day takes over.

    Of the days `first` to `last`; the first bad record is named. Openings are checked where they
    are there and may be read. Signatures are held against `public_key` where it is given. The
    record must contain the head `noted`. Raises `JournalError` where there is no record, or one of
    another format, and `RecordOfAnotherBuild` where the chain holds and only another build, such as
    a newer one, can read some of it.
    """
    found = Audit()
    try:
        span = Span(folder, first, last, on_progress)
        found.anchored = span.anchored
        check = _Check(found, public_key, noted)
        for day in span.days:
            with closing(span.reader(day)) as reader:
                check.day(day, reader)
        check.end(span)
        found.missing_before = not first and check.is_missing_before()
    except RecordOfAnotherBuild:
        if wrong := _chain_problem(folder, first, last):
            found.problems.append(wrong)
            return found
        raise
    except JournalDamaged as error:
        found.problems.append(str(error))
    return found


def _chain_problem(folder: Path, first: str, last: str) -> str:
    """What is wrong with pages, chain and ends of a span, whatever stands in it; "": nothing."""
    try:
        for reader in Span(folder, first, last).readers():
            reader.check_pages()
            for _ in reader.rows():
                pass
    except JournalDamaged as error:
        return str(error)
    return ""


class _Check:
    """The walk of `verify` from day to day."""

    def __init__(self, found: Audit, public_key: str, noted: NotedHead | None) -> None:
        self._found = found
        self._key = public_key
        self._noted = noted
        self._state: State | None = None
        self._closed: DayClosed | None = None
        self._identity = b""
        self._wrong = False
        self._removed: set[str] = set()
        self._commitments = Commitments()
        #: The gaming days of rounds that the first day takes over.
        self._earlier: set[str] = set()

    def day(self, day: DayFile, reader: ChainReader) -> None:
        """Check one day. Raises `JournalDamaged` at the first that does not hold."""
        found, beginning = self._found, reader.beginning
        if not found.days:
            found.after = found.head = beginning.after
            self._identity = beginning.identity
        elif beginning.identity != self._identity:
            raise JournalDamaged(day.path, "it is the record of another table", found.head.seq)
        elif beginning.after != found.head:
            what = f"a gaming day between {found.days[-1]} and {day.label} is missing"
            raise JournalDamaged(day.path, what, found.head.seq)
        found.days.append(day.label)
        try:
            reader.check_pages()
        except JournalDamaged as error:
            # The records are read all the same: how far they hold is reported, too.
            found.problems.append(str(error))
        reader.hold_still()
        self._records(day, reader)
        self._signature(day, reader)

    def end(self, span: Span) -> None:
        """Check what only the whole span tells: that it has its anchor, and the head noted.

        A span whose end nobody anchors is one of closed days: an archive is. Raises
        `JournalDamaged`.
        """
        folder, head = span.folder, self._found.head.seq
        if public_key_path(folder).exists():
            try:
                read_public_key(public_key_path(folder))
            except JournalError as error:
                self._found.problems.append(str(error))
        begun = self._closed is None and span.reaches_end
        if not anchor_path(folder).exists() and (begun or public_key_path(folder).exists()):
            raise JournalDamaged(folder, "its head anchor is missing", head)
        if self._noted is not None:
            self._found.problems.append(
                f"{folder}: the head {self._noted} that was noted is not in it. It begins after "
                f"record {self._found.after.seq} and ends with record {head} of "
                f"{self._found.days[-1]}: it was put back to before, or cut"
            )

    def is_missing_before(self) -> bool:
        """Whether the day before the first is neither here nor on record as removed.

        Days are removed the oldest first, each on record in a later one. Of those before the first
        the newest one with rounds is known by what it handed on.
        """
        if not self._found.after.seq:
            return False
        newest = max(self._earlier, default="")
        return not any(newest <= each < self._found.days[0] for each in self._removed)

    def _records(self, day: DayFile, reader: ChainReader) -> None:
        with ExitStack() as stack:
            openings = None
            beside = openings_path(reader.path)
            if may_read(beside):
                try:
                    openings = stack.enter_context(
                        closing(Openings(beside, missing_is_damage=True))
                    )
                except JournalDamaged as error:
                    self._found.problems.append(str(error))
            self._each_record(day, reader, openings)

    def _each_record(self, day: DayFile, reader: ChainReader, openings: Openings | None) -> None:
        found = self._found
        before, rounds = self._state, 0
        rows = reader.rows()
        for row, record, state in replayed(reader.path, rows, Decoded(), self._state, self._judge):
            openings = self._opens(openings, record)
            self._against_noted(day, row)
            if wrong := self._commitments.problem(before, record, self._closed):
                raise JournalDamaged(day.path, f"record {row.seq}: {wrong}", row.seq - 1)
            fact = record.fact
            if isinstance(fact, DayOpened) and state.day and state.day.label != day.label:
                raise JournalDamaged(day.path, f"it opens the day {fact.label}", row.seq - 1)
            if isinstance(fact, DayOpened) and before is not None and self._closed is not None:
                self._carried(day, row, fact, before, self._closed)
            if self._closed is not None and not isinstance(fact, DayOpened):
                raise JournalDamaged(
                    day.path, f"record {row.seq} follows a closed day", row.seq - 1
                )
            self._closed = fact if isinstance(fact, DayClosed) else None
            if isinstance(fact, DayRemoved):
                self._removed.add(fact.label)
            if before is None:
                self._earlier = {past.day for past in state.rounds.past} - {"", day.label}
            if isinstance(fact, RoundEnded | RoundVoided):
                rounds += 1
            before, found.head = state, Position(row.seq, row.hash)
        self._state = before
        found.rounds += rounds
        if openings is not None:
            found.opened.append(day.label)

    def _opens(self, openings: Openings | None, record: Record) -> Openings | None:
        """The day's openings while they hold; the first that does not is a problem."""
        if openings is None:
            return None
        try:
            for digest in commitments_in(record):
                opening = openings.row(digest)
                self._found.lost += opening is not None and not opening.code
        except JournalDamaged as error:
            self._found.problems.append(f"record {record.seq}: {error}")
            return None
        return openings

    def _against_noted(self, day: DayFile, row: Row) -> None:
        """The record that was noted is the one that stands there."""
        noted = self._noted
        if noted is None or row.seq != noted.seq:
            return
        if not noted.is_of(day.label, Position(row.seq, row.hash)):
            what = f"record {row.seq} of {day.label} is not the one that was noted as {noted}"
            raise JournalDamaged(day.path, what, row.seq - 1)
        self._noted = None

    def _judge(self, state: State | None, record: Record) -> Round | None:
        """Ask whether a record follows by the rules; the script after it.

        After the first that does not, nothing is judged any more: all else would follow from it.
        """
        if self._wrong:
            return None
        judged = judge(state, record)
        if judged.wrong is not None:
            self._wrong = True
            self._found.doubt(
                f"record {record.seq} does not follow from those before it by the rules "
                f"({show(judged.wrong)}). The chain is whole: put back no backup. Either the rules "
                "of this build are not those that played, under the same revision, or the record "
                "was forged: compare it with a second copy and with the signatures"
            )
        self._note_not_judged(judged.not_carried)
        return judged.script

    def _note_not_judged(self, rules: NotCarried | None) -> None:
        if rules and rules not in self._found.not_judged:
            self._found.not_judged = (*self._found.not_judged, rules)

    def _carried(
        self, day: DayFile, row: Row, opened: DayOpened, before: State, closed: DayClosed
    ) -> None:
        """Check that a day takes over what the one before comes to.

        `before` is the state after that day and `closed` how it ended. The bytes are those whose
        digest it names, or `JournalDamaged` is raised; a field that newer software added to the
        state is not among them. What the records come to was derived by the build that closed the
        day: of another revision of the table it need not be what this build derives.
        """
        if opened.carried is None:
            return
        recorded = msgspec.json.decode(row.body)[_FACT]["carried"]["fields"]
        if sha256(canonical(recorded)).hexdigest() != closed.digest:
            what = f"record {row.seq}: the day takes over something else than the day before says"
            raise JournalDamaged(day.path, what, row.seq - 1)
        if covers(opened.carried.form, public_form(carry_over(before))):
            return
        if other := other_decisions(before):
            self._note_not_judged(other)
            return
        self._found.doubt(
            f"record {row.seq}: the day takes over something else than the records of the day "
            "before come to. The chain is whole: put back no backup. Either this build comes to "
            f"something else than the one that closed that day, tablectl {before.run.software}, "
            "under the same revision of the table's decisions, or the record was forged: compare "
            "it with a second copy and with the signatures"
        )

    def _signature(self, day: DayFile, reader: ChainReader) -> None:
        """A closed day is signed; without a key to hold it against, one may not be yet."""
        finished = is_closed(day.path) or signature_path(day.path).exists()
        if finished:
            if self._closed is None:
                raise JournalDamaged(day.path, "its last records are gone", reader.head.seq)
            check_signature(day.path, reader.beginning, reader.head, self._key)
            self._found.signed.append(day.label)
        elif self._closed is not None:
            self._found.unsigned.append(day.label)
            if self._key:
                self._found.problems.append(
                    f"{day.path}: this closed day is not signed, so nothing shows that the table "
                    "wrote it. The service signs the newest closed day at its next start, and no "
                    "older one: compare it with a second copy"
                )


def compare(folder: Path, copy: Path, first: str = "", last: str = "") -> Audit:
    """Whether the second copy at `copy` holds, and is the same history as far as it goes."""
    found = verify(copy, first, last)
    if found.head.seq and not Span(folder).holds(found.head):
        found.problems.append(
            f"{copy}: record {found.head.seq} is not that of {folder}: it is the copy of "
            "another history, or goes further. `tablectl restore` takes the longer one"
        )
    return found
