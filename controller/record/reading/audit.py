"""What an auditor asks of a record: does it hold, and what happened (`verify`, `rounds`, `report`).

Nothing here writes, and nothing needs the openings: hidden cards are commitments. Days are read
one after the other; a damaged record is read up to its damage, and the text says where that is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from controller.devices.displays import HandView
from controller.record.files.chain_store import ChainReader, Row
from controller.record.files.database import JournalDamaged, JournalError, RecordNewer
from controller.record.files.day_files import DayFile, openings_path
from controller.record.files.openings import Openings
from controller.record.files.span import OnProgress, Span
from controller.record.reading.replay import Decoded, decoded_rows, replayed
from controller.rules.actions import Place
from controller.rules.cards import IndexStyle, card
from controller.rules.games.registry import game
from controller.rules.messages import Words
from controller.table.facts import (
    CardBurned,
    CardDealtDown,
    CardKept,
    DayOpened,
    Record,
    RoundEnded,
    RoundVoided,
)
from controller.table.gaming_day import CarryOver
from controller.table.recorded.card_pictures import Pictures
from controller.table.recorded.round import RecordedRound
from controller.table.roles import NOBODY_NAMED, PersonId
from controller.table.state.state import State
from controller.table.views.english import show
from controller.table.views.logbook import Badge, LogLine, span_message
from controller.table.views.replay import Replay, find_round, replay, round_badges


@dataclass(frozen=True, slots=True)
class Opened:
    """A card that lay hidden, for an auditor: where, and its code ("" if it was not read)."""

    seq: int
    where: str
    card: str
    serial: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in a list of rounds. `ended_ms` is 0 while it is in play; `zone` is the table's."""

    number: int
    shoe: int
    started_ms: int
    ended_ms: int
    net: int
    void: bool
    dummy: bool = False
    badges: tuple[Badge, ...] = ()
    zone: str = "UTC"


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


# -- what happened --


def rounds(
    folder: Path, first: str = "", last: str = "", on_progress: OnProgress | None = None
) -> Iterator[RoundLine]:
    """Every round of a span of days as the record has it by now, the one in play last.

    A round is listed once it can no longer be corrected or voided. Raises `JournalError`, after
    the rounds before the damage of a damaged record, or before what newer software wrote.
    """
    return rounds_of(state for _, _, state in scan(Span(folder, first, last, on_progress)))


def rounds_of(states: Iterable[State], *, recalled: bool = False) -> Iterator[RoundLine]:
    """The same of the states after each record of a span.

    `recalled`: with those of the days before that the span can still correct.
    """
    latest: State | None = None
    played_before: int | None = 0 if recalled else None
    try:
        for state in states:
            if played_before is None:
                played_before = state.counts.rounds
            if latest is not None and state.rounds.past is not latest.rounds.past:
                kept = {each.number for each in state.rounds.past}
                for each in latest.rounds.past:
                    if each.number not in kept and each.number > played_before:
                        yield round_line(each, latest)
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
    return (round_line(each, state) for each in state.rounds.past if each.number > (after or 0))


def round_line(past: RecordedRound, state: State) -> RoundLine:
    """A round as `state` has it."""
    return RoundLine(
        past.number, past.shoe, past.started_ms, past.ended_ms, past.net, past.void,
        past.dummy, round_badges(past, state.rounds.pictures), zone_of(state),
    )  # fmt: skip


