"""One round from its first card to its last chip, with its hidden cards for an auditor."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from controller.record.files.chain_store import ChainReader
from controller.record.files.database import JournalDamaged, JournalError
from controller.record.files.day_files import DayFile
from controller.record.files.span import Span
from controller.record.reading.replay import Decoded, decoded_rows
from controller.record.reading.rounds import scan, zone_of
from controller.rules.actions import Place
from controller.rules.cards import IndexStyle
from controller.rules.frozen import frozen
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
from controller.table.views.english import show
from controller.table.views.replay import Replay, find_round, replay


@frozen
class Opened:
    """A card that lay hidden, for an auditor: where, and its code ("" if it was not read)."""

    seq: int
    where: str
    card: str
    serial: str


@frozen
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
