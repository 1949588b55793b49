"""What an auditor asks of a journal: does it hold (`verify`), and what happened (`rounds`, `tell`).

Nothing here writes, and nothing needs the openings: hidden cards are commitments. A damaged
journal is read up to its damage, and the text says where that is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.devices.scene import HandView
from controller.record.chain_store import Reader, Row
from controller.record.checkpoint import checkpoint_path, read_checkpoint
from controller.record.codec import Opening
from controller.record.database import JournalDamaged, JournalError
from controller.record.head_anchor import START, Mark
from controller.record.openings import Openings
from controller.record.replay_process import Elsewhere, digest, played, rerun, sealed
from controller.rules.felt import DEALER_SEAT
from controller.table.facts import (
    CardBurned,
    CardDealtDown,
    CardKept,
    Record,
    RoundEnded,
    RoundVoided,
)
from controller.table.state import PastRound, State
from controller.table.views.replay import Replay, ReplayNote, find_round, replay

Scan = Iterator[tuple[Row, Record, State]]

#: From so many records on a second process pays: it takes a moment to start.
ELSEWHERE_RECORDS: Final = 50_000


@dataclass(slots=True)
class Audit:
    """What was found out of a journal: how far it is whole, and what is wrong, in words.

    `rounds` is how many rounds were played up to `head`.
    """

    head: Mark = START
    rounds: int = 0
    problems: list[str] = field(default_factory=list)

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


def scan(reader: Reader, opening: Opening = sealed) -> Scan:
    """Every record with the state after it, in order, chain and anchor checked.

    Raises `JournalDamaged` at the first that was changed, is missing, or does not follow from the
    ones before it by the rules of the game.
    """
    return played(reader.path, reader.rows(), opening)


def verify(path: Path) -> Audit:
    """Check pages, chain, anchor, seals of turned cards, and that every record follows the rules.

    Without the openings; the first bad record is named. A long journal is played again in a
    process of its own while its chain is checked in this one. Raises `JournalError` where there is
    no journal, or one of another format.
    """
    found = Audit()
    try:
        reader = Reader(path)
    except JournalDamaged as error:
        found.problems.append(str(error))
        return found
    try:
        if reader.empty:
            raise JournalError(f"there is no journal at {path}")
        # Both are told: what SQLite finds in the build of its file, and how far the records hold.
        for check in (reader.check_pages, lambda: _walk(reader, found)):
            try:
                check()
            except JournalDamaged as error:
                found.problems.append(str(error))
    finally:
        reader.close()
    return found


def _walk(reader: Reader, found: Audit) -> None:
    reader.hold_still()
    last = reader.last().seq
    point = read_checkpoint(reader.path)
    compare = point.mark.seq if point else 0
    elsewhere = Elsewhere(reader.path, last, compare) if last >= ELSEWHERE_RECORDS else None
    try:
        chain = _chain(reader)
        if elsewhere:
            again = elsewhere.result()
        else:
            again = rerun(reader.path, reader.unchecked(last), compare)
    finally:
        if elsewhere:
            elsewhere.close()
    found.rounds = again.rounds
    found.head = Mark(again.seq, bytes.fromhex(again.hash))
    if chain and reader.head.seq <= again.seq:
        found.head = reader.head
        raise chain
    if again.problem:
        found.problems.append(again.problem)
    if point and again.state not in ("", digest(point.body)) and reader.holds(point.mark):
        found.problems.append(
            f"{checkpoint_path(reader.path)} is not what the records say at {compare}: "
            "remove it. The records are whole, and the table starts without it"
        )


def _chain(reader: Reader) -> JournalDamaged | None:
    """Read every row; what is wrong with the chain or the anchor, if anything."""
    try:
        for _ in reader.rows():
            pass
    except JournalDamaged as error:
        return error
    return None


def compare(path: Path, copy: Path) -> Audit:
    """Whether the second copy at `copy` holds, and is the same history as far as it goes."""
    found = verify(copy)
    if found.head.seq:
        reader = Reader(path)
        try:
            if not reader.holds(found.head):
                found.problems.append(
                    f"{copy}: record {found.head.seq} is not that of {path}: it is the copy of "
                    "another history, or goes further. `tablectl restore` takes the longer one"
                )
        finally:
            reader.close()
    return found


# -- what happened --


def rounds(path: Path) -> Iterator[RoundLine]:
    """Every round of the journal as the record has it by now, the one in play last.

    A round is told once it can no longer be corrected or voided. Raises `JournalError`, after the
    rounds before the damage of a damaged journal.
    """
    last: State | None = None
    reader = _opened(path)
    try:
        for _, _, state in scan(reader):
            if last is not None and state.past is not last.past:
                kept = {each.round.number for each in state.past}
                yield from (_line(each) for each in last.past if each.round.number not in kept)
            last = state
    except JournalDamaged:
        yield from _kept(last)
        raise
    else:
        yield from _kept(last)
        if last is not None and (line := _in_play(last)):
            yield line
    finally:
        reader.close()


def _kept(state: State | None) -> Iterator[RoundLine]:
    return map(_line, state.past if state else ())


def _line(past: PastRound) -> RoundLine:
    return RoundLine(
        past.round.number, past.shoe, past.started_ms, past.ended_ms, past.net, past.void,
        past.round.dummy,
    )  # fmt: skip


def _in_play(state: State) -> RoundLine | None:
    if state.round is None or state.step is None:
        return None
    found = find_round(state, state.round.number)
    return _line(found) if found else None


@dataclass(frozen=True, slots=True)
class Told:
    """A round step by step; `opened` are its hidden cards, where the openings were asked for."""

    replay: Replay
    void: bool
    opened: tuple[Opened, ...] = ()


def tell(path: Path, number: int, *, with_openings: bool = False) -> Told:
    """Round `number` from its first card to its last chip.

    `with_openings` is the auditor's: cards that were burned before it, are folded or still lie
    hidden are told from the file of openings. Raises `JournalError`; a round before the damage of
    a damaged journal is told.
    """
    reader = _opened(path)
    openings = Openings(path, missing_is_damage=False) if with_openings else None
    try:
        hidden: list[Opened] = []
        past: PastRound | None = None
        try:
            for _, record, state in scan(reader, openings.open if openings else sealed):
                over = past is not None and past.ended_ms
                if now := find_round(state, number):
                    past = now
                elif past is not None:
                    break
                if over:
                    continue  # what corrections and voids said of it later is told, too
                if isinstance(record.fact, RoundEnded | RoundVoided) and not (
                    past and past.ended_ms
                ):
                    hidden.clear()
                elif isinstance(record.fact, CardBurned | CardDealtDown | CardKept):
                    hidden.append(_hidden(record))
        except JournalDamaged:
            if past is None or not past.ended_ms:
                raise
        if past is None:
            raise JournalError(
                f"there is no round {number} in {path}: replay without --round lists"
            )
        return Told(replay(past), past.void, tuple(hidden) if with_openings else ())
    finally:
        reader.close()
        if openings:
            openings.close()


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


def _opened(path: Path) -> Reader:
    reader = Reader(path)
    if reader.empty:
        reader.close()
        raise JournalError(f"there is no journal at {path}")
    return reader


def export(path: Path, write: Callable[[Row], None]) -> int:
    """Give every record's row to `write`, checked; the number of records. Raises `JournalError`.

    The rows hold no hidden card before its reveal: what is not turned is a commitment.
    """
    reader = _opened(path)
    try:
        for row in reader.rows():
            write(row)
        return reader.head.seq
    finally:
        reader.close()


# -- as text --


def as_text(told: Told) -> Iterator[str]:
    """A round as lines for people; times in UTC."""
    shown = told.replay
    void = ", void" if told.void else ""
    dummy = ", without bets" if shown.dummy else ""
    yield f"Round {shown.number} of {shown.game}{dummy}{void}"
    notes = deque(shown.notes)
    for step in shown.steps:
        while notes and notes[0].at_ms <= step.at_ms:
            yield _held(notes.popleft())
        why = f" ({step.why})" if step.why else ""
        yield f"{clock(step.at_ms)}  {step.text}{why}"
    yield from map(_held, notes)
    if shown.steps:
        yield "On the felt:"
        for hand in (*shown.steps[-1].hands, shown.steps[-1].dealer):
            yield f"  {_felt(hand)}"
    for each in told.opened:
        yield f"Hidden: {each.card or 'not read'} {each.where} (record {each.seq})"


def _held(note: ReplayNote) -> str:
    return f"{clock(note.at_ms)}  Held: {note.text}"


def _felt(hand: HandView) -> str:
    who = "dealer" if hand.seat == DEALER_SEAT else f"seat {hand.seat}, hand {hand.hand}"
    cards = " ".join(each.label or "face down" for each in hand.cards)
    told = ", ".join(each for each in (hand.total, hand.note, hand.result, hand.net) if each)
    return f"{who}: {cards}{f' ({told})' if told else ''}"


def clock(at_ms: int) -> str:
    """A wall time in UTC, to the millisecond."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03d}Z"