def _in_play(state: State) -> RoundLine | None:
    return round_line(state.in_play, state) if state.in_play else None


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A round step by step; `opened` are its hidden cards, where the openings were asked for.

    `index` is the style in which its cards print their ranks, `zone` the table's time zone.
    """

    replay: Replay
    void: bool
    opened: tuple[Opened, ...] = ()
    index: IndexStyle = IndexStyle.FINNISH
    zone: str = "UTC"


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
    index, zone = IndexStyle.FINNISH, "UTC"
    try:
        for _, record, state in scan(_from_round(folder, number), with_openings=with_openings):
            over = past is not None and past.ended_ms
            if now := find_round(state, number):
                past, pictures, index = now, state.rounds.pictures, state.setup.index
                zone = zone_of(state)
            elif past is not None:
                break
            if over:
                continue  # what corrections and voids said of it later belongs to it, too
            if isinstance(record.fact, RoundEnded | RoundVoided) and not (past and past.ended_ms):
                hidden.clear()
            elif isinstance(record.fact, CardBurned | CardDealtDown | CardKept):
                hidden.append(_hidden(record, state.words))
    except JournalDamaged:
        if past is None or not past.ended_ms:
            raise
    if past is None:
        raise JournalError(
            f"there is no round {number} in {folder}: replay without --round lists them"
        )
    opened = tuple(hidden) if with_openings else ()
    return RoundReport(replay(past, pictures, names, index), past.void, opened, index, zone)


def _from_round(folder: Path, number: int) -> Span:
    """The span that begins with the day in which round `number` was begun."""
    span = Span(folder)
    for day in reversed(span.days):
        carried = carried_into(day)
        if carried is not None and carried.fields["counts"].rounds < number:
            return Span(folder, day.label)
    return span


def carried_into(day: DayFile) -> CarryOver | None:
    """What a day took over from the one before; None: it is the first. Raises `JournalError`."""
    with closing(ChainReader(day.path)) as reader:
        _, record = next(decoded_rows(day.path, reader.rows(), Decoded()), (None, None))
    opened = record.fact if record else None
    return opened.carried if isinstance(opened, DayOpened) else None


def _hidden(record: Record, words: Words) -> Opened:
    fact = record.fact
    assert isinstance(fact, CardBurned | CardDealtDown | CardKept)
    kind = fact.card.open()
    if isinstance(fact, CardDealtDown):
        where = f"face down to {show(Place(fact.seat, fact.hand), words)}"
    elif isinstance(fact, CardKept):
        where = "kept as the next card"
    else:
        where = "set aside" if fact.set_aside else "burned"
    return Opened(record.seq, where, kind.code if kind else "", fact.card.open_serial())


# -- as text --


def as_text(found: RoundReport) -> Iterator[str]:
    """A round as lines for people; times are those of the table's zone, which is said."""
    shown = found.replay
    void = ", void" if found.void else ""
    dummy = ", without bets" if shown.dummy else ""
    yield f"Round {shown.number} of {shown.game}{dummy}{void}; times of {found.zone}"
    log = deque(shown.log)
    for step in shown.steps:
        while log and log[0].at_ms <= step.at_ms:
            yield _logged(log.popleft(), found.zone)
        why = f" ({step.why})" if step.why else ""
        picture = f" [picture {step.picture}]" if step.picture else ""
        at = wall_text(step.at_ms, found.zone)
        yield f"{at}  {step.text}{why}, {_took(step.took_ms)}{picture}"
    for each in log:
        yield _logged(each, found.zone)
    if shown.steps:
        words = game(shown.rules.partition("/")[0]).words
        yield "On the felt:"
        for hand in (*shown.steps[-1].hands, shown.steps[-1].dealer):
            yield f"  {_felt(hand, words)}"
    for hidden in found.opened:
        kind = card(hidden.card).label(found.index) if hidden.card else "not read"
        yield f"Hidden: {kind} {hidden.where} (record {hidden.seq})"


def _logged(found: LogLine, zone: str) -> str:
    """A line of the logbook: set off from the steps by its marks."""
    picture = f" [picture {found.picture}]" if found.picture else ""
    return f"{wall_text(found.at_ms, zone)}  [{', '.join(found.marks)}] {found.text}{picture}"


def _took(ms: int) -> str:
    return f"after {show(span_message(ms))}"


def _felt(hand: HandView, words: Words) -> str:
    who = show(Place(hand.seat, hand.hand), words)
    cards = " ".join(each.label or "face down" for each in hand.cards)
    result = ", ".join(each for each in (hand.total, hand.note, hand.result, hand.net) if each)
    return f"{who}: {cards}{f' ({result})' if result else ''}"


def zone_of(state: State) -> str:
    """The table's own time zone (IANA), UTC at a table without a calendar."""
    return state.day.schedule.zone if state.day else "UTC"


def wall_time(at_ms: int, zone: str) -> datetime:
    """A wall time in an IANA time zone."""
    return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone))


def wall_text(at_ms: int, zone: str) -> str:
    """The same as text, to the millisecond and with its offset from UTC."""
    return wall_time(at_ms, zone).isoformat(" ", "milliseconds")


def clock(at_ms: int) -> str:
    """A wall time in UTC, to the millisecond."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03d}Z"
