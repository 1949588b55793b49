"""What an auditor asks of a record: does it hold, and what happened (`verify`, `rounds`, `report`).

Nothing here writes, and nothing needs the openings: hidden cards are commitments. Days are read
one after the other; a damaged record is read up to its damage, and the text says where that is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from controller.devices.scene import HandView
from controller.record.chain_store import ChainReader, Row, is_closed
from controller.record.database import JournalDamaged, JournalError, RecordNewer
from controller.record.day_files import DayFile, openings_path, signature_path
from controller.record.head_anchor import NOTHING, Mark, anchor_path
from controller.record.openings import Openings
from controller.record.replay import Decoded, decoded_rows, problem, replayed
from controller.record.signing import check_signature, key_path
from controller.record.span import Span
from controller.rules.actions import DEALER_SEAT
from controller.rules.round import Round
from controller.table.card_pictures import Pictures
from controller.table.facts import (
    CardBurned,
    CardDealtDown,
    CardKept,
    DayClosed,
    DayOpened,
    Record,
    RoundEnded,
    RoundVoided,
)
from controller.table.gaming_day.carry_over import (
    canonical,
    carry_over,
    covers,
    public_form,
)
from controller.table.judge import NotCarried, judge
from controller.table.recorded import RecordedRound
from controller.table.roles import NOBODY_NAMED, PersonId
from controller.table.state import State
from controller.table.views.english import show
from controller.table.views.logbook import Badge, LogLine, span_message
from controller.table.views.replay import Replay, find_round, replay, round_badges


@dataclass(slots=True)
class Audit:
    """What was found out of a span of days: how far it is whole, and what is wrong, in words.

    `days` are the labels of those that were read, `after` is the last record before the first of
    them (number 0: the table's first day), `head` the last whole one. `rounds` is how many rounds
    were played in them. `signed` are the closed days whose signature holds, `unsigned` those that
    have none yet. `anchored`: the head anchor says that nothing comes after it. `not_judged` are
    the revisions of rules that this build does not carry: their records hold by the chain, and
    were not judged.
    """

    days: list[str] = field(default_factory=list)
    after: Mark = NOTHING.mark
    head: Mark = NOTHING.mark
    rounds: int = 0
    signed: list[str] = field(default_factory=list)
    unsigned: list[str] = field(default_factory=list)
    anchored: bool = False
    problems: list[str] = field(default_factory=list)
    not_judged: tuple[NotCarried, ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Opened:
    """A card that lay hidden, for an auditor: where, and its code ("" if it was not read)."""

    seq: int
    where: str
    card: str
    serial: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in a list of rounds. `ended_ms` is 0 while it is in play."""

    number: int
    shoe: int
    started_ms: int
    ended_ms: int
    net: int
    void: bool
    dummy: bool = False
    badges: tuple[Badge, ...] = ()


#: Where the fact stands in a record's bytes (`controller.record.codec`).
_FACT: Final = 4

Scan = Iterator[tuple[Row, Record, State]]


def scan(span: Span, *, with_openings: bool = False) -> Scan:
    """Every record with the state after it, in order, each day's chain and end checked.

    Raises `JournalDamaged` at the first that was changed, is missing, or does not follow from the
    ones before it.
    """
    state: State | None = None
    for reader in span.readers():
        with ExitStack() as stack:
            openings = None
            if with_openings:
                beside = openings_path(reader.path)
                openings = stack.enter_context(closing(Openings(beside, missing_is_damage=False)))
            for row, record, after in replayed(
                reader.path, reader.rows(), Decoded(openings), state
            ):
                state = after
                yield row, record, after


def verify(folder: Path, first: str = "", last: str = "", public_key: str = "") -> Audit:
    """Check pages, chain, ends, signatures, turned cards, and what each day takes over.

    Of the days `first` to `last`; without the openings; the first bad record is named. Signatures
    are held against `public_key` where it is given. Raises `JournalError` where there is no
    record, or one of another format, and `RecordNewer` where the chain holds and newer software
    wrote some of it.
    """
    found = Audit()
    try:
        span = Span(folder, first, last)
        found.anchored = span.anchored
        check = _Check(found, public_key)
        for day in span.days:
            with closing(span.reader(day)) as reader:
                check.day(day, reader)
        check.end(span)
    except RecordNewer:
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

    def __init__(self, found: Audit, public_key: str) -> None:
        self._found = found
        self._key = public_key
        self._state: State | None = None
        self._closed: DayClosed | None = None
        self._identity = b""
        self._wrong = False

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
        """Check that a span whose end nobody anchors is one of closed days: an archive is.

        Raises `JournalDamaged`.
        """
        folder, head = span.folder, self._found.head.seq
        begun = self._closed is None and span.reaches_end
        if not anchor_path(folder).exists() and (begun or key_path(folder).exists()):
            raise JournalDamaged(folder, "its head anchor is missing", head)

    def _records(self, day: DayFile, reader: ChainReader) -> None:
        found = self._found
        before, rounds = self._state, 0
        rows = reader.rows()
        for row, record, state in replayed(reader.path, rows, Decoded(), self._state, self._judge):
            if wrong := problem(before, record, self._closed):
                raise JournalDamaged(day.path, f"record {row.seq}: {wrong}", row.seq - 1)
            fact = record.fact
            if isinstance(fact, DayOpened) and state.day and state.day.label != day.label:
                raise JournalDamaged(day.path, f"it opens the day {fact.label}", row.seq - 1)
            if isinstance(fact, DayOpened) and (
                wrong := _carried_wrong(row, fact, before, self._closed)
            ):
                raise JournalDamaged(day.path, f"record {row.seq}: {wrong}", row.seq - 1)
            if self._closed is not None and not isinstance(fact, DayOpened):
                raise JournalDamaged(
                    day.path, f"record {row.seq} follows a closed day", row.seq - 1
                )
            self._closed = fact if isinstance(fact, DayClosed) else None
            if isinstance(fact, RoundEnded | RoundVoided):
                rounds += 1
            before, found.head = state, Mark(row.seq, row.hash)
        self._state = before
        found.rounds += rounds

    def _judge(self, state: State | None, record: Record) -> Round | None:
        """Ask whether a record follows by the rules; the script after it.

        After the first that does not, nothing is judged any more: all else would follow from it.
        """
        if self._wrong:
            return None
        judged = judge(state, record)
        if judged.wrong:
            self._wrong = True
            self._found.problems.append(
                f"record {record.seq} does not follow from those before it by the rules "
                f"({judged.wrong}). The chain is whole: put back no backup. Either the rules of "
                "this build are not those that played, under the same revision, or the record was "
                "forged: compare it with a second copy and with the signatures"
            )
        if judged.not_carried and judged.not_carried not in self._found.not_judged:
            self._found.not_judged = (*self._found.not_judged, judged.not_carried)
        return judged.script

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


def _carried_wrong(
    row: Row, opened: DayOpened, before: State | None, closed: DayClosed | None
) -> str:
    """What of the carry-over is not what the day before comes to; empty if nothing is.

    `before` is the state after that day and `closed` how it ended, None where the span begins
    here. The bytes are those whose digest the day before names; a field that newer software added
    to the state is not among them.
    """
    if opened.carried is None or before is None or closed is None:
        return ""
    recorded = msgspec.json.decode(row.body)[_FACT]["carried"]["fields"]
    if sha256(canonical(recorded)).hexdigest() != closed.digest:
        return "the day takes over something else than the day before says"
    if not covers(opened.carried.form, public_form(carry_over(before))):
        return "the day takes over something else than the records of the day before come to"
    return ""


def compare(folder: Path, copy: Path, first: str = "", last: str = "") -> Audit:
    """Whether the second copy at `copy` holds, and is the same history as far as it goes."""
    found = verify(copy, first, last)
    if found.head.seq and not Span(folder).holds(found.head):
        found.problems.append(
            f"{copy}: record {found.head.seq} is not that of {folder}: it is the copy of "
            "another history, or goes further. `tablectl restore` takes the longer one"
        )
    return found


# -- what happened --


def rounds(folder: Path, first: str = "", last: str = "") -> Iterator[RoundLine]:
    """Every round of a span of days as the record has it by now, the one in play last.

    A round is listed once it can no longer be corrected or voided. Raises `JournalError`, after
    the rounds before the damage of a damaged record, or before what newer software wrote.
    """
    latest: State | None = None
    played_before: int | None = None
    try:
        for _, _, state in scan(Span(folder, first, last)):
            if played_before is None:
                played_before = state.counts.rounds
            if latest is not None and state.rounds.past is not latest.rounds.past:
                recalled = {each.number for each in state.rounds.past}
                for each in latest.rounds.past:
                    if each.number not in recalled and each.number > played_before:
                        yield _line(each, latest.rounds.pictures)
            latest = state
    except (JournalDamaged, RecordNewer):
        yield from _recalled(latest, played_before)
        raise
    else:
        yield from _recalled(latest, played_before)
        if latest is not None and (line := _in_play(latest)):
            yield line


def _recalled(state: State | None, after: int | None) -> Iterator[RoundLine]:
    """The rounds that the state recalls, those of the days before the span left out."""
    if state is None:
        return iter(())
    return (
        _line(each, state.rounds.pictures)
        for each in state.rounds.past
        if each.number > (after or 0)
    )


def _line(past: RecordedRound, pictures: Pictures) -> RoundLine:
    return RoundLine(
        past.number, past.shoe, past.started_ms, past.ended_ms, past.net, past.void,
        past.dummy, round_badges(past, pictures),
    )  # fmt: skip


def _in_play(state: State) -> RoundLine | None:
    return _line(state.in_play, state.rounds.pictures) if state.in_play else None


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A round step by step; `opened` are its hidden cards, where the openings were asked for."""

    replay: Replay
    void: bool
    opened: tuple[Opened, ...] = ()


def report(
    folder: Path,
    number: int,
    *,
    with_openings: bool = False,
    names: Mapping[PersonId, str] = NOBODY_NAMED,
) -> RoundReport:
    """Round `number` from its first card to its last chip.

    `with_openings` is the auditor's: cards that were burned before it, are folded or still lie
    hidden are named from the file of openings. Corrections and voids of later days are in it.
    People are shown by `names`, else by id.
    Raises `JournalError`; a round before the damage of a damaged record is shown.
    """
    hidden: list[Opened] = []
    past: RecordedRound | None = None
    pictures: Pictures = ()
    try:
        for _, record, state in scan(_from_round(folder, number), with_openings=with_openings):
            over = past is not None and past.ended_ms
            if now := find_round(state, number):
                past, pictures = now, state.rounds.pictures
            elif past is not None:
                break
            if over:
                continue  # what corrections and voids said of it later belongs to it, too
            if isinstance(record.fact, RoundEnded | RoundVoided) and not (past and past.ended_ms):
                hidden.clear()
            elif isinstance(record.fact, CardBurned | CardDealtDown | CardKept):
                hidden.append(_hidden(record))
    except JournalDamaged:
        if past is None or not past.ended_ms:
            raise
    if past is None:
        raise JournalError(
            f"there is no round {number} in {folder}: replay without --round lists them"
        )
    opened = tuple(hidden) if with_openings else ()
    return RoundReport(replay(past, pictures, names), past.void, opened)


def _from_round(folder: Path, number: int) -> Span:
    """The span that begins with the day in which round `number` was begun."""
    span = Span(folder)
    for day in reversed(span.days):
        with closing(ChainReader(day.path)) as reader:
            _, record = next(decoded_rows(day.path, reader.rows(), Decoded()), (None, None))
        opened = record.fact if record else None
        carried = opened.carried if isinstance(opened, DayOpened) else None
        if carried is not None and carried.fields["counts"].rounds < number:
            return Span(folder, day.label)
    return span


def _hidden(record: Record) -> Opened:
    fact = record.fact
    assert isinstance(fact, CardBurned | CardDealtDown | CardKept)
    kind = fact.card.open()
    if isinstance(fact, CardDealtDown):
        where = "dealer" if fact.seat == DEALER_SEAT else f"seat {fact.seat}, hand {fact.hand}"
        where = f"face down to {where}"
    elif isinstance(fact, CardKept):
        where = "kept as the next card"
    else:
        where = "set aside" if fact.set_aside else "burned"
    return Opened(record.seq, where, kind.code if kind else "", fact.card.open_serial())


def export(folder: Path, write: Callable[[Row], None], first: str = "", last: str = "") -> int:
    """Give every record's row to `write`, checked; how many. Raises `JournalError`.

    The rows hold no hidden card before its reveal: what is not turned is a commitment.
    """
    written = 0
    for reader in Span(folder, first, last).readers():
        for row, _ in decoded_rows(reader.path, reader.rows(), Decoded()):
            write(row)
            written += 1
    return written


# -- as text --


def as_text(found: RoundReport) -> Iterator[str]:
    """A round as lines for people; times in UTC."""
    shown = found.replay
    void = ", void" if found.void else ""
    dummy = ", without bets" if shown.dummy else ""
    yield f"Round {shown.number} of {shown.game}{dummy}{void}"
    log = deque(shown.log)
    for step in shown.steps:
        while log and log[0].at_ms <= step.at_ms:
            yield _logged(log.popleft())
        why = f" ({step.why})" if step.why else ""
        picture = f" [picture {step.picture}]" if step.picture else ""
        yield f"{clock(step.at_ms)}  {step.text}{why}, {_took(step.took_ms)}{picture}"
    yield from map(_logged, log)
    if shown.steps:
        yield "On the felt:"
        for hand in (*shown.steps[-1].hands, shown.steps[-1].dealer):
            yield f"  {_felt(hand)}"
    for each in found.opened:
        yield f"Hidden: {each.card or 'not read'} {each.where} (record {each.seq})"


def _logged(found: LogLine) -> str:
    """A line of the logbook: set off from the steps by its marks."""
    picture = f" [picture {found.picture}]" if found.picture else ""
    return f"{clock(found.at_ms)}  [{', '.join(found.marks)}] {found.text}{picture}"


def _took(ms: int) -> str:
    return f"after {show(span_message(ms))}"


def _felt(hand: HandView) -> str:
    who = "dealer" if hand.seat == DEALER_SEAT else f"seat {hand.seat}, hand {hand.hand}"
    cards = " ".join(each.label or "face down" for each in hand.cards)
    result = ", ".join(each for each in (hand.total, hand.note, hand.result, hand.net) if each)
    return f"{who}: {cards}{f' ({result})' if result else ''}"


def clock(at_ms: int) -> str:
    """A wall time in UTC, to the millisecond."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03d}Z"
